#include "held_lists.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../prepare/sorting.h"
#include "columns.h"
#include "degrees.h"
#include "join.h"
#include "rows.h"
#include "search.h"
#include "sources.h"
#include "vertigo/core/secret_number.h"
#include "vertigo/core/value.h"
#include "vertigo/graph/weight_types.h"

namespace vertigo::gpu::lists {

namespace {

constexpr const char* kTurn = "turn edges round";
constexpr const char* kWeigh = "look at weights";
constexpr const char* kPick = "look at some edges";

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

}  // namespace

HeldLists::HeldLists(std::shared_ptr<SharedDevice> device, Vertex vertices, EdgeIndex count,
                     Shared<Vertex> targets, std::optional<Column> weights, bool has_duplicates,
                     Shared<EdgeIndex> offsets)
    : device_(std::move(device)),
      vertices_(vertices),
      count_(count),
      targets_(std::move(targets)),
      weights_(std::move(weights)),
      has_duplicates_(has_duplicates),
      offsets_(std::move(offsets)) {}

std::optional<ScalarKind> HeldLists::weight_kind() const {
  if (!weights_) return std::nullopt;
  return weights_->kind;
}

graph::OnDevice HeldLists::there() const {
  const std::lock_guard lock(device_->mutex);
  if (!are_there()) return {};
  graph::OnDevice there;
  there.device = device_->number;
  there.targets = targets_->data();
  there.owner_of_targets = targets_;
  if (weights_) {
    there.weights = weights_->values->data();
    there.owner_of_weights = weights_->values;
  }
  if (offsets_) {
    there.offsets = offsets_->data();
    there.owner_of_offsets = offsets_;
  }
  return there;
}

void HeldLists::fetch_offsets(EdgeIndex* to) const {
  const Turn turn(*device_);
  device_->fetch(to, offsets_->data(), (std::uint64_t{vertices_} + 1) * sizeof(EdgeIndex));
}

void HeldLists::fetch_targets(Vertex* to) const {
  const Turn turn(*device_);
  device_->fetch(to, targets_->data(), count_ * sizeof(Vertex));
}

void HeldLists::fetch_weights(std::byte* to) const {
  const Turn turn(*device_);
  device_->fetch(to, weights_->values->data(), count_ * bytes_of(weights_->kind));
}

template <class T, class Launch>
void HeldLists::pick(std::span<const EdgeIndex> places, T* to, const Launch& launch) const {
  if (places.empty()) return;
  const Turn turn(*device_);
  cudaStream_t const stream = device_->device.stream;
  const std::uint64_t bytes = places.size_bytes() + places.size() * sizeof(T);
  DeviceArray<std::byte> larger;
  if (bytes > SharedDevice::kScratch) larger = DeviceArray<std::byte>(bytes, kPick);
  std::byte* const room = larger.data() != nullptr ? larger.data() : device_->scratch();
  auto* const sent = reinterpret_cast<EdgeIndex*>(room);
  auto* const picked = reinterpret_cast<T*>(room + places.size_bytes());
  static_assert(alignof(T) <= alignof(EdgeIndex));
  device_->device.staging.to_device(sent, places.data(), places.size_bytes(), stream);
  launch(stream, sent, picked);
  device_->fetch(to, picked, places.size() * sizeof(T));
}

template <class T>
void HeldLists::pick_values(std::span<const EdgeIndex> places, const T* from, T* to) const {
  pick(places, to, [&](cudaStream_t stream, const EdgeIndex* sent, T* picked) {
    launch_pick(stream, from, sent, places.size(), picked);
  });
}

void HeldLists::pick_targets(std::span<const EdgeIndex> edges, Vertex* to) const {
  pick_values(edges, targets_->data(), to);
}

void HeldLists::pick_weights(std::span<const EdgeIndex> edges, std::byte* to) const {
  with_bits(weights_->kind, [&]<class W>(W) {
    pick_values(edges, reinterpret_cast<const W*>(weights_->values->data()),
                reinterpret_cast<W*>(to));
  });
}

void HeldLists::pick_offsets(std::span<const EdgeIndex> places, EdgeIndex* to) const {
  pick_values(places, offsets_->data(), to);
}

void HeldLists::pick_sources(std::span<const EdgeIndex> edges, Vertex* to) const {
  pick(edges, to, [&](cudaStream_t stream, const EdgeIndex* sent, Vertex* picked) {
    launch_pick_sources(stream, offsets_->data(), vertices_, sent, edges.size(), picked);
  });
}

std::optional<graph::BoundedSearch> HeldLists::search(Vertex source,
                                                      const graph::SearchBounds& bounds) const {
  const Turn turn(*device_);
  if (!offsets_ || !targets_) return std::nullopt;
  const ListsThere lists{offsets_->data(), targets_->data(), vertices_, count_};
  return unless_short_of_memory([&] { return search_within(lists, source, bounds, *device_); });
}

void HeldLists::release() const {
  const Turn turn(*device_);
  targets_.reset();
  offsets_.reset();
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
  const Turn turn(*device_);
  if (!facts_)
    facts_ = graph::with_weight_type(weights_->kind, [&]<class W>(W) { return facts_of<W>(); });
  return *facts_;
}

const graph::DegreeFacts* HeldLists::degree_facts() const {
  const Turn turn(*device_);
  if (!degrees_ && offsets_)
    if (auto facts = unless_short_of_memory(
            [&] { return degree_facts_of(*offsets_, vertices_, count_, *device_); }))
      degrees_ = std::make_shared<const graph::DegreeFacts>(std::move(*facts));
  return degrees_.get();
}

std::optional<std::vector<std::uint64_t>> HeldLists::filled() const {
  const Turn turn(*device_);
  if (!offsets_) return std::nullopt;
  return unless_short_of_memory([&] { return filled_of(*offsets_, vertices_, *device_); });
}

std::vector<std::uint64_t> HeldLists::reached() const {
  const Turn turn(*device_);
  std::vector<std::uint64_t> bits((std::uint64_t{vertices_} + 63) / 64);
  const auto place = zeros<std::uint64_t>(bits.size(), device_->device.stream, kTurn);
  launch_mark_targets(device_->device.stream, targets_->data(), count_,
                      reinterpret_cast<std::uint32_t*>(place.data()));
  device_->fetch(bits.data(), place.data(), bits.size() * sizeof bits[0]);
  return bits;
}

std::shared_ptr<const graph::DeviceLists> HeldLists::with_weights(ScalarKind kind) const {
  if (!weights_ || !weights_->values) return nullptr;
  const Turn turn(*device_);
  cudaStream_t const stream = device_->device.stream;
  const auto made = unless_short_of_memory([&] {
    auto values = std::make_shared<DeviceArray<std::byte>>(count_ * bytes_of(kind), kWeigh);
    const auto misfits = zeros<unsigned long long>(1, stream, kWeigh);
    graph::with_weight_type(weights_->kind, [&]<class W>(W) {
      launch_convert(stream, reinterpret_cast<const W*>(weights_->values->data()), count_, kind,
                     values->data(), misfits.data());
    });
    const bool fit = fetched(misfits.data(), stream, kWeigh) == 0;
    return fit ? Shared<std::byte>(std::move(values)) : nullptr;
  });
  if (!made || *made == nullptr) return nullptr;
  const auto lists = std::make_shared<HeldLists>(device_, vertices_, count_, targets_,
                                                 Column{kind, *made}, has_duplicates_, offsets_);
  lists->degrees_ = degrees_;
  return lists;
}

HeldLists::Reverse HeldLists::reverse(const DeviceArray<EdgeIndex>& offsets) const {
  cudaStream_t const stream = device_->device.stream;
  Reverse reverse{DeviceArray<EdgeIndex>(std::uint64_t{vertices_} + 1, kTurn), {}, {}};
  DeviceArray<Vertex> sorted;
  DeviceArray<Vertex> sources = sources_of(offsets, vertices_, count_, *device_);
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
  const auto differences = zeros<unsigned long long>(1, stream, kTurn);
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

HeldLists::Shared<EdgeIndex> HeldLists::offsets_there(
    const graph::Array<EdgeIndex>& offsets) const {
  if (offsets_) return offsets_;
  return std::make_shared<const DeviceArray<EdgeIndex>>(sent(offsets, *device_));
}

graph::Adjacency HeldLists::held(EdgeIndex count, Shared<EdgeIndex> offsets,
                                 DeviceArray<Vertex> targets, DeviceArray<std::byte> weights,
                                 bool has_duplicates) const {
  std::optional<Column> column;
  if (weights_)
    column =
        Column{weights_->kind, std::make_shared<const DeviceArray<std::byte>>(std::move(weights))};
  return graph::adjacency_of(std::make_shared<const HeldLists>(
      device_, vertices_, count, std::make_shared<const DeviceArray<Vertex>>(std::move(targets)),
      std::move(column), has_duplicates, std::move(offsets)));
}

bool HeldLists::sums_agree(const DeviceArray<EdgeIndex>& offsets) const {
  cudaStream_t const stream = device_->device.stream;
  const DeviceArray<Vertex> sources = sources_of(offsets, vertices_, count_, *device_);
  const auto difference = zeros<unsigned long long>(1, stream, kTurn);
  const std::uint64_t secret = secret_number();
  with_bits(weights_ ? weights_->kind : ScalarKind::UInt32, [&]<class Bits>(Bits) {
    const void* const weights = weights_ ? weights_->values->data() : nullptr;
    launch_sum_edges(stream, sources.data(), targets_->data(), static_cast<const Bits*>(weights),
                     count_, secret, difference.data());
  });
  return fetched(difference.data(), stream, kTurn) == 0;
}

std::optional<bool> HeldLists::is_symmetric(const graph::Array<EdgeIndex>& offsets) const {
  if (!are_there()) return std::nullopt;
  if (count_ == 0) return true;
  const Turn turn(*device_);
  return unless_short_of_memory([&] { return sums_agree(*offsets_there(offsets)); });
}

std::optional<graph::Adjacency> HeldLists::transposed(const graph::Adjacency& lists) const {
  if (!are_there() || count_ == 0) return std::nullopt;
  const Turn turn(*device_);
  return unless_short_of_memory([&] {
    const Shared<EdgeIndex> offsets = offsets_there(lists.offsets);
    // Sums read the edges once, which turning them round sorts. Of parallel ones, the order of the
    // weights may differ though all have their reverses.
    const bool sums_tell = !has_duplicates_ || !weights_;
    if (sums_tell && sums_agree(*offsets)) return lists;
    Reverse made = reverse(*offsets);
    if (!sums_tell && is_own_reverse(made, *offsets)) return lists;
    return held(count_, std::make_shared<const DeviceArray<EdgeIndex>>(std::move(made.offsets)),
                std::move(made.targets), std::move(made.weights), has_duplicates_);
  });
}

std::optional<graph::WithReverses> HeldLists::with_reverses(const graph::Adjacency& lists) const {
  if (!are_there() || has_duplicates_ || count_ == 0) return std::nullopt;
  const Turn turn(*device_);
  return unless_short_of_memory([&]() -> graph::WithReverses {
    std::optional<JoinedEdges> joined = joined_with_reverses(lists.offsets);
    if (!joined) return {lists, 0};
    return {held(joined->count,
                 std::make_shared<const DeviceArray<EdgeIndex>>(std::move(joined->offsets)),
                 std::move(joined->targets), std::move(joined->weights), joined->duplicates > 0),
            joined->duplicates};
  });
}

std::optional<JoinedEdges> HeldLists::joined_with_reverses(
    const graph::Array<EdgeIndex>& offsets) const {
  cudaStream_t const stream = device_->device.stream;
  const DeviceArray<Vertex> sources =
      sources_of(*offsets_there(offsets), vertices_, count_, *device_);
  const ListedEdges edges{sources.data(), targets_->data(), count_, vertices_};
  if (!weights_) return join_reverses<NoWeight>(stream, edges, nullptr);
  return graph::with_weight_type(weights_->kind, [&]<class W>(W) {
    return join_reverses(stream, edges, reinterpret_cast<const W*>(weights_->values->data()));
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

}  // namespace vertigo::gpu::lists
