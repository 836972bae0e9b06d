#pragma once
// Engine `levels` on the CPU: phases in which all messages of one level carry the same value, as a
// direction-optimised search (Beamer et al., Direction-Optimizing Breadth-First Search, SC 2012).
// Small levels are pushed from a list; in large ones every vertex that is still to be reached looks
// for an in-neighbour that was visited before.

#include <bit>

#include "vertigo/cpu/parallel.h"
#include "vertigo/engines/common/both_ways/cpu.h"
#include "vertigo/engines/common/edge_condition.h"
#include "vertigo/engines/common/predecessors/cpu.h"
#include "vertigo/engines/levels/operators.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::levels {

template <engines::levels::Wanted Program, class Graph>
class Engine {
 public:
  void allocate(const Graph& graph, const host::RunRequest&, host::RunResult&) {
    frontier_.allocate(graph.vertex_count);
    next_.allocate(graph.vertex_count);
    pulled_.allocate(graph.vertex_count);
    visited_.allocate(graph.vertex_count);
    lonely_.allocate(graph.vertex_count);
    frontier_vertices_.allocate(graph.vertex_count);
    frontier_edges_.allocate(graph.vertex_count);
    visited_edges_.allocate(graph.vertex_count);
  }

  /// `asked`: the started vertices, whose inboxes hold one and the same value.
  template <class T>
  void run(execute::PhaseRun& phase, const Program& program, const Graph& graph,
           VertexBuffer<T>& states, const VertexBuffer<T>& inbox, WorklistBuffer& asked) {
    T* const state = states;
    frontier_.clear();
    visited_.clear();
    lonely_.clear();
    if (asked.empty()) return;
    T value = inbox.values()[Worklist(asked).vertices().front()];
    find_started(program, graph, value, state, asked);
    EdgeIndex unlisted = graph.edge_count;
    std::uint64_t vertices = frontier_.size();
    bool pulled = false;
    while (phase.next(vertices > 0)) {
      const std::uint64_t edges = frontier_edges_.take();
      unlisted -= edges < unlisted ? edges : unlisted;
      const bool pulls = edges * kAlpha > unlisted && edges * kBeta > graph.vertex_count;
      if (pulled)
        settle(graph, value, state, !pulls);
      else
        give(value, state);
      value = program.sent(value);
      const std::uint64_t active = vertices;
      vertices = pulls ? pull(program, graph, value, state) : push(program, graph, value, state);
      pulled = pulls;
      phase.done(active, visited_edges_.take());
    }
  }

 private:
  // Beamer et al., section 5.2. Their second bound is on the vertices of a level; a level of few
  // hubs is as worth a pull, and a pull looks at every vertex, so that it is on the edges here.
  static constexpr std::uint64_t kAlpha = 14;
  static constexpr std::uint64_t kBeta = 24;

  using Weight = std::remove_cvref_t<decltype(Graph{}.default_weight)>;

  /// The first in a vertex's list that reaches it is noted where somebody asks afterwards
  /// (common/predecessors/cpu.h).
  static constexpr bool kNotesSenders = [] {
    if constexpr (requires { Program::notes_senders; }) return Program::notes_senders;
    return false;
  }();

  /// The edges that messages travel, from their senders and from their receivers.
  static const auto& along(const Graph& graph) { return Program::sends_out ? graph.out : graph.in; }
  static const auto& against(const Graph& graph) {
    return Program::sends_out ? graph.in : graph.out;
  }
  template <class Lists>
  static EdgeIndex degree(const Lists& lists, Vertex v) {
    return lists.offsets[v + 1] - lists.offsets[v];
  }
  template <class Lists>
  static EdgeRange<Weight> edges_of(const Lists& lists, const Graph& graph, Vertex v) {
    return {lists, graph.default_weight, v};
  }

  template <class T>
  void find_started(const Program& program, const Graph& graph, T value, const T* state,
                    WorklistBuffer& asked) {
    const Worklist found = frontier_;
    const Bitmap visited = visited_;
    const Counter edges = frontier_edges_;
    for_each_listed(asked, [=](Vertex v) {
      if (!program.improves(value, state[v])) return;
      set_bit(visited, v);
      append(found, v);
      count(edges, degree(along(graph), v));
    });
  }

  /// The vertices of a level take its value when the level is reached, not when they are found: a
  /// limit of steps may come between.
  template <class T>
  void give(T value, T* state) {
    for_each_listed(frontier_, [=](Vertex v) { state[v] = value; });
  }

  /// The same for a level that was found by a pull, which is `listed` where a push is to follow.
  template <class T>
  void settle(const Graph& graph, T value, T* state, bool listed) {
    const Bitmap pulled = pulled_;
    const Bitmap visited = visited_;
    frontier_.clear();
    const Worklist frontier = frontier_;
    for_each_word(graph, [=](std::size_t w, std::uint64_t) {
      const std::uint64_t found = pulled.words[w];
      visited.words[w] |= found;
      for_each_bit(w, found, [=](Vertex v) {
        state[v] = value;
        if (listed) append(frontier, v);
      });
    });
  }

  /// From the listed level to the list of the next; returns how many it has.
  template <class T>
  std::uint64_t push(const Program& program, const Graph& graph, T value, const T* state) {
    next_.clear();
    const Worklist found = next_;
    const Bitmap visited = visited_;
    const Counter edges = frontier_edges_;
    const Counter looked_at = visited_edges_;
    for_each_listed(frontier_, [=](Vertex v) {
      count(looked_at, degree(along(graph), v));
      for (const Edge<Weight> edge : edges_of(along(graph), graph, v)) {
        const Vertex u = edge.neighbour;
        const bool is_visited = test_bit(visited, u);
        // Who was found in this level has no value yet.
        if ((is_visited && !kNotesSenders) || !program.improves(value, state[u])) continue;
        if (!engines::passes(program, v, u, edge.weight)) continue;
        // Of all who send to it, the one that a pull would have found.
        if constexpr (kNotesSenders) combine_min(program.first_senders[u], v);
        if (is_visited || !test_and_set(visited, u)) continue;
        append(found, u);
        count(edges, degree(along(graph), u));
      }
    });
    swap(frontier_, next_);
    return frontier_.size();
  }

  /// It does not matter in which of the levels before an in-neighbour was visited: had it been an
  /// earlier one, the vertex would have been visited since, or cannot take the value. A thread
  /// decides about all vertices of a word, so that no two write one.
  template <class T>
  std::uint64_t pull(const Program& program, const Graph& graph, T value, const T* state) {
    const Bitmap pulled = pulled_;
    const Bitmap visited = visited_;
    const Bitmap lonely = lonely_;
    const Counter vertices = frontier_vertices_;
    const Counter edges = frontier_edges_;
    const Counter looked_at = visited_edges_;
    for_each_word(graph, [=](std::size_t w, std::uint64_t all) {
      std::uint64_t found = 0;
      std::uint64_t sends = 0;
      std::uint64_t looked = 0;
      const std::uint64_t left = all & ~visited.words[w] & ~lonely.words[w];
      // Lists begin far from each other: all of a word's are on their way before the first is read.
      std::uint64_t empty = 0;
      for_each_bit(w, left, [&](Vertex v) {
        const EdgeIndex begin = against(graph).offsets[v];
        empty |= std::uint64_t{begin == against(graph).offsets[v + 1]} << v % 64;
        __builtin_prefetch(against(graph).targets + begin);
      });
      lonely.words[w] |= empty;
      for_each_bit(w, left & ~empty, [&](Vertex v) {
        if (!program.improves(value, state[v])) return;
        for (const Edge<Weight> edge : edges_of(against(graph), graph, v)) {
          ++looked;
          if (!test_bit(visited, edge.neighbour)) continue;
          if (!engines::passes(program, edge.neighbour, v, edge.weight)) continue;
          found |= std::uint64_t{1} << v % 64;
          if constexpr (kNotesSenders) program.first_senders[v] = edge.neighbour;
          sends += degree(along(graph), v);
          break;
        }
      });
      pulled.words[w] = found;
      count(vertices, static_cast<std::uint64_t>(std::popcount(found)));
      count(edges, sends);
      count(looked_at, looked);
    });
    return frontier_vertices_.take();
  }

  WorklistBuffer frontier_;  // the level's vertices, where a push found them or is to follow
  WorklistBuffer next_;
  BitmapBuffer pulled_;  // the level's vertices, where a pull found them
  BitmapBuffer visited_;
  BitmapBuffer lonely_;  // nobody sends to them, as pulls have seen: no other looks at them
  CounterBuffer frontier_vertices_;
  CounterBuffer frontier_edges_;
  CounterBuffer visited_edges_;
};

/// Pairs: the values of all vertices, then who sent them.
template <engines::levels::Wanted Operators, class Graph>
  requires(Operators::sends_pairs && !engines::kSendsBoth<Operators>)
class Engine<Operators, Graph>
    : public predecessors::PairEngine<Engine<predecessors::Values<Operators>, Graph>, Operators> {};

/// Both directions of edges.
template <engines::levels::Wanted Operators, class Graph>
  requires(engines::kSendsBoth<Operators>)
class Engine<Operators, Graph> : public BothWays<Engine<engines::OneWay<Operators>, Graph>, Graph> {
};

}  // namespace vertigo::cpu::levels
