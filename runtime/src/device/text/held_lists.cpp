#include "held_lists.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../prepare/sorting.h"
#include "both_ways.h"
#include "columns.h"
#include "lists.h"
#include "vertigo/core/error.h"
#include "vertigo/core/value.h"
#include "vertigo/graph/weight_types.h"

namespace vertigo::gpu::text {

namespace {

constexpr const char* kTurn = "turn edges round";
constexpr const char* kWeigh = "look at weights";
constexpr const char* kJoin = "add reverse edges";
constexpr const char* kPick = "look at some edges";

/// The device is the calling thread's for a while: any thread may ask for values.
class OnDevice {
 public:
  explicit OnDevice(SharedDevice& shared) : lock_(shared.mutex) {
    check(cudaGetDevice(&before_), "ask for the device");
    check(cudaSetDevice(static_cast<int>(shared.number)), "choose the device");
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
  int before_ = 0;
};

/// Nothing where the device has too little memory: the host has more.
template <class Work>
auto unless_short_of_memory(const Work& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() != ExitCode::OutOfMemory) throw;
    return std::nullopt;
  }
}

DeviceArray<unsigned long long> zero_counter(cudaStream_t stream, const char* purpose) {
  DeviceArray<unsigned long long> counter(1, purpose);
  check(cudaMemsetAsync(counter.data(), 0, sizeof(unsigned long long), stream), purpose);
  return counter;
}

template <class T>
T fetched(const T* from, cudaStream_t stream, const char* purpose) {
  T value{};
  check(cudaMemcpyAsync(&value, from, sizeof value, cudaMemcpyDeviceToHost, stream), purpose);
  check(cudaStreamSynchronize(stream), purpose);
  return value;
}

void copy(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream,
          const char* purpose) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), purpose);
}

/// Values in the order in which the edges stand by their targets. `keys`: the targets by their
/// sources; sorted afterwards, in a new array.
template <class T>
DeviceArray<T> in_order_of(const DeviceArray<Vertex>& targets, DeviceArray<T> values,
                           DeviceArray<Vertex>& sorted, EdgeIndex count, Vertex vertices,
                           cudaStream_t stream) {
  DeviceArray<Vertex> keys(count, kTurn);
  DeviceArray<Vertex> spare_keys(count, kTurn);
  DeviceArray<T> spare(count, kTurn);
  copy(keys.data(), targets.data(), count * sizeof(Vertex), stream, kTurn);
  prepare::TwoArrays<Vertex> by{keys.data(), spare_keys.data()};
  prepare::TwoArrays<T> along{values.data(), spare.data()};
  prepare::WorkingMemory memory(stream);
  const auto bits = static_cast<unsigned>(std::bit_width(vertices - 1));
  prepare::sort_pairs(memory, by, along, count, 0, std::max(bits, 1u));
  memory.finish(kTurn);
  if (by.now != keys.data()) keys.swap(spare_keys);
  if (along.now != values.data()) values.swap(spare);
  sorted = std::move(keys);
  return values;
}

std::uint64_t bytes_of(ScalarKind kind) { return size_of(kind); }

/// Calls use(T{}) with an integer of the size of the kind.
template <class Use>
decltype(auto) with_bits(ScalarKind kind, const Use& use) {
  return bytes_of(kind) == 4 ? use(std::uint32_t{}) : use(std::uint64_t{});
}

DeviceArray<EdgeIndex> sent(const graph::Array<EdgeIndex>& offsets, SharedDevice& shared) {
  DeviceArray<EdgeIndex> place(offsets.size(), kTurn);
  shared.device.staging.to_device(place.data(), offsets.data(), offsets.size_bytes(),
                                  shared.device.stream);
  return place;
}

}  // namespace

void SharedDevice::fetch(void* to, const void* from, std::uint64_t bytes) {
  device.staging.from_device(from, bytes, device.stream,
                             [&](const std::byte* piece, std::uint64_t at, std::uint64_t size) {
                               copy_in_parallel(static_cast<std::byte*>(to) + at, piece, size);
                             });
}

HeldLists::HeldLists(std::shared_ptr<SharedDevice> device, Vertex vertices, EdgeIndex count,
                     Shared<Vertex> targets, std::optional<Column> weights, bool has_duplicates)
    : device_(std::move(device)),
      vertices_(vertices),
      count_(count),
      targets_(std::move(targets)),
      weights_(std::move(weights)),
      has_duplicates_(has_duplicates) {}

std::optional<ScalarKind> HeldLists::weight_kind() const {
  if (!weights_) return std::nullopt;
  return weights_->kind;
}

graph::OnDevice HeldLists::there() const {
  const std::lock_guard lock(device_->mutex);
  if (!are_there()) return {};
  graph::OnDevice there{device_->number, targets_->data(), nullptr, targets_, nullptr};
  if (weights_) {
    there.weights = weights_->values->data();
    there.owner_of_weights = weights_->values;
  }
  return there;
}

void HeldLists::fetch_targets(Vertex* to) const {
  const OnDevice scope(*device_);
  device_->fetch(to, targets_->data(), count_ * sizeof(Vertex));
}

void HeldLists::fetch_weights(std::byte* to) const {
  const OnDevice scope(*device_);
  device_->fetch(to, weights_->values->data(), count_ * bytes_of(weights_->kind));
}

template <class W>
void HeldLists::pick(std::span<const EdgeIndex> edges, const W* from, void* to) const {
  if (edges.empty()) return;
  const OnDevice scope(*device_);
  cudaStream_t const stream = device_->device.stream;
  const DeviceArray<EdgeIndex> places(edges.size(), kPick);
  const DeviceArray<W> picked(edges.size(), kPick);
  device_->device.staging.to_device(places.data(), edges.data(), edges.size_bytes(), stream);
  launch_pick(stream, from, places.data(), edges.size(), picked.data());
  device_->fetch(to, picked.data(), edges.size() * sizeof(W));
}

void HeldLists::pick_targets(std::span<const EdgeIndex> edges, Vertex* to) const {
  pick(edges, reinterpret_cast<const std::uint32_t*>(targets_->data()), to);
}

void HeldLists::pick_weights(std::span<const EdgeIndex> edges, std::byte* to) const {
  with_bits(weights_->kind, [&]<class W>(W) {
    pick(edges, reinterpret_cast<const W*>(weights_->values->data()), to);
  });
}

void HeldLists::release() const {
  const OnDevice scope(*device_);
  targets_.reset();
  if (weights_) weights_->values.reset();
}

template <class W>
graph::WeightFacts HeldLists::facts_of() const {
  cudaStream_t const stream = device_->device.stream;
  const std::uint64_t warps = warps_for(count_);
  const DeviceArray<WarpFacts<W>> place(warps, kWeigh);
  launch_facts(stream, reinterpret_cast<const W*>(weights_->values->data()), count_, place.data());
  std::vector<WarpFacts<W>> seen(warps);
  device_->fetch(seen.data(), place.data(), warps * sizeof(WarpFacts<W>));
  W smallest = seen[0].smallest;
  W largest = seen[0].largest;
  graph::WeightFacts facts;
  for (const WarpFacts<W>& each : seen) {
    smallest = std::min(smallest, each.smallest);
    largest = std::max(largest, each.largest);
    facts.negative += each.negative;
    facts.zero += each.zero;
    facts.mean += each.sum;
  }
  // A zero has no sign: which of two is met first is not known.
  facts.smallest = static_cast<double>(smallest) + 0.0;
  facts.largest = static_cast<double>(largest) + 0.0;
  facts.mean /= static_cast<double>(count_);
  return facts;
}

graph::WeightFacts HeldLists::weight_facts() const {
  if (!weights_ || count_ == 0) return {};
  const OnDevice scope(*device_);
  if (!facts_)
    facts_ = graph::with_weight_type(weights_->kind, [&]<class W>(W) { return facts_of<W>(); });
  return *facts_;
}

std::vector<std::uint64_t> HeldLists::reached() const {
  const OnDevice scope(*device_);
  std::vector<std::uint64_t> bits((std::uint64_t{vertices_} + 63) / 64);
  const std::uint64_t bytes = bits.size() * sizeof bits[0];
  const DeviceArray<std::uint64_t> place(bits.size(), kTurn);
  check(cudaMemsetAsync(place.data(), 0, bytes, device_->device.stream), kTurn);
  launch_mark_targets(device_->device.stream, targets_->data(), count_,
                      reinterpret_cast<std::uint32_t*>(place.data()));
  device_->fetch(bits.data(), place.data(), bytes);
  return bits;
}

std::shared_ptr<const graph::DeviceLists> HeldLists::with_weights(ScalarKind kind) const {
  if (!weights_ || !weights_->values) return nullptr;
  if (weights_->kind != ScalarKind::Float64 && weights_->kind != ScalarKind::Int64) return nullptr;
  const OnDevice scope(*device_);
  cudaStream_t const stream = device_->device.stream;
  const auto made = unless_short_of_memory([&] {
    auto values = std::make_shared<DeviceArray<std::byte>>(count_ * bytes_of(kind), kWeigh);
    const DeviceArray<unsigned long long> misfits = zero_counter(stream, kWeigh);
    if (weights_->kind == ScalarKind::Float64)
      launch_convert(stream, reinterpret_cast<const double*>(weights_->values->data()), count_,
                     kind, values->data(), misfits.data());
    else
      launch_convert(stream, reinterpret_cast<const std::int64_t*>(weights_->values->data()),
                     count_, kind, values->data(), misfits.data());
    const bool fit = fetched(misfits.data(), stream, kWeigh) == 0;
    return fit ? Shared<std::byte>(std::move(values)) : nullptr;
  });
  if (!made || *made == nullptr) return nullptr;
  return std::make_shared<const HeldLists>(device_, vertices_, count_, targets_,
                                           Column{kind, *made}, has_duplicates_);
}

HeldLists::Reverse HeldLists::reverse(const DeviceArray<EdgeIndex>& offsets) const {
  cudaStream_t const stream = device_->device.stream;
  Reverse reverse{DeviceArray<EdgeIndex>(std::uint64_t{vertices_} + 1, kTurn), {}, {}};
  DeviceArray<Vertex> sorted;
  DeviceArray<Vertex> sources(count_, kTurn);
  launch_sources(stream, offsets.data(), vertices_, count_, sources.data());
  reverse.targets = in_order_of(*targets_, std::move(sources), sorted, count_, vertices_, stream);
  launch_begins(stream, sorted.data(), count_, vertices_, reverse.offsets.data());
  check(cudaStreamSynchronize(stream), kTurn);
  if (!weights_) return reverse;
  const std::uint64_t bytes = count_ * bytes_of(weights_->kind);
  with_bits(weights_->kind, [&]<class W>(W) {
    DeviceArray<W> values(count_, kTurn);
    copy(values.data(), weights_->values->data(), bytes, stream, kTurn);
    reverse.weights = in_order_of(*targets_, std::move(values), sorted, count_, vertices_, stream)
                          .template as<std::byte>();
  });
  return reverse;
}

bool HeldLists::is_own_reverse(const Reverse& other, const DeviceArray<EdgeIndex>& offsets) const {
  cudaStream_t const stream = device_->device.stream;
  const DeviceArray<unsigned long long> differences = zero_counter(stream, kTurn);
  const auto compare = [&](const void* a, const void* b, std::uint64_t bytes) {
    launch_compare(stream, static_cast<const std::uint32_t*>(a),
                   static_cast<const std::uint32_t*>(b), bytes / sizeof(std::uint32_t),
                   differences.data());
  };
  compare(other.offsets.data(), offsets.data(), (std::uint64_t{vertices_} + 1) * sizeof(EdgeIndex));
  compare(other.targets.data(), targets_->data(), count_ * sizeof(Vertex));
  if (weights_)
    compare(other.weights.data(), weights_->values->data(), count_ * bytes_of(weights_->kind));
  return fetched(differences.data(), stream, kTurn) == 0;
}

std::optional<bool> HeldLists::is_symmetric(const graph::Array<EdgeIndex>& offsets) const {
  if (!are_there()) return std::nullopt;
  if (count_ == 0) return true;
  const OnDevice scope(*device_);
  const std::optional<bool> is_same = unless_short_of_memory([&] {
    const DeviceArray<EdgeIndex> begins = sent(offsets, *device_);
    return is_own_reverse(reverse(begins), begins);
  });
  // Of parallel edges, the order of the weights may differ.
  if (is_same && !*is_same && weights_ && has_duplicates_) return std::nullopt;
  return is_same;
}

std::optional<graph::Adjacency> HeldLists::transposed(const graph::Adjacency& lists) const {
  if (!are_there() || count_ == 0) return std::nullopt;
  const OnDevice scope(*device_);
  return unless_short_of_memory([&] {
    const DeviceArray<EdgeIndex> offsets = sent(lists.offsets, *device_);
    Reverse made = reverse(offsets);
    if (is_own_reverse(made, offsets)) return lists;
    std::vector<EdgeIndex> begins(lists.offsets.size());
    device_->fetch(begins.data(), made.offsets.data(), begins.size() * sizeof(EdgeIndex));
    std::optional<Column> weights;
    if (weights_)
      weights = Column{weights_->kind,
                       std::make_shared<const DeviceArray<std::byte>>(std::move(made.weights))};
    return graph::adjacency_of(
        std::move(begins), std::make_shared<const HeldLists>(
                               device_, vertices_, count_,
                               std::make_shared<const DeviceArray<Vertex>>(std::move(made.targets)),
                               std::move(weights), has_duplicates_));
  });
}

template <class W>
graph::WithReverses HeldLists::both_ways(const graph::Adjacency& lists) const {
  using Bits = BitsOf<W>;
  cudaStream_t const stream = device_->device.stream;
  const std::uint64_t all = 2 * count_;
  DeviceArray<std::uint64_t> keys(all, kJoin);
  DeviceArray<Bits> weights;
  {
    const DeviceArray<EdgeIndex> begins = sent(lists.offsets, *device_);
    const DeviceArray<Vertex> sources(count_, kJoin);
    launch_sources(stream, begins.data(), vertices_, count_, sources.data());
    launch_both_ways(stream, sources.data(), targets_->data(), count_, keys.data());
    check(cudaStreamSynchronize(stream), kJoin);
  }
  {
    DeviceArray<std::uint64_t> spare_keys(all, kJoin);
    DeviceArray<Bits> spare_weights;
    prepare::TwoArrays<std::uint64_t> by{keys.data(), spare_keys.data()};
    prepare::WorkingMemory memory(stream);
    const auto bits = std::max(static_cast<unsigned>(std::bit_width(vertices_ - 1)), 1u);
    if constexpr (kIsWeight<W>) {
      weights = DeviceArray<Bits>(all, kJoin);
      spare_weights = DeviceArray<Bits>(all, kJoin);
      for (const std::uint64_t half : {std::uint64_t{0}, count_})
        copy(weights.data() + half, weights_->values->data(), count_ * sizeof(W), stream, kJoin);
    }
    prepare::TwoArrays<Bits> along{weights.data(), spare_weights.data()};
    // Least significant first. Stably: of an edge and the reverse of another, the edge is first.
    for (const unsigned first_bit : {0u, 32u}) {
      if constexpr (kIsWeight<W>)
        prepare::sort_pairs(memory, by, along, all, first_bit, first_bit + bits);
      else
        prepare::sort_keys(memory, by, all, first_bit, first_bit + bits);
    }
    memory.finish(kJoin);
    if (by.now != keys.data()) keys.swap(spare_keys);
    if (along.now != weights.data()) weights.swap(spare_weights);
  }
  const SortedBothWays<W> sorted{keys.data(), reinterpret_cast<const W*>(weights.data()), all};
  const DeviceArray<std::uint64_t> places(all + 1, kJoin);
  {
    const DeviceArray<std::uint32_t> kept(all + 1, kJoin);
    launch_keep(stream, sorted, kept.data());
    prepare::WorkingMemory memory(stream);
    prepare::exclusive_sum(memory, kept.data(), places.data(), all + 1);
    memory.finish(kJoin);
  }
  const EdgeIndex count = fetched(places.data() + all, stream, kJoin);
  if (count == count_) return {lists, 0};
  const DeviceArray<std::uint64_t> ids(count, kJoin);
  auto values =
      std::make_shared<DeviceArray<std::byte>>(count * (kIsWeight<W> ? sizeof(Bits) : 0), kJoin);
  launch_write_kept(stream, sorted, places.data(), ids.data(),
                    reinterpret_cast<W*>(values->data()));
  const Edges edges{ids.data(), count};
  const DeviceArray<Seen> seen(1, kJoin);
  check(cudaMemsetAsync(seen.data(), 0, sizeof(Seen), stream), kJoin);
  launch_look(stream, edges, seen.data());
  const EdgeIndex duplicates = fetched(seen.data(), stream, kJoin).duplicates;
  auto targets = std::make_shared<DeviceArray<Vertex>>(count, kJoin);
  launch_targets(stream, edges, targets->data());
  std::vector<EdgeIndex> begins(lists.offsets.size());
  const DeviceArray<EdgeIndex> offsets(begins.size(), kJoin);
  launch_offsets(stream, edges, vertices_, offsets.data());
  device_->fetch(begins.data(), offsets.data(), begins.size() * sizeof(EdgeIndex));
  std::optional<Column> column;
  if (weights_) column = Column{weights_->kind, std::move(values)};
  return {graph::adjacency_of(std::move(begins), std::make_shared<const HeldLists>(
                                                     device_, vertices_, count, std::move(targets),
                                                     std::move(column), duplicates > 0)),
          duplicates};
}

std::optional<graph::WithReverses> HeldLists::with_reverses(const graph::Adjacency& lists) const {
  if (!are_there() || has_duplicates_ || count_ == 0) return std::nullopt;
  const OnDevice scope(*device_);
  return unless_short_of_memory([&] {
    if (!weights_) return both_ways<NoWeight>(lists);
    return graph::with_weight_type(weights_->kind, [&]<class W>(W) { return both_ways<W>(lists); });
  });
}

std::shared_ptr<const graph::DeviceLists> hold_lists(unsigned device, const graph::Adjacency& lists,
                                                     bool has_duplicates) {
  const auto shared = std::make_shared<SharedDevice>(device);
  cudaStream_t const stream = shared->device.stream;
  const auto send = [&](void* to, const void* from, std::uint64_t bytes) {
    shared->device.staging.to_device(to, from, bytes, stream);
    check(cudaStreamSynchronize(stream), kTurn);
  };
  const auto held = unless_short_of_memory([&]() -> std::shared_ptr<const graph::DeviceLists> {
    const EdgeIndex count = lists.targets.size();
    auto targets = std::make_shared<DeviceArray<Vertex>>(count, kTurn);
    send(targets->data(), lists.targets.data(), lists.targets.size_bytes());
    std::optional<HeldLists::Column> weights;
    std::visit(
        [&]<class Values>(const Values& values) {
          if constexpr (!std::is_same_v<Values, std::monostate>) {
            auto place = std::make_shared<DeviceArray<std::byte>>(values.size_bytes(), kTurn);
            send(place->data(), values.data(), values.size_bytes());
            weights = HeldLists::Column{*graph::kind_of(lists.weights), std::move(place)};
          }
        },
        lists.weights);
    return std::make_shared<const HeldLists>(shared, static_cast<Vertex>(lists.offsets.size() - 1),
                                             count, std::move(targets), std::move(weights),
                                             has_duplicates);
  });
  return held ? *held : nullptr;
}

}  // namespace vertigo::gpu::text
