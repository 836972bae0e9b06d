#pragma once
// What engine `sweeps` asks of the program, on every target.

#include "vertigo/engines/stated.h"

namespace vertigo::engines::sweeps {

/// A program has
///   Message identity() const;                   of the combine operator
///   Message combine(Message a, Message b) const;
///   bool sums() const;                          which is the sum
///   Message deliver(Vertex u, Message m) const; combines into u's inbox, as other threads may too
///   Level level_of(Vertex v) const;             the compared state: std::int32_t or std::uint32_t
///   Own own(Vertex v) const;                    states that the body reads and never writes
///   Message update(Vertex v, Own own, Message inbox, Level level) const;
///                                               runs the body; returns what v sends
///   bool sends_out() const;                     to out-neighbours; else to in-neighbours
///   bool downward() const;                      the loop counts down
///   bool hands_on(Vertex v, Vertex u) const;    v's message goes to u, where it `keeps_inboxes`:
/// inboxes may then hold something when the loop begins, and are asked later for what its last
/// level sent.
template <class Program>
concept Wanted = requires {
  { Program::keeps_inboxes } -> Stated;
  &Program::identity;
  &Program::combine;
  &Program::sums;
  &Program::deliver;
  &Program::level_of;
  &Program::own;
  &Program::update;
  &Program::sends_out;
  &Program::downward;
} && (!Program::keeps_inboxes || requires { &Program::hands_on; });

}  // namespace vertigo::engines::sweeps
