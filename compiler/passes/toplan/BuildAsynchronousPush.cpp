#include "compiler/passes/toplan/BuildAsynchronous.h"
#include "compiler/passes/toplan/SendAtOnce.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;
using plan::Domain;

namespace {

// A number of the threshold that choose-priority decided; 0 where every active vertex is processed.
std::int64_t number_of(const plan::Plan& plan, const std::string& phase, const char* key) {
  const plan::Decision* decision = plan.find_decision(phase, key);
  return decision == nullptr ? 0 : std::stoll(decision->value);
}

class PushBuilder {
 public:
  /// `rest`: of which colour classes; "": it is no coloured variant.
  PushBuilder(PhaseKernels& kernels, plan::Variant& variant, const std::string& rest = "")
      : kernels_(kernels),
        variant_(variant),
        rest_(rest),
        phase_(kernels.analysis()),
        data_(variant.path.activation == Activation::DataDriven),
        pending_(!data_ && phase_.asking == Asking::Pending),
        rank_(data_ ? number_of(kernels.context().plan(), kernels.phase().name, "threshold-rank")
                    : 0) {}

  void run() {
    variant_.prepare = kernels_.starts(data_);
    variant_.pending = data_ ? kernels_.asked() : kernels_.changed();
    const auto step = [&](plan::Action action) { variant_.step.push_back(std::move(action)); };
    if (!data_) step(clear(kernels_.changed()));
    if (data_) variant_.prepare.push_back(clear(kernels_.asked_next()));
    if (data_) variant_.prepare.push_back(clear(kernels_.queued_next()));
    if (pending_) variant_.prepare.push_back(clear(kernels_.pending_next()));
    if (defers()) step(launch(kernels_.kernel("sample_data", [&] { return sample(); })));
    step(launch(kernels_.kernel(data_ ? "relax_push_data" : "relax_push_topology",
                                [&] { return relax(); })));
    if (data_) {
      step(swap(kernels_.asked(), kernels_.asked_next()));
      step(swap(kernels_.queued(), kernels_.queued_next()));
      step(clear(kernels_.asked_next()));
    }
    if (pending_) step(swap(kernels_.pending(), kernels_.pending_next()));
    variant_.deterministic = !kernels_.order_shows() && !kernels_.phase().assume_order_free;
  }

 public:
  plan::Kernel relax_rest() {
    plan::Kernel kernel = relax();
    kernel.comment =
        "Runs the vertices of no colour class. Neighbours may be among them, so that it is an "
        "asynchronous push: inboxes are " +
        std::string(phase_.absorbs ? "read" : "taken") + " and combined into atomically.";
    kernel.domain = Domain::Rest;
    kernel.list = rest_;
    return kernel;
  }

 private:
  KernelContext& context() { return kernels_.context(); }

  bool defers() const { return rank_ > 0; }

  // What an activation achieves for what it costs: how much it passes on, per edge that it visits.
  ExprPtr worth(const std::string& v, ExprPtr waiting) const {
    const ir::Type real = ir::ScalarKind::Float32;
    ExprPtr visits = number(ir::ScalarKind::Float32, 1);
    for (const SendSite& site : kernels_.sites())
      visits = binary(Op::Add, std::move(visits),
                      unary(Op::Cast, degree(v, site.send->direction), real), real);
    return binary(Op::Divide, unary(Op::Abs, unary(Op::Cast, std::move(waiting), real), real),
                  std::move(visits), real);
  }

  plan::Kernel sample() {
    plan::Kernel kernel = kernels_.frame(
        "Samples what active vertices are worth: what waits for each, per edge that it would be "
        "sent along. The threshold is what the best of them reach; one block agrees on it.",
        Domain::Sample, kernels_.asked());
    kernel.start = number(ir::ScalarKind::Int64,
                          number_of(context().plan(), kernels_.phase().name, "threshold-list"));
    return kernels_.ask_guard(std::move(kernel), [&](Block& block, const std::string& v,
                                                     const PhaseKernels::Inboxes& known) {
      const ir::Type& type = kernels_.message(phase_.message).type;
      add(block,
          sampled(kernels_.threshold(), rank_, worth(v, local(known.at(phase_.message), type))));
    });
  }

  // Vertices below the threshold stay on the list, with their inboxes.
  Block* defer(Block& block, const std::string& v, LocalNames& names) {
    const std::string& message = phase_.message;
    const ir::Type real = ir::ScalarKind::Float32;
    const std::string known = names.fresh(message + "_worth");
    add(block, let(known, worth(v, local(known_.at(message), kernels_.message(message).type))));
    plan::KernelStmt& branch = add(
        block, when(holds(Op::Less, local(known, real), threshold_value(kernels_.threshold()))));
    kernels_.count_deferred(branch.body);
    add(branch.body, set_bit(kernels_.queued_next(), v))
        .body.push_back(append(kernels_.asked_next(), v));
    return &branch.otherwise;
  }

  plan::Kernel relax() {
    plan::Kernel kernel = kernels_.frame(
        defers() ? "Asks the guard, takes the inboxes that are worth it by one exchange each, runs "
                   "the body and sends at once; the other vertices wait on the list."
        : phase_.absorbs
            ? "Asks the guard, runs the body and sends at once; an inbox is not reset, "
              "because only improvements are taken."
            : "Asks the guard, takes the inbox by one exchange, runs the body and sends "
              "at once.",
        data_ ? Domain::Worklist : Domain::AllVertices, data_ ? kernels_.asked() : "");
    LocalNames names(context());
    kernel.vertex = names.fresh(kernel.vertex);
    Bindings bound = kernels_.bindings(kernel.vertex);
    bound.snapshots.clear();
    bound.vertices[kernels_.phase().variable] = kernel.vertex;
    bound.replace = [&](const ir::Expr& e) -> ExprPtr {
      return e.op == Op::Inbox ? local(known_.at(e.symbol), e.type) : nullptr;
    };
    ExprLowering lowering(context(), names, std::move(bound));
    const std::string& v = kernel.vertex;

    Block* block = &kernel.body;
    if (data_) add(*block, clear_bit(kernels_.queued(), v));
    if (pending_) {
      block = &add(*block, when(test_bit(kernels_.pending(), v))).body;
      add(*block, clear_bit(kernels_.pending(), v));
    }
    for (const std::string& message : phase_.read) {
      known_[message] = names.fresh(phase_.absorbs ? message : message + "_waiting");
      add(*block, let(known_[message],
                      load(context().inbox(message), kernels_.message(message).type, v, true)));
    }
    ExprPtr test = lowering.lower(*kernels_.phase().guard, *block);
    if (!data_ && phase_.asking == Asking::NonEmpty)
      test = both(kernels_.some_inbox_filled(known_), std::move(test));
    plan::KernelStmt& branch = add(*block, when(std::move(test)));
    branch.location = kernels_.phase().guard->location;
    block = &branch.body;
    if (defers()) block = defer(*block, v, names);
    if (!phase_.absorbs) block = take(*block, v, lowering);
    kernels_.count_active(*block);
    kernels_.lower_body(kernels_.phase().body, lowering, *block,
                        [&](const ir::Stmt& send, ExprLowering& here, Block& at) {
                          send_at_once(kernels_, send, here, at, v,
                                       [&](Block& then, const std::string& u) { notify(then, u); });
                        });
    return kernel;
  }

  // Takes the inboxes; returns the block in which the body goes on.
  Block* take(Block& block, const std::string& v, ExprLowering& lowering) {
    for (const std::string& message : phase_.read) {
      plan::KernelStmtPtr taking = let(lowering.names().fresh(message), kernels_.identity(message));
      taking->op = plan::KernelOp::Take;
      taking->buffer = context().inbox(message);
      taking->index = vertex(v);
      taking->type = kernels_.message(message).type;
      known_[message] = taking->symbol;
      add(block, std::move(taking));
    }
    if (!kernels_.phase().assume_order_free) return &block;
    ExprPtr still = lowering.lower(*kernels_.phase().guard, block);
    plan::KernelStmt& branch = add(block, when(std::move(still)));
    for (const std::string& message : phase_.read)
      add(branch.otherwise,
          kernels_.combine_into(message, v, local(known_[message], kernels_.message(message).type),
                                true));
    return &branch.body;
  }

  void notify(Block& then, const std::string& u) {
    if (data_) {
      add(then, set_bit(kernels_.queued_next(), u))
          .body.push_back(append(kernels_.asked_next(), u));
      return;
    }
    if (pending_) add(then, set_bit(kernels_.pending_next(), u));
    add(then, raise(kernels_.changed()));
  }

  PhaseKernels& kernels_;
  plan::Variant& variant_;
  const std::string rest_;
  const PhaseAnalysis& phase_;
  const bool data_;
  const bool pending_;
  const std::int64_t rank_;  // of the sample that is the threshold; 0: nobody waits
  std::map<std::string, std::string> known_;  // message -> local that holds it
};

}  // namespace

plan::Kernel push_from_rest(PhaseKernels& kernels, plan::Variant& variant,
                            const std::string& classes) {
  return PushBuilder(kernels, variant, classes).relax_rest();
}

void build_asynchronous_push(PhaseKernels& kernels, plan::Variant& variant) {
  PushBuilder(kernels, variant).run();
}

}  // namespace vertigo::compiler::toplan
