#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "support.h"

namespace vertigo::graph {
namespace {

using test::as;
using test::edges_of;
using test::expect_text_refused;
using test::load_text;
using Edges = std::vector<test::EdgeTuple>;

class Bytes {
 public:
  template <class T>
  Bytes& put(std::initializer_list<T> values) {
    for (const T value : values) text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Bytes& u8(std::initializer_list<std::uint8_t> v) { return put(v); }
  Bytes& u32(std::initializer_list<std::uint32_t> v) { return put(v); }
  Bytes& u64(std::initializer_list<std::uint64_t> v) { return put(v); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string galois(std::uint64_t version) {
  Bytes bytes;
  bytes.u64({version, 4, 3, 3}).u64({2, 2, 3});
  if (version == 1) bytes.u32({2, 1, 0, 0});
  if (version == 2) bytes.u64({2, 1, 0});
  return bytes.u32({7, 5, 9}).text();
}
std::string weighted_gap() {
  return Bytes().u8({0}).u64({2, 3}).u64({0, 1, 2, 2}).u32({1, 6, 0, 6}).text();
}
std::string directed_gap() {
  return Bytes()
      .u8({1})
      .u64({2, 3})
      .u64({0, 2, 2, 2})
      .u32({1, 2})
      .u64({0, 0, 1, 2})
      .u32({0, 0})
      .text();
}
std::string bel() {
  return Bytes()
      .u64({0x48504152474C4542u, 4, 2})
      .u32({0, 2})
      .u32({1, 0})
      .u32({5, 4000000000u})
      .text();
}

TEST(Galois, ReadsBothVersions) {
  for (const std::uint64_t version : {1, 2}) {
    const auto loaded = load_text(galois(version));
    EXPECT_EQ(loaded.report.format, Format::Galois);
    EXPECT_EQ(edges_of(loaded.graph), (Edges{{0, 1, 5}, {0, 2, 7}, {2, 0, 9}}));  // rows are sorted
  }
}

TEST(Galois, ReadsWithoutEdgeDataWithAndWithoutPadding) {
  Bytes bytes;
  bytes.u64({1, 0, 2, 1}).u64({1, 1}).u32({1});
  EXPECT_EQ(load_text(bytes.text()).graph.edge_count, 1u);
  EXPECT_EQ(load_text(bytes.u32({0}).text()).graph.edge_count, 1u);
  EXPECT_FALSE(load_text(bytes.text()).graph.has_weights());
}

TEST(Gap, TellsWeightedFromPlainBySize) {
  const auto weighted = load_text(weighted_gap());
  EXPECT_EQ(weighted.report.format, Format::Gap);
  EXPECT_TRUE(weighted.graph.symmetric);
  EXPECT_EQ(edges_of(weighted.graph), (Edges{{0, 1, 6}, {1, 0, 6}}));
  const auto plain = load_text(directed_gap());
  EXPECT_FALSE(plain.graph.has_weights());
  EXPECT_EQ(edges_of(plain.graph), (Edges{{0, 1, 1}, {0, 2, 1}}));
}

TEST(Bel, ReadsArrays) {
  const auto loaded = load_text(bel());
  EXPECT_EQ(loaded.report.format, Format::Bel);
  EXPECT_EQ(loaded.graph.vertex_count, 4u);
  EXPECT_EQ(edges_of(loaded.graph), (Edges{{0, 1, 5}, {2, 0, 4000000000.0}}));
}

struct BelEdge {
  std::uint32_t source, target, weight;
};
std::string bel(std::uint64_t vertices, const std::vector<BelEdge>& edges) {
  Bytes bytes;
  bytes.u64({0x48504152474C4542u, vertices, edges.size()});
  for (const BelEdge& edge : edges) bytes.u32({edge.source});
  for (const BelEdge& edge : edges) bytes.u32({edge.target});
  for (const BelEdge& edge : edges) bytes.u32({edge.weight});
  return bytes.text();
}

// More edges than are read at a time, by ascending sources, with lists that are empty, lists of one
// and one that goes on over several pieces.
std::vector<BelEdge> ascending_edges() {
  std::vector<BelEdge> edges;
  std::uint32_t source = 3;
  for (std::uint32_t i = 0; i < (1u << 21) + 11; ++i) {
    const bool in_hub = i > (1u << 19) && i < (3u << 19);
    if (!in_hub && i % 3 == 0) source += 1 + i % 5;
    edges.push_back({source, (7919 * i) % 2000003, i % 1000});
  }
  return edges;
}
constexpr std::uint64_t kBelVertices = 3000000;

TEST(Bel, ListsOfAscendingSourcesAreThoseOfAnyOrder) {
  std::vector<BelEdge> edges = ascending_edges();
  const std::string ascending = bel(kBelVertices, edges);
  std::vector<BelEdge> any = edges;
  std::swap(any.front(), any.back());
  const std::string scattered = bel(kBelVertices, any);
  ReadOptions options;
  for (const bool ignore_weights : {false, true}) {
    options.ignore_weights = ignore_weights;
    const auto expected = load_text(scattered, options).graph,
               graph = load_text(ascending, options).graph;
    ASSERT_EQ(graph.vertex_count, kBelVertices);
    EXPECT_TRUE(std::ranges::equal(graph.out.offsets, expected.out.offsets));
    EXPECT_TRUE(std::ranges::equal(graph.out.targets, expected.out.targets));
    EXPECT_EQ(graph.has_weights(), !ignore_weights);
    for (EdgeIndex e = 0; e < graph.edge_count && !ignore_weights; ++e)
      ASSERT_EQ(test::weight_of(graph, e), test::weight_of(expected, e)) << e;
  }
}

// One source out of order within a piece, at either end of one, and at those of the file.
TEST(Bel, OneSourceOutOfOrderMovesItsEdgeAlone) {
  const std::vector<BelEdge> edges = ascending_edges();
  const std::size_t piece = 1u << 20;
  const std::vector<std::pair<std::size_t, std::uint32_t>> moves = {
      {5, 0}, {7, 2999999}, {piece - 1, 2999999}, {piece, 1}, {edges.size() - 1, 0}};
  for (const auto& [place, source] : moves) {
    SCOPED_TRACE(place);
    std::vector<BelEdge> odd = edges;
    odd[place].source = source;
    const Graph graph = load_text(bel(kBelVertices, odd)).graph;
    std::vector<EdgeIndex> offsets(kBelVertices + 1, 0);
    for (const BelEdge& edge : odd) ++offsets[edge.source + 1];
    for (std::size_t v = 0; v < kBelVertices; ++v) offsets[v + 1] += offsets[v];
    EXPECT_TRUE(std::ranges::equal(graph.out.offsets, offsets));
  }
}

TEST(Bel, VerticesThatAreNotThereAreRefusedByTheirPlace) {
  std::vector<BelEdge> edges = ascending_edges();
  edges.back().source = kBelVertices;
  expect_text_refused(bel(kBelVertices, edges),
                      "graph: byte " + std::to_string(24 + 4 * (edges.size() - 1)), "out of range");
  edges = ascending_edges();
  edges[1u << 20].target = kBelVertices;
  expect_text_refused(bel(kBelVertices, edges),
                      "graph: byte " + std::to_string(24 + 4 * (edges.size() + (1u << 20))),
                      "out of range");
}

// Every proper prefix and every extension of a binary file is refused.
TEST(BinaryFiles, AreRefusedWhenCutAnywhere) {
  const std::vector<std::pair<Format, std::string>> files = {{Format::Galois, galois(1)},
                                                             {Format::Galois, galois(2)},
                                                             {Format::Gap, weighted_gap()},
                                                             {Format::Gap, directed_gap()},
                                                             {Format::Bel, bel()}};
  for (const auto& [format, content] : files) {
    ASSERT_NO_THROW(load_text(content, as(format)));
    for (std::size_t size = 0; size < content.size(); ++size) {
      SCOPED_TRACE(size);
      EXPECT_THROW(load_text(content.substr(0, size), as(format)), Error) << name_of(format);
    }
    EXPECT_THROW(load_text(content + '\0', as(format)), Error) << name_of(format);
  }
}

TEST(BinaryFiles, AreRefusedForBadOffsetsAndTargets) {
  expect_text_refused(Bytes().u64({1, 0, 2, 2}).u64({2, 1}).u32({0, 1}).text(), "graph: byte 40",
                      "offsets must ascend");
  expect_text_refused(Bytes().u64({1, 0, 2, 2}).u64({1, 1}).u32({0, 1}).text(), "graph: byte 40",
                      "offsets must ascend");
  expect_text_refused(Bytes().u64({1, 0, 2, 2}).u64({1, 2}).u32({0, 2}).text(), "graph: byte 52",
                      "out of range");
  expect_text_refused(Bytes().u64({2, 0, 2, 2}).u64({1, 2}).u64({0, 1u << 31}).text(),
                      "graph: byte 56", "out of range");
  expect_text_refused(Bytes().u64({2, 8, 1, 1}).u64({1}).u64({0}).u64({~0ull}).text(),
                      "graph: byte 48", "does not fit");
  expect_text_refused(Bytes().u8({0}).u64({2, 2}).u64({1, 1, 2}).u32({0, 0}).text(),
                      "graph: byte 17", "offsets must");
  expect_text_refused(Bytes().u8({0}).u64({2, 2}).u64({0, 1, 2}).u32({1, 9}).text(),
                      "graph: byte 45", "out of range");
  expect_text_refused(Bytes().u64({0x48504152474C4542u, 2, 1}).u32({0, 2, 1}).text(),
                      "graph: byte 28", "out of range");
}

TEST(BinaryFiles, AreRefusedForAbsurdCounts) {
  const std::uint64_t huge = std::uint64_t{1} << 60;
  expect_text_refused(Bytes().u64({1, 4, huge, 1}).text(), "graph: byte 0", "at most");
  expect_text_refused(Bytes().u64({1, 4, 1000, huge}).text(), "graph: byte 0", "edges");
  expect_text_refused(Bytes().u64({1, 4, 4000000000, 1}).text(), "graph: byte 32",
                      "ends within offsets");
  expect_text_refused(Bytes().u64({0x48504152474C4542u, 4000000000, 0}).text(), "graph",
                      "--max-vertices");
  expect_text_refused(Bytes().u64({0x48504152474C4542u, 4, 4000000000}).text(), "graph: byte 24",
                      "the file has 24");
  expect_text_refused(Bytes().u8({0}).u64({4000000000, 2000000000}).text(), "graph: byte 17",
                      "the file has 17");
}

TEST(Gap, RefusesAnUndirectedFileThatIsNotSymmetric) {
  expect_text_refused(Bytes().u8({0}).u64({2, 3}).u64({0, 1, 2, 2}).u32({1, 2}).text(),
                      "graph: edge 1", "the edge 0 -> 1 has no reverse edge");
  expect_text_refused(Bytes().u8({0}).u64({2, 3}).u64({0, 1, 2, 2}).u32({1, 6, 0, 7}).text(),
                      "graph: edge 1", "of the same weight");
}

}  // namespace
}  // namespace vertigo::graph
