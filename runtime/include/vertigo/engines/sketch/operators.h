#pragma once
// What engine `sketch` asks of the program, on every target.

#include "vertigo/core/host_device.h"
#include "vertigo/engines/stated.h"

namespace vertigo::engines::sketch {

/// A program has
///   Message identity() const;                   of the combine operator
///   Message combine(Message a, Message b) const;
///   Message deliver(Vertex u, Message m) const; combines into u's inbox, as other threads may too
///   bool guard_holds(Vertex v, Message inbox) const;   on the states before the phase
///   Message sent_along(Vertex v, Vertex u, Message inbox[, weight]) const;
///                                               what an activation of v that takes `inbox` sends
///                                               to u, with the weight where `sent_reads_edge`; the
///                                               identity where nothing
///   bool settle(Vertex v, Message inbox) const; runs the body on the states, and sends nothing:
///                                               once where messages improve, for each activation
///                                               where they add up
///   double importance(std::int64_t in_degree, std::int64_t out_degree, …) const;
///                                               where `weighs_vertices`: hubs are the vertices for
///                                               which it is greatest (sketch/importance.h); else
///                                               those of the greatest degree
///   double hub_share() const;                   of all vertices; 0: derived from the graph, as are
///   double hub_sample() const;                  the share of vertices that the threshold is
///                                               estimated from,
///   double hub_turns() const;                   and the walks along a hub chunk in a step
/// `adds_up`: messages are summed and each has to be delivered once; else they improve, and may be
/// delivered as often as one likes. `travels_back`: messages travel along in-edges;
/// `travels_both`: along both directions of every edge.
template <class Program>
concept Wanted = requires {
  { Program::adds_up } -> Stated;
  { Program::sent_reads_edge } -> Stated;
  { Program::travels_back } -> Stated;
  { Program::travels_both } -> Stated;
  { Program::weighs_vertices } -> Stated;
  &Program::identity;
  &Program::combine;
  &Program::deliver;
  &Program::guard_holds;
  &Program::sent_along;
  &Program::settle;
  &Program::hub_share;
  &Program::hub_sample;
  &Program::hub_turns;
};

/// How the edges of a graph are walked.
struct Travel {
  bool pairs;      ///< a symmetric graph's edge and its reverse are one edge of a path
  bool both_ways;  ///< every path is walked forward, then back
  bool along_in;   ///< paths are made of the in-edges
};

/// A sum that travels along both directions counts an edge and its reverse apart. `forward`: an
/// edge and its reverse are two, and nothing is walked back that messages do not ask for.
template <class Program>
constexpr Travel travel(bool symmetric, bool forward) {
  const bool counts_twice = Program::travels_both && Program::adds_up;
  const bool pairs = symmetric && !counts_twice && !forward;
  // Of a symmetric graph's edges, each has its reverse on a path, too.
  const bool both = Program::travels_both && (counts_twice || !symmetric);
  return {pairs, pairs || both, !symmetric && Program::travels_back};
}

}  // namespace vertigo::engines::sketch
