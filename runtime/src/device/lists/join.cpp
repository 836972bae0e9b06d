#include "join.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "../prepare/sorting.h"
#include "rows.h"
#include "shared_device.h"
#include "vertigo/core/unsigned_word.h"
#include "weights.h"

namespace vertigo::gpu::lists {

namespace {

constexpr const char* kJoin = "add reverse edges";

/// Edges and their reverses in one array.
template <class W>
class Joining {
  using Bits = Unsigned<sizeof(W)>;

 public:
  Joining(cudaStream_t stream, const ListedEdges& edges, const W* weights)
      : stream_(stream), vertices_(edges.vertices), all_(2 * edges.count), keys_(all_, kJoin) {
    launch_both_ways(stream_, edges.sources, edges.targets, edges.count, keys_.data());
    if constexpr (kIsWeight<W>) {
      weights_ = DeviceArray<Bits>(all_, kJoin);
      for (const std::uint64_t half : {std::uint64_t{0}, edges.count})
        check(cudaMemcpyAsync(weights_.data() + half, weights, edges.count * sizeof(W),
                              cudaMemcpyDeviceToDevice, stream_),
              kJoin);
    }
    sort();
    number();
  }

  /// Edges, with each reverse that is missing.
  EdgeIndex count() const { return count_; }

  JoinedEdges edges() const {
    JoinedEdges made;
    made.count = count_;
    const DeviceArray<std::uint64_t> ids(count_, kJoin);
    if constexpr (kIsWeight<W>) made.weights = DeviceArray<std::byte>(count_ * sizeof(W), kJoin);
    launch_write_kept(stream_, sorted(), places_.data(), ids.data(),
                      reinterpret_cast<W*>(made.weights.data()));
    const Edges edges{ids.data(), count_};
    const auto seen = zeros<Seen>(1, stream_, kJoin);
    launch_look(stream_, edges, seen.data());
    made.duplicates = fetched(seen.data(), stream_, kJoin).duplicates;
    made.targets = DeviceArray<Vertex>(count_, kJoin);
    launch_targets(stream_, edges, made.targets.data());
    made.offsets = DeviceArray<EdgeIndex>(std::uint64_t{vertices_} + 1, kJoin);
    launch_offsets(stream_, edges, vertices_, made.offsets.data());
    check(cudaStreamSynchronize(stream_), kJoin);
    return made;
  }

 private:
  SortedBothWays<W> sorted() const {
    return {keys_.data(), reinterpret_cast<const W*>(weights_.data()), all_};
  }

  /// Stably: of an edge and the reverse of another, the edge is first.
  void sort() {
    DeviceArray<std::uint64_t> spare_keys(all_, kJoin);
    DeviceArray<Bits> spare_weights;
    if constexpr (kIsWeight<W>) spare_weights = DeviceArray<Bits>(all_, kJoin);
    prepare::TwoArrays<std::uint64_t> by{keys_.data(), spare_keys.data()};
    prepare::TwoArrays<Bits> along{weights_.data(), spare_weights.data()};
    prepare::WorkingMemory memory(stream_);
    const auto bits = std::max(static_cast<unsigned>(std::bit_width(vertices_ - 1)), 1u);
    for (const unsigned first_bit : {0u, 32u}) {  // by target, and then by source
      if constexpr (kIsWeight<W>)
        prepare::sort_pairs(memory, by, along, all_, first_bit, first_bit + bits);
      else
        prepare::sort_keys(memory, by, all_, first_bit, first_bit + bits);
    }
    memory.finish(kJoin);
    if (by.now != keys_.data()) keys_.swap(spare_keys);
    if (along.now != weights_.data()) weights_.swap(spare_weights);
  }

  /// The place of each that is kept.
  void number() {
    places_ = DeviceArray<std::uint64_t>(all_ + 1, kJoin);
    const DeviceArray<std::uint32_t> kept(all_ + 1, kJoin);
    launch_keep(stream_, sorted(), kept.data());
    prepare::WorkingMemory memory(stream_);
    prepare::exclusive_sum(memory, kept.data(), places_.data(), all_ + 1);
    memory.finish(kJoin);
    count_ = fetched(places_.data() + all_, stream_, kJoin);
  }

  cudaStream_t stream_;
  Vertex vertices_;
  std::uint64_t all_;
  EdgeIndex count_ = 0;
  DeviceArray<std::uint64_t> keys_;
  DeviceArray<Bits> weights_;  ///< none where the edges have none
  DeviceArray<std::uint64_t> places_;
};

}  // namespace

template <class W>
std::optional<JoinedEdges> join_reverses(cudaStream_t stream, const ListedEdges& edges,
                                         const W* weights) {
  const Joining<W> joining(stream, edges, weights);
  if (joining.count() == edges.count) return std::nullopt;
  return joining.edges();
}

#define VERTIGO_JOIN(W) \
  template std::optional<JoinedEdges> join_reverses(cudaStream_t, const ListedEdges&, const W*);
VERTIGO_JOIN(NoWeight)
VERTIGO_WEIGHT_TYPES(VERTIGO_JOIN)
#undef VERTIGO_JOIN

}  // namespace vertigo::gpu::lists
