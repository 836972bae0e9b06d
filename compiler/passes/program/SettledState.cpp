#include "compiler/passes/program/SettledState.h"

#include <algorithm>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/ShrinkingDomain.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

bool is_written(const ir::Program& program, const std::string& state) {
  return std::ranges::any_of(program.phases,
                             [&](const ir::Phase& phase) { return ir::writes(phase, state); });
}

/// Whether it is the same in all rounds.
bool never_changes(const ir::Program& program, const Expr& expr) {
  return !has_node(expr, [&](const Expr& node) {
    switch (node.op) {
      case Op::State:
        return !node.operands.empty() || is_written(program, node.symbol);
      case Op::Inbox:
      case Op::HostVariable:
      case Op::Local:
      case Op::Step:
      case Op::EdgeAttribute:
      case Op::ExternCall:
      case Op::Random:
      case Op::CommonNeighbours:
      case Op::ReduceNeighbours:
      case Op::ReduceCommon:
      case Op::ReduceVertices:
        return true;
      default:
        return false;
    }
  });
}

/// Whether the conjunct, of `neighbour`, never holds again where it does not hold.
bool lasts(const ir::Program& program, const ir::Phase& phase, const Expr& part,
           const std::string& neighbour) {
  if (never_changes(program, part)) return true;
  if (has_node(part,
               [&](const Expr& node) { return !node.vertex.empty() && node.vertex != neighbour; }))
    return false;
  const ExprPtr own = replaced(part, [&](const Expr& node) -> ExprPtr {
    if (node.vertex.empty() || !node.operands.empty()) return nullptr;
    ExprPtr copy = node.clone();
    copy->vertex = phase.variable;
    return copy;
  });
  return problem_of_lasting(program, phase, *own).empty();
}

/// What the reduction is over no neighbour, where that alone is it; null elsewhere.
ExprPtr value_of_none(const Expr& reduction) {
  const auto made = [&](Op op) {
    auto value = std::make_unique<Expr>();
    value->op = op;
    value->type = reduction.type;
    return value;
  };
  switch (reduction.reduction) {
    case ir::Reduction::Any: {
      ExprPtr value = made(Op::Literal);
      value->value = false;
      return value;
    }
    case ir::Reduction::Count: {
      ExprPtr value = made(Op::Literal);
      value->value = std::int64_t{0};
      return value;
    }
    case ir::Reduction::Min: {
      const Expr& chosen = *reduction.operands[0];
      const bool is_neighbour = chosen.op == Op::BoundVertex && chosen.vertex == reduction.symbol;
      return is_neighbour ? made(Op::NoVertex) : nullptr;
    }
    default:
      return nullptr;
  }
}

bool does_nothing_else(const ir::Phase& phase) {
  bool found = false;
  for_each_stmt(phase.body, [&](const ir::Stmt& stmt) {
    found = found || (stmt.kind != ir::StmtKind::Let && stmt.kind != ir::StmtKind::AssignState);
  });
  return !found;
}

bool is_false(const Expr& expr) {
  if (expr.op == Op::NotEqual)  // of vertices, for which there is no literal
    return expr.operands[0]->op == Op::NoVertex && expr.operands[1]->op == Op::NoVertex;
  return expr.op == Op::Literal && expr.type == ir::Type(ir::ScalarKind::Bool) &&
         !std::get<bool>(expr.value);
}

}  // namespace

std::optional<SettledState> find_settled_state(const ir::Program& program, const ir::Phase& phase) {
  if (phase.kind != ir::PhaseKind::Sweep || !does_nothing_else(phase)) return std::nullopt;
  const ShrinkingDomain domain = find_shrinking_domain(program, phase);
  if (!domain.lasting || domain.rest) return std::nullopt;
  const auto update = evaluate_update(program, phase);
  if (!update || update->states.size() != 1) return std::nullopt;
  const auto& [state, value] = *update->states.begin();
  const bool is_shared = std::ranges::any_of(program.phases, [&](const ir::Phase& other) {
    return other.name != phase.name && ir::writes(other, state);
  });
  if (is_shared || value->op != Op::ReduceNeighbours || value->vertex != phase.variable)
    return std::nullopt;
  ExprPtr none = value_of_none(*value);
  if (!none) return std::nullopt;
  std::vector<const Expr*> parts;
  if (value->operands[1]) parts = conjuncts(*value->operands[1]);
  if (value->reduction == ir::Reduction::Any)
    for (const Expr* part : conjuncts(*value->operands[0])) parts.push_back(part);
  const bool all_last = std::ranges::all_of(
      parts, [&](const Expr* part) { return lasts(program, phase, *part, value->symbol); });
  if (!all_last) return std::nullopt;
  return SettledState{state, std::move(none)};
}

bool is_false_where_settled(const ir::Program& program, const Expr& condition,
                            const std::string& variable, const SettledState& settled) {
  const ExprPtr known = inline_calls(program, condition);
  if (!known) return false;
  return std::ranges::any_of(conjuncts(*known), [&](const Expr* part) {
    const ExprPtr then = replaced(*part, [&](const Expr& node) -> ExprPtr {
      const bool is_settled = ir::is_state_of(node, variable, settled.state);
      return is_settled ? settled.none->clone() : nullptr;
    });
    return is_false(*folded_expr(*then));
  });
}

}  // namespace vertigo::compiler::passes
