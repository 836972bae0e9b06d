#pragma once
// What engine `hook` asks of the program, on every target.

#include "vertigo/engines/stated.h"

namespace vertigo::engines::hook {

/// A program has
///   T least(T a, T b) const      how labels are combined, where it `minimizes`; else
///   T greatest(T a, T b) const
///   T started(Vertex v) const    the label of v, where every vertex is started with a label that
///                                depends on nothing else; run() takes no inbox then.
///   bool takes(Vertex v) const   whether v takes labels at all, where it `chooses_vertices`.
///   bool passes(Vertex v, Vertex u[, Weight w]) const
///                                whether the edge between v and u carries labels, where it
///                                `has_condition`: the same for (u, v), and false where an end does
///                                not take labels; with the weight where `condition_reads_edge`.
template <class Program>
concept Wanted =
    requires {
      { Program::minimizes } -> Stated;
      { Program::chooses_vertices } -> Stated;
      { Program::has_condition } -> Stated;
      { Program::condition_reads_edge } -> Stated;
    } && (!Program::chooses_vertices || requires { &Program::takes; }) &&
    (!Program::has_condition || requires { &Program::passes; });

}  // namespace vertigo::engines::hook
