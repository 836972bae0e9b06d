#include "vertigo/graph/device_lists.h"

#include <type_traits>
#include <utility>
#include <variant>

#include "room.h"
#include "vertigo/graph/graph.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

class TargetsArrive final : public Arrival {
 public:
  TargetsArrive(std::shared_ptr<const DeviceLists> lists, Vertex* place)
      : lists_(std::move(lists)), place_(place) {}

 private:
  void bring() const override { lists_->fetch_targets(place_); }

  std::shared_ptr<const DeviceLists> lists_;
  Vertex* place_;
};

class WeightsArrive final : public Arrival {
 public:
  WeightsArrive(std::shared_ptr<const DeviceLists> lists, void* place)
      : lists_(std::move(lists)), place_(static_cast<std::byte*>(place)) {}

 private:
  void bring() const override { lists_->fetch_weights(place_); }

  std::shared_ptr<const DeviceLists> lists_;
  std::byte* place_;
};

/// What nobody has written to takes no memory.
template <class Arrive, class T>
Array<T> arriving(const std::shared_ptr<const DeviceLists>& lists) {
  Room<T> room(lists->count());
  const auto arrival = std::make_shared<const Arrive>(lists, room.data());
  return std::move(room).finished(arrival);
}

}  // namespace

Adjacency adjacency_of(Array<EdgeIndex> offsets, std::shared_ptr<const DeviceLists> lists) {
  Adjacency adjacency;
  adjacency.offsets = std::move(offsets);
  adjacency.targets = arriving<TargetsArrive, Vertex>(lists);
  if (const auto kind = lists->weight_kind())
    with_weight_type(*kind,
                     [&]<class W>(W) { adjacency.weights = arriving<WeightsArrive, W>(lists); });
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

std::vector<Vertex> neighbours_of(const Adjacency& adjacency, std::span<const Vertex> vertices) {
  if (adjacency.targets.is_there()) {
    std::vector<Vertex> neighbours;
    for (const Vertex v : vertices) {
      const auto list = adjacency.neighbours(v);
      neighbours.insert(neighbours.end(), list.begin(), list.end());
    }
    return neighbours;
  }
  std::vector<EdgeIndex> edges;
  for (const Vertex v : vertices)
    for (EdgeIndex e = adjacency.offsets[v]; e < adjacency.offsets[v + 1]; ++e) edges.push_back(e);
  return targets_at(adjacency, edges);
}

void await_all(const Adjacency& adjacency) {
  (void)adjacency.targets.data();
  with_column(adjacency.weights, []<class Column>(const Column& weights) {
    if constexpr (kHasWeights<Column>) (void)weights.data();
  });
}

void bring_home(const Adjacency& adjacency) {
  if (adjacency.on_device == nullptr) return;
  await_all(adjacency);
  adjacency.on_device->release();
}

}  // namespace vertigo::graph
