#include "vertigo/graph/device_lists.h"

#include <algorithm>
#include <array>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

#include "room.h"
#include "vertigo/graph/graph.h"
#include "vertigo/trace/profiler.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

/// The lists are let go once their values are in place: nothing keeps memory on the device then
/// that does not need it.
class FromDevice final : public Arrival {
 public:
  using Fetch = std::function<void(const DeviceLists&)>;
  FromDevice(std::shared_ptr<const DeviceLists> lists, const char* range, Fetch fetch)
      : lists_(std::move(lists)), range_(range), fetch_(std::move(fetch)) {}

 private:
  void bring() const override {
    const trace::ProfilerRange range(range_);
    fetch_(*lists_);
    lists_.reset();
  }

  mutable std::shared_ptr<const DeviceLists> lists_;
  const char* range_;  ///< as profilers show it
  Fetch fetch_;
};

/// What nobody has written to takes no memory. fetch(lists, place) writes the values.
template <class T, class Fetch>
Array<T> arriving(const std::shared_ptr<const DeviceLists>& lists, std::size_t count,
                  const char* range, const Fetch& fetch) {
  Room<T> room(count);
  T* const place = room.data();
  const auto arrival = std::make_shared<const FromDevice>(
      lists, range, [=](const DeviceLists& from) { fetch(from, place); });
  return std::move(room).finished(arrival);
}

void await_lists(const Adjacency& adjacency) {
  (void)adjacency.offsets.data();
  (void)adjacency.targets.data();
}

/// Whether the host would have to fetch the offsets.
bool keeps_offsets(const Adjacency& adjacency) {
  return !adjacency.offsets.is_there() && on_device(adjacency).offsets != nullptr;
}

}  // namespace

Adjacency adjacency_of(std::shared_ptr<const DeviceLists> lists) {
  auto offsets =
      arriving<EdgeIndex>(lists, std::size_t{lists->vertices()} + 1, "fetch offsets",
                          [](const DeviceLists& from, EdgeIndex* to) { from.fetch_offsets(to); });
  return adjacency_of(std::move(offsets), std::move(lists));
}

Adjacency adjacency_of(Array<EdgeIndex> offsets, std::shared_ptr<const DeviceLists> lists) {
  Adjacency adjacency;
  adjacency.offsets = std::move(offsets);
  adjacency.targets =
      arriving<Vertex>(lists, lists->count(), "fetch targets",
                       [](const DeviceLists& from, Vertex* to) { from.fetch_targets(to); });
  if (const auto kind = lists->weight_kind())
    with_weight_type(*kind, [&]<class W>(W) {
      adjacency.weights =
          arriving<W>(lists, lists->count(), "fetch weights", [](const DeviceLists& from, W* to) {
            from.fetch_weights(reinterpret_cast<std::byte*>(to));
          });
    });
  adjacency.on_device = std::move(lists);
  return adjacency;
}

OnDevice on_device(const Adjacency& adjacency) {
  if (adjacency.on_device == nullptr) return {};
  OnDevice there = adjacency.on_device->there();
  // Of another kind than those that the adjacency has meanwhile, they are not its weights.
  if (kind_of(adjacency.weights) != adjacency.on_device->weight_kind()) there.weights = nullptr;
  return there;
}

std::optional<WeightFacts> weight_facts(const Adjacency& adjacency) {
  if (on_device(adjacency).weights == nullptr) return std::nullopt;
  return adjacency.on_device->weight_facts();
}

std::vector<Vertex> targets_at(const Adjacency& adjacency, std::span<const EdgeIndex> edges) {
  std::vector<Vertex> targets(edges.size());
  if (adjacency.targets.is_there() || on_device(adjacency).targets == nullptr)
    for (std::size_t i = 0; i < edges.size(); ++i) targets[i] = adjacency.targets[edges[i]];
  else
    adjacency.on_device->pick_targets(edges, targets.data());
  return targets;
}

template <class W>
std::vector<W> weights_at(const Adjacency& adjacency, std::span<const EdgeIndex> edges) {
  const auto& weights = std::get<Array<W>>(adjacency.weights);
  std::vector<W> values(edges.size());
  if (weights.is_there() || on_device(adjacency).weights == nullptr)
    for (std::size_t i = 0; i < edges.size(); ++i) values[i] = weights[edges[i]];
  else
    adjacency.on_device->pick_weights(edges, reinterpret_cast<std::byte*>(values.data()));
  return values;
}

template std::vector<std::int32_t> weights_at(const Adjacency&, std::span<const EdgeIndex>);
template std::vector<std::int64_t> weights_at(const Adjacency&, std::span<const EdgeIndex>);
template std::vector<std::uint32_t> weights_at(const Adjacency&, std::span<const EdgeIndex>);
template std::vector<std::uint64_t> weights_at(const Adjacency&, std::span<const EdgeIndex>);
template std::vector<float> weights_at(const Adjacency&, std::span<const EdgeIndex>);
template std::vector<double> weights_at(const Adjacency&, std::span<const EdgeIndex>);

std::vector<Vertex> sources_at(const Adjacency& adjacency, std::span<const EdgeIndex> edges) {
  std::vector<Vertex> sources(edges.size());
  if (!keeps_offsets(adjacency)) {
    const std::span<const EdgeIndex> offsets = adjacency.offsets;
    for (std::size_t i = 0; i < edges.size(); ++i)
      sources[i] =
          static_cast<Vertex>(std::ranges::upper_bound(offsets, edges[i]) - offsets.begin() - 1);
  } else {
    adjacency.on_device->pick_sources(edges, sources.data());
  }
  return sources;
}

std::vector<ListPlace> places_of(const Adjacency& adjacency, std::span<const Vertex> vertices) {
  std::vector<ListPlace> lists;
  lists.reserve(vertices.size());
  if (!keeps_offsets(adjacency)) {
    for (const Vertex v : vertices)
      lists.push_back({adjacency.offsets[v], adjacency.offsets[v + 1]});
    return lists;
  }
  std::vector<EdgeIndex> places;
  places.reserve(2 * vertices.size());
  for (const Vertex v : vertices) places.insert(places.end(), {v, EdgeIndex{v} + 1});
  std::vector<EdgeIndex> offsets(places.size());
  adjacency.on_device->pick_offsets(places, offsets.data());
  for (std::size_t i = 0; i < offsets.size(); i += 2) lists.push_back({offsets[i], offsets[i + 1]});
  return lists;
}

EdgeIndex edges_before(const Adjacency& adjacency, Vertex v) {
  if (!keeps_offsets(adjacency)) return adjacency.offsets[v];
  if (v == 0) return 0;
  if (v == adjacency.list_count()) return adjacency.targets.size();
  EdgeIndex edges = 0;
  adjacency.on_device->pick_offsets(std::array{EdgeIndex{v}}, &edges);
  return edges;
}

void await_lists(const Graph& graph) {
  await_lists(graph.out);
  if (graph.in_adjacency) await_lists(*graph.in_adjacency);
}

void await_all(const Adjacency& adjacency) {
  await_lists(adjacency);
  with_column(adjacency.weights, []<class Column>(const Column& weights) {
    if constexpr (kHasWeights<Column>) (void)weights.data();
  });
}

void await_all(const Graph& graph) {
  await_all(graph.out);
  if (graph.in_adjacency) await_all(*graph.in_adjacency);
}

void bring_home(const Adjacency& adjacency) {
  if (adjacency.on_device == nullptr) return;
  await_all(adjacency);
  adjacency.on_device->release();
}

}  // namespace vertigo::graph
