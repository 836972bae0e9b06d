#pragma once
// Which comparisons of two lists stand in an expression more than once.

#include <vector>

#include "compiler/ir/program/Expr.h"

namespace vertigo::compiler::toplan {

/// An expression, and whether it is asked wherever the others are.
struct Asked {
  const ir::Expr* expr = nullptr;
  bool always = true;
};

/// Whether both count, or fold, the same of the same two lists.
bool compare_alike(const ir::Expr& a, const ir::Expr& b);

/// Of what the expressions ask about common neighbours outside of their own reductions over
/// neighbours: what is asked for twice, and at least once wherever they are asked. The first of
/// each.
std::vector<const ir::Expr*> repeated_sets(const std::vector<Asked>& expressions);

}  // namespace vertigo::compiler::toplan
