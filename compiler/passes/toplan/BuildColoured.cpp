#include "compiler/passes/toplan/BuildColoured.h"

#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/toplan/BuildAsynchronous.h"
#include "compiler/passes/toplan/SendAtOnce.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;

namespace {

class ColouredBuilder {
 public:
  ColouredBuilder(PhaseKernels& kernels, plan::Variant& variant, const std::string& colours)
      : kernels_(kernels),
        variant_(variant),
        phase_(kernels.analysis()),
        pulls_(variant.path.direction == Direction::Pull && !phase_.sent.empty()),
        pending_(!kernels.is_sweep() && !pulls_ && phase_.asking == Asking::Pending),
        has_rest_(!colours.empty()),
        classes_(has_rest_ ? kernels.few_classes(colours) : kernels.classes()) {}

  std::string run() {
    if (!kernels_.is_sweep()) {
      variant_.prepare = kernels_.starts(false);
      variant_.pending = kernels_.changed();
      variant_.step.push_back(clear(kernels_.changed()));
    }
    if (pulls_)
      pull();
    else
      push();
    variant_.deterministic = !kernels_.order_shows() && !kernels_.phase().assume_order_free;
    // Neighbours are those along edges in both directions.
    context().plan().needs_transpose = true;
    return problem_;
  }

 private:
  KernelContext& context() { return kernels_.context(); }

  template <class Make>
  void step(plan::ActionKind over, const char* kernel, const Make& make) {
    plan::Action each{over, classes_, "", {}};
    each.body.push_back(launch(kernels_.kernel(kernel, make)));
    variant_.step.push_back(std::move(each));
  }

  void push() {
    step(plan::ActionKind::ForParts, "run_class", [&] { return run_class(); });
    if (!has_rest_) return;
    step(plan::ActionKind::ForRest, "run_rest",
         [&] { return push_from_rest(kernels_, variant_, classes_); });
    if (!pending_) return;
    variant_.prepare.push_back(clear(kernels_.pending_next()));
    variant_.step.push_back(swap(kernels_.pending(), kernels_.pending_next()));
  }

  void pull() {
    const auto over = [&](plan::Domain domain) {
      return [this, domain] {
        return pull_in_classes(kernels_, variant_, domain, classes_, problem_);
      };
    };
    step(plan::ActionKind::ForParts, "pull_class", over(plan::Domain::Part));
    step(plan::ActionKind::ForRest, "pull_rest", over(plan::Domain::Rest));
  }

  plan::Kernel run_class() {
    plan::Kernel kernel = kernels_.frame(
        phase_.sent.empty()
            ? "Runs the vertices of one colour class, which read their neighbours as they are now."
            : "Runs the vertices of one colour class. Their inboxes and neighbours rest meanwhile; "
              "receivers are shared, so inboxes are combined into atomically.",
        plan::Domain::Part, classes_);
    LocalNames names(context());
    kernel.vertex = names.fresh(kernel.vertex);
    const std::string& v = kernel.vertex;
    Bindings bound = kernels_.bindings(v);
    bound.snapshots.clear();
    bound.vertices[kernels_.phase().variable] = v;
    bound.replace = [&](const ir::Expr& e) -> ExprPtr {
      return e.op == Op::Inbox ? local(known_.at(e.symbol), e.type) : nullptr;
    };
    ExprLowering lowering(context(), names, std::move(bound));
    kernel.start = asked_of_itself(lowering);

    Block* block = &kernel.body;
    if (pending_) {
      block = &add(*block, when(test_bit(kernels_.pending(), v))).body;
      add(*block, clear_bit(kernels_.pending(), v));
    }
    for (const std::string& message : phase_.read) {
      known_[message] = names.fresh(message);
      add(*block,
          let(known_[message], load(context().inbox(message), kernels_.message(message).type, v)));
    }
    if (const ir::Expr* const guard = kernels_.phase().guard.get()) {
      ExprPtr test = lowering.lower(*guard, *block);
      if (phase_.asking == Asking::NonEmpty)
        test = both(kernels_.some_inbox_filled(known_), std::move(test));
      plan::KernelStmt& branch = add(*block, when(std::move(test)));
      branch.location = guard->location;
      block = &branch.body;
    }
    if (!phase_.absorbs)
      for (const std::string& message : phase_.read)
        add(*block, store(context().inbox(message), v, kernels_.identity(message)));
    kernels_.count_active(*block);
    kernels_.lower_body(kernels_.phase().body, lowering, *block,
                        [&](const ir::Stmt& send, ExprLowering& here, Block& at) {
                          send_at_once(kernels_, send, here, at, v,
                                       [&](Block& then, const std::string& u) { notify(then, u); });
                        });
    return kernel;
  }

  // What the guard of an update asks of the vertex itself, which is so until its class runs; null
  // where it asks for nothing like that.
  ExprPtr asked_of_itself(ExprLowering& lowering) const {
    if (!kernels_.is_sweep() || !kernels_.phase().guard) return nullptr;
    ExprPtr asked;
    for (const ir::Expr* const conjunct : passes::conjuncts(*kernels_.phase().guard)) {
      if (passes::has_node(*conjunct, [&](const ir::Expr& e) { return depends_on_others(e); }))
        continue;
      Block before;
      ExprPtr test = lowering.lower(*conjunct, before);
      if (!before.empty()) continue;
      asked = asked ? both(std::move(asked), std::move(test)) : std::move(test);
    }
    return asked;
  }
  bool depends_on_others(const ir::Expr& e) const {
    switch (e.op) {
      case Op::State:
        return e.vertex != kernels_.phase().variable;
      case Op::Inbox:
      case Op::CommonNeighbours:
      case Op::ReduceNeighbours:
      case Op::ReduceCommon:
      case Op::ExternCall:
        return true;
      default:
        return false;
    }
  }

  // Later classes take the message in this step, earlier ones in the next. Where there is a rest,
  // its vertices clear bits while their neighbours set them: these are of two bitmaps, as in an
  // asynchronous push, and who was told is asked in the next step.
  void notify(Block& then, const std::string& u) {
    if (kernels_.is_sweep()) return;
    if (pending_) add(then, set_bit(has_rest_ ? kernels_.pending_next() : kernels_.pending(), u));
    add(then, raise(kernels_.changed()));
  }

  PhaseKernels& kernels_;
  plan::Variant& variant_;
  const PhaseAnalysis& phase_;
  const bool pulls_;
  const bool pending_;
  const bool has_rest_;
  const std::string classes_;
  std::string problem_;
  std::map<std::string, std::string> known_;  // message -> local that holds its inbox
};

}  // namespace

std::string build_coloured(PhaseKernels& kernels, plan::Variant& variant,
                           const std::string& colours) {
  return ColouredBuilder(kernels, variant, colours).run();
}

}  // namespace vertigo::compiler::toplan
