#include "compiler/passes/toplan/BuildAsynchronous.h"
#include "compiler/passes/toplan/SendLoops.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;
using plan::Domain;

namespace {

constexpr unsigned kOneAccess = 16;  // bytes; what a thread reads or writes in one piece

class PullBuilder {
 public:
  /// `rests`: neighbours do while a vertex runs.
  PullBuilder(PhaseKernels& kernels, plan::Variant& variant, bool rests = false)
      : kernels_(kernels),
        variant_(variant),
        phase_(kernels.analysis()),
        data_(variant.path.activation == Activation::DataDriven),
        rests_(rests) {}

  std::string run() {
    if (const std::string problem = look(); !problem.empty()) return problem;
    variant_.prepare = kernels_.starts(data_);
    variant_.pending = data_ ? kernels_.asked() : kernels_.changed();
    const auto step = [&](plan::Action action) { variant_.step.push_back(std::move(action)); };
    if (!data_) step(clear(kernels_.changed()));
    if (data_) variant_.prepare.push_back(clear(kernels_.asked_next()));
    if (data_) variant_.prepare.push_back(clear(kernels_.queued_next()));
    step(launch(kernels_.kernel(data_ ? "relax_pull_data" : "relax_pull_topology",
                                [&] { return relax(); })));
    if (data_) {
      step(swap(kernels_.asked(), kernels_.asked_next()));
      step(swap(kernels_.queued(), kernels_.queued_next()));
      step(clear(kernels_.asked_next()));
    }
    variant_.deterministic = !kernels_.order_shows() && !kernels_.phase().assume_order_free;
    return "";
  }

  plan::Kernel relax_in(Domain domain, const std::string& classes, std::string& problem) {
    problem = look();
    if (!problem.empty()) return {};
    plan::Kernel kernel = relax();
    kernel.domain = domain;
    kernel.list = classes;
    kernel.comment =
        rests_
            ? "Folds what the neighbours' states say they have sent. They rest meanwhile, and a "
              "vertex of the class writes its own states alone: nothing is atomic or relaxed."
            : "Runs the vertices of no colour class. Neighbours may be among them, so that it is "
              "an asynchronous pull: states are read and written relaxed.";
    return kernel;
  }

 private:
  KernelContext& context() { return kernels_.context(); }

  /// Why it cannot be had, or "".
  std::string look() {
    if (const std::string reason = why_not(); !reason.empty()) return reason;
    std::string problem;
    sites_ = send_sites_from_states(phase_, problem);
    state_ = kernels_.context().program().find_state(phase_.state);
    return problem;
  }

  std::string why_not() const {
    if (phase_.absorption == Absorption::None || phase_.absorption == Absorption::Bounded ||
        phase_.absorption == Absorption::Chosen)
      return "no state holds what a vertex has received: the update must assign its inbox to a "
             "state under a strict improvement, or add it to one";
    if (mentions_neighbourhood(*context_program().find_state(phase_.state)->initial))
      return "the initial value of '" + phase_.state + "' depends on neighbours";
    const ir::Type& type = context_program().find_state(phase_.state)->type;
    if (type != kernels_.message(phase_.message).type)
      return "'" + phase_.state + "' and '" + phase_.message + "' differ in type";
    if (const unsigned bytes = ir::layout_bytes(type); type.is_tuple() && bytes > kOneAccess)
      return "'" + phase_.state + "' takes " + std::to_string(bytes) +
             " bytes, and no more than 16 are read in one piece";
    return "";
  }

  const ir::Program& context_program() const { return *phase_.program; }

  static bool mentions_neighbourhood(const ir::Expr& e) {
    return mentions(e, Op::ReduceNeighbours) || mentions(e, Op::CommonNeighbours);
  }

  plan::Kernel relax() {
    plan::Kernel kernel = kernels_.frame(
        "Folds what the neighbours' states say they have sent; one thread owns a vertex, so no "
        "atomics but relaxed reads and writes of states.",
        data_ ? Domain::Worklist : Domain::AllVertices, data_ ? kernels_.asked() : "");
    LocalNames names(context());
    kernel.vertex = names.fresh(kernel.vertex);
    const std::string& v = kernel.vertex;
    const bool sum = phase_.absorption == Absorption::Accumulated;
    Block* block = &kernel.body;
    if (data_) add(*block, clear_bit(kernels_.queued(), v));

    const std::string inbox = names.fresh(phase_.message);
    const std::string total = sum ? names.fresh(phase_.message + "_total") : inbox;
    const ir::Type& type = state_->type;
    add(*block, accumulator(total, load(context().inbox(phase_.message), type, v)));
    for (const SendSite& site : sites_) fold(*block, site, v, total, names);

    Bindings bound = kernels_.bindings(v);
    bound.snapshots.clear();
    bound.vertices[kernels_.phase().variable] = v;
    bound.replace = [&](const ir::Expr& e) -> ExprPtr {
      return e.op == Op::Inbox ? local(inbox, e.type) : nullptr;
    };
    ExprLowering lowering(context(), names, std::move(bound));
    std::string before;
    if (sum) {
      // The residual: everything ever sent here, less what the state has absorbed.
      before = names.fresh(state_->name + "_of_" + v);
      add(*block, let(before, load(context().state(state_->name), type, v)));
      add(*block, let(inbox, binary(Op::Subtract, local(total, type), growth(before, v), type)));
    }
    plan::KernelStmt& branch = add(*block, when(lowering.lower(*kernels_.phase().guard, *block)));
    branch.location = kernels_.phase().guard->location;
    block = &branch.body;
    kernels_.count_active(*block);
    kernels_.lower_body(
        kernels_.phase().body, lowering, *block, [](const ir::Stmt&, ExprLowering&, Block&) {},
        !rests_);
    if (sum)
      block = &add(*block, when(holds(Op::NotEqual, load(context().state(state_->name), type, v),
                                      local(before, type))))
                   .body;
    notify(*block, v, names);
    return kernel;
  }

  ExprPtr initial_of(const std::string& v) {
    ExprPtr initial = state_->initial->clone();
    ir::walk(*initial, [&](ir::Expr& e) {
      if (e.vertex == "self") e.vertex = v;
    });
    return initial;
  }

  ExprPtr growth(const std::string& now, const std::string& v) {
    const ir::Type& type = state_->type;
    if (ir::same(*state_->initial, *number(type.scalar(), 0))) return local(now, type);
    LocalNames names(context());
    ExprLowering lowering(context(), names, kernels_.bindings(v));
    Block none;
    return binary(Op::Subtract, local(now, type), lowering.lower(*initial_of(v), none), type);
  }

  void fold(Block& block, const SendSite& site, const std::string& v, const std::string& total,
            LocalNames& names) {
    const ir::EdgeDirection direction = reversed(site.send->direction);
    const ir::Message& message = kernels_.message(phase_.message);
    const bool leaves = can_settle(message);
    Block* looking = &block;
    if (leaves)
      looking = &add(block, when(negated(is_settled(message, total)))).body;
    else
      kernels_.count_edges(block, v, direction);
    const std::string u = names.fresh("u");
    plan::KernelStmt& loop = add(*looking, kernels_.edges(v, direction, u, phase_.message));
    loop.location = site.send->location;
    if (leaves) kernels_.count_edge(loop.body);

    // The state is read once: two relaxed reads might differ.
    const std::string known = names.fresh(state_->name + "_of_" + u);
    Bindings bound;
    bound.own = u;
    bound.vertices[kernels_.phase().variable] = u;
    if (!site.send->neighbour.empty()) bound.vertices[site.send->neighbour] = v;
    bound.replace = [&](const ir::Expr& e) -> ExprPtr {
      return ir::is_state_of(e, kernels_.phase().variable, state_->name) ? local(known, e.type)
                                                                         : nullptr;
    };
    ExprLowering lowering(context(), names, std::move(bound));
    add(loop.body, let(known, load(context().state(state_->name), state_->type, u, !rests_)));
    Block* inside = &loop.body;
    ExprPtr test;
    if (phase_.absorption == Absorption::Assigned) {
      LocalNames none(context());
      ExprLowering initial(context(), none, kernels_.bindings(u));
      test =
          holds(Op::NotEqual, local(known, state_->type), initial.lower(*initial_of(u), *inside));
    }
    if (site.condition) test = both(std::move(test), lowering.lower(*site.condition, *inside));
    if (site.filter) test = both(std::move(test), lowering.lower(*site.filter, *inside));
    if (test) inside = &add(*inside, when(std::move(test))).body;
    ExprPtr value = lowering.lower(*site.value, *inside);
    add(*inside, kernels_.accumulate_message(phase_.message, total, std::move(value))).location =
        site.send->location;
    if (leaves) leave_when_settled(*inside, message, total);
  }

  // Whoever hears from v is asked again.
  void notify(Block& block, const std::string& v, LocalNames& names) {
    if (!data_) {
      add(block, raise(kernels_.changed()));
      return;
    }
    for (const SendSite& site : sites_) {
      const std::string w = names.fresh("w");
      plan::KernelStmt& loop =
          add(block, kernels_.edges(v, site.send->direction, w, phase_.message));
      loop.once_if_symmetric = loop.direction == ir::EdgeDirection::Both;
      loop.location = site.send->location;
      add(loop.body, set_bit(kernels_.queued_next(), w))
          .body.push_back(append(kernels_.asked_next(), w));
    }
  }

  PhaseKernels& kernels_;
  plan::Variant& variant_;
  const PhaseAnalysis& phase_;
  const bool data_;
  const bool rests_;
  const ir::State* state_ = nullptr;
  std::vector<SendSite> sites_;
};

}  // namespace

plan::Kernel pull_in_classes(PhaseKernels& kernels, plan::Variant& variant, plan::Domain domain,
                             const std::string& classes, std::string& problem) {
  return PullBuilder(kernels, variant, domain == plan::Domain::Part)
      .relax_in(domain, classes, problem);
}

std::string build_asynchronous_pull(PhaseKernels& kernels, plan::Variant& variant) {
  return PullBuilder(kernels, variant).run();
}

}  // namespace vertigo::compiler::toplan
