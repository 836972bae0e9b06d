// Engine `elections`. Take a sweep whose update takes, at every v, the most frequent value of an
// expression over its neighbours u. Where the expression depends on u alone, it is the vote of u,
// the same for all who ask. So all votes are cast before anything is updated, and a vertex elects
// what it elected last time unless the vote of a neighbour has changed since.

#include <algorithm>

#include "compiler/passes/program/CommonSums.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using passes::is_vertex;
using passes::single_reduction;

namespace {

const Expr* condition_of(const Expr& reduction) {
  return reduction.operands.size() > 1 ? reduction.operands[1].get() : nullptr;
}

/// `u != v`.
bool leaves_out_itself(const Expr& reduction, const Expr& condition) {
  if (condition.op != Op::NotEqual) return false;
  const Expr &a = *condition.operands[0], &b = *condition.operands[1];
  return (is_vertex(a, reduction.symbol) && is_vertex(b, reduction.vertex)) ||
         (is_vertex(b, reduction.symbol) && is_vertex(a, reduction.vertex));
}

/// Whether an expression reads nothing of vertices but what `owner` has.
bool reads_only(const Expr& expr, const std::string& owner) {
  bool alone = true;
  ir::walk(expr, [&](const Expr& e) {
    switch (e.op) {
      case Op::State:
      case Op::BoundVertex:
      case Op::OutDegree:
      case Op::InDegree:
      case Op::Degree:
        alone = alone && e.vertex == owner;
        return;
      case Op::Inbox:
      case Op::Local:
      case Op::EdgeAttribute:
      case Op::CommonNeighbours:
      case Op::ReduceNeighbours:
        alone = false;
        return;
      default:
        return;
    }
  });
  return alone;
}

std::string problem_of(const plan::Plan& plan, const ir::Phase& phase) {
  if (phase.kind != ir::PhaseKind::Sweep) return "the phase runs until no vertex is active";
  const Expr* reduction = single_reduction(phase);
  if (reduction == nullptr || reduction->reduction != ir::Reduction::Mode ||
      reduction->vertex != phase.variable)
    return "the update does not take 'mode' over the neighbours of its vertex, and nothing else of "
           "them";
  // Whether a vertex is concerned is asked before anything is elected.
  if (phase.guard && mentions(*phase.guard, Op::ReduceNeighbours))
    return "the condition of the update asks for the most frequent value";
  if (reduction->type.is_tuple() || ir::is_float(reduction->type.scalar()))
    return "integers, vertices and truth values alone can be counted";
  if (!reads_only(*reduction->operands[0], reduction->symbol))
    return "the value that is counted depends on more than the neighbour";
  const Expr* condition = condition_of(*reduction);
  if (condition != nullptr && !leaves_out_itself(*reduction, *condition))
    return "which neighbours are counted depends on more than whether it is the vertex itself";
  const PhaseAnalysis analysis = analyse(plan, phase, false);
  if (!analysis.read.empty() || !analysis.sent.empty()) return "messages are read or sent";
  return "";
}

plan::Operator operator_at(PhaseKernels& kernels, const std::string& name, const std::string& v,
                           ir::Type type) {
  plan::Operator made;
  made.name = name;
  made.location = kernels.phase().location;
  made.type = std::move(type);
  made.parameters = {{v, ir::Type(ir::ScalarKind::Vertex)}};
  return made;
}

/// States are read as they are: all votes are cast before the first update.
Bindings bindings_at(const std::string& variable, const std::string& v) {
  Bindings bound;
  bound.own = v;
  bound.vertices[variable] = v;
  return bound;
}

plan::Operator vote_operator(PhaseKernels& kernels, const Expr& reduction) {
  LocalNames names(kernels.context());
  const std::string u = names.fresh(reduction.symbol);
  plan::Operator made = operator_at(kernels, "vote", u, reduction.type);
  ExprLowering lowering(kernels.context(), names, bindings_at(reduction.symbol, u));
  made.value = lowering.lower(*reduction.operands[0], made.body);
  return made;
}

plan::Operator concerns_operator(PhaseKernels& kernels) {
  LocalNames names(kernels.context());
  const std::string v = names.fresh(kernels.phase().variable);
  plan::Operator made = operator_at(kernels, "concerns", v, ir::Type(ir::ScalarKind::Bool));
  ExprLowering lowering(kernels.context(), names, bindings_at(kernels.phase().variable, v));
  const ExprPtr& guard = kernels.phase().guard;
  made.value = guard ? lowering.lower(*guard, made.body) : boolean(true);
  return made;
}

/// The body, with `elected ? winner : what stands behind 'else'` for the reduction.
plan::Operator update_operator(PhaseKernels& kernels, const Expr& reduction) {
  const std::string& variable = kernels.phase().variable;
  LocalNames names(kernels.context());
  const std::string v = names.fresh(variable);
  const std::string elected = names.fresh("elected"), winner = names.fresh("winner");
  plan::Operator made = operator_at(kernels, "update", v, ir::Type(ir::ScalarKind::Bool));
  made.location = kernels.phase().body.front()->location;
  made.parameters.push_back({elected, ir::Type(ir::ScalarKind::Bool)});
  made.parameters.push_back({winner, reduction.type});
  ExprLowering* lower_else = nullptr;
  Bindings bound = bindings_at(variable, v);
  bound.replace = [&](const Expr& e) -> ExprPtr {
    if (e.op != Op::ReduceNeighbours) return nullptr;
    auto chosen = std::make_unique<Expr>();
    chosen->op = Op::Select;
    chosen->type = e.type;
    chosen->location = e.location;
    chosen->operands.push_back(local(elected, ir::ScalarKind::Bool));
    chosen->operands.push_back(local(winner, e.type));
    chosen->operands.push_back(lower_else->lower(*e.operands[2], made.body));
    return chosen;
  };
  ExprLowering lowering(kernels.context(), names, std::move(bound));
  lower_else = &lowering;
  kernels.lower_body(kernels.phase().body, lowering, made.body, nullptr);
  made.value = boolean(true);
  return made;
}

}  // namespace

Judgement judge_elections(const plan::Plan& plan, const ir::Phase& phase) {
  const std::string problem = problem_of(plan, phase);
  if (!problem.empty()) return {false, problem};
  return legal(elections_contract,
               "what a neighbour votes for depends on it alone, so all votes are cast before "
               "anything is updated, and a vertex asks anew only where one of them changed: ");
}

void build_elections(PhaseKernels& kernels, plan::Variant& variant) {
  const Expr& reduction = *single_reduction(kernels.phase());
  const bool follows_in = reduction.direction != ir::EdgeDirection::Out;
  if (follows_in) kernels.context().plan().needs_transpose = true;
  plan::Engine& engine = *variant.engine;
  engine.constants = {{"follows_out", reduction.direction != ir::EdgeDirection::In},
                      {"follows_in", follows_in},
                      {"skips_itself", condition_of(reduction) != nullptr}};
  engine.operators.push_back(vote_operator(kernels, reduction));
  engine.operators.push_back(concerns_operator(kernels));
  engine.operators.push_back(update_operator(kernels, reduction));
}

}  // namespace vertigo::compiler::toplan
