#pragma once
// Which edges messages go along, on the CPU: the counterpart of
// vertigo/engines/common/edge_condition.cuh.

#include "vertigo/core/scalar.h"

namespace vertigo::engines {

/// Whether a message of v goes along an edge to u, by the program's operator of that name.
template <class Program, class Weight>
bool passes([[maybe_unused]] const Program& program, [[maybe_unused]] Vertex v,
            [[maybe_unused]] Vertex u, [[maybe_unused]] const Weight& weight) {
  if constexpr (!Program::has_condition)
    return true;
  else if constexpr (Program::condition_reads_edge)
    return program.passes(v, u, weight);
  else
    return program.passes(v, u);
}

}  // namespace vertigo::engines
