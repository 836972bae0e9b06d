// Whatever the graph, its edges stand on paths once each.

#include <gtest/gtest.h>
// rapidcheck's header of GoogleTest's names needs those of GoogleTest before it.
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "../graph/path_sketch_check.h"
#include "../graph/support.h"
#include "any_graph.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/prepare.h"
#include "vertigo/graph/reader.h"

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

RC_GTEST_PROP(PathSketch, OfAnyGraphIsKeptWithIt, ()) {
  const bool undirected = *rc::gen::arbitrary<bool>();
  Graph graph = test::any_graph(undirected);
  const SketchOptions options{.hub_share = *rc::gen::inRange(1, 100) / 100.0};
  for (const Preparation layout :
       {Preparation::Paths, Preparation::Colours, Preparation::FewColours})
    prepare(graph, layout, options);
  const test::Folder folder;
  write_cached(graph, folder / "g");
  ReadOptions reading;
  reading.verify = true;  // which proves what is stored
  const Graph back = load_graph(folder / "g", reading).graph;
  RC_ASSERT(back.prepared.paths->vertices == graph.prepared.paths->vertices);
  const PathEdges edges = graph.symmetric ? PathEdges::Pairs : PathEdges::Arcs;
  RC_ASSERT(test::faults_of(back, back.out, edges, *back.prepared.paths).empty());
  RC_ASSERT(back.prepared.all_colours->vertices == graph.prepared.all_colours->vertices);
  RC_ASSERT(back.prepared.few_colours->begins == graph.prepared.few_colours->begins);
}

}  // namespace
}  // namespace vertigo::graph
