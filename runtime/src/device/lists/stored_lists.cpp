#include "stored_lists.h"

#include <utility>

#include "columns.h"
#include "held_lists.h"
#include "rows.h"
#include "sources.h"
#include "vertigo/graph/weight_types.h"

namespace vertigo::gpu::lists {

namespace {

using graph::DeviceDoubt;
using graph::StoredLists;
using graph::StoredWeights;

constexpr const char* kTake = "take lists";

class Taking {
 public:
  Taking(unsigned device, const StoredLists& stored)
      : shared_(std::make_shared<SharedDevice>(device)),
        stored_(stored),
        count_(stored.offsets.back()),
        vertices_(static_cast<Vertex>(stored.offsets.size() - 1)) {}

  graph::TakenLists take() {
    const Turn turn(*shared_);
    if (stored_.has_cells) {
      take_cells();
    } else {
      targets_ = std::make_shared<DeviceArray<Vertex>>(count_, kTake);
      shared_->fill(targets_->data(), stored_.deliver_targets);
      if (stored_.weights) take_weights(*stored_.weights);
    }
    const ListsSeen seen = look();
    if (count_ > 0 && seen.largest >= vertices_)
      throw DeviceDoubt{"an edge leads to a vertex that is not there"};
    if (seen.descents != 0) throw DeviceDoubt{"a list does not ascend"};
    return {std::make_shared<const HeldLists>(shared_, vertices_, count_, std::move(targets_),
                                              std::move(weights_), seen.duplicates != 0,
                                              std::move(offsets_)),
            {seen.self_loops, seen.duplicates}};
  }

 private:
  cudaStream_t stream() const { return shared_->device.stream; }

  void take_cells() {
    const DeviceArray<Cell> cells(count_, kTake);
    shared_->fill(cells.data(), stored_.deliver_targets);
    targets_ = std::make_shared<DeviceArray<Vertex>>(count_, kTake);
    DeviceArray<std::int32_t> values;
    if (stored_.weights) values = DeviceArray<std::int32_t>(count_, kTake);
    launch_split(stream(), cells.data(), count_, targets_->data(), values.data());
    check(cudaStreamSynchronize(stream()), kTake);
    if (stored_.weights) keep(*stored_.weights, std::move(values).as<std::byte>());
  }

  void take_weights(const StoredWeights& weights) {
    DeviceArray<std::byte> values(count_ * size_of(weights.stored), kTake);
    shared_->fill(values.data(), weights.deliver);
    require_finite(weights.stored, values.data());
    keep(weights, std::move(values));
  }

  /// As the kind that is kept, which holds all values of the other.
  void keep(const StoredWeights& weights, DeviceArray<std::byte> values) {
    if (weights.stored != weights.kept) {
      DeviceArray<std::byte> converted(count_ * size_of(weights.kept), kTake);
      const auto misfits = zeros<unsigned long long>(1, stream(), kTake);
      graph::with_weight_type(weights.stored, [&]<class W>(W) {
        launch_convert(stream(), reinterpret_cast<const W*>(values.data()), count_, weights.kept,
                       converted.data(), misfits.data());
      });
      check(cudaStreamSynchronize(stream()), kTake);
      values = std::move(converted);
    }
    weights_ = {weights.kept, std::make_shared<const DeviceArray<std::byte>>(std::move(values))};
  }

  void require_finite(ScalarKind kind, const std::byte* values) const {
    const auto require = [&](const auto* weights) {
      const auto odd = zeros<unsigned long long>(1, stream(), kTake);
      launch_count_odd(stream(), weights, count_, odd.data());
      if (fetched(odd.data(), stream(), kTake) != 0)
        throw DeviceDoubt{"a weight is infinite or no number"};
    };
    if (kind == ScalarKind::Float32) require(reinterpret_cast<const float*>(values));
    if (kind == ScalarKind::Float64) require(reinterpret_cast<const double*>(values));
  }

  ListsSeen look() {
    if (count_ == 0) return {};
    offsets_ = std::make_shared<const DeviceArray<EdgeIndex>>(sent(stored_.offsets, *shared_));
    const DeviceArray<Vertex> sources = sources_of(*offsets_, vertices_, count_, *shared_);
    const auto seen = zeros<ListsSeen>(1, stream(), kTake);
    launch_look_at_lists(stream(), sources.data(), targets_->data(), count_, seen.data());
    return fetched(seen.data(), stream(), kTake);
  }

  std::shared_ptr<SharedDevice> shared_;
  const StoredLists& stored_;
  EdgeIndex count_;
  Vertex vertices_;
  std::shared_ptr<DeviceArray<Vertex>> targets_;
  HeldLists::Shared<EdgeIndex> offsets_;  ///< where there are edges
  std::optional<HeldLists::Column> weights_;
};

}  // namespace

graph::TakenLists take_lists(unsigned device, const StoredLists& stored) {
  return Taking(device, stored).take();
}

}  // namespace vertigo::gpu::lists
