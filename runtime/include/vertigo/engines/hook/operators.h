#pragma once
// What engine `hook` asks of the program, on every target.

#include "vertigo/engines/stated.h"

namespace vertigo::engines::hook {

/// A program has
///   T least(T a, T b) const      how labels are combined, where it `minimizes`; else
///   T greatest(T a, T b) const
///   T started(Vertex v) const    the label of v, where every vertex is started with a label that
///                                depends on nothing else; run() takes no inbox then.
template <class Program>
concept Wanted = requires {
  { Program::minimizes } -> Stated;
};

}  // namespace vertigo::engines::hook
