#pragma once
// Lists of edges in the memory of a GPU (vertigo/graph/device_lists.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "device_array.h"
#include "join.h"
#include "shared_device.h"
#include "vertigo/graph/device_lists.h"

namespace vertigo::gpu::lists {

class HeldLists final : public graph::DeviceLists {
 public:
  template <class T>
  using Shared = std::shared_ptr<const DeviceArray<T>>;
  struct Column {
    ScalarKind kind;
    Shared<std::byte> values;
  };

  /// Edges by their sources. `vertices`: as many lists as there are; `offsets`: null where the host
  /// alone has them.
  HeldLists(std::shared_ptr<SharedDevice> device, Vertex vertices, EdgeIndex count,
            Shared<Vertex> targets, std::optional<Column> weights, bool has_duplicates,
            Shared<EdgeIndex> offsets = nullptr);

  Vertex vertices() const override { return vertices_; }
  EdgeIndex count() const override { return count_; }
  std::optional<ScalarKind> weight_kind() const override;
  graph::OnDevice there() const override;
  void fetch_offsets(EdgeIndex* to) const override;
  void fetch_targets(Vertex* to) const override;
  void fetch_weights(std::byte* to) const override;
  void pick_targets(std::span<const EdgeIndex> edges, Vertex* to) const override;
  void pick_weights(std::span<const EdgeIndex> edges, std::byte* to) const override;
  void pick_sources(std::span<const EdgeIndex> edges, Vertex* to) const override;
  void pick_offsets(std::span<const EdgeIndex> places, EdgeIndex* to) const override;
  void release() const override;
  graph::WeightFacts weight_facts() const override;
  const graph::DegreeFacts* degree_facts() const override;
  std::optional<std::vector<std::uint64_t>> filled() const override;
  std::optional<graph::BoundedSearch> search(Vertex source,
                                             const graph::SearchBounds& bounds) const override;
  std::vector<std::uint64_t> reached() const override;
  std::shared_ptr<const graph::DeviceLists> with_weights(ScalarKind kind) const override;
  std::optional<bool> is_symmetric(const graph::Array<EdgeIndex>& offsets) const override;
  std::optional<graph::Adjacency> transposed(const graph::Adjacency& lists) const override;
  std::optional<graph::WithReverses> with_reverses(const graph::Adjacency& lists) const override;

 private:
  /// Of the edges by their targets.
  struct Reverse {
    DeviceArray<EdgeIndex> offsets;
    DeviceArray<Vertex> targets;
    DeviceArray<std::byte> weights;
  };
  Reverse reverse(const DeviceArray<EdgeIndex>& offsets) const;
  /// Those of the lists, which the host has as `offsets`.
  Shared<EdgeIndex> offsets_there(const graph::Array<EdgeIndex>& offsets) const;
  /// The lists of `count` such edges.
  graph::Adjacency held(EdgeIndex count, Shared<EdgeIndex> offsets, DeviceArray<Vertex> targets,
                        DeviceArray<std::byte> weights, bool has_duplicates) const;
  /// Whether each edge has its reverse with the same weight, but for one case in 2^64.
  bool sums_agree(const DeviceArray<EdgeIndex>& offsets) const;
  bool is_own_reverse(const Reverse& other, const DeviceArray<EdgeIndex>& offsets) const;
  std::optional<JoinedEdges> joined_with_reverses(const graph::Array<EdgeIndex>& offsets) const;
  bool are_there() const { return targets_ && (!weights_ || weights_->values); }
  template <class W>
  graph::WeightFacts facts_of() const;
  /// launch(stream, places there, values there) finds the values.
  template <class T, class Launch>
  void pick(std::span<const EdgeIndex> places, T* to, const Launch& launch) const;
  template <class T>
  void pick_values(std::span<const EdgeIndex> places, const T* from, T* to) const;

  std::shared_ptr<SharedDevice> device_;
  Vertex vertices_;
  EdgeIndex count_;
  mutable Shared<Vertex> targets_;
  mutable std::optional<Column> weights_;
  bool has_duplicates_;
  mutable Shared<EdgeIndex> offsets_;
  mutable std::optional<graph::WeightFacts> facts_;
  mutable std::shared_ptr<const graph::DegreeFacts> degrees_;  ///< null: nobody has asked yet
};

/// The lists of an adjacency, sent to the device of that number. Null where it has too little
/// memory.
std::shared_ptr<const graph::DeviceLists> hold_lists(unsigned device, const graph::Adjacency& lists,
                                                     bool has_duplicates);

}  // namespace vertigo::gpu::lists
