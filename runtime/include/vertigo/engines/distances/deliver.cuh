#pragma once
// Delivering along sorted lists what was collected (push.cuh), and listing who improves by it.

#include "vertigo/device/graph.cuh"
#include "vertigo/engines/distances/push.cuh"

namespace vertigo::gpu::distances::detail {

/// Where vertices that improve are listed for the next round.
template <class Value>
struct Listing {
  Entry<Value>* entries;  ///< null: they are not
  std::uint32_t capacity;
  Value threshold;  ///< only who is better
  Value unreached;  ///< the state that all begin with
  Round<Value>* round;
  Value best;                   ///< of what this thread listed
  Value waiting;                ///< the best that arrived and is not ahead of the threshold
  std::uint32_t met_edges = 0;  ///< of them, edges of those that were not reached before
};

/// Lists kMany entries of each lane, of which it `has` some. All lanes call it. False where there
/// was no room for all.
template <class Order, class Value, unsigned kMany>
__device__ __forceinline__ bool list_vertices(Listing<Value>& listing, const bool (&has)[kMany],
                                              const Entry<Value> (&entries)[kMany]) {
  unsigned having[kMany];
  std::uint32_t count = 0;
#pragma unroll
  for (unsigned i = 0; i < kMany; ++i) {
    having[i] = __ballot_sync(kAllLanes, has[i]);
    count += __popc(having[i]);
  }
  if (count == 0) return true;
  std::uint32_t place = 0;
  if (lane() == 0) place = atomicAdd(&listing.round->listed, count);
  place = shuffle(place, 0);
  const bool has_room = place + count <= listing.capacity;
#pragma unroll
  for (unsigned i = 0; i < kMany; ++i) {
    const std::uint32_t mine = place + __popc(having[i] & lanes_below());
    if (has[i] && mine < listing.capacity) listing.entries[mine] = entries[i];
    if (has[i]) listing.best = Order::best(listing.best, entries[i].value);
    place += __popc(having[i]);
  }
  return has_room;
}

/// Messages of each lane arrive, and those who improve are listed. All lanes call it; `helps`: the
/// message is better than what its target was seen to have.
template <class R, unsigned kMany>
__device__ __forceinline__ void arrive_listed(const R& r,
                                              const Entry<typename R::Value> (&messages)[kMany],
                                              const bool (&helps)[kMany],
                                              Listing<typename R::Value>& listing) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  // What each needs of memory is asked for at once.
  Value before[kMany];
#pragma unroll
  for (unsigned i = 0; i < kMany; ++i)
    if (helps[i]) before[i] = Order::improve(r.state + messages[i].vertex, messages[i].value);
  bool lists[kMany];
#pragma unroll
  for (unsigned i = 0; i < kMany; ++i) {
    const bool improved = helps[i] && Order::better(messages[i].value, before[i]);
    lists[i] = improved && Order::better(messages[i].value, listing.threshold);
    if (improved && !lists[i]) listing.waiting = Order::best(listing.waiting, messages[i].value);
    if (lists[i] && before[i] == listing.unreached)
      listing.met_edges += load_constant(r.out.offsets + messages[i].vertex + 1) -
                           load_constant(r.out.offsets + messages[i].vertex);
  }
  list_vertices<Order>(listing, lists, messages);
}

/// Messages of each lane arrive. All lanes call it.
template <class R, unsigned kMany>
__device__ __forceinline__ void arrive(const R& r,
                                       const Entry<typename R::Value> (&messages)[kMany],
                                       Listing<typename R::Value>& listing) {
  using Order = typename R::Order;
  typename R::Value seen[kMany];
#pragma unroll
  for (unsigned i = 0; i < kMany; ++i) seen[i] = load_recent(r.state + messages[i].vertex);
  bool helps[kMany];
#pragma unroll
  for (unsigned i = 0; i < kMany; ++i)
    helps[i] = Order::better(messages[i].value, seen[i]) &&
               r.program.receives(messages[i].value, messages[i].vertex);
  if (listing.entries != nullptr) {
    arrive_listed(r, messages, helps, listing);
    return;
  }
#pragma unroll
  for (unsigned i = 0; i < kMany; ++i)
    if (helps[i]) Order::improve(r.state + messages[i].vertex, messages[i].value);
}

template <class R>
__device__ __forceinline__ typename R::Delivery load_delivery(const typename R::Delivery* place) {
  using Delivery = typename R::Delivery;
  if constexpr (sizeof(Delivery) <= 16) {
    return load_once(place);
  } else {
    union Image {
      uint4 pieces[2];
      Delivery delivery;
      __device__ Image() {}
    } image;
    static_assert(sizeof(Delivery) == sizeof image.pieces);
#pragma unroll
    for (unsigned i = 0; i < 2; ++i)
      image.pieces[i] = load_once(reinterpret_cast<const uint4*>(place) + i);
    return image.delivery;
  }
}

template <class Delivery>
__device__ __forceinline__ Vertex sender_of(const Delivery& delivery) {
  if constexpr (requires { delivery.sender; })
    return delivery.sender;
  else
    return 0;
}

/// The message along edge `at` of a delivery, if it `is` one; else one that helps nobody.
template <class R>
__device__ __forceinline__ Entry<typename R::Value> message_at(const R& r, Vertex sender,
                                                               typename R::Value value,
                                                               std::uint32_t at, bool is) {
  if (!is) return {0, R::Order::template worst<typename R::Value>()};
  const auto edge = load_constant(r.out.edges + at);
  const Vertex target = r.code.target(edge);
  if (!r.program.passes(value, sender, target, r.code.weight(edge)))
    return {0, R::Order::template worst<typename R::Value>()};
  return {target, r.message(value, edge, sender, target)};
}

/// A chunk: the warp's lanes take neighbouring edges, four each before they look at targets.
template <class R>
__device__ __forceinline__ void deliver_chunk(const R& r, const typename R::Delivery& chunk,
                                              Listing<typename R::Value>& listing) {
  using Value = typename R::Value;
  constexpr unsigned kAhead = 4;
  for (std::uint32_t base = lane(); base - lane() < chunk.count; base += kAhead * kWarp) {
    Entry<Value> messages[kAhead];
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i) {
      const std::uint32_t number = base + i * kWarp;
      messages[i] =
          message_at(r, sender_of(chunk), chunk.value, chunk.first + number, number < chunk.count);
    }
    arrive(r, messages, listing);
  }
}

/// Short lists, one of each lane: their edges are shared out among the lanes one by one.
template <class R>
__device__ __forceinline__ void deliver_short(const R& r, const typename R::Delivery& mine,
                                              Listing<typename R::Value>& listing) {
  const std::uint32_t up_to_mine = sum_up_to_lane(mine.count);
  const std::uint32_t before_mine = up_to_mine - mine.count;
  const std::uint32_t total = shuffle(up_to_mine, kWarp - 1);
  for (std::uint32_t base = 0; base < total; base += kWarp) {
    const std::uint32_t wanted = base + lane();
    // The first lane whose lists, with those below it, hold more than `wanted` edges.
    unsigned owner = 0;
#pragma unroll
    for (unsigned half = kWarp / 2; half != 0; half /= 2)
      if (shuffle(up_to_mine, owner + half - 1) <= wanted) owner += half;
    owner = owner < kWarp ? owner : kWarp - 1;
    const std::uint32_t first = shuffle(mine.first, owner);
    const std::uint32_t before = shuffle(before_mine, owner);
    const auto value = shuffle(mine.value, owner);
    Vertex sender = 0;
    if constexpr (R::Program::kAsksEnds) sender = shuffle(mine.sender, owner);
    const Entry<typename R::Value> messages[] = {
        message_at(r, sender, value, first + wanted - before, wanted < total)};
    arrive(r, messages, listing);
  }
}

/// What all threads listed arrives at the round's counters.
template <class Order, class Value>
__device__ __forceinline__ void note_listed(const Listing<Value>& listing) {
  if (listing.entries == nullptr) return;
  note_best<Order>(&listing.round->best_listed, listing.best);
  note_best<Order>(&listing.round->ahead, listing.waiting);
  if (__ballot_sync(kAllLanes, listing.met_edges != 0) == 0) return;
  const std::uint32_t met_edges = sum_of_warp(listing.met_edges);
  if (lane() == 0)
    atomicAdd(&listing.round->listed_edges, static_cast<unsigned long long>(met_edges));
}

template <class R>
__device__ __forceinline__ void deliver(const R& r, unsigned long long deliveries,
                                        Listing<typename R::Value> listing) {
  using Order = typename R::Order;
  const auto chunks = static_cast<std::uint32_t>(deliveries);
  const auto short_lists = static_cast<std::uint32_t>(deliveries >> 32);
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  const unsigned warps = gridDim.x * blockDim.x / kWarp;
  for (std::uint32_t i = warp; i < chunks; i += warps)
    deliver_chunk(r, load_delivery<R>(r.chunks + i), listing);
  // 32 lists to a warp, fewer where there are not so many; from the other end, so that the warps
  // that took one chunk less begin.
  const std::uint32_t share = short_lists / warps + 1;
  const std::uint32_t together = share < kWarp ? share : kWarp;
  for (std::uint64_t base = std::uint64_t{warps - 1 - warp} * together; base < short_lists;
       base += std::uint64_t{warps} * together) {
    typename R::Delivery mine{};
    if (lane() < together && base + lane() < short_lists)
      mine = load_delivery<R>(r.short_lists + base + lane());
    deliver_short(r, mine, listing);
  }
  note_listed<Order>(listing);
}

/// A few starts send along all their edges, those that are not in the core, too: one start with all
/// warps, several with one each.
template <class R>
__device__ __forceinline__ void send_everywhere(const R& r, const Entry<typename R::Value>* list,
                                                std::uint32_t count,
                                                Listing<typename R::Value> listing) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  const unsigned warps = gridDim.x * blockDim.x / kWarp;
  const bool together = count <= 4;
  for (std::uint32_t i = together ? 0 : warp; i < count; i += together ? 1 : warps) {
    const Entry<Value> start = load_once(list + i);
    EdgeIndex end = r.every_out.offsets[start.vertex + 1];
    if (!r.program.sends(start.vertex)) end = 0;
    EdgeIndex base = r.every_out.offsets[start.vertex] + (together ? warp * kWarp : 0);
    for (; base < end; base += together ? warps * kWarp : kWarp) {
      Entry<Value> messages[] = {{0, Order::template worst<Value>()}};
      if (const EdgeIndex e = base + lane(); e < end) {
        const Vertex target = r.every_out.targets[e];
        const auto weight = gpu::detail::attribute(r.every_out, e);
        if (r.program.passes(start.value, start.vertex, target, weight))
          messages[0] = {target, r.program.sent_to(start.value, start.vertex, target, weight)};
      }
      arrive(r, messages, listing);
    }
    if ((together ? blockIdx.x * blockDim.x + threadIdx.x : lane()) != 0) continue;
    r.delivered[start.vertex] = {start.value, Order::template worst<Value>()};
    r.next_edge[start.vertex] = r.out.offsets[start.vertex + 1];
  }
  note_listed<Order>(listing);
}

}  // namespace vertigo::gpu::distances::detail
