#pragma once
// What is asked of an engine's operators about pairs of a value and a witness.

#include "vertigo/engines/stated.h"

namespace vertigo::engines::predecessors {

/// Where `sends_pairs`, a program has, besides what the engine asks of the values,
///   Tuple<V, W> initial() const             the state of every vertex before,
///   Vertex predecessor(Vertex v) const      the witness, where `witness_is_sender`, else
///   W witness(Vertex v[, Weight w]) const   with the weight where `witness_reads_edge`.
template <class Program>
concept SendsPairs = requires {
  { Program::minimizes } -> Stated;
  { Program::sent_reads_edge } -> Stated;
  { Program::witness_is_sender } -> Stated;
  { Program::witness_reads_edge } -> Stated;
  &Program::initial;
};

template <class Program>
concept MaySendPairs = requires {
  { Program::sends_pairs } -> Stated;
} && (!Program::sends_pairs || SendsPairs<Program>);

}  // namespace vertigo::engines::predecessors
