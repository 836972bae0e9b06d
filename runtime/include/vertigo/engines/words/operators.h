#pragma once
// What engine `words` asks of the program, on every target.

#include "vertigo/engines/stated.h"

namespace vertigo::engines::words {

/// A program has
///   Bits identity() const;                      no bits
///   bool listens(Vertex v) const;               what the guard asks besides new bits
///   Own own(Vertex v) const;                    states that the body reads and never writes
///   Bits activate(Vertex v, Own own, Bits seen, Bits fresh, std::int32_t step) const;
///                                               runs the body for bits that v has not seen, but
///                                               for gathering them; returns what v sends
///   bool passes(Vertex v, Vertex u[, Weight w]) const
///                                               whether a message of v goes along an edge to u,
///                                               where it `has_condition`; with the weight where
///                                               `condition_reads_edge`.
/// Messages travel along edges where it `sends_out`, against them where it `sends_back`.
template <class Program>
concept Wanted = requires {
  { Program::sends_out } -> Stated;
  { Program::sends_back } -> Stated;
  { Program::has_condition } -> Stated;
  { Program::condition_reads_edge } -> Stated;
  &Program::identity;
  &Program::listens;
  &Program::own;
  &Program::activate;
} && (!Program::has_condition || requires { &Program::passes; });

}  // namespace vertigo::engines::words
