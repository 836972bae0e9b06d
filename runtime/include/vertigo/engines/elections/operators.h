#pragma once
// What engine `elections` asks of the program, on every target.

#include "vertigo/engines/stated.h"

namespace vertigo::engines::elections {

/// The phase takes the most frequent value of `vote(u)` over the neighbours u of v along its
/// out-edges (`follows_out`), its in-edges (`follows_in`) or both; without v itself where it
/// `skips_itself`. A program has
///   T vote(Vertex u) const
///   bool concerns(Vertex v) const                           v is updated
///   bool update(Vertex v, bool elected, T winner) const;    runs the body; true
/// Nobody voted where `elected` is false.
template <class Program>
concept Wanted = requires {
  { Program::follows_out } -> Stated;
  { Program::follows_in } -> Stated;
  { Program::skips_itself } -> Stated;
  &Program::vote;
  &Program::concerns;
  &Program::update;
};

}  // namespace vertigo::engines::elections
