#pragma once
// What engine `wavefront` asks of the program, on every target.

namespace vertigo::engines::wavefront {

/// A program has
///   Message identity() const;                   of the combine operator
///   Message combine(Message a, Message b) const;
///   bool sums() const;                          which is the sum
///   Message deliver(Vertex u, Message m) const; combines into u's inbox, as other threads may too
///   bool waits(Vertex v) const;                 the guard, on the states before the phase
///   Own own(Vertex v) const;                    states that the body reads and never writes
///   Message activate(Vertex v, Own own, Message inbox, std::int32_t step) const;
///                                               runs the body; returns what v sends
///   bool sends_out() const;                     to out-neighbours; else to in-neighbours
///   bool always_sends() const;                  nobody sends the identity
template <class Program>
concept Wanted = requires {
  &Program::identity;
  &Program::combine;
  &Program::sums;
  &Program::deliver;
  &Program::waits;
  &Program::own;
  &Program::activate;
  &Program::sends_out;
  &Program::always_sends;
};

}  // namespace vertigo::engines::wavefront
