#pragma once
// What updates ask of the neighbours that both ends of an edge have: how many there are, or the sum
// of a value of each.

#include <optional>
#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// The only reduction over neighbours; null where there is none, or more than one.
const ir::Expr* single_reduction(const ir::Phase& phase);

/// True where `expr` is the vertex that is bound to `name`.
bool is_vertex(const ir::Expr& expr, const std::string& name);

/// Whether it is common_neighbours of the two, over all edges.
bool is_common_of(const ir::Expr& expr, const std::string& one, const std::string& other);

/// Why `sum`, a reduction over common neighbours, is no sum of what each of them has by itself; ""
/// where it is.
std::string problem_of_weight(const ir::Expr& sum);

/// Of `sum(value over out u)`, the reduction over common neighbours that its value is; else null.
const ir::Expr* weighing(const ir::Expr& reduction);

/// Over which neighbours, by their ids beside the vertex's.
struct Sides {
  bool less = true, equal = true, greater = true;
};

/// Nothing where the condition is another than one of ids, or leaves no neighbour but itself.
std::optional<Sides> sides_of(const ir::Expr& reduction);

/// Why an update takes more of its neighbours than one sum of what they have in common with its
/// vertex; "" where it takes that.
std::string problem_of_common_sum(const ir::Phase& phase);

/// What an update of edges finds out about the neighbours that their ends share, where all that it
/// does is to keep one value of that for every edge; else null.
const ir::Expr* kept_number(const ir::Phase& phase);

}  // namespace vertigo::compiler::passes
