#pragma once
// What engine `wedges` asks of the program, on every target.

#include "vertigo/engines/stated.h"

namespace vertigo::engines::wedges {

/// The phase adds up common_neighbours(u, v) over the neighbours u of v; `counts_less`,
/// `counts_equal` and `counts_greater` say over which, by their ids beside v's. A program has
///   bool concerns(Vertex v) const        v is updated
///   bool update(Vertex v, std::int64_t sum) const; runs the body; true
/// `sum_alone`: nobody asks for the sum of one vertex, only for that of all of them.
template <class Program>
concept Wanted = requires {
  { Program::counts_less } -> Stated;
  { Program::counts_equal } -> Stated;
  { Program::counts_greater } -> Stated;
  { Program::sum_alone } -> Stated;
  &Program::concerns;
  &Program::update;
};

/// How much a triangle adds for each corner, or for each of its edges where one direction counts.
template <class Program>
inline constexpr bool kCountsBothWays = Program::counts_less && Program::counts_greater;

}  // namespace vertigo::engines::wedges
