#include "compiler/passes/program/DeriveRequirements.h"

#include <algorithm>
#include <set>

#include "compiler/ir/program/SourceText.h"
#include "compiler/passes/program/ImprovingCycles.h"
#include "compiler/passes/program/InferAlgebra.h"
#include "compiler/passes/program/Leftovers.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;

namespace {

// The first `inbox op weight` inside `expr` for which `matters` holds of the part with the weight,
// or null.
template <class Matters>
const Expr* weighted_inbox(const Expr& expr, Op op, const Matters& matters) {
  if (expr.op == op)
    for (const std::size_t side : {0U, 1U})
      if (reads(*expr.operands[side], Op::Inbox) &&
          reads(*expr.operands[1 - side], Op::EdgeAttribute) && matters(*expr.operands[1 - side]))
        return &expr;
  for (const ir::ExprPtr& operand : expr.operands)
    if (operand)
      if (const Expr* found = weighted_inbox(*operand, op, matters)) return found;
  return nullptr;
}

// Neither an unsigned number nor a bool can.
bool may_be_negative(const ir::EdgeAttribute& attribute) {
  return attribute.kind != ir::ScalarKind::Bool && !ir::is_unsigned_integer(attribute.kind);
}

class Derivation {
 public:
  Derivation(ir::Program& program, const ir::Uses& uses, ir::Phase& phase)
      : program_(program), uses_(uses), phase_(phase) {}

  void run() {
    const auto update = evaluate_update(program_, phase_);
    if (!update) return;
    for (const SymbolicSend& send : update->sends) {
      const ir::Message* message = program_.find_message(send.stmt->symbol);
      const bool minimised = message->combine == ir::Combine::Min;
      if (!minimised && message->combine != ir::Combine::Max) continue;
      if (require_for_product(send, minimised)) return;
      if (minimised && require_for_sum(*update, send)) return;
    }
  }

 private:
  // A product with a negative factor turns the order around.
  bool require_for_product(const SymbolicSend& send, bool minimised) {
    const Surroundings around{program_, phase_, send.stmt->symbol};
    const Expr* product = weighted_inbox(*send.value, Op::Multiply, [&](const Expr& factor) {
      return !nonnegative(factor, around);
    });
    if (product == nullptr) return false;
    require(send, *product,
            std::string("takes the ") + (minimised ? "minimum" : "maximum") + " of '" +
                ir::source_text(*product) + "': a negative weight would turn the order around");
    return true;
  }

  // A minimum over sums of negative weights has no end on a cycle. That is no matter where a limit
  // ends the phase, or where the cycle is noticed when it is met.
  bool require_for_sum(const SymbolicUpdate& update, const SymbolicSend& send) {
    const Expr* sum = weighted_inbox(*send.value, Op::Add, [](const Expr&) { return true; });
    if (sum == nullptr || phase_.step_limit) return false;
    const Surroundings around{program_, phase_, send.stmt->symbol};
    const ImprovingCycles cycles = find_improving_cycles(around, update, true);
    if (cycles.risk == ir::Cycles::None) return false;
    const bool proved = proves_improvement(program_, uses_, phase_);
    if (proved && cycles.noticed) return false;
    require(send, *sum,
            "takes the minimum of '" + ir::source_text(*sum) +
                "': on a cycle of negative weight it would fall for ever, and that would not "
                "be noticed, because " +
                (proved ? "'" + cycles.sent + "' is more than the inbox and a sum"
                        : "the phase is not proved to improve values in any order"));
    return true;
  }

  // Of every attribute that the expression reads, or of the one that there is.
  void require(const SymbolicSend& send, const Expr& where, const std::string& what) {
    std::set<std::string> attributes;
    if (program_.edge) attributes.insert("");
    ir::walk(where, [&](const Expr& node) {
      const ir::EdgeAttribute* const column =
          node.op == Op::EdgeAttribute ? program_.edge_columns.find(node.symbol) : nullptr;
      if (column != nullptr && may_be_negative(*column) &&
          !ir::requires_nonnegative(program_, column->name))
        attributes.insert(column->name);
    });
    for (const std::string& attribute : attributes) {
      ir::Requirement requirement;
      requirement.kind = ir::RequirementKind::NonNegativeWeights;
      requirement.attribute = attribute;
      requirement.derived = true;
      requirement.location = send.stmt->location;
      requirement.reason = "phase '" + phase_.name + "' " + what;
      program_.requirements.push_back(std::move(requirement));
    }
  }

  ir::Program& program_;
  const ir::Uses& uses_;
  ir::Phase& phase_;
};

}  // namespace

void derive_requirements(ir::Program& program, PassContext&) {
  const auto known = [&] { return ir::requires_nonnegative(program); };
  const bool weight = program.edge && may_be_negative(*program.edge);
  if (!weight &&
      std::none_of(program.edge_columns.begin(), program.edge_columns.end(), may_be_negative))
    return;
  const ir::Uses uses(program);
  for (ir::Phase& phase : program.phases)
    if (phase.kind == ir::PhaseKind::Fixpoint && !known()) Derivation(program, uses, phase).run();
}

}  // namespace vertigo::compiler::passes
