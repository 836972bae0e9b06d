#pragma once
// What engine `distances` asks of the program, on every target.

#include "vertigo/engines/common/predecessors/operators.h"

namespace vertigo::engines::distances {

/// A program improves one value per vertex: by minimum where it `minimizes`, else by maximum. It
/// has
///   V sent(V value, W weight) const   what a vertex with `value` sends along an edge: never better
///                                     than `value`, and no better for a worse value or weight
///   V sent_by(V value, Vertex v, W weight) const
///                                     the same of the sender v, where it sends other values than
///                                     `sent` says: no better ones
///   V sent_to(V value, Vertex v, Vertex u, W weight) const
///                                     the same of the sender v and the receiver u, where a message
///                                     depends on who receives it: no better than `sent_by` says,
///                                     or `sent`
///   V window_width() const            of values that are worked on together, where `pins_width`.
/// Conditions, each where a program has it; all stay true as the value improves:
///   bool begins(V value, Vertex v) const     whether v takes a start value,
///   bool sends(Vertex v) const               whether v sends anything,
///   bool passes(V value, Vertex v, Vertex u, W weight) const
///                                            whether v with `value` sends along an edge to u,
///   bool receives(V value, Vertex u) const   whether u takes a message.
/// The weight is of the type of the graph's; of a graph that has none, of any type.
/// Messages go along edges; where it has a constant `sends_back`, against them; where `sends_both`,
/// along both directions (common/both_ways/operators.h).
/// Where `always_core` or `never_core`, the user has decided whether there is a core of the edges.
template <class Program>
concept Wanted = predecessors::MaySendPairs<Program> && requires {
  { Program::minimizes } -> Stated;
  { Program::pins_width } -> Stated;
  { Program::always_core } -> Stated;
  { Program::never_core } -> Stated;
  &Program::sent;
};

template <class Program>
inline constexpr bool kSendsBack = requires { Program::sends_back; };
template <class Program>
inline constexpr bool kHasSentBy = requires { &Program::sent_by; };
template <class Program>
inline constexpr bool kHasSentTo = requires { &Program::sent_to; };
template <class Program>
inline constexpr bool kHasBegins = requires { &Program::begins; };
template <class Program>
inline constexpr bool kHasSends = requires { &Program::sends; };
template <class Program>
inline constexpr bool kHasPasses = requires { &Program::passes; };
template <class Program>
inline constexpr bool kHasReceives = requires { &Program::receives; };

/// How far values move apart that go along edges whose weights are one apart, by what edges of the
/// best and of the worst weight of a graph make of the value 0: windows of values are as wide as
/// weights suggest. 1 where that tells nothing.
template <class Value, class Weight, class Program>
double moved_by_weight([[maybe_unused]] const Program& program, [[maybe_unused]] Weight best,
                       [[maybe_unused]] Weight worst) {
  if constexpr (!Program::minimizes) {
    return 1;
  } else {
    const auto sent = [&](Weight weight) {
      return static_cast<double>(program.sent(Value{0}, weight));
    };
    const double from = static_cast<double>(best), to = static_cast<double>(worst);
    const double moved = from < to  ? (sent(worst) - sent(best)) / (to - from)
                         : from > 0 ? sent(best) / from
                                    : 1;
    return moved > 0 && moved < 0x1p63 ? moved : 1;
  }
}

}  // namespace vertigo::engines::distances
