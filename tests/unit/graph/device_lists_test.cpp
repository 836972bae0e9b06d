#include "vertigo/graph/device_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "vertigo/graph/bounded_search.h"
#include "vertigo/graph/builder.h"
#include "vertigo/graph/degrees.h"
#include "vertigo/graph/graph.h"
#include "vertigo/graph/part.h"
#include "vertigo/graph/reader.h"

namespace vertigo::graph {
namespace {

/// A device in host memory: 0 -> 1 -> 2 -> 0 and 0 -> 2, of weights that may be told to be of no
/// other kind.
class Kept final : public DeviceLists {
 public:
  explicit Kept(bool knows) : knows_(knows) {}
  mutable int fetched = 0;
  mutable bool released = false;

  Vertex vertices() const override { return 3; }
  EdgeIndex count() const override { return 4; }
  std::optional<ScalarKind> weight_kind() const override { return ScalarKind::Int64; }
  OnDevice there() const override {
    if (released) return {};
    OnDevice there;
    there.device = 3;
    there.targets = targets_.data();
    there.weights = weights_.data();
    there.offsets = offsets_.data();
    return there;
  }
  void fetch_offsets(EdgeIndex* to) const override {
    ++fetched;
    std::ranges::copy(offsets_, to);
  }
  void fetch_targets(Vertex* to) const override {
    ++fetched;
    std::memcpy(to, targets_.data(), sizeof(Vertex) * 4);
  }
  void fetch_weights(std::byte* to) const override {
    ++fetched;
    std::memcpy(to, weights_.data(), sizeof(std::int64_t) * 4);
  }
  void pick_targets(std::span<const EdgeIndex> edges, Vertex* to) const override {
    for (std::size_t i = 0; i < edges.size(); ++i) to[i] = targets_[edges[i]];
  }
  void pick_weights(std::span<const EdgeIndex> edges, std::byte* to) const override {
    for (std::size_t i = 0; i < edges.size(); ++i)
      std::memcpy(to + i * sizeof(std::int64_t), &weights_[edges[i]], sizeof(std::int64_t));
  }
  void pick_offsets(std::span<const EdgeIndex> places, EdgeIndex* to) const override {
    for (std::size_t i = 0; i < places.size(); ++i) to[i] = offsets_[places[i]];
  }
  void pick_sources(std::span<const EdgeIndex> edges, Vertex* to) const override {
    for (std::size_t i = 0; i < edges.size(); ++i)
      to[i] =
          static_cast<Vertex>(std::ranges::upper_bound(offsets_, edges[i]) - offsets_.begin()) - 1;
  }
  void release() const override { released = true; }
  WeightFacts weight_facts() const override { return {-1, 9, 1, 0, 3.5}; }
  const DegreeFacts* degree_facts() const override { return knows_ ? &degrees_ : nullptr; }
  std::optional<std::vector<std::uint64_t>> filled() const override {
    return knows_ ? std::optional(std::vector<std::uint64_t>{0b111}) : std::nullopt;
  }
  std::optional<BoundedSearch> search(Vertex source, const SearchBounds& bounds) const override {
    if (!knows_) return std::nullopt;
    return BoundedSearch{bounds.levels, source, true};
  }
  std::vector<std::uint64_t> reached() const override { return {0b111}; }
  std::shared_ptr<const DeviceLists> with_weights(ScalarKind) const override { return nullptr; }
  std::optional<bool> is_symmetric(const Array<EdgeIndex>&) const override {
    return knows_ ? std::optional<bool>(false) : std::nullopt;
  }
  std::optional<Adjacency> transposed(const Adjacency&) const override { return std::nullopt; }
  std::optional<WithReverses> with_reverses(const Adjacency&) const override {
    return std::nullopt;
  }

 private:
  bool knows_;
  DegreeFacts degrees_ = {{{0, 2, 1}, {}}, 0};
  std::vector<EdgeIndex> offsets_ = {0, 2, 3, 4};
  std::vector<Vertex> targets_ = {1, 2, 2, 0};
  std::vector<std::int64_t> weights_ = {5, 9, 1, -1};
};

Graph graph_of(const std::shared_ptr<const Kept>& lists) {
  Graph graph;
  graph.vertex_count = 3;
  graph.edge_count = 4;
  graph.no_duplicates = true;
  graph.out = adjacency_of(lists);
  graph.ids = IdMap::contiguous(0, 3);
  return graph;
}

TEST(DeviceLists, NothingIsFetchedForSomeValues) {
  const auto lists = std::make_shared<const Kept>(true);
  const Graph graph = graph_of(lists);
  EXPECT_EQ(targets_at(graph.out, std::vector<EdgeIndex>{3, 0}), (std::vector<Vertex>{0, 1}));
  EXPECT_EQ(weights_at<std::int64_t>(graph.out, std::vector<EdgeIndex>{1}),
            (std::vector<std::int64_t>{9}));
  EXPECT_EQ(sources_at(graph.out, std::vector<EdgeIndex>{3, 1}), (std::vector<Vertex>{2, 0}));
  const std::vector<ListPlace> places = places_of(graph.out, std::vector<Vertex>{2, 0});
  EXPECT_EQ(places[0].begin, 3U);
  EXPECT_EQ(places[0].end, 4U);
  EXPECT_EQ(places[1].length(), 2U);
  for (Vertex v = 0; v <= 3; ++v)
    EXPECT_EQ(edges_before(graph.out, v), (std::vector<EdgeIndex>{0, 2, 3, 4})[v]);
  EXPECT_EQ(whole(graph).out.targets.size(), 4U);
  EXPECT_EQ(parts_of_ranges(graph, 2).size(), 2U);
  EXPECT_EQ(count_isolated(graph), 0U);
  EXPECT_FALSE(is_symmetric(3, graph.out));
  EXPECT_EQ(graph.out.targets.size(), 4U);
  EXPECT_EQ(on_device(graph.out).device, 3U);
  EXPECT_EQ(lists->fetched, 0);
}

TEST(DeviceLists, WhatLengthsTellIsTheSameWhoeverIsAsked) {
  for (const bool knows : {true, false}) {
    const auto lists = std::make_shared<const Kept>(knows);
    const Graph graph = graph_of(lists);
    EXPECT_EQ(graph.out.longest_list(), 2U);
    EXPECT_EQ(first_longest(graph.out), 0U);
    EXPECT_EQ(degree_counts(graph.out).lists, (std::vector<std::uint64_t>{0, 2, 1}));
    EXPECT_EQ(filled_lists(graph.out), std::vector<std::uint64_t>{0b111});
    EXPECT_EQ(lists->fetched, knows ? 0 : 1);
    EXPECT_EQ(graph.out.offsets.is_there(), !knows);
  }
}

TEST(DeviceLists, TheDeviceIsAskedToSearchWhereItKnows) {
  for (const bool knows : {true, false}) {
    const auto lists = std::make_shared<const Kept>(knows);
    const Graph graph = graph_of(lists);
    const BoundedSearch search = search_within(graph.out, 1, {.edges = 4, .levels = 7});
    EXPECT_EQ(search.levels, knows ? 7U : 2U);
    EXPECT_EQ(search.vertices, knows ? 1U : 3U);
    EXPECT_TRUE(search.ended_early);
    EXPECT_EQ(lists->fetched, knows ? 0 : 2);
  }
}

TEST(DeviceLists, ValuesInPlaceLetTheListsGo) {
  auto lists = std::make_shared<const Kept>(true);
  const std::weak_ptr<const Kept> watched = lists;
  Graph graph = graph_of(lists);
  lists.reset();
  graph.out.on_device.reset();
  EXPECT_EQ(graph.out.offsets, (std::vector<EdgeIndex>{0, 2, 3, 4}));
  EXPECT_FALSE(watched.expired());
  await_all(graph.out);
  EXPECT_TRUE(watched.expired());
}

TEST(DeviceLists, WhatTheDeviceDoesNotKnowTheHostFindsOut) {
  const auto lists = std::make_shared<const Kept>(false);
  Graph graph = graph_of(lists);
  EXPECT_FALSE(is_symmetric(3, graph.out));
  build_transpose(graph);
  EXPECT_EQ(graph.in_adjacency->targets, (std::vector<Vertex>{2, 0, 0, 1}));
  EXPECT_EQ(std::get<Array<std::int64_t>>(graph.in_adjacency->weights),
            (std::vector<std::int64_t>{-1, 5, 9, 1}));
  EXPECT_EQ(graph.in_adjacency->on_device, nullptr);
}

TEST(DeviceLists, WeightsOfAnotherKindAreNotThoseOfTheDevice) {
  const auto lists = std::make_shared<const Kept>(true);
  Graph graph = graph_of(lists);
  convert_weights(graph, ScalarKind::Int64);
  EXPECT_NE(on_device(graph.out).weights, nullptr);
  EXPECT_EQ(lists->fetched, 0);
  convert_weights(graph, ScalarKind::Float32);
  EXPECT_EQ(on_device(graph.out).weights, nullptr);
  EXPECT_EQ(std::get<Array<float>>(graph.out.weights), (std::vector<float>{5, 9, 1, -1}));
  EXPECT_EQ(graph.out.targets, (std::vector<Vertex>{1, 2, 2, 0}));
}

TEST(DeviceLists, BroughtHomeTheyLeaveTheDevice) {
  const auto lists = std::make_shared<const Kept>(true);
  const Graph graph = graph_of(lists);
  bring_home(graph.out);
  EXPECT_EQ(lists->fetched, 3);
  EXPECT_TRUE(lists->released);
  EXPECT_EQ(on_device(graph.out).targets, nullptr);
  EXPECT_EQ(graph.out.targets, (std::vector<Vertex>{1, 2, 2, 0}));
  EXPECT_EQ(targets_at(graph.out, std::vector<EdgeIndex>{2}), (std::vector<Vertex>{2}));
  EXPECT_EQ(graph.out.offsets, (std::vector<EdgeIndex>{0, 2, 3, 4}));
  EXPECT_EQ(lists->fetched, 3);
}

}  // namespace
}  // namespace vertigo::graph
