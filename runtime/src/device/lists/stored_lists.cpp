#include "stored_lists.h"

#include <utility>

#include "held_lists.h"
#include "pieces.h"
#include "rows.h"
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
    if (stored_.has_cells)
      take_cells();
    else
      fill(targets_ = std::make_shared<DeviceArray<Vertex>>(count_, kTake),
           stored_.deliver_targets);
    if (stored_.weights && !stored_.has_cells) take_weights(*stored_.weights);
    const ListsSeen seen = look();
    if (count_ > 0 && seen.largest >= vertices_)
      throw DeviceDoubt{"an edge leads to a vertex that is not there"};
    if (seen.descents != 0) throw DeviceDoubt{"a list does not ascend"};
    return {std::make_shared<const HeldLists>(shared_, vertices_, count_, std::move(targets_),
                                              std::move(weights_), seen.duplicates != 0),
            {seen.self_loops, seen.duplicates}};
  }

 private:
  cudaStream_t stream() const { return shared_->device.stream; }

  template <class T>
  void fill(const std::shared_ptr<DeviceArray<T>>& array, const graph::Deliver& deliver) {
    Pieces pieces(array->data(), stream());
    deliver(pieces);
    pieces.finish();
  }

  void keep(ScalarKind kind, DeviceArray<std::byte> values) {
    weights_ = {kind, std::make_shared<const DeviceArray<std::byte>>(std::move(values))};
  }

  void take_cells() {
    const auto cells = std::make_shared<DeviceArray<Cell>>(count_, kTake);
    fill(cells, stored_.deliver_targets);
    targets_ = std::make_shared<DeviceArray<Vertex>>(count_, kTake);
    const auto split = [&]<class W>(W* weights) {
      launch_split(stream(), cells->data(), count_, targets_->data(), weights);
      check(cudaStreamSynchronize(stream()), kTake);
    };
    if (!stored_.weights) return split(static_cast<std::int32_t*>(nullptr));
    const auto split_into = [&]<class W>(W) {
      DeviceArray<W> values(count_, kTake);
      split(values.data());
      keep(stored_.weights->kept, std::move(values).template as<std::byte>());
    };
    if (stored_.weights->kept == ScalarKind::Int64)
      split_into(std::int64_t{});
    else
      split_into(std::int32_t{});
  }

  void take_weights(const StoredWeights& weights) {
    const auto values =
        std::make_shared<DeviceArray<std::byte>>(count_ * size_of(weights.stored), kTake);
    fill(values, weights.deliver);
    if (weights.stored == weights.kept) {
      require_finite(weights.kept, values->data());
      return keep(weights.kept, std::move(*values));
    }
    DeviceArray<std::int64_t> wide(count_, kTake);
    launch_widen(stream(), reinterpret_cast<const std::uint32_t*>(values->data()), count_,
                 wide.data());
    check(cudaStreamSynchronize(stream()), kTake);
    keep(weights.kept, std::move(wide).as<std::byte>());
  }

  void require_finite(ScalarKind kind, const std::byte* values) const {
    const auto require = [&](const auto* weights) {
      const auto odd = zeroed<unsigned long long>(stream(), kTake);
      launch_count_odd(stream(), weights, count_, odd.data());
      if (fetched(odd.data(), stream(), kTake) != 0)
        throw DeviceDoubt{"a weight is infinite or no number"};
    };
    if (kind == ScalarKind::Float32) require(reinterpret_cast<const float*>(values));
    if (kind == ScalarKind::Float64) require(reinterpret_cast<const double*>(values));
  }

  ListsSeen look() {
    if (count_ == 0) return {};
    const DeviceArray<Vertex> sources(count_, kTake);
    const DeviceArray<EdgeIndex> begins(stored_.offsets.size(), kTake);
    shared_->device.staging.to_device(begins.data(), stored_.offsets.data(),
                                      stored_.offsets.size_bytes(), stream());
    launch_sources(stream(), begins.data(), vertices_, count_, sources.data());
    const auto seen = zeroed<ListsSeen>(stream(), kTake);
    launch_look_at_lists(stream(), sources.data(), targets_->data(), count_, seen.data());
    return fetched(seen.data(), stream(), kTake);
  }

  std::shared_ptr<SharedDevice> shared_;
  const StoredLists& stored_;
  EdgeIndex count_;
  Vertex vertices_;
  std::shared_ptr<DeviceArray<Vertex>> targets_;
  std::optional<HeldLists::Column> weights_;
};

}  // namespace

graph::TakenLists take_lists(unsigned device, const StoredLists& stored) {
  return Taking(device, stored).take();
}

}  // namespace vertigo::gpu::lists
