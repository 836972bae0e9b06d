#include "vertigo/graph/device_lists.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "vertigo/graph/builder.h"
#include "vertigo/graph/graph.h"
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

  EdgeIndex count() const override { return 4; }
  std::optional<ScalarKind> weight_kind() const override { return ScalarKind::Int64; }
  OnDevice there() const override {
    if (released) return {};
    return {3, targets_.data(), weights_.data(), nullptr, nullptr};
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
  void release() const override { released = true; }
  WeightFacts weight_facts() const override { return {-1, 9, 1, 0, 3.5}; }
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
  std::vector<Vertex> targets_ = {1, 2, 2, 0};
  std::vector<std::int64_t> weights_ = {5, 9, 1, -1};
};

Graph graph_of(const std::shared_ptr<const Kept>& lists) {
  Graph graph;
  graph.vertex_count = 3;
  graph.edge_count = 4;
  graph.no_duplicates = true;
  graph.out = adjacency_of({0, 2, 3, 4}, lists);
  graph.ids = IdMap::contiguous(0, 3);
  return graph;
}

TEST(DeviceLists, NothingIsFetchedForSomeValues) {
  const auto lists = std::make_shared<const Kept>(true);
  const Graph graph = graph_of(lists);
  EXPECT_EQ(targets_at(graph.out, std::vector<EdgeIndex>{3, 0}), (std::vector<Vertex>{0, 1}));
  EXPECT_EQ(weights_at<std::int64_t>(graph.out, std::vector<EdgeIndex>{1}),
            (std::vector<std::int64_t>{9}));
  EXPECT_EQ(neighbours_of(graph.out, std::vector<Vertex>{0, 2}), (std::vector<Vertex>{1, 2, 0}));
  EXPECT_EQ(count_isolated(graph), 0U);
  EXPECT_FALSE(is_symmetric(3, graph.out));
  EXPECT_EQ(graph.out.targets.size(), 4U);
  EXPECT_EQ(on_device(graph.out).device, 3U);
  EXPECT_EQ(lists->fetched, 0);
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
  EXPECT_EQ(lists->fetched, 2);
  EXPECT_TRUE(lists->released);
  EXPECT_EQ(on_device(graph.out).targets, nullptr);
  EXPECT_EQ(graph.out.targets, (std::vector<Vertex>{1, 2, 2, 0}));
  EXPECT_EQ(targets_at(graph.out, std::vector<EdgeIndex>{2}), (std::vector<Vertex>{2}));
  EXPECT_EQ(lists->fetched, 2);
}

}  // namespace
}  // namespace vertigo::graph
