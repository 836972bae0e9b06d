// Hybrid colour classes of any graph against the greedy rule, vertex by vertex.

#include "vertigo/graph/colouring.h"

#include <gtest/gtest.h>
// rapidcheck's header of GoogleTest's names needs those of GoogleTest before it.
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "any_graph.h"
#include "vertigo/core/colour_turn.h"

namespace vertigo::graph {
namespace {

/// The first `most` colours, one vertex after the other; `most` where none of them is free.
std::vector<std::uint32_t> one_by_one(const Graph& graph, std::uint32_t most) {
  std::vector<std::vector<Vertex>> lists(graph.vertex_count);
  for (Vertex v = 0; v < graph.vertex_count; ++v)
    for (const Vertex u : graph.out.neighbours(v)) {
      lists[v].push_back(u);
      if (!graph.symmetric) lists[u].push_back(v);
    }
  std::vector<Vertex> order(graph.vertex_count);
  std::iota(order.begin(), order.end(), Vertex{0});
  std::ranges::sort(order, {}, [&](Vertex v) { return colour_turn(lists[v].size(), v); });
  std::vector<std::uint32_t> colours(graph.vertex_count, most);
  for (const Vertex v : order) {
    std::set<std::uint32_t> taken;
    for (const Vertex u : lists[v])
      if (u != v) taken.insert(colours[u]);
    std::uint32_t colour = 0;
    while (colour < most && taken.contains(colour)) ++colour;
    colours[v] = colour;
  }
  return colours;
}

RC_GTEST_PROP(HybridClasses, AreThoseOfVerticesOneByOne, ()) {
  const Graph graph = test::any_graph(*rc::gen::arbitrary<bool>());
  const auto most = *rc::gen::inRange<std::uint32_t>(1, 12);
  const ColourClasses classes = colour_classes(graph, most);
  const std::vector<std::uint32_t> wanted = one_by_one(graph, most);
  RC_ASSERT(classes.vertices.size() == graph.vertex_count);
  for (std::size_t c = 0; c < classes.count(); ++c)
    for (std::size_t i = classes.begins[c]; i < classes.begins[c + 1]; ++i)
      RC_ASSERT(wanted[classes.vertices[i]] == c);
  RC_ASSERT(!neighbours_in_a_class(graph, classes));
}

RC_GTEST_PROP(HybridClasses, OfADerivedNumberAreSomeNumbers, ()) {
  const Graph graph = test::any_graph(*rc::gen::arbitrary<bool>());
  const ColourClasses derived = colour_classes(graph, kDerivedColours);
  RC_ASSERT(!neighbours_in_a_class(graph, derived));
  if (derived.independent() == 0) return;
  const ColourClasses same =
      colour_classes(graph, static_cast<std::uint32_t>(derived.independent()));
  RC_ASSERT(same.vertices == derived.vertices);
  RC_ASSERT(same.begins == derived.begins);
}

}  // namespace
}  // namespace vertigo::graph
