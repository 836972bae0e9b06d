#include "compiler/passes/program/DeriveRequirements.h"

#include <algorithm>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;

namespace {

bool reads(const Expr& expr, Op op) {
  bool found = false;
  ir::walk(expr, [&](const Expr& node) { found = found || node.op == op; });
  return found;
}

// The first `inbox + weight` or `inbox * weight` inside `expr`, or null. A minimum over sums of
// negative weights has no end on a cycle; a product with a negative one turns the order around.
const Expr* weighted_inbox(const Expr& expr, bool sums_only_minimised) {
  const bool sum = expr.op == Op::Add && sums_only_minimised;
  if (sum || expr.op == Op::Multiply)
    for (const std::size_t side : {0U, 1U})
      if (reads(*expr.operands[side], Op::Inbox) &&
          reads(*expr.operands[1 - side], Op::EdgeAttribute))
        return &expr;
  for (const ir::ExprPtr& operand : expr.operands)
    if (operand)
      if (const Expr* found = weighted_inbox(*operand, sums_only_minimised)) return found;
  return nullptr;
}

void require_nonnegative_weights(ir::Program& program, const ir::Phase& phase) {
  const auto update = evaluate_update(program, phase);
  if (!update) return;
  for (const SymbolicSend& send : update->sends) {
    const ir::Message* message = program.find_message(send.stmt->symbol);
    const bool minimised = message->combine == ir::Combine::Min;
    if (!minimised && message->combine != ir::Combine::Max) continue;
    const Expr* weighted = weighted_inbox(*send.value, minimised);
    if (weighted == nullptr) continue;
    const bool sum = weighted->op == Op::Add;
    ir::Requirement requirement;
    requirement.kind = ir::RequirementKind::NonNegativeWeights;
    requirement.derived = true;
    requirement.location = send.stmt->location;
    requirement.reason = "phase '" + phase.name + "' takes the " +
                         (minimised ? "minimum" : "maximum") + " of '" + ir::print(*weighted) +
                         "': " +
                         (sum ? "on a cycle of negative weight it would fall for ever"
                              : "a negative weight would turn the order around");
    program.requirements.push_back(std::move(requirement));
    return;
  }
}

}  // namespace

void derive_requirements(ir::Program& program, PassContext&) {
  const auto known = [&] {
    return std::any_of(program.requirements.begin(), program.requirements.end(),
                       [](const ir::Requirement& requirement) {
                         return requirement.kind == ir::RequirementKind::NonNegativeWeights;
                       });
  };
  // An unsigned weight cannot be negative.
  if (!program.edge || ir::is_unsigned_integer(program.edge->kind)) return;
  for (const ir::Phase& phase : program.phases)
    if (phase.kind == ir::PhaseKind::Fixpoint && !known())
      require_nonnegative_weights(program, phase);
}

}  // namespace vertigo::compiler::passes
