// Whatever the graph, its edges stand on paths once each.

#include <gtest/gtest.h>
// rapidcheck's header of GoogleTest's names needs those of GoogleTest before it.
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "../graph/path_sketch_check.h"
#include "any_graph.h"

namespace vertigo::graph {
namespace {

RC_GTEST_PROP(PathSketch, HasEveryEdgeOfAnyGraphOnOnePath, ()) {
  const bool undirected = *rc::gen::arbitrary<bool>();
  const Graph graph = test::any_graph(undirected);
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
