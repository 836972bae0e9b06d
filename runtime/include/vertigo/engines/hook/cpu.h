#pragma once
// The engine `hook`: label propagation along both directions of every edge, as disjoint sets. The
// counterpart of vertigo/engines/hook/device.cuh.

#include <algorithm>
#include <array>

#include "vertigo/cpu/graph_view.h"
#include "vertigo/cpu/parallel.h"
#include "vertigo/cpu/union_find.h"
#include "vertigo/engines/common/edge_condition.h"
#include "vertigo/engines/hook/operators.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::hook {

/// Neighbours of every vertex that are joined before the largest component is looked for: two, as
/// Afforest's section IV-C recommends.
inline constexpr EdgeIndex kSampledNeighbours = 2;

/// The most frequent root of a few vertices spread over the graph.
inline Vertex probable_giant(const Vertex* parents, Vertex count) {
  std::array<Vertex, 512> roots{};
  for (std::size_t i = 0; i < roots.size(); ++i)
    roots[i] = parents[static_cast<Vertex>(std::uint64_t{count} * i / roots.size())];
  std::ranges::sort(roots);
  Vertex giant = roots[0];
  std::ptrdiff_t most = 0;
  for (auto run = roots.begin(); run != roots.end();) {
    const auto end = std::upper_bound(run, roots.end(), *run);
    if (end - run > most) {
      most = end - run;
      giant = *run;
    }
    run = end;
  }
  return giant;
}

/// Joins v with the neighbours at places `first` to `last` of its list, along edges that carry
/// labels, and returns how many edges there are.
template <class Program, class View, class Lists>
EdgeIndex join_with(const Program& program, const View& graph, const Lists& lists, Vertex* parents,
                    Vertex v, EdgeIndex first, EdgeIndex last) {
  const EdgeIndex begin = std::min(lists.offsets[v] + first, lists.offsets[v + 1]);
  const EdgeIndex end = std::min(lists.offsets[v] + last, lists.offsets[v + 1]);
  for (EdgeIndex e = begin; e < end; ++e) {
    const auto weight = lists.weights != nullptr ? lists.weights[e] : graph.default_weight;
    if (engines::passes(program, v, lists.targets[e], weight)) join(parents, v, lists.targets[e]);
  }
  return end - begin;
}

template <class Program, class View>
void join_components(const Program& program, const View& graph, Vertex* parents, Counter edges) {
  for_each_vertex(graph, [=](Vertex v) { parents[v] = v; });
  for (EdgeIndex place = 0; place < kSampledNeighbours; ++place) {
    for_each_vertex(graph, [=](Vertex v) {
      count(edges, join_with(program, graph, graph.out, parents, v, place, place + 1));
    });
    for_each_vertex(graph, [=](Vertex v) { compress(parents, v); });
  }
  // An edge between the giant component and another one is seen from the other side: as an out-edge
  // or, where the graph is directed, as an in-edge.
  const Vertex giant = probable_giant(parents, graph.vertex_count);
  for_each_vertex(graph, [=](Vertex v) {
    if (load_relaxed(parents[v]) == giant) return;
    count(edges,
          join_with(program, graph, graph.out, parents, v, kSampledNeighbours, graph.edge_count));
    if (graph.symmetric) return;
    count(edges, join_with(program, graph, graph.in, parents, v, 0, graph.edge_count));
  });
}

template <engines::hook::Wanted Program, class Graph>
class Engine {
 public:
  void allocate(const Graph& graph, const host::RunRequest&, host::RunResult&) {
    parents_.allocate(graph.vertex_count);
    edges_.allocate(graph.vertex_count);
  }

  template <class T>
  void run(execute::PhaseRun& phase, const Program& program, const Graph& graph,
           VertexBuffer<T>& states) {
    propagate(phase, program, graph, states, [=](Vertex v) { return program.started(v); });
  }

  /// `inbox`: labels of the started vertices, the combine's identity at all others.
  template <class T>
  void run(execute::PhaseRun& phase, const Program& program, const Graph& graph,
           VertexBuffer<T>& states, const VertexBuffer<T>& inbox) {
    const T* const labels = inbox;
    propagate(phase, program, graph, states, [=](Vertex v) { return labels[v]; });
  }

 private:
  /// Every state becomes the best of itself and the labels of its component: one step.
  template <class T, class Labels>
  void propagate(execute::PhaseRun& phase, const Program& program, const Graph& graph,
                 VertexBuffer<T>& states, const Labels& labels) {
    if (graph.vertex_count == 0 || !phase.next(true)) return;
    Vertex* const parents = parents_;
    T* const state = states;
    join_components(program, graph, parents, Counter(edges_));
    for_each_vertex(graph, [=](Vertex v) {
      if constexpr (Program::chooses_vertices)
        if (!program.takes(v)) return;
      combine_with(state[compress(parents, v)], labels(v), [&](T a, T b) {
        if constexpr (Program::minimizes)
          return program.least(a, b);
        else
          return program.greatest(a, b);
      });
    });
    for_each_vertex(graph, [=](Vertex v) {
      const Vertex root = parents[v];
      if (root != v) state[v] = state[root];
    });
    phase.done(graph.vertex_count, edges_.take());
  }

  VertexBuffer<Vertex> parents_;
  CounterBuffer edges_;
};

}  // namespace vertigo::cpu::hook
