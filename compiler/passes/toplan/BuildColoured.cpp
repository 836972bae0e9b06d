#include "compiler/passes/toplan/BuildColoured.h"

#include "compiler/passes/toplan/SendAtOnce.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;

namespace {

class ColouredBuilder {
 public:
  ColouredBuilder(PhaseKernels& kernels, plan::Variant& variant)
      : kernels_(kernels),
        variant_(variant),
        phase_(kernels.analysis()),
        pending_(!kernels.is_sweep() && phase_.asking == Asking::Pending) {}

  void run() {
    if (!kernels_.is_sweep()) {
      variant_.prepare = kernels_.starts(false);
      variant_.pending = kernels_.changed();
      variant_.step.push_back(clear(kernels_.changed()));
    }
    plan::Action each_class{plan::ActionKind::ForParts, kernels_.classes(), "", {}};
    each_class.body.push_back(launch(kernels_.kernel("run_class", [&] { return run_class(); })));
    variant_.step.push_back(std::move(each_class));
    variant_.deterministic = !kernels_.order_shows();
    // Neighbours are those along edges in both directions.
    context().plan().needs_transpose = true;
  }

 private:
  KernelContext& context() { return kernels_.context(); }

  plan::Kernel run_class() {
    plan::Kernel kernel = kernels_.frame(
        phase_.sent.empty()
            ? "Runs the vertices of one colour class, which read their neighbours as they are now."
            : "Runs the vertices of one colour class. Their inboxes and neighbours rest meanwhile; "
              "receivers are shared, so inboxes are combined into atomically.",
        plan::Domain::Part, kernels_.classes());
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
      plan::KernelStmt& branch = add(*block, when(lowering.lower(*guard, *block)));
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

  // Later classes take the message in this step, earlier ones in the next.
  void notify(Block& then, const std::string& u) {
    if (kernels_.is_sweep()) return;
    if (pending_) add(then, set_bit(kernels_.pending(), u));
    add(then, raise(kernels_.changed()));
  }

  PhaseKernels& kernels_;
  plan::Variant& variant_;
  const PhaseAnalysis& phase_;
  const bool pending_;
  std::map<std::string, std::string> known_;  // message -> local that holds its inbox
};

}  // namespace

void build_coloured(PhaseKernels& kernels, plan::Variant& variant) {
  ColouredBuilder(kernels, variant).run();
}

}  // namespace vertigo::compiler::toplan
