#pragma once
// What engine `solve` asks of the program, on every target.

#include "vertigo/engines/stated.h"

namespace vertigo::engines::solve {

/// A program has
///   T sent(T inbox, Vertex sender[, Vertex receiver[, weight]]) const
///       what a vertex sends, with the receiver where `sent_reads_receiver` and the weight of the
///       edge where `sent_reads_edge`
///   U guard_threshold([Vertex v]) const   what may stay in an inbox, but for its sign; of the
///                                         vertex where `threshold_reads_vertex`
///   bool inclusive() const     what is as large as the threshold passes the guard
///   bool one_sided() const     the guard does not look at the inbox's magnitude
///   bool sends_back() const    along in-edges
template <class Program>
concept Wanted = requires {
  { Program::sent_reads_receiver } -> Stated;
  { Program::sent_reads_edge } -> Stated;
  { Program::threshold_reads_vertex } -> Stated;
  &Program::sent;
  &Program::guard_threshold;
  &Program::inclusive;
  &Program::one_sided;
  &Program::sends_back;
};

}  // namespace vertigo::engines::solve
