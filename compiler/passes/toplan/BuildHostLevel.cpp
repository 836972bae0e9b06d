#include "compiler/passes/toplan/BuildHostLevel.h"

#include "compiler/passes/program/ShrinkingDomain.h"
#include "compiler/passes/program/SlicedDomain.h"
#include "compiler/passes/toplan/AskedByUpdate.h"
#include "compiler/passes/toplan/KeepCounts.h"
#include "compiler/passes/toplan/LowerExpr.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"
#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using plan::BufferRole;

namespace {

class InitializeBuilder {
 public:
  explicit InitializeBuilder(KernelContext& context) : context_(context), names_(context) {}

  void run() {
    add_edge_states();
    for (const ir::State& state : context_.program().states) add_state(state);
    open();
    for (const plan::Buffer& buffer : context_.plan().buffers)
      if (buffer.role == BufferRole::Inbox)
        add(kernel_.body, store(buffer.name, kernel_.vertex,
                                context_.program().find_message(buffer.of)->identity->clone()));
    close();
  }

 private:
  void add_state(const ir::State& state) {
    if (mentions(*state.initial, Op::ReduceNeighbours) ||
        mentions(*state.initial, Op::ReduceCommon))
      close();
    open();
    Bindings bound;
    bound.own = kernel_.vertex;
    bound.vertices["self"] = kernel_.vertex;
    ExprLowering lowering(context_, names_, std::move(bound));
    ExprPtr initial = lowering.lower(*state.initial, kernel_.body);
    add(kernel_.body, store(state.name, kernel_.vertex, std::move(initial))).location =
        state.location;
    if (!state.is_input) return;
    close();
    context_.plan().initialize.push_back({plan::ActionKind::LoadInput, state.name, ""});
  }

  void add_edge_states() {
    if (context_.program().edge_states.empty()) return;
    names_ = LocalNames(context_);
    kernel_ = plan::Kernel{};
    kernel_.comment = "Gives every edge its initial states.";
    kernel_.vertex = names_.fresh("v");
    kernel_.balance = plan::Balance::Auto;
    const std::string other = names_.fresh("u");
    plan::KernelStmt& loop =
        add(kernel_.body, for_edges(kernel_.vertex, ir::EdgeDirection::Out, other));
    const std::string place = name_places(context_, names_, loop);
    for (const ir::EdgeState& state : context_.program().edge_states)
      add(loop.body, store_edge(state.name, local(place, ir::ScalarKind::UInt64),
                                lower_host(context_, *state.initial)))
          .location = state.location;
    settle_places(loop, place);
    kernel_.name = "initialize_edges";
    context_.plan().initialize.push_back(launch(context_.add_kernel(std::move(kernel_))));
    if (context_.kept_choice() != nullptr)
      context_.plan().initialize.push_back(count_common(context_));
  }

  void open() {
    if (is_open_) return;
    is_open_ = true;
    names_ = LocalNames(context_);
    kernel_ = plan::Kernel{};
    kernel_.comment = "Gives every vertex its initial states and empty inboxes.";
    kernel_.vertex = names_.fresh("v");
  }

  void close() {
    if (!is_open_) return;
    is_open_ = false;
    if (kernel_.body.empty()) return;
    kernel_.name = "initialize";
    context_.plan().initialize.push_back(launch(context_.add_kernel(std::move(kernel_))));
  }

  KernelContext& context_;
  LocalNames names_;
  plan::Kernel kernel_;
  bool is_open_ = false;
};

std::string described(const Expr& reduction) {
  const std::string kind = reduction.reduction == ir::Reduction::Count ? "count"
                           : reduction.reduction == ir::Reduction::Min ? "min"
                           : reduction.reduction == ir::Reduction::Max ? "max"
                           : reduction.reduction == ir::Reduction::Any ? "any"
                           : reduction.reduction == ir::Reduction::All ? "all"
                           : ir::is_bitwise(reduction.reduction)       ? "bits"
                                                                       : "sum";
  std::string of;
  for (const ExprPtr& part : reduction.operands)
    if (part)
      ir::walk(*part, [&](const Expr& e) {
        if (of.empty() && e.op == Op::State) of = "_" + e.symbol;
      });
  return kind + of;
}

/// Folds `value` over the vertices of the kernel, which it adds; what host code reads then. `as`
/// says which reduction of which type.
ExprPtr reduced(KernelContext& context, plan::Kernel& kernel, plan::Block& block, const Expr& as,
                ir::Reduction reduction, const std::string& wanted, ExprPtr value) {
  const std::string name = context.claim(wanted);
  const ir::Combine combine = ir::combine_of(reduction);
  plan::KernelStmtPtr reduce = accumulate("", combine, std::move(value));
  reduce->op = plan::KernelOp::ReduceInto;
  reduce->type = as.type;
  reduce->buffer = context.add_buffer({.name = name + "_result",
                                       .role = BufferRole::Scalar,
                                       .type = as.type,
                                       .of = "",
                                       .packed = false,
                                       .reason = "a reduction over all vertices"});
  reduce->identity = empty_value(reduction, as.type);
  const std::string buffer = reduce->buffer;
  add(block, std::move(reduce));
  kernel.name = "reduce_" + name;
  const std::string made = context.add_kernel(std::move(kernel));
  context.plan().reductions.push_back(
      {name, "", made, buffer, as.type, combine, empty_value(reduction, as.type)});

  auto result = std::make_unique<Expr>();
  result->op = Op::Load;
  result->type = as.type;
  result->symbol = name;
  result->location = as.location;
  return result;
}

void lower_in_place(KernelContext& context, ExprPtr& expr);

// Host code reads no lists: a kernel over the first vertex does.
ExprPtr lower_intersection(KernelContext& context, const Expr& expr) {
  const Op second = expr.operands[1]->op;
  if (second != Op::Parameter && second != Op::HostVariable && second != Op::NoVertex)
    context.refuse(expr.location, "'common_neighbours' of what is computed in its place",
                   "give the second vertex a name with 'let' first");
  LocalNames names(context);
  plan::Kernel kernel;
  kernel.vertex = names.fresh("v");
  kernel.location = expr.location;
  kernel.domain = plan::Domain::OneVertex;
  kernel.start = expr.operands[0]->clone();
  kernel.comment = "Counts the neighbours that two vertices share.";
  lower_in_place(context, kernel.start);
  ExprPtr value = expr.clone_without_operands();
  value->operands.push_back(vertex(kernel.vertex));
  value->operands.push_back(expr.operands[1]->clone());
  return reduced(context, kernel, kernel.body, expr, ir::Reduction::Sum, "common_neighbours_of",
                 std::move(value));
}

// Host code reads no vertices: a kernel over the one does, and what it folds over no vertex is what
// `none` holds.
ExprPtr lower_state_at(KernelContext& context, const Expr& expr) {
  LocalNames names(context);
  plan::Kernel kernel;
  kernel.vertex = names.fresh("v");
  kernel.location = expr.location;
  kernel.domain = plan::Domain::OneVertex;
  kernel.start = expr.operands[0]->clone();
  kernel.comment = "Reads a state of one vertex.";
  lower_in_place(context, kernel.start);
  const bool is_flag = expr.type == ir::Type(ir::ScalarKind::Bool);
  return reduced(context, kernel, kernel.body, expr,
                 is_flag ? ir::Reduction::Any : ir::Reduction::Min, expr.symbol + "_of_vertex",
                 load(context.state(expr.symbol), expr.type, kernel.vertex));
}

/// Whether the order in which vertices come may show in the result: a sum of integers saturates.
bool keeps_order(const Expr& expr) {
  return expr.reduction != ir::Reduction::Count &&
         ir::combine_of(expr.reduction) == ir::Combine::Sum;
}

/// A list that some phase keeps with all vertices that the reduction is about; "" where there is
/// none, or the order of the vertices shows in the result. (A sum of integers saturates.)
std::string list_for(const KernelContext& context, const Expr& expr) {
  const Expr* const condition = asked_of(expr);
  if (condition == nullptr || keeps_order(expr) || mentions(expr, Op::ReduceNeighbours) ||
      mentions(expr, Op::CommonNeighbours))
    return "";
  for (const auto& [name, list] : context.kept_lists()) {
    const ir::Phase& phase = *context.program().find_phase(name);
    const SharedList* const shared = context.list_of(name);
    if (passes::is_within(context.program(), *condition, expr.symbol,
                          passes::find_shrinking_domain(context.program(), phase), phase) &&
        (!shared->settled || passes::is_false_where_settled(context.program(), *condition,
                                                            expr.symbol, *shared->settled)))
      return list;
  }
  return "";
}

/// Makes the kernel look at the slice of the vertices that the reduction is about, where they are
/// sorted before a loop around it.
bool run_over_slice(KernelContext& context, const Expr& expr, plan::Kernel& kernel) {
  const Expr* const condition = asked_of(expr);
  if (condition == nullptr || keeps_order(expr)) return false;
  for (const plan::Sorting& sorting : context.sortings_at_hand()) {
    const std::string& state = context.plan().find_buffer(sorting.buffer)->of;
    ExprPtr value = passes::value_asked_of(context.program(), *condition, expr.symbol, state);
    if (!value) continue;
    kernel.domain = plan::Domain::Worklist;
    kernel.list = sorting.buffer;
    kernel.start = std::move(value);
    kernel.comment = "Reduces over the vertices of one value.";
    return true;
  }
  return false;
}

ExprPtr lower_vertex_reduction(KernelContext& context, const Expr& expr) {
  LocalNames names(context);
  plan::Kernel kernel;
  kernel.vertex = names.fresh(expr.symbol);
  kernel.location = expr.location;
  Bindings bound;
  bound.own = kernel.vertex;
  bound.vertices[expr.symbol] = kernel.vertex;
  bound.replace = [&](const Expr& e) -> ExprPtr {
    if (e.op != Op::ReduceVertices) return nullptr;
    context.refuse(e.location, "a reduction over vertices inside another",
                   "give the inner one a name with 'let' first");
    return empty_value(ir::Reduction::Sum, e.type);
  };
  ExprLowering lowering(context, names, std::move(bound));

  const auto part = [&](std::size_t i) {
    return i < expr.operands.size() ? expr.operands[i].get() : nullptr;
  };
  plan::Block* block = &kernel.body;
  if (part(1) != nullptr) {
    ExprPtr test = lowering.lower(*part(1), *block);
    block = &add(*block, when(std::move(test))).body;
  }
  ExprPtr value = part(0) != nullptr && expr.reduction != ir::Reduction::Count
                      ? lowering.lower(*part(0), *block)
                  : expr.type == ir::Type(ir::ScalarKind::Bool) ? boolean(true)
                                                                : number(expr.type.scalar(), 1);

  kernel.comment = "Reduces over all vertices.";
  if (!run_over_slice(context, expr, kernel)) kernel.list = list_for(context, expr);
  if (kernel.domain == plan::Domain::AllVertices && !kernel.list.empty()) {
    kernel.domain = plan::Domain::Worklist;
    kernel.comment = "Reduces over the vertices that are left.";
  }
  return reduced(context, kernel, *block, expr, expr.reduction, described(expr), std::move(value));
}

void lower_in_place(KernelContext& context, ExprPtr& expr) {
  if (!expr) return;
  if (expr->op == Op::ReduceVertices) {
    expr = lower_vertex_reduction(context, *expr);
    return;
  }
  if (expr->op == Op::CommonNeighbours) {
    expr = lower_intersection(context, *expr);
    return;
  }
  if (expr->op == Op::State) {
    expr = lower_state_at(context, *expr);
    return;
  }
  for (ExprPtr& operand : expr->operands) lower_in_place(context, operand);
}

/// Has an update that stands behind a condition, and asks the same, answer it: the statement that
/// runs it goes.
void ask_update(KernelContext& context, ir::ExprPtr& value, std::vector<ir::StmtPtr>& behind,
                std::size_t place) {
  if (!value || place >= behind.size()) return;
  const ir::Phase* const phase = find_asking_update(context.plan(), *value, *behind[place]);
  if (phase == nullptr) return;
  const std::string name = context.claim("any_in_" + phase->name);
  context.plan().reductions.push_back(
      {name, phase->name, "", "", value->type, ir::Combine::Or, nullptr});
  auto result = std::make_unique<Expr>();
  result->op = Op::Load;
  result->type = value->type;
  result->symbol = name;
  result->location = value->location;
  value = std::move(result);
  behind.erase(behind.begin() + static_cast<std::ptrdiff_t>(place));
}

/// `next`: the number of the next loop, in the order of the text.
void lower_body(KernelContext& context, std::vector<ir::StmtPtr>& body, unsigned& next) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    ir::StmtPtr& stmt = body[i];
    if (stmt->kind == ir::StmtKind::While) ask_update(context, stmt->value, stmt->body, 0);
    if (stmt->kind == ir::StmtKind::HostLet || stmt->kind == ir::StmtKind::HostAssign)
      ask_update(context, stmt->value, body, i + 1);
    const bool is_while = stmt->kind == ir::StmtKind::While;
    const bool is_loop =
        is_while || stmt->kind == ir::StmtKind::For || stmt->kind == ir::StmtKind::Repeat;
    if (is_while) context.enter_loop(next);
    lower_in_place(context, stmt->value);
    lower_in_place(context, stmt->limit);
    if (is_loop && !is_while) context.enter_loop(next);
    if (is_loop) ++next;
    lower_body(context, stmt->body, next);
    lower_body(context, stmt->otherwise, next);
    if (is_loop) context.leave_loop();
  }
}

}  // namespace

void add_state_buffers(KernelContext& context) {
  for (const ir::State& state : context.program().states)
    context.add_buffer(
        {.name = state.name,
         .role = BufferRole::State,
         .type = state.type,
         .of = state.name,
         .packed = false,
         .reason = state.is_input ? "input of the program" : "state of the program"});
}

void add_edge_state_buffers(KernelContext& context) {
  for (const ir::EdgeState& state : context.program().edge_states)
    context.add_buffer({.name = state.name,
                        .role = BufferRole::EdgeState,
                        .type = state.kind,
                        .of = state.name,
                        .packed = false,
                        .reason = "state of every edge"});
}

void build_initialize(KernelContext& context) { InitializeBuilder(context).run(); }

ExprPtr lower_host(KernelContext& context, const Expr& expr) {
  ExprPtr copy = expr.clone();
  lower_in_place(context, copy);
  return copy;
}

/// How the runtime notices that a phase has no fixed point.
void watch_termination(const ir::Program& program, const ir::Phase& source,
                       plan::PhasePlan& phase) {
  const ir::Algebra& algebra = ir::algebra_of(source);
  phase.cycles = algebra.cycles.value;
  if (algebra.form != ir::Form::Accumulation) return;
  for (const std::string& name : algebra.targets) {
    const ir::State* state = program.find_state(name);
    if (state->type.is_scalar() && ir::is_float(state->type.scalar())) phase.watched_state = name;
  }
}

void build_host_level(KernelContext& context) {
  plan::Plan& plan = context.plan();
  for (const ir::StmtPtr& stmt : plan.program.body) plan.body.push_back(stmt->clone());
  unsigned next_loop = 0;
  lower_body(context, plan.body, next_loop);
  for (plan::PhasePlan& phase : plan.phases) {
    const ir::Phase* source = plan.program.find_phase(phase.phase);
    if (source->step_limit) phase.step_limit = lower_host(context, *source->step_limit);
    watch_termination(plan.program, *source, phase);
  }
}

}  // namespace vertigo::compiler::toplan
