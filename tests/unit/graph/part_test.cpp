#include "vertigo/graph/part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support.h"
#include "vertigo/cpu/graph_view.h"
#include "vertigo/graph/builder.h"
#include "vertigo/graph/generate.h"

namespace vertigo::graph {
namespace {

using Edges = std::vector<test::EdgeTuple>;

/// Graphs whose lists differ: hubs, no edges at all, parallel ones, loops.
std::vector<Graph> graphs() {
  std::vector<Graph> all;
  for (const char* const spec :
       {"kron:6:4", "rmat:6:5", "star:40", "path:17", "empty:5", "empty:1"})
    all.push_back(generate(parse_generator(spec)));
  all.push_back(test::load_text("0 0 3\n0 0 4\n5 1 2\n5 1 2\n1 5 7\n3 3 1\n").graph);
  for (const std::size_t i : {1, 6}) build_transpose(all[i]);
  return all;
}

double weight_at(const Weights& weights, EdgeIndex e) {
  Graph graph;
  graph.out.weights = weights;
  return test::weight_of(graph, e);
}

/// What the parts hold of one adjacency, by the vertices that are theirs.
Edges edges_of(const std::vector<Part>& parts, bool in) {
  Edges edges;
  for (const Part& part : parts) {
    const AdjacencySlice& slice = in ? *part.in : part.out;
    for (Vertex v = part.vertices.first; v < part.vertices.last; ++v) {
      for (const Vertex& u : slice.neighbours(v))
        edges.emplace_back(
            v, u, weight_at(slice.weights, static_cast<EdgeIndex>(&u - slice.targets.data())));
    }
  }
  std::ranges::sort(edges);
  return edges;
}

Edges edges_of(const Adjacency& adjacency) {
  Edges edges;
  for (std::size_t v = 0; v + 1 < adjacency.offsets.size(); ++v)
    for (EdgeIndex e = adjacency.offsets[v]; e < adjacency.offsets[v + 1]; ++e)
      edges.emplace_back(v, adjacency.targets[e], weight_at(adjacency.weights, e));
  std::ranges::sort(edges);
  return edges;
}

std::vector<Vertex> vertices_of(const std::vector<Part>& parts) {
  std::vector<Vertex> all;
  for (const Part& part : parts)
    for (Vertex v = part.vertices.first; v < part.vertices.last; ++v) all.push_back(v);
  std::ranges::sort(all);
  return all;
}

std::vector<Vertex> vertices_of(const Graph& graph) {
  std::vector<Vertex> all(graph.vertex_count);
  for (Vertex v = 0; v < graph.vertex_count; ++v) all[v] = v;
  return all;
}

/// Every vertex and every edge once, in both directions.
void expect_whole(const Graph& graph, const std::vector<Part>& parts) {
  EXPECT_EQ(vertices_of(parts), vertices_of(graph));
  EXPECT_EQ(edges_of(parts, false), edges_of(graph.out));
  for (const Part& part : parts) ASSERT_EQ(part.in.has_value(), graph.in_adjacency.has_value());
  if (graph.in_adjacency) {
    EXPECT_EQ(edges_of(parts, true), edges_of(*graph.in_adjacency));
  }
}

EdgeIndex edges_in(const Part& part) {
  return part.out.targets.size() + (part.in ? part.in->targets.size() : 0);
}

TEST(Parts, OnePartIsTheGraphAndCopiesNothing) {
  for (const Graph& graph : graphs()) {
    const Part part = whole(graph);
    expect_whole(graph, {part});
    EXPECT_EQ(part.out.base, 0U);
    EXPECT_EQ(part.out.offsets.data(), graph.out.offsets.data());
    EXPECT_EQ(part.out.targets.data(), graph.out.targets.data());
  }
}

TEST(Parts, OfRangesHoldEachEdgeOnce) {
  for (const Graph& graph : graphs()) {
    for (const EdgeIndex most :
         {EdgeIndex{0}, EdgeIndex{1}, EdgeIndex{7}, EdgeIndex{100}, EdgeIndex{1} << 40}) {
      SCOPED_TRACE(most);
      const std::vector<Part> parts = parts_of_ranges(graph, most);
      expect_whole(graph, parts);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_TRUE(edges_in(parts[i]) <= most || parts[i].vertices.size() == 1);
        // Another vertex would not fit.
        if (i + 1 == parts.size()) continue;
        const Vertex next = parts[i + 1].vertices.first;
        const EdgeIndex more =
            graph.out.degree(next) + (graph.in_adjacency ? graph.in_adjacency->degree(next) : 0);
        EXPECT_GT(edges_in(parts[i]) + more, most);
      }
    }
    EXPECT_EQ(parts_of_ranges(graph, EdgeIndex{1} << 40).size(), 1U);
  }
}

TEST(Parts, OfAGraphWithoutVertices) {
  const Graph none;
  EXPECT_TRUE(parts_of_ranges(none, 10).empty());
  EXPECT_EQ(whole(none).vertices.size(), 0U);
}

TEST(Parts, KeepTheirListsAlive) {
  std::vector<Part> parts;
  Edges expected;
  {
    const Graph graph = generate(parse_generator("kron:6:4"));
    expected = edges_of(graph.out);
    parts = parts_of_ranges(graph, 50);
  }
  EXPECT_EQ(edges_of(parts, false), expected);
}

// Kernels of the CPU find the lists of a part by the numbers of the whole graph.
TEST(Parts, AreSeenByKernelsAsTheGraphIs) {
  const Graph graph = generate(parse_generator("rmat:7:5"));
  Graph with_in = graph;
  build_transpose(with_in);
  for (const EdgeIndex most : {EdgeIndex{1}, EdgeIndex{60}, EdgeIndex{1} << 40}) {
    std::vector<std::uint64_t> sums(graph.vertex_count, 0);
    std::vector<EdgeIndex> degrees(graph.vertex_count, 0);
    for (const Part& part : parts_of_ranges(with_in, most)) {
      const auto view = cpu::view<std::int32_t>(with_in, part, 1);
      for (Vertex v = part.vertices.first; v < part.vertices.last; ++v) {
        for (const auto [u, weight] : cpu::out_edges(view, v))
          sums[v] += std::uint64_t{u} * static_cast<std::uint64_t>(weight);
        for (const Vertex u : cpu::in_neighbours(view, v)) sums[v] += u;
        degrees[v] = cpu::out_degree(view, v) + cpu::in_degree(view, v);
      }
    }
    const auto view = cpu::view<std::int32_t>(with_in, 1);
    for (Vertex v = 0; v < graph.vertex_count; ++v) {
      std::uint64_t sum = 0;
      for (const auto [u, weight] : cpu::out_edges(view, v))
        sum += std::uint64_t{u} * static_cast<std::uint64_t>(weight);
      for (const Vertex u : cpu::in_neighbours(view, v)) sum += u;
      ASSERT_EQ(sums[v], sum);
      ASSERT_EQ(degrees[v], graph.out.degree(v) + with_in.in_adjacency->degree(v));
    }
  }
}

}  // namespace
}  // namespace vertigo::graph
