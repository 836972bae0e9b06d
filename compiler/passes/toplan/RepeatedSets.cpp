#include "compiler/passes/toplan/RepeatedSets.h"

#include <algorithm>

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::Op;

namespace {

bool compares_lists(const Expr& expr) {
  return expr.op == Op::CommonNeighbours || expr.op == Op::ReduceCommon;
}

/// What is asked only where a condition leaves it open is not asked always.
void collect(const Expr& expr, bool always, std::vector<Asked>& found) {
  if (compares_lists(expr)) {
    found.push_back({&expr, always});
    return;
  }
  if (ir::is_reduction(expr.op)) return;
  const bool first_decides = expr.op == Op::And || expr.op == Op::Or || expr.op == Op::Select;
  for (std::size_t i = 0; i < expr.operands.size(); ++i)
    if (expr.operands[i]) collect(*expr.operands[i], always && (i == 0 || !first_decides), found);
}

}  // namespace

bool compare_alike(const Expr& a, const Expr& b) {
  if (a.op != Op::CommonNeighbours || b.op != Op::CommonNeighbours) return ir::same(a, b);
  if (a.operands.size() != b.operands.size() || a.type != b.type) return false;
  for (std::size_t i = 2; i < a.operands.size(); ++i)
    if (!ir::same(*a.operands[i], *b.operands[i])) return false;
  const auto ends_are = [&](std::size_t first, std::size_t second) {
    return ir::same(*a.operands[0], *b.operands[first]) &&
           ir::same(*a.operands[1], *b.operands[second]);
  };
  return ends_are(0, 1) || ends_are(1, 0);
}

std::vector<const Expr*> repeated_sets(const std::vector<Asked>& expressions) {
  std::vector<Asked> found;
  for (const Asked& each : expressions)
    if (each.expr != nullptr) collect(*each.expr, each.always, found);
  std::vector<const Expr*> repeated;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto alike = [&](const Asked& other) {
      return compare_alike(*found[i].expr, *other.expr);
    };
    const auto known = [&](const Expr* other) { return compare_alike(*found[i].expr, *other); };
    if (std::ranges::count_if(found, alike) < 2 || std::ranges::any_of(repeated, known)) continue;
    if (std::ranges::any_of(found,
                            [&](const Asked& other) { return other.always && alike(other); }))
      repeated.push_back(found[i].expr);
  }
  return repeated;
}

}  // namespace vertigo::compiler::toplan
