#pragma once
// What one activation of a phase does, as expressions over the values before it: lets, assignments,
// branches and calls are substituted away. The proofs of infer-algebra read this and not the body,
// so that `v.rank += delta; send v.rank` and its many spellings are one thing.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// One `send` of the body.
struct SymbolicSend {
  const ir::Stmt* stmt = nullptr;
  ir::ExprPtr condition;  ///< of the branches around it; null: always
  ir::ExprPtr value;
  ir::ExprPtr filter;    ///< the `where` of the send, over the bound neighbour; null: none
  ir::ExprPtr receiver;  ///< the one vertex that it goes to; null: neighbours
};

struct SymbolicUpdate {
  std::map<std::string, ir::ExprPtr> states;  ///< written states, their values afterwards
  std::vector<SymbolicSend> sends;            ///< in source order
  ir::ExprPtr guard;                          ///< with calls substituted; null: `update all`
};

/// Empty where the substituted expressions grow past what an analysis should look at (lets that use
/// each other double a tree with every line).
std::optional<SymbolicUpdate> evaluate_update(const ir::Program& program, const ir::Phase& phase);

/// `expr` with functions of the program replaced by their bodies; null where that grows too large.
ir::ExprPtr inline_calls(const ir::Program& program, const ir::Expr& expr);

/// A copy of `expr` in which every node for which `replace(node)` gives an expression is that one.
template <class Replace>
ir::ExprPtr replaced(const ir::Expr& expr, const Replace& replace) {
  if (ir::ExprPtr other = replace(expr)) return other;
  auto copy = std::make_unique<ir::Expr>();
  copy->op = expr.op;
  copy->type = expr.type;
  copy->location = expr.location;
  copy->symbol = expr.symbol;
  copy->vertex = expr.vertex;
  copy->value = expr.value;
  copy->index = expr.index;
  copy->direction = expr.direction;
  copy->reduction = expr.reduction;
  for (const ir::ExprPtr& operand : expr.operands)
    copy->operands.push_back(operand ? replaced(*operand, replace) : nullptr);
  return copy;
}

}  // namespace vertigo::compiler::passes
