#pragma once
// What engine `levels` asks of the program, on every target.

#include "vertigo/engines/common/predecessors/operators.h"

namespace vertigo::engines::levels {

/// A program has
///   T sent(T value) const              what a vertex that took `value` sends to its neighbours,
///   bool improves(T value, T state)    the guard,
///   T initial() const                  the state of every vertex before, where `knows_initial`,
///   bool passes(Vertex v, Vertex u[, Weight w]) const
///                                      whether a message of v goes along an edge to u, where it
///                                      `has_condition`; with the weight where
///                                      `condition_reads_edge`.
/// Messages travel along edges where it `sends_out`, else against them; along both directions where
/// it has a constant `sends_both` (common/both_ways/operators.h).
template <class Program>
concept Wanted = predecessors::MaySendPairs<Program> && requires {
  { Program::knows_initial } -> Stated;
  { Program::sends_out } -> Stated;
  { Program::has_condition } -> Stated;
  { Program::condition_reads_edge } -> Stated;
  &Program::sent;
  &Program::improves;
} && (!Program::has_condition || requires { &Program::passes; });

}  // namespace vertigo::engines::levels
