// Whatever the graph, its edges stand on paths once each.

#include <gtest/gtest.h>
// rapidcheck's header of GoogleTest's names needs those of GoogleTest before it.
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "../graph/path_sketch_check.h"
#include "../graph/support.h"

namespace vertigo::graph {
namespace {

/// Few vertices and many edges, so that there are loops, parallel edges and hubs.
Graph any_graph(bool undirected) {
  const auto vertices = *rc::gen::inRange<unsigned>(1, 40);
  const auto edge = rc::gen::pair(rc::gen::inRange(0U, vertices), rc::gen::inRange(0U, vertices));
  const auto edges = *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(edge);
  std::string text = "0 0\n";
  for (const auto& [u, v] : edges) text += std::to_string(u) + " " + std::to_string(v) + "\n";
  ReadOptions options;
  options.direction = undirected ? Direction::Undirected : Direction::Directed;
  return test::load_text(text, options).graph;
}

RC_GTEST_PROP(PathSketch, HasEveryEdgeOfAnyGraphOnOnePath, ()) {
  const bool undirected = *rc::gen::arbitrary<bool>();
  const Graph graph = any_graph(undirected);
  SketchOptions options;
  options.keep_edges = true;
  options.hub_share = *rc::gen::inRange(1, 100) / 100.0;
  options.edges_per_part = *rc::gen::inRange<EdgeIndex>(1, 200);
  const PathEdges edges =
      graph.symmetric && *rc::gen::arbitrary<bool>() ? PathEdges::Pairs : PathEdges::Arcs;
  const PathSketch sketch = sketch_paths(graph, graph.out, edges, options);
  RC_ASSERT(test::faults_of(graph, graph.out, edges, sketch).empty());
}

}  // namespace
}  // namespace vertigo::graph
