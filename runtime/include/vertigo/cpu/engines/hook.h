#pragma once
// The engine `hook`: label propagation along both directions of every edge, as disjoint sets. The
// counterpart of vertigo/device/engines/hook.cuh.
//
// `Program` is emitted: Label, the type of what is propagated; Combine, with `take(slot, label)`,
// which combines into a slot that other threads combine into; kLabelIsVertex where every vertex
// starts with its own id, so that the inbox need not be read.

#include <algorithm>
#include <array>

#include "vertigo/cpu/graph_view.h"
#include "vertigo/cpu/parallel.h"
#include "vertigo/cpu/union_find.h"

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

template <class View>
void join_components(const View& graph, Vertex* parents) {
  for_each_vertex(graph, [=](Vertex v) { parents[v] = v; });
  for (EdgeIndex place = 0; place < kSampledNeighbours; ++place) {
    for_each_vertex(graph, [=](Vertex v) {
      const EdgeIndex edge = graph.out.offsets[v] + place;
      if (edge < graph.out.offsets[v + 1]) join(parents, v, graph.out.targets[edge]);
    });
    for_each_vertex(graph, [=](Vertex v) { compress(parents, v); });
  }
  // An edge between the giant component and another one is seen from the other side: as an out-edge
  // or, where the graph is directed, as an in-edge.
  const Vertex giant = probable_giant(parents, graph.vertex_count);
  for_each_vertex(graph, [=](Vertex v) {
    if (load_relaxed(parents[v]) == giant) return;
    for (EdgeIndex e = graph.out.offsets[v] + kSampledNeighbours; e < graph.out.offsets[v + 1]; ++e)
      join(parents, v, graph.out.targets[e]);
    if (graph.symmetric) return;
    for (const Vertex u : in_neighbours(graph, v)) join(parents, v, u);
  });
}

/// What label propagation leaves: every state combined with the best label of its component.
/// `parents` is scratch memory, one per vertex.
template <class Program, class View>
void propagate(const View& graph, Vertex* parents, const typename Program::Label* inbox,
               typename Program::Label* state) {
  if (graph.vertex_count == 0) return;
  join_components(graph, parents);
  for_each_vertex(graph, [=](Vertex v) {
    const Vertex root = compress(parents, v);
    if constexpr (Program::kLabelIsVertex)
      Program::combine(state[root], v);
    else
      Program::combine(state[root], inbox[v]);
  });
  for_each_vertex(graph, [=](Vertex v) {
    const Vertex root = parents[v];
    if (root != v) state[v] = state[root];
  });
}

}  // namespace vertigo::cpu::hook
