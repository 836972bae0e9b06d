#include "compiler/passes/program/CommonSums.h"

#include <initializer_list>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/Nodes.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

namespace {

/// Reads that vertex, and what is the same for all.
bool reads_only(const Expr* expr, const std::string& vertex) {
  return expr == nullptr || !has_node(*expr, [&](const Expr& e) {
           return (!e.vertex.empty() && e.vertex != vertex) || e.op == Op::Local ||
                  e.op == Op::Inbox || e.op == Op::EdgeAttribute || e.op == Op::CommonNeighbours;
         });
}

bool adds_up_common(const Expr& reduction) {
  const Expr* const weighed = weighing(reduction);
  const Expr& value = weighed != nullptr ? *weighed->operands[2] : *reduction.operands[0];
  return is_common_of(value, reduction.symbol, reduction.vertex);
}

/// How many values `expr` takes from what the two vertices share; `found` is the last. Fewer than 0
/// where it reads anything else of edges.
int count_numbers(const Expr& expr, const std::string& one, const std::string& other,
                  const Expr*& found) {
  const bool is_sum = expr.op == Op::ReduceCommon && is_common_of(*expr.operands[2], one, other) &&
                      problem_of_weight(expr).empty();
  if (is_sum || is_common_of(expr, one, other)) {
    found = &expr;
    return 1;
  }
  for (const Op op : {Op::ReduceNeighbours, Op::ReduceCommon, Op::CommonNeighbours,
                      Op::EdgeAttribute, Op::Local, Op::ExternCall})
    if (expr.op == op) return -1;
  int count = 0;
  for (const ir::ExprPtr& operand : expr.operands) {
    if (!operand) continue;
    const int inside = count_numbers(*operand, one, other, found);
    if (inside < 0) return inside;
    count += inside;
  }
  return count;
}

}  // namespace

const Expr* single_reduction(const ir::Phase& phase) {
  const Expr* found = nullptr;
  unsigned count = 0, inside = 0;
  for_each_read(phase, [&](const Expr& expr) {
    ir::walk(expr, [&](const Expr& e) {
      if (e.op == Op::ReduceNeighbours) found = &e;
      count += e.op == Op::ReduceNeighbours || e.op == Op::ReduceCommon;
    });
  });
  if (found != nullptr)
    ir::walk(*found, [&](const Expr& e) { inside += e.op == Op::ReduceCommon; });
  return count == 1 + inside ? found : nullptr;
}

bool is_vertex(const Expr& expr, const std::string& name) {
  return expr.op == Op::BoundVertex && expr.vertex == name;
}

bool is_common_of(const Expr& expr, const std::string& one, const std::string& other) {
  if (expr.op != Op::CommonNeighbours || expr.operands.size() > 2) return false;
  const Expr &a = *expr.operands[0], &b = *expr.operands[1];
  return (is_vertex(a, one) && is_vertex(b, other)) || (is_vertex(b, one) && is_vertex(a, other));
}

std::string problem_of_weight(const Expr& sum) {
  if (sum.reduction != ir::Reduction::Sum && sum.reduction != ir::Reduction::Count)
    return "what is added up is no sum over common neighbours";
  if (!reads_only(sum.operands[0].get(), sum.symbol) ||
      !reads_only(sum.operands[1].get(), sum.symbol))
    return "the value of a common neighbour depends on more than itself";
  if (sum.type == ir::Type(ir::ScalarKind::Wide64)) return "no atomic operation adds wide64";
  return "";
}

const Expr* weighing(const Expr& reduction) {
  const Expr& value = *reduction.operands[0];
  return value.op == Op::ReduceCommon ? &value : nullptr;
}

std::optional<Sides> sides_of(const Expr& reduction) {
  if (reduction.operands.size() < 2 || !reduction.operands[1]) return Sides{};
  const Expr& condition = *reduction.operands[1];
  const unsigned holds = ir::info(condition.op).holds_if;
  if (holds == 0 || condition.operands.size() != 2) return std::nullopt;
  const Expr &a = *condition.operands[0], &b = *condition.operands[1];
  const bool straight = is_vertex(a, reduction.symbol) && is_vertex(b, reduction.vertex);
  const bool turned = is_vertex(b, reduction.symbol) && is_vertex(a, reduction.vertex);
  if (!straight && !turned) return std::nullopt;
  if ((holds & (ir::kLess | ir::kGreater)) == 0) return std::nullopt;
  return Sides{.less = (holds & (straight ? ir::kLess : ir::kGreater)) != 0,
               .equal = (holds & ir::kEqual) != 0,
               .greater = (holds & (straight ? ir::kGreater : ir::kLess)) != 0};
}

std::string problem_of_common_sum(const ir::Phase& phase) {
  if (phase.kind != ir::PhaseKind::Sweep) return "the phase runs until no vertex is active";
  const Expr* reduction = single_reduction(phase);
  if (reduction == nullptr || reduction->reduction != ir::Reduction::Sum ||
      !adds_up_common(*reduction))
    return "the update does not add up 'common_neighbours' of its vertex and the neighbours, and "
           "nothing else of them";
  if (const Expr* const weighed = weighing(*reduction))
    if (const std::string problem = problem_of_weight(*weighed); !problem.empty()) return problem;
  if (reduction->direction == ir::EdgeDirection::Both)
    return "the sum goes over both directions of every edge";
  if (!sides_of(*reduction)) return "which neighbours are counted depends on more than their ids";
  if (!ir::messages_of(phase).empty()) return "messages are read or sent";
  return "";
}

const Expr* kept_number(const ir::Phase& phase) {
  if (phase.kind != ir::PhaseKind::Sweep || phase.body.size() != 1) return nullptr;
  const Stmt& edges = *phase.body.front();
  if (edges.kind != StmtKind::UpdateEdges || ir::boolean_of(*edges.value) != true ||
      edges.body.size() != 1 || edges.body.front()->kind != StmtKind::AssignEdge)
    return nullptr;
  const Expr& value = *edges.body.front()->value;
  const Expr* found = nullptr;
  if (count_numbers(value, phase.variable, edges.neighbour, found) != 1) return nullptr;
  // The ends change places where entries are apart.
  const bool same_from_both =
      &value == found || (value.op == Op::Cast && value.operands.front().get() == found);
  return !edges.apart || same_from_both ? found : nullptr;
}

}  // namespace vertigo::compiler::passes
