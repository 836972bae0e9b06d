#include "compiler/passes/toplan/BuildSynchronous.h"

#include <algorithm>

#include "compiler/passes/toplan/AskAgain.h"
#include "compiler/passes/toplan/AskReceiver.h"
#include "compiler/passes/toplan/BuildMessageBuffer.h"
#include "compiler/passes/toplan/ChooseDelivery.h"
#include "compiler/passes/toplan/ChooseSnapshots.h"
#include "compiler/passes/toplan/KeepCounts.h"
#include "compiler/passes/toplan/RenewSnapshots.h"
#include "compiler/passes/toplan/SendAtOnce.h"
#include "compiler/passes/toplan/SendLoops.h"
#include "compiler/passes/toplan/StoreSenders.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;
using plan::Domain;

namespace {

/// Whether messages, if there are any, wait in slots of their own.
bool waits_in_slots(PhaseKernels& kernels, const plan::Variant& variant) {
  return has_message_buffer(kernels.context().plan()) && is_buffered(variant);
}

class SynchronousBuilder {
 public:
  SynchronousBuilder(PhaseKernels& kernels, plan::Variant& variant)
      : kernels_(kernels),
        variant_(variant),
        phase_(kernels.analysis()),
        // Marks of who sends would be cleared, and asked for, at all vertices.
        data_(variant.path.activation == Activation::DataDriven ||
              (kernels.is_sliced() && !waits_in_slots(kernels, variant))),
        pull_(variant.path.direction == Direction::Pull),
        sends_(!kernels.phase().body.empty() && !phase_.sent.empty()),
        all_active_(kernels.is_sweep() && !kernels.phase().guard),
        senders_(kernels),
        buffered_(sends_ && waits_in_slots(kernels, variant)),
        at_once_(sends_ && !pull_ && !buffered_ && kernels.is_sweep() &&
                 passes::sends_at_once(kernels.context().plan(), kernels.phase())),
        trades_(senders_.snapshots().size() == 1 && !senders_.carries() &&
                passes::trades_places(kernels.context().plan(), kernels.phase())) {}

  void run() {
    if (!kernels_.is_sweep()) {
      variant_.prepare = kernels_.starts(data_);
      variant_.pending = data_ ? kernels_.asked() : kernels_.changed();
    }
    // With nobody sending later, or everybody, there are no marks of active vertices.
    const bool marks = sends_ && !all_active_ && !at_once_;
    list_ = marks && data_;
    bits_ = marks && (!data_ || pull_);
    if (list_) variant_.prepare.push_back(clear(kernels_.active()));
    if (bits_) variant_.prepare.push_back(clear(kernels_.active_bits()));
    if (list_ && pull_) {
      variant_.prepare.push_back(clear(kernels_.candidates()));
      variant_.prepare.push_back(clear(kernels_.candidate_bits()));
    }
    if (renews_listed())
      for (const std::string& state : senders_.snapshots())
        variant_.prepare.push_back(copy(context().snapshot(state), state));
    add_steps();
    // Slots are read in the order of edges, whoever filled them first.
    variant_.deterministic = pull_ || buffered_ || !kernels_.order_shows();
  }

 private:
  KernelContext& context() { return kernels_.context(); }
  void step(plan::Action action) { variant_.step.push_back(std::move(action)); }
  bool keeps_list() const { return kernels_.is_sweep() && kernels_.keeps_list(); }
  bool renews_list() const { return kernels_.is_sweep() && kernels_.renews_list(); }
  bool asks_listed() const { return data_ && !kernels_.is_sweep(); }
  /// Nobody's states change in a step but those of the active vertices, which stand on a list:
  /// their snapshots alone are made anew, and a step takes no time for the others.
  bool renews_listed() const { return list_ && asks_listed() && !senders_.snapshots().empty(); }
  /// The kernel that sends goes through the same list, unless it reads what is made anew.
  bool renews_while_sending() {
    const auto reads = [&](const ExprPtr& expr) {
      bool found = false;
      if (expr)
        ir::walk(*expr, [&](const ir::Expr& e) {
          found = found || (e.op == Op::State && e.vertex != kernels_.phase().variable &&
                            senders_.snapshots().contains(e.symbol));
        });
      return found;
    };
    return renews_listed() && !pull_ &&
           std::ranges::none_of(kernels_.sites(), [&](const SendSite& site) {
             return reads(site.value) || reads(site.condition) || reads(site.filter) ||
                    reads(site.receiver);
           });
  }
  bool has_pending() const {
    return !data_ && !kernels_.is_sweep() && phase_.asking == Asking::Pending;
  }

  void add_steps() {
    if (senders_.any()) {
      plan::Action fill =
          launch(kernels_.kernel("store_for_neighbours", [&] { return senders_.kernel(); }));
      if (senders_.carries())
        context().launch_after_initialization(std::move(fill));
      else
        step(std::move(fill));
    }
    if (kernels_.is_sliced() && !senders_.snapshots().empty())
      step(launch(kernels_.kernel("keep_slice",
                                  [&] { return keep_slice(kernels_, senders_.snapshots()); })));
    else if (!renews_listed() && !trades_ &&
             !passes::finds_snapshots(context().plan(), kernels_.phase()))
      for (const std::string& state : senders_.snapshots())
        step(copy(context().snapshot(state), state));
    for (const std::string& state : phase_.edge_snapshots)
      step(copy(context().edge_snapshot(state), state));
    if (bits_ && !data_) step(clear(kernels_.active_bits()));
    if (!data_ && !kernels_.is_sweep()) step(clear(kernels_.changed()));
    if (renews_list()) step(clear(kernels_.left_next()));
    step(launch(kernels_.kernel(activate_name(), [&] { return activate(); })));
    if (context().kept_choice() != nullptr &&
        passes::changes_choice(*context().kept_choice(), kernels_.phase()))
      for (plan::Action& uncounts : uncount_fallen(context())) step(std::move(uncounts));
    if (senders_.carries())
      for (plan::Action& swaps : senders_.swaps()) step(std::move(swaps));
    if (trades_) step(swap(traded(), context().snapshot(traded())));
    if (renews_list()) step(swap(kernels_.left(), kernels_.left_next()));
    if (asks_listed()) step(clear(kernels_.asked()));
    if (has_pending()) step(clear(kernels_.pending()));
    if (!sends_ || at_once_) return;
    if (buffered_) {
      step(launch(kernels_.kernel("write_messages_push_topology",
                                  [&] { return write_messages(kernels_, all_active_); })));
      step(launch(kernels_.kernel("combine_messages", [&] {
        return combine_messages(kernels_, [&](Block& then, const std::string& message,
                                              const std::string& u, const std::string& total,
                                              LocalNames& names) {
          notify(then, message, guard(), u, local(total, kernels_.message(message).type), names);
        });
      })));
    } else if (!pull_) {
      step(launch(kernels_.kernel(data_ ? "send_push_data" : "send_push_topology",
                                  [&] { return send(); })));
    } else {
      if (list_)
        step(launch(kernels_.kernel("mark_candidates", [&] { return list_receivers(kernels_); })));
      step(launch(kernels_.kernel(list_ ? "gather_pull_data" : "gather_pull_topology",
                                  [&] { return gather(); })));
    }
    if (list_ && pull_) {
      step({plan::ActionKind::ClearListed, kernels_.active_bits(), kernels_.active()});
      step(clear(kernels_.candidates()));
    }
    if (renews_listed() && !renews_while_sending())
      step(launch(kernels_.kernel("renew_snapshots",
                                  [&] { return renew_active(kernels_, senders_.snapshots()); })));
    if (list_) step(clear(kernels_.active()));
  }

  std::string activate_name() const {
    const std::string base = at_once_              ? "update_and_send"
                             : kernels_.is_sweep() ? "update"
                                                   : "activate";
    if (kernels_.is_sweep() && !list_ && !bits_)
      return base + (keeps_list() ? "_left" : kernels_.is_sliced() ? "_slice" : "_all");
    return base + (data_ ? (bits_ ? "_data_marked" : "_data") : "_topology");
  }

  plan::Kernel activate() {
    plan::Kernel kernel = kernels_.frame(
        "Asks the guard, takes the inboxes and runs the body; nobody sends "
        "meanwhile, so no atomics on inboxes.",
        asks_listed() ? Domain::Worklist : Domain::AllVertices,
        asks_listed() ? kernels_.asked() : "");
    if (kernels_.is_sweep())
      kernel.comment =
          at_once_ ? "Runs the body at every vertex that qualifies, and delivers what it sends: "
                     "nobody reads it in this step. Receivers are shared, so inboxes are combined "
                     "into atomically."
                   : "Runs the body at every vertex that qualifies; no messages travel "
                     "meanwhile, so no atomics on inboxes.";
    if (!kernels_.phase().body.empty() &&
        kernels_.phase().body.front()->kind == ir::StmtKind::UpdateEdges)
      kernel.comment =
          kernels_.phase().body.front()->apart
              ? "Runs the body at every entry of the lists, whose place nobody else writes."
              : "Runs the body at every edge, from the end that comes first; it alone writes both "
                "places of the edge, so no atomics.";
    if (kernels_.is_sliced()) kernels_.run_over_slice(kernel);
    const passes::SettledState* const settles = kernels_.is_sweep() ? kernels_.settles() : nullptr;
    if (keeps_list()) {
      kernel.domain = Domain::Worklist;
      kernel.list = kernels_.left();
      if (renews_list())
        kernel.comment += " Whoever fails the first condition is not looked at again.";
      if (settles != nullptr)
        kernel.comment += " Neither is who finds nobody: there will be nobody in later rounds.";
    }
    LocalNames names(context());
    kernel.vertex = names.fresh(kernel.vertex);
    Bindings bound = kernels_.bindings(kernel.vertex);
    bound.vertices[kernels_.phase().variable] = kernel.vertex;
    bound.stored = senders_.stored();
    if (trades_) {
      bound.assigned.emplace(traded(), context().snapshot(traded()));
      bound.snapshots.clear();
    }
    bound.replace = [&](const ir::Expr& e) -> ExprPtr {
      return e.op == Op::Inbox ? local(taken_.at(e.symbol), e.type) : nullptr;
    };
    ExprLowering lowering(context(), names, std::move(bound));
    taken_.clear();

    Block* block = &kernel.body;
    if (renews_list()) keep_for_others(kernels_, *block, kernel.vertex);
    if (asks_listed()) add(*block, clear_bit(kernels_.queued(), kernel.vertex));
    if (has_pending()) block = &add(*block, when(test_bit(kernels_.pending(), kernel.vertex))).body;
    if (keeps_list()) {
      ExprPtr lasting = lowering.lower(*kernels_.domain().lasting, *block);
      plan::KernelStmt& branch = add(*block, when(std::move(lasting)));
      branch.location = kernels_.domain().lasting->location;
      block = &branch.body;
      if (renews_list() && settles == nullptr)
        add(*block, append(kernels_.left_next(), kernel.vertex));
    }
    const ir::Expr* guard =
        keeps_list() ? kernels_.domain().rest.get() : kernels_.phase().guard.get();
    const std::optional<AskedAgain> again = asked_again(guard, lowering);
    if (again) guard = again->others.get();
    if (guard != nullptr) {
      read_inboxes(*block, kernel.vertex, names, [&](const std::string& message) {
        bool in_guard = false;
        ir::walk(*guard, [&](const ir::Expr& e) {
          in_guard = in_guard || (e.op == Op::Inbox && e.symbol == message);
        });
        return in_guard;
      });
      ExprPtr test = lowering.lower(*guard, *block);
      if (!kernels_.is_sweep() && !data_ && phase_.asking == Asking::NonEmpty)
        test = both(kernels_.some_inbox_filled(taken_), std::move(test));
      plan::KernelStmt& branch = add(*block, when(std::move(test)));
      branch.location = guard->location;
      if (trades_) add(branch.otherwise, keep_value(kernel.vertex));
      block = &branch.body;
    }
    if (again) block = &ask_again(kernels_, *again->reduction, lowering, kernel.vertex, *block);
    read_inboxes(*block, kernel.vertex, names, [](const std::string&) { return true; });
    activation(*block, kernel.vertex, lowering);
    if (settles != nullptr)
      add(*block, when(differs(settles->state, kernel.vertex, *settles->none)))
          .body.push_back(append(kernels_.left_next(), kernel.vertex));
    if (senders_.carries()) senders_.carry(*block, kernel.vertex, names);
    return kernel;
  }

  /// Of an update that is asked again in each round. What neighbours read from an array of its own
  /// is no expression any more.
  std::optional<AskedAgain> asked_again(const ir::Expr* guard, ExprLowering& lowering) const {
    if (guard == nullptr || !keeps_list() || !lowering.bindings().stored.empty())
      return std::nullopt;
    return find_asked_again(*guard);
  }

  /// Whether the vertex's state is another than `none`.
  ExprPtr differs(const std::string& state, const std::string& v, const ir::Expr& none) {
    ExprPtr now = load(context().state(state), none.type, v);
    if (none.type == ir::Type(ir::ScalarKind::Bool)) return now;
    return holds(Op::NotEqual, std::move(now), none.clone());
  }

  /// The state whose new values go to a second array.
  const std::string& traded() const { return *senders_.snapshots().begin(); }
  plan::KernelStmtPtr keep_value(const std::string& v) {
    return store(
        context().snapshot(traded()), v,
        load(context().state(traded()), context().program().find_state(traded())->type, v));
  }

  template <class Wanted>
  void read_inboxes(Block& block, const std::string& v, LocalNames& names, const Wanted& wanted) {
    for (const std::string& message : phase_.read) {
      if (taken_.contains(message) || !wanted(message)) continue;
      const std::string name = names.fresh(message);
      taken_[message] = name;
      add(block, let(name, load(context().inbox(message), kernels_.message(message).type, v)));
    }
  }

  void activation(Block& block, const std::string& v, ExprLowering& lowering) {
    if (!at_once_) prepare_saving(block, v);
    kernels_.lower_body(kernels_.phase().body, lowering, block,
                        [&](const ir::Stmt& send, ExprLowering& here, Block& at) {
                          if (at_once_)
                            send_at_once(kernels_, send, here, at, v,
                                         [](Block&, const std::string&) {});
                          else
                            save(send, here, at, v);
                        });
    // Not before the body: a store to where a load is still on its way holds up the processor's
    // other loads (1.1 ms over 24 M vertices on an H200, of which next to nothing was due).
    if (!phase_.absorbs)
      for (const std::string& message : phase_.read)
        add(block, store(context().inbox(message), v, kernels_.identity(message)));
    if (list_) add(block, append(kernels_.active(), v));
    if (bits_) add(block, set_bit(kernels_.active_bits(), v));
    kernels_.count_active(block);
    if (sends_) kernels_.count_for_controller(block, v);
  }

  /// What is saved where a send is not reached.
  void prepare_saving(Block& block, const std::string& v) {
    for (const SendSite& site : kernels_.sites())
      for (const Saved& saved : site.saved)
        if (saved.value == nullptr)
          add(block, store(saved.buffer, v, boolean(false)));
        else if (saved.otherwise)
          add(block, store(saved.buffer, v, saved.otherwise->clone()));
  }

  void save(const ir::Stmt& send, ExprLowering& lowering, Block& block, const std::string& v) {
    for (const SendSite& site : kernels_.sites()) {
      if (site.send != &send) continue;
      for (const Saved& saved : site.saved) {
        ExprPtr value =
            saved.value == nullptr ? boolean(true) : lowering.lower(*saved.value, block);
        add(block, store(saved.buffer, v, std::move(value))).location = send.location;
      }
    }
  }

  // Push: one loop over the edges of active vertex v for each send.
  plan::Kernel send() {
    plan::Kernel kernel = kernels_.frame(
        "Delivers the messages of active vertices; receivers are shared, so inboxes are combined "
        "into atomically.",
        list_ ? Domain::Worklist : Domain::AllVertices, list_ ? kernels_.active() : "");
    kernel.location = kernels_.sites().front().send->location;
    LocalNames names(context());
    kernel.vertex = names.fresh(kernel.vertex);
    Block* block = &kernel.body;
    if (renews_while_sending())
      renew_snapshots(kernels_, senders_.snapshots(), *block, kernel.vertex);
    if (bits_) block = &add(*block, when(test_bit(kernels_.active_bits(), kernel.vertex))).body;
    for (const SendSite& site : kernels_.sites()) {
      Block* sending = block;
      if (ExprPtr test = condition_of(kernels_, site, kernel.vertex, names, *block))
        sending = &add(*block, when(std::move(test))).body;
      const auto deliver = [&](Block& at, const std::string& u, plan::KernelStmtPtr combine) {
        const std::string& message = site.send->symbol;
        const bool asks = always_changes(kernels_.message(message).combine);
        Block& to = asks ? where_messages_count(kernels_, at, u, names) : at;
        plan::KernelStmt& into = add(to, std::move(combine));
        into.location = site.send->location;
        notify(into.body, message, asks ? left_to_ask() : guard(), u,
               load(context().inbox(message), kernels_.message(message).type, u, true), names);
      };
      if (site.receiver) {
        ExprLowering lowering(context(), names, bindings_of(kernels_, site, kernel.vertex, ""));
        to_one(kernels_, *sending, lowering, *site.receiver, [&](Block& at, const std::string& u) {
          ExprPtr value = lowering.lower(*site.value, at);
          deliver(at, u, kernels_.combine_joined(site.send->symbol, u, std::move(value)));
        });
        continue;
      }
      kernels_.count_edges(*sending, kernel.vertex, site.send->direction);
      along_edges(kernels_, *sending, site, kernel.vertex, names, [&](const Delivery& delivery) {
        deliver(delivery.at, delivery.receiver,
                kernels_.combine_into(site.send->symbol, delivery.receiver,
                                      std::move(delivery.value), true));
      });
    }
    return kernel;
  }

  const ir::Expr* guard() const { return kernels_.phase().guard.get(); }
  /// Of a receiver whom messages may still move.
  const ir::Expr* left_to_ask() {
    const passes::ShrinkingDomain* const receivers = kernels_.receivers();
    return receivers == nullptr ? guard() : receivers->rest.get();
  }

  /// What follows a change of the inbox of `u`; `inbox` reads it, and `guard` is to be asked.
  void notify(Block& changed, const std::string& message, const ir::Expr* guard,
              const std::string& u, ExprPtr inbox, LocalNames& names) {
    if (kernels_.is_sweep()) return;
    // A push over all vertices has only a flag to raise, which takes less than to ask.
    Block& block =
        data_ || pull_ || buffered_
            ? where_guard_holds(kernels_, changed, message, guard, u, std::move(inbox), names)
            : changed;
    if (data_) {
      // Who gathers once stands on the list once.
      Block& once =
          pull_ && phase_.sent.size() == 1 ? block : add(block, set_bit(kernels_.queued(), u)).body;
      add(once, append(kernels_.asked(), u));
      return;
    }
    if (phase_.asking == Asking::Pending) add(block, set_bit(kernels_.pending(), u));
    if (pull_) kernels_.count_asked(block);
    add(block, raise(kernels_.changed()));
  }
  // Pull: one thread folds all messages for receiver u.
  plan::Kernel gather() {
    plan::Kernel kernel = kernels_.frame(
        "Gathers the messages of active neighbours; one thread owns a receiver, so no atomics on "
        "inboxes.",
        list_ ? Domain::Worklist : Domain::AllVertices, list_ ? kernels_.candidates() : "");
    kernel.location = kernels_.sites().front().send->location;
    LocalNames names(context());
    names.fresh(kernels_.phase().variable);  // the senders keep the user's name
    std::string wanted = "u";
    for (const SendSite& site : kernels_.sites())
      if (!site.send->neighbour.empty()) wanted = site.send->neighbour;
    kernel.vertex = names.fresh(wanted);
    const std::string& u = kernel.vertex;
    Block* block = &kernel.body;
    if (list_) add(*block, clear_bit(kernels_.candidate_bits(), u));
    if (phase_.uniform_cost) {
      // Reached in an earlier step, hence with a smaller value than any that is on its way.
      const ir::State& state = *context().program().find_state(phase_.state);
      Bindings bound = kernels_.bindings(u);
      bound.vertices["self"] = u;
      ExprLowering lowering(context(), names, std::move(bound));
      ExprPtr initial = lowering.lower(*state.initial, *block);
      block = &add(*block, when(holds(Op::Equal, load(context().state(state.name), state.type, u),
                                      std::move(initial))))
                   .body;
    }
    block = &where_messages_count(kernels_, *block, u, names);
    for (const std::string& message : phase_.sent)
      fold_inbox(
          kernels_, *block, message, u, names,
          [&](const SendSite& site, const std::string& total, const std::string& changed) {
            gather_site(*block, site, u, total, changed, names);
          },
          [&](Block& then, const std::string& total) {
            notify(then, message, left_to_ask(), u, local(total, kernels_.message(message).type),
                   names);
          });
    return kernel;
  }

  void gather_site(Block& block, const SendSite& site, const std::string& u,
                   const std::string& total, const std::string& changed, LocalNames& names) {
    const ir::EdgeDirection direction = reversed(site.send->direction);
    const std::string v = names.fresh(kernels_.phase().variable + "_sender");
    const ir::Message& message = kernels_.message(site.send->symbol);
    const bool leaves = phase_.uniform_cost || can_settle(message);
    // Who waits for nothing more does not look, whoever settled it: an earlier step or site.
    Block* looking = &block;
    if (can_settle(message)) looking = &add(block, when(negated(is_settled(message, total)))).body;
    if (!leaves) kernels_.count_edges(block, u, direction);
    plan::KernelStmt& loop = add(*looking, kernels_.edges(u, direction, v, site.send->symbol));
    loop.location = site.send->location;
    if (leaves) kernels_.count_edge(loop.body);

    ExprLowering lowering(context(), names, bindings_of(kernels_, site, v, u));
    Block* inside = &loop.body;
    ExprPtr test = all_active_ ? nullptr : test_bit(kernels_.active_bits(), v);
    if (site.condition) test = both(std::move(test), lowering.lower(*site.condition, *inside));
    if (site.filter) test = both(std::move(test), lowering.lower(*site.filter, *inside));
    if (test) inside = &add(*inside, when(std::move(test))).body;
    ExprPtr value = lowering.lower(*site.value, *inside);
    plan::KernelStmt& fold =
        add(*inside, kernels_.accumulate_message(site.send->symbol, total, std::move(value)));
    fold.changed = changed;
    fold.location = site.send->location;
    if (phase_.uniform_cost)
      inside->push_back(leave_edges());
    else if (leaves)
      leave_when_settled(*inside, message, total);
  }

  PhaseKernels& kernels_;
  plan::Variant& variant_;
  const PhaseAnalysis& phase_;
  const bool data_;
  const bool pull_;
  const bool sends_;
  const bool all_active_;  // `update all`: nobody needs a mark
  StoredSenders senders_;  // of an update that reads its neighbours
  const bool buffered_;    // messages wait in slots of their own
  const bool at_once_;     // they leave where the body sends them
  const bool trades_;      // new values of a state go to a second array
  bool list_ = false;
  bool bits_ = false;
  std::map<std::string, std::string> taken_;  // message -> local of the activate kernel
};

}  // namespace

void build_synchronous(PhaseKernels& kernels, plan::Variant& variant) {
  SynchronousBuilder(kernels, variant).run();
}

}  // namespace vertigo::compiler::toplan
