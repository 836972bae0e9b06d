// Paths: every edge once, chained, hubs as many as asked for, and a function of the graph alone.

#include "vertigo/graph/path_sketch.h"

#include <cmath>
#include <set>
#include <string>

#include "path_sketch_check.h"
#include "support.h"
#include "vertigo/core/parallel.h"
#include "vertigo/graph/generate.h"

namespace vertigo::graph {
namespace {

Graph made(const std::string& generator) { return generate(parse_generator(generator)); }

PathSketch sketch_of(const Graph& graph, PathEdges edges, SketchOptions options = {}) {
  options.keep_edges = true;
  return sketch_paths(graph, graph.out, edges, options);
}

std::string joined(const std::vector<std::string>& faults) {
  std::string text;
  for (const std::string& fault : faults) text += fault + "; ";
  return text;
}

void expect_sound(const Graph& graph, const SketchOptions& options = {}) {
  for (const PathEdges edges : {PathEdges::Arcs, PathEdges::Pairs}) {
    if (edges == PathEdges::Pairs && !graph.symmetric) continue;
    const PathSketch sketch = sketch_of(graph, edges, options);
    EXPECT_EQ(joined(test::faults_of(graph, graph.out, edges, sketch)), "");
  }
}

TEST(PathSketch, HasEveryEdgeOnOnePath) {
  for (const char* generator : {"kron:8:8", "rmat:9:6", "road:20x17", "star:40", "path:133",
                                "complete:9", "urand:7:4", "cycle:100", "empty:3", "empty:0"}) {
    SCOPED_TRACE(generator);
    expect_sound(made(generator));
  }
}

TEST(PathSketch, HasEveryEdgeOnOnePathWhereSeveralPartsMakeThem) {
  for (const char* generator : {"kron:8:8", "rmat:9:6", "road:20x17", "star:40", "path:133"})
    for (const EdgeIndex edges : {1, 7, 100}) {
      SCOPED_TRACE(std::string(generator) + " by " + std::to_string(edges));
      expect_sound(made(generator), {.edges_per_part = edges});
    }
}

TEST(PathSketch, TakesLoopsAndParallelEdges) {
  expect_sound(test::load_text("0 0\n0 1\n0 1\n2 1\n1 1\n2 1\n1 2\n").graph);
  ReadOptions undirected;
  undirected.direction = Direction::Undirected;
  const Graph pairs = test::load_text("0 0\n0 1\n0 1\n2 1\n1 1\n1 1\n2 1\n2 0\n", undirected).graph;
  ASSERT_TRUE(pairs.symmetric);
  expect_sound(pairs);
  expect_sound(pairs, {.edges_per_part = 1});
}

TEST(PathSketch, AlongInEdgesIsOneOfTheTransposedGraph) {
  Graph graph = made("rmat:8:5");
  build_transpose(graph);
  const PathSketch sketch = sketch_paths(graph, graph.in(), PathEdges::Arcs, {.keep_edges = true});
  EXPECT_EQ(joined(test::faults_of(graph, graph.in(), PathEdges::Arcs, sketch)), "");
}

TEST(PathSketch, HasAsManyHubsAsAskedFor) {
  for (const char* generator : {"kron:14:8", "rmat:14:6", "road:200x100", "urand:14:4"})
    for (const double share : {0.005, 0.025, 0.125}) {
      SCOPED_TRACE(std::string(generator) + " " + std::to_string(share));
      const Graph graph = made(generator);
      const PathSketch sketch = sketch_of(graph, PathEdges::Arcs, {.hub_share = share});
      const double hubs = double(sketch.hubs.size()) / graph.vertex_count;
      EXPECT_NEAR(hubs, share, share / 10);
    }
}

TEST(PathSketch, HubsAreThoseOfTheGreatestDegrees) {
  const Graph graph = made("kron:12:8");
  const PathSketch sketch = sketch_of(graph, PathEdges::Pairs);
  const std::set<Vertex> hubs(sketch.hubs.begin(), sketch.hubs.end());
  ASSERT_FALSE(hubs.empty());
  for (Vertex v = 0; v < graph.vertex_count; ++v) {
    if (graph.out.degree(v) > static_cast<EdgeIndex>(sketch.hub_importance)) {
      EXPECT_TRUE(hubs.contains(v)) << v;
    }
    if (graph.out.degree(v) < static_cast<EdgeIndex>(sketch.hub_importance)) {
      EXPECT_FALSE(hubs.contains(v)) << v;
    }
  }
}

// In-degree and a value of every vertex, where there are values.
double weighed(const void* const* inputs, Vertex v, EdgeIndex in_degree, EdgeIndex) {
  if (inputs[0] == nullptr) return static_cast<double>(in_degree);
  return static_cast<const double*>(inputs[0])[v];
}

TEST(PathSketch, HubsAreThoseOfTheGreatestImportance) {
  Graph graph = made("rmat:10:6");
  std::vector<EdgeIndex> in_degrees(graph.vertex_count);
  for (const Vertex v : graph.out.targets) ++in_degrees[v];
  std::vector<double> values(graph.vertex_count);
  for (Vertex v = 0; v < graph.vertex_count; ++v) values[v] = v % 7 == 3 ? 1.5 : -double(v);
  const auto expect_greatest = [&](const Adjacency& lists, const void* input, auto importance) {
    const PathSketch sketch =
        sketch_paths(graph, lists, PathEdges::Arcs,
                     {.importance = {weighed, {input}}, .hub_share = 0.1, .keep_edges = true});
    EXPECT_EQ(joined(test::faults_of(graph, lists, PathEdges::Arcs, sketch)), "");
    const std::set<Vertex> hubs(sketch.hubs.begin(), sketch.hubs.end());
    EXPECT_NEAR(double(hubs.size()), 0.1 * graph.vertex_count, 0.01 * graph.vertex_count);
    for (Vertex v = 0; v < graph.vertex_count; ++v) {
      if (importance(v) > sketch.hub_importance) {
        EXPECT_TRUE(hubs.contains(v)) << v;
      }
      if (importance(v) < sketch.hub_importance) {
        EXPECT_FALSE(hubs.contains(v)) << v;
      }
    }
  };
  const auto in_degree = [&](Vertex v) { return double(in_degrees[v]); };
  expect_greatest(graph.out, nullptr, in_degree);
  expect_greatest(graph.out, values.data(), [&](Vertex v) { return values[v]; });
  build_transpose(graph);
  expect_greatest(graph.out, nullptr, in_degree);
  expect_greatest(graph.in(), nullptr, in_degree);
}

TEST(PathSketch, WhatIsNoNumberIsTheLeastImportant) {
  const Graph graph = made("urand:8:4");
  std::vector<double> values(graph.vertex_count, std::nan(""));
  values[17] = -1e300;
  const PathSketch sketch = sketch_paths(
      graph, graph.out, PathEdges::Pairs,
      {.importance = {weighed, {values.data()}}, .hub_share = 1.0 / graph.vertex_count});
  EXPECT_EQ(sketch.hubs, std::vector<Vertex>{17});
}

TEST(PathSketch, AllVerticesMayBeHubs) {
  const Graph graph = made("star:9");
  EXPECT_EQ(sketch_of(graph, PathEdges::Pairs, {.hub_share = 1}).hubs.size(), graph.vertex_count);
}

TEST(PathSketch, HubPathsMeetNoHubBetweenTheirEnds) {
  const Graph graph = made("kron:10:8");
  const PathSketch sketch = sketch_of(graph, PathEdges::Pairs);
  const std::set<Vertex> hubs(sketch.hubs.begin(), sketch.hubs.end());
  EXPECT_GT(sketch.hub.paths, 0u);
  std::uint64_t inside = 0;
  for (std::uint32_t chunk = 0; chunk < sketch.chunks(); ++chunk)
    for (unsigned lane = 0; lane < kPathLanes; ++lane) {
      const std::uint32_t breaks = sketch.breaks[std::size_t{chunk} * kPathLanes + lane];
      for (unsigned row = 1; row + 1 < sketch.rows(chunk); ++row) {
        const bool between = (breaks >> row & 3) == 0;
        inside += between &&
                  hubs.contains(sketch.vertices[sketch.begins[chunk] + row * kPathLanes + lane]);
      }
    }
  EXPECT_EQ(inside, 0u);
}

TEST(PathSketch, WalksALongPathInPieces) {
  const Graph graph = made("path:1000");
  const PathSketch sketch = sketch_of(graph, PathEdges::Pairs, {.hub_share = 0.001});
  EXPECT_GT(test::longest_stretch(sketch), 20u);
  EXPECT_LT(test::longest_stretch(sketch), kPathRows);
  EXPECT_GE(std::max(sketch.hub.longest, sketch.cold.longest), 450u);
}

// What finds faults finds them.
TEST(PathSketch, ChecksCanFail) {
  const Graph graph = made("kron:7:6");
  const PathSketch sound = sketch_of(graph, PathEdges::Pairs);
  const auto faults = [&](const PathSketch& sketch) {
    return joined(test::faults_of(graph, graph.out, PathEdges::Pairs, sketch));
  };
  std::size_t slot = kPathLanes;
  while (sound.edges[slot] == kNoEdge) ++slot;
  PathSketch lost = sound;
  lost.edges[slot] = kNoEdge;
  EXPECT_NE(faults(lost).find("a mark belies"), std::string::npos);
  EXPECT_NE(faults(lost).find("not those of the graph"), std::string::npos);
  PathSketch moved = sound;
  moved.vertices[slot] ^= 1;
  EXPECT_NE(faults(moved).find("does not chain"), std::string::npos);
  PathSketch twice = sound;
  twice.begins.push_back(twice.begins.back() + (twice.begins[1] - twice.begins[0]));
  for (std::uint64_t i = 0; i < sound.begins[1]; ++i) {
    twice.vertices.push_back(sound.vertices[i]);
    twice.edges.push_back(sound.edges[i]);
  }
  for (unsigned lane = 0; lane < kPathLanes; ++lane) twice.breaks.push_back(sound.breaks[lane]);
  EXPECT_NE(faults(twice).find("more than one path"), std::string::npos);
}

#ifdef _OPENMP
TEST(PathSketch, DoesNotDependOnTheNumberOfThreads) {
  const Graph graph = made("kron:13:8");
  const int threads = thread_count();
  const SketchOptions options{.edges_per_part = 10000};
  omp_set_num_threads(1);
  const PathSketch alone = sketch_of(graph, PathEdges::Pairs, options);
  omp_set_num_threads(7);
  const PathSketch together = sketch_of(graph, PathEdges::Pairs, options);
  omp_set_num_threads(threads);
  EXPECT_EQ(alone.vertices, together.vertices);
  EXPECT_EQ(alone.breaks, together.breaks);
  EXPECT_EQ(alone.begins, together.begins);
}
#endif

}  // namespace
}  // namespace vertigo::graph
