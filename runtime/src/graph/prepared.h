#pragma once
// Whether preparations that were read belong to the graph that they were read with.

#include <string>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// What is wrong with them, or "": an order that is no permutation, lists that are not sorted as
/// they should be, or that hold other edges than the graph's. `in` may be null. Counts and ranges
/// have been checked.
std::string preparation_problem(const Adjacency& out, const Adjacency* in,
                                const Preparations& prepared);

}  // namespace vertigo::graph
