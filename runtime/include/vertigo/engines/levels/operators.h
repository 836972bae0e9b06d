#pragma once
// What engine `levels` asks of the program, on every target.

#include "vertigo/engines/common/predecessors/operators.h"

namespace vertigo::engines::levels {

/// A program has
///   T sent(T value) const              what a vertex that took `value` sends to its neighbours,
///   bool improves(T value, T state)    the guard,
///   T initial() const                  the state of every vertex before, where `knows_initial`.
template <class Program>
concept Wanted = predecessors::MaySendPairs<Program> && requires {
  { Program::knows_initial } -> Stated;
  &Program::sent;
  &Program::improves;
};

}  // namespace vertigo::engines::levels
