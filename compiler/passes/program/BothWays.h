#pragma once
// Labels that travel under conditions: which vertices take them, and which edges carry them. Where
// an edge that carries labels one way carries them the other way, too, "has sent to" is an
// equivalence, and its classes are connected components: of the vertices that take labels, along
// the edges that carry them.

#include <string>

#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

struct BothWays {
  /// The first condition that may hold one way and not the other; "": the rest is there.
  std::string problem;
  /// Over the phase's vertex: whether it takes a label that is better than its state. Null: always.
  ir::ExprPtr takes;
  /// Over the phase's vertex, `neighbour` and the edge between them: whether labels go from the one
  /// to the other, both ends taking labels. The same the other way round. Null: always.
  ir::ExprPtr passes;
  std::string neighbour;
};

/// Of a phase that sends the inbox itself: reads the parts of the guard that the phase does not
/// change, the conditions of its sends, and those of its starts.
BothWays find_both_ways(const Surroundings& around, const SymbolicUpdate& update);

/// Whether the two have the same value whatever they read: operands of `==`, of a sum or of a
/// minimum stand in any order, and `a < b` is `b > a`.
bool same_in_any_order(const ir::Expr& a, const ir::Expr& b);

}  // namespace vertigo::compiler::passes
