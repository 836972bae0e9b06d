#pragma once
// What engine `wedges` asks of the program, on every target.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "vertigo/core/scalar.h"
#include "vertigo/engines/stated.h"

namespace vertigo::engines::wedges {

/// The phase adds up common_neighbours(u, v) over the neighbours u of v; `counts_less`,
/// `counts_equal` and `counts_greater` say over which, by their ids beside v's. A program has
///   bool concerns(Vertex v) const        v is updated
///   bool update(Vertex v, std::int64_t sum) const; runs the body; true
/// `sum_alone`: nobody asks for the sum of one vertex, only for that of all of them.
/// Where it `has_values`, it adds up a value of every common neighbour instead of ones, and the sum
/// is of that type:
///   T common_value(Vertex x) const         of what it was before the update
/// Or it asks for common_neighbours(u, v) of every edge (`by_edge`), and has in their place
///   bool keep(Vertex u, Vertex v, std::uint64_t place, std::int64_t common) const
/// for every entry of the out-lists; u is not behind v, whichever of them has it in its list. True.
template <class Program>
concept Wanted = requires {
  { Program::by_edge } -> Stated;
  { Program::counts_less } -> Stated;
  { Program::counts_equal } -> Stated;
  { Program::counts_greater } -> Stated;
  { Program::sum_alone } -> Stated;
  { Program::has_values } -> Stated;
} && (Program::by_edge ? requires { &Program::keep; } : requires {
                   &Program::concerns;
                   &Program::update;
                 });

/// How much a triangle adds for each corner, or for each of its edges where one direction counts.
template <class Program>
inline constexpr bool kCountsBothWays = Program::counts_less && Program::counts_greater;

/// What the program is given.
template <class Program, bool kWeighs = Program::has_values>
struct SumOf {
  using Type = std::int64_t;
};
template <class Program>
struct SumOf<Program, true> {
  using Type = decltype(std::declval<const Program&>().common_value(Vertex{}));
};
template <class Program>
using Sum = typename SumOf<Program>::Type;

/// What shares are added up in: integers wrap around.
template <class Program, class Unsigned>
using Share = std::conditional_t<std::is_integral_v<Sum<Program>>, Unsigned, Sum<Program>>;

}  // namespace vertigo::engines::wedges
