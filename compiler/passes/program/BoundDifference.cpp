#include "compiler/passes/program/BoundDifference.h"

#include "compiler/ir/program/Printer.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;

namespace {

const Expr& without_cast(const Expr& expr) {
  return expr.op == Op::Cast ? without_cast(*expr.operands[0]) : expr;
}

/// q of q / degree, where messages go along as many edges as the degree counts; null otherwise.
const Expr* share_of(const SymbolicSend& send, const Expr& coefficient, const std::string& sender) {
  if (coefficient.op != Op::Divide || !is_same_for_all(*coefficient.operands[0])) return nullptr;
  const Expr& degree = without_cast(*coefficient.operands[1]);
  const bool counts =
      (degree.op == Op::OutDegree && send.stmt->direction == ir::EdgeDirection::Out) ||
      (degree.op == Op::InDegree && send.stmt->direction == ir::EdgeDirection::In);
  return counts && degree.vertex == sender ? coefficient.operands[0].get() : nullptr;
}

}  // namespace

ir::Found<ir::Difference> bound_difference(const Surroundings& around, const SymbolicUpdate& update,
                                           const Proof& proof) {
  if (is_zero(*proof.threshold))
    return {ir::Difference::Rounding,
            "every message is delivered, so results differ by rounding alone"};
  const Expr* const share =
      update.sends.size() == 1 && proof.coefficients.size() == 1
          ? share_of(update.sends.front(), *proof.coefficients.front(), around.phase.variable)
          : nullptr;
  if (share == nullptr)
    return {ir::Difference::ByGraph,
            "every inbox left is within the threshold; how far results differ depends on the "
            "graph, and --check states it"};
  const std::string q = ir::print_short(*share), t = ir::print_short(*proof.threshold);
  return {ir::Difference::Bounded,
          "every inbox left is within the threshold, and a vertex shares out " + q +
              " of what it takes: differences between two results add up to at most 2 * vertices "
              "* (" +
              t + ") / (1 - abs(" + q + ")) where abs(" + q + ") is below 1"};
}

}  // namespace vertigo::compiler::passes
