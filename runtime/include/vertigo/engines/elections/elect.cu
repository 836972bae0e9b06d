// Every vertex elects, by kernels that fit the lengths of lists. Who counts:
//
//   up to 8 neighbours    a thread, which compares its votes with each other
//   up to 32              16 or 32 lanes, one neighbour each: __match_any_sync
//   up to kWarpVotes      a warp, which holds all votes in registers, and a table in shared memory
//   up to kBlockVotes     a block, likewise
//   longer                a large block with a large table; what finds no place there is counted
//                         in device memory, in a second visit (most_frequent.cuh)
//
// A vote that more than half of the neighbours share needs no table. Who won last time is the one
// to try: where communities grow, it wins again.

#include <algorithm>

#include "device/check.h"
#include "vertigo/device/reduce.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/engines/elections/lists.cuh"

namespace vertigo::gpu::elections {

namespace {

using gpu::detail::best_of_warp;
using gpu::detail::better;
using gpu::detail::lanes_with;
template <class K>
using Count = gpu::detail::Count<K>;
template <class K>
using Table = gpu::detail::VoteTable<K>;

/// The key that no table holds.
template <class K>
constexpr K kUncounted = static_cast<K>(~K{0});

/// Votes that a thread holds for a list that `kThreads` share.
template <class K, unsigned kThreads, unsigned kHeld>
struct HeldVotes {
  K keys[kHeld];
  std::uint32_t cast = 0;  ///< a bit for each

  __device__ __forceinline__ HeldVotes(const Poll<K>& poll, const List& list, unsigned thread) {
#pragma unroll
    for (unsigned i = 0; i < kHeld; ++i)
      if (ask(poll, list, i * kThreads + thread, keys[i])) cast |= 1u << i;
  }
  __device__ __forceinline__ bool has(unsigned i) const { return (cast >> i & 1) != 0; }
  __device__ __forceinline__ unsigned count_of(K key) const {
    unsigned count = 0;
#pragma unroll
    for (unsigned i = 0; i < kHeld; ++i) count += has(i) && keys[i] == key ? 1 : 0;
    return count;
  }
  /// The best that this thread saw; those for `counted` and kUncounted are left out.
  __device__ __forceinline__ Count<K> count_in(const Table<K>& table, K counted) const {
    Count<K> best;
#pragma unroll
    for (unsigned i = 0; i < kHeld; ++i)
      if (has(i) && keys[i] != counted && keys[i] != kUncounted<K>)
        best = better(best, {keys[i], table.add(keys[i], 1, table.mask + 1)});
    return best;
  }
};

/// A thread for each vertex.
template <class K, unsigned kMost>
__global__ void __launch_bounds__(kBlock) elect_alone(const Poll<K> poll, const Members members) {
  if (is_settled(poll)) return;
  const bool all = asks_all(poll);
  for (std::uint64_t i = gpu::detail::block_start() + threadIdx.x; i < members.count;
       i += gpu::detail::grid_stride()) {
    const Vertex v = members.items != nullptr ? members.items[i] : static_cast<Vertex>(i);
    if (!all && poll.asked[v] == 0) continue;
    const List list = list_of(poll, v);
    if (members.items == nullptr && (list.length == 0 || list.length > kMost)) continue;
    const HeldVotes<K, 1, kMost> votes(poll, list, 0);
    // The first of several equal votes sees all others.
    Count<K> best;
#pragma unroll
    for (unsigned one = 0; one < kMost; ++one) {
      if (!votes.has(one)) continue;
      std::uint32_t same = 1;
#pragma unroll
      for (unsigned other = one + 1; other < kMost; ++other)
        same += votes.has(other) && votes.keys[other] == votes.keys[one] ? 1 : 0;
      best = better(best, {votes.keys[one], same});
    }
    announce(poll, v, best);
  }
}

/// 16 or 32 lanes for each vertex.
template <class K, unsigned kLanes>
__global__ void __launch_bounds__(kBlock) elect_few(const Poll<K> poll, const Members members) {
  if (is_settled(poll)) return;
  const bool all = asks_all(poll);
  constexpr unsigned kPerWarp = kWarp / kLanes;
  const unsigned group = lane() / kLanes;
  const unsigned own_lanes = (kLanes == kWarp ? kAllLanes : (1u << kLanes % kWarp) - 1)
                             << group * kLanes;
  const std::uint64_t stride = gpu::detail::grid_stride() / kLanes;
  for (std::uint64_t base = (gpu::detail::block_start() + threadIdx.x) / kWarp * kPerWarp;
       base < members.count; base += stride) {
    const bool inside = base + group < members.count;
    const Vertex v = inside ? members.items[base + group] : 0;
    const bool asks = inside && (all || poll.asked[v] != 0);
    K key{};
    const bool cast = asks && ask(poll, list_of(poll, v), lane() % kLanes, key);
    if (!__any_sync(kAllLanes, asks)) continue;
    const unsigned voters = __ballot_sync(kAllLanes, cast) & own_lanes;
    const unsigned same = lanes_with(key) & voters;
    Count<K> best;
    if (cast) best = {key, static_cast<std::uint32_t>(__popc(same))};
#pragma unroll
    for (unsigned distance = kLanes / 2; distance > 0; distance /= 2)
      best = better(best, shuffle(best, lane() ^ distance));
    if (asks && lane() % kLanes == 0) announce(poll, v, best);
  }
}

/// Room for at least twice as many keys as there are votes, so far as the table goes.
__device__ __forceinline__ unsigned places_for(EdgeIndex votes, unsigned most) {
  unsigned places = 2 * kWarp;
  while (places < most && places < 2 * votes) places *= 2;
  return places;
}

template <class K>
__device__ __forceinline__ Count<K> with(Count<K> best, K key, unsigned votes) {
  return votes > 0 ? better(best, {key, votes}) : best;
}

/// A warp for each vertex, with `kRoom` bytes for its table.
template <class K, unsigned kHeld, unsigned kRoom, unsigned kThreads>
__global__ void __launch_bounds__(kThreads)
    elect_by_warp(const Poll<K> poll, const Members members) {
  __shared__ unsigned long long room[kThreads / kWarp][kRoom / 8];
  if (is_settled(poll)) return;
  const bool all = asks_all(poll);
  const std::uint64_t stride = gpu::detail::grid_stride() / kWarp;
  for (std::uint64_t i = (gpu::detail::block_start() + threadIdx.x) / kWarp; i < members.count;
       i += stride) {
    const Vertex v = members.items[i];
    if (!all && poll.asked[v] == 0) continue;
    const List list = list_of(poll, v);
    const HeldVotes<K, kWarp, kHeld> votes(poll, list, lane());
    const K likely = poll.winners[v];
    const unsigned for_likely = __reduce_add_sync(kAllLanes, votes.count_of(likely));
    Count<K> best{likely, for_likely};
    if (2 * for_likely <= list.length) {
      const Table<K> table(room[threadIdx.x / kWarp], places_for(list.length, kPlacesIn<K, kRoom>));
      table.clear(lane(), kWarp);
      __syncwarp();
      best = votes.count_in(table, likely);
      const unsigned uncounted =
          likely == kUncounted<K> ? 0 : __reduce_add_sync(kAllLanes, votes.count_of(kUncounted<K>));
      best = with(with(best_of_warp(best), likely, for_likely), kUncounted<K>, uncounted);
      __syncwarp();
    }
    if (lane() == 0) announce(poll, v, best);
  }
}

/// Adds up, or finds the best, over the threads of a block.
template <class K, unsigned kThreads = kBlock>
struct BlockResults {
  static constexpr unsigned kWarps = kThreads / kWarp;
  std::uint32_t counts[2][kWarps];
  K keys[kWarps];
  std::uint32_t votes[kWarps];

  __device__ __forceinline__ unsigned sum(unsigned mine, unsigned which) {
    mine = __reduce_add_sync(kAllLanes, mine);
    if (lane() == 0) counts[which][threadIdx.x / kWarp] = mine;
    __syncthreads();
    unsigned all = 0;
#pragma unroll
    for (unsigned warp = 0; warp < kWarps; ++warp) all += counts[which][warp];
    return all;
  }
  __device__ __forceinline__ Count<K> best(Count<K> mine) {
    mine = best_of_warp(mine);
    if (lane() == 0) {
      keys[threadIdx.x / kWarp] = mine.key;
      votes[threadIdx.x / kWarp] = mine.votes;
    }
    __syncthreads();
    mine = {};
#pragma unroll
    for (unsigned warp = 0; warp < kWarps; ++warp) mine = better(mine, {keys[warp], votes[warp]});
    return mine;
  }
};

/// A block for each vertex.
template <class K>
__global__ void __launch_bounds__(kBlock)
    elect_by_block(const Poll<K> poll, const Members members) {
  constexpr unsigned kHeld = kBlockVotes<K> / kBlock;
  __shared__ BlockResults<K> results;
  if (is_settled(poll)) return;
  const bool all = asks_all(poll);
  for (std::uint64_t i = blockIdx.x; i < members.count; i += gridDim.x) {
    const Vertex v = members.items[i];
    if (!all && poll.asked[v] == 0) continue;
    __syncthreads();
    const List list = list_of(poll, v);
    const HeldVotes<K, kBlock, kHeld> votes(poll, list, threadIdx.x);
    const K likely = poll.winners[v];
    const unsigned for_likely = results.sum(votes.count_of(likely), 0);
    Count<K> best{likely, for_likely};
    if (2 * for_likely <= list.length) {
      const Table<K> table(gpu::detail::table_room(),
                           places_for(list.length, Ballots<K>::kBlockPlaces));
      table.clear(threadIdx.x, kBlock);
      __syncthreads();
      const unsigned uncounted =
          results.sum(likely == kUncounted<K> ? 0 : votes.count_of(kUncounted<K>), 1);
      best = results.best(votes.count_in(table, likely));
      best = with(with(best, likely, for_likely), kUncounted<K>, uncounted);
    }
    if (threadIdx.x == 0) announce(poll, v, best);
  }
}

/// Visits the list with all threads of the block: `visit(key, votes)` is called by one lane of a
/// warp for equal votes. Returns how many of the thread's own are for `likely`, which are not
/// visited. Several neighbours are asked before any vote is counted, so that loads overlap.
template <class K, class Visit>
__device__ __forceinline__ unsigned visit_hub(const Poll<K>& poll, const List& list, K likely,
                                              const Visit& visit) {
  constexpr unsigned kAtOnce = 4;
  unsigned for_likely = 0;
#pragma unroll 1
  for (EdgeIndex base = 0; base < list.length; base += kAtOnce * kHubThreads) {
    K keys[kAtOnce];
    bool cast[kAtOnce];
#pragma unroll
    for (unsigned i = 0; i < kAtOnce; ++i)
      cast[i] = ask(poll, list, base + i * kHubThreads + threadIdx.x, keys[i]);
#pragma unroll
    for (unsigned i = 0; i < kAtOnce; ++i) {
      const bool is_likely = cast[i] && keys[i] == likely;
      for_likely += is_likely ? 1 : 0;
      const unsigned voters = __ballot_sync(kAllLanes, cast[i] && !is_likely);
      if (voters == 0) continue;
      const unsigned same = lanes_with(cast[i] ? keys[i] : K{}) & voters;
      if (cast[i] && !is_likely && (same & lanes_below()) == 0)
        visit(keys[i], static_cast<std::uint32_t>(__popc(same)));
    }
  }
  return for_likely;
}

/// A block for each hub.
template <class K>
__global__ void __launch_bounds__(kHubThreads)
    elect_hubs(const Poll<K> poll, const Members members, const unsigned most_places) {
  extern __shared__ unsigned long long hub_room[];
  __shared__ BlockResults<K, kHubThreads> results;
  if (is_settled(poll)) return;
  const bool all = asks_all(poll);
  for (std::uint64_t i = blockIdx.x; i < members.count; i += gridDim.x) {
    const Vertex v = members.items[i];
    if (!all && poll.asked[v] == 0) continue;
    __syncthreads();
    const List list = list_of(poll, v);
    const K likely = poll.winners[v];
    const Table<K> table(hub_room, places_for(list.length, most_places));
    table.clear(threadIdx.x, kHubThreads);
    __syncthreads();
    Count<K> best;
    unsigned uncounted = 0;
    bool spills = false;
    const unsigned for_likely = visit_hub(poll, list, likely, [&](K key, std::uint32_t votes) {
      const std::uint32_t total =
          key != kUncounted<K> ? table.add(key, votes, gpu::detail::kProbes) : 0;
      if (key == kUncounted<K>)
        uncounted += votes;
      else if (total == 0)
        spills = true;
      else
        best = better(best, {key, total});
    });
    // A key that found no place never does: places are not given back.
    if (__syncthreads_or(spills)) {
      unsigned number;
      const Table<K> large = gpu::detail::take_table(poll.ballots, list.length, number);
      visit_hub(poll, list, likely, [&](K key, std::uint32_t votes) {
        if (key != kUncounted<K> && !table.holds(key, gpu::detail::kProbes))
          best = better(best, {key, large.add(key, votes, large.mask + 1)});
      });
      gpu::detail::give_back_table(poll.ballots, number);
    }
    const unsigned all_likely = results.sum(for_likely, 0);
    const unsigned all_uncounted = results.sum(uncounted, 1);
    best = with(with(results.best(best), likely, all_likely), kUncounted<K>, all_uncounted);
    if (threadIdx.x == 0) announce(poll, v, best);
  }
}

/// Where all votes differ and those of smaller vertices are smaller, and nobody stands twice in a
/// list: the first neighbour.
template <class K>
__global__ void __launch_bounds__(kBlock) elect_first(const Poll<K> poll, const Members members) {
  if (!is_settled(poll)) return;
  for (std::uint64_t i = gpu::detail::block_start() + threadIdx.x; i < members.count;
       i += gpu::detail::grid_stride()) {
    const Vertex v = members.items[i];
    const List list = list_of(poll, v);
    Count<K> best;
    for (EdgeIndex place = 0; place < list.length && place < 2 && best.votes == 0; ++place)
      if (ask(poll, list, place, best.key)) best.votes = 1;
    announce(poll, v, best);
  }
}

/// Neighbours of those who changed have to ask anew. `kThreads` for each vertex.
template <class K, unsigned kThreads>
__global__ void __launch_bounds__(kBlock)
    tell_neighbours(const Poll<K> poll, const Members members) {
  if (is_settled(poll) || asks_all(poll)) return;
  const std::uint64_t stride = gpu::detail::grid_stride() / kThreads;
  for (std::uint64_t i = (gpu::detail::block_start() + threadIdx.x) / kThreads; i < members.count;
       i += stride) {
    const Vertex v = members.items[i];
    if (poll.changed[v] == 0) continue;
    const List list = list_of(poll, v);
    for (EdgeIndex place = threadIdx.x % kThreads; place < list.length; place += kThreads)
      poll.asked[neighbour(poll, list, place)] = 1;
  }
}

template <class K>
struct Launcher {
  Session& session;
  const Poll<K>& poll;

  /// Classes `first` to `last` - 1; `per_block`: vertices that a block works on at a time.
  template <auto kKernel>
  void launch(const char* name, unsigned first, unsigned last, unsigned per_block,
              unsigned threads = kBlock) {
    const Vertex begin = poll.class_begin[first], end = poll.class_begin[last];
    launch<kKernel>(name, Members{poll.members + begin, std::uint64_t{end} - begin}, per_block,
                    threads);
  }
  template <auto kKernel>
  void launch(const char* name, const Members& members, unsigned per_block,
              unsigned threads = kBlock) {
    if (members.count == 0) return;
    // Several times as many as run at once: vertices of a class differ.
    const unsigned most =
        16 * gpu::detail::most_resident_blocks(reinterpret_cast<const void*>(kKernel), threads);
    const auto blocks = static_cast<unsigned>(
        std::min<std::uint64_t>((members.count + per_block - 1) / per_block, most));
    kKernel<<<blocks, threads, 0, session.stream()>>>(poll, members);
    session.launched(name);
  }
  void elect_hubs_by_blocks() {
    const Vertex begin = poll.class_begin[kHubs], end = poll.class_begin[kClasses];
    if (begin == end) return;
    const auto room = attribute_of_device(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    unsigned places = 2 * kWarp;
    while (places < kHubPlaces && 2 * places * Table<K>::kPlaceBytes + kHubReserved <= room)
      places *= 2;
    const unsigned bytes = places * Table<K>::kPlaceBytes;
    check(cudaFuncSetAttribute(elect_hubs<K>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "ask for shared memory");
    const Members members{poll.members + begin, std::uint64_t{end} - begin};
    const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(members.count, 1u << 16));
    elect_hubs<K><<<blocks, kHubThreads, bytes, session.stream()>>>(poll, members, places);
    session.launched("elect_hubs");
  }
  /// Where most vertices have up to 4 neighbours, all are looked at in their order, and need not be
  /// looked up: what neighbouring threads read then lies side by side.
  void elect_shortest() {
    constexpr const char* kName = "elect_alone";
    if (std::uint64_t{2} * poll.class_begin[1] < poll.vertex_count)
      launch<elect_alone<K, 4>>(kName, 0, 1, kBlock);
    else
      launch<elect_alone<K, 4>>(kName, Members{nullptr, poll.vertex_count}, kBlock);
  }
  template <unsigned kLanes>
  void elect_few_by(unsigned each) {
    launch<elect_few<K, kLanes>>("elect_few", each, each + 1, kBlock / kLanes);
  }
};

}  // namespace

template <class K>
void elect_all(Session& session, const Poll<K>& poll) {
  Launcher<K> launcher{session, poll};
  if (poll.is_mutual) {
    constexpr const char* kTell = "tell_neighbours";
    session.clear(poll.asked, poll.vertex_count);
    launcher.template launch<tell_neighbours<K, kBlock>>(kTell, kHubs, kClasses, 1);
    launcher.template launch<tell_neighbours<K, kWarp>>(kTell, 4, kHubs, kBlock / kWarp);
    launcher.template launch<tell_neighbours<K, 8>>(kTell, 0, 4, kBlock / 8);
  }
  if (poll.is_simple) launcher.template launch<elect_first<K>>("elect_first", 0, kClasses, kBlock);
  launcher.elect_hubs_by_blocks();
  launcher.template launch<elect_by_block<K>>("elect_by_block", 6, kHubs, 1);
  launcher.template launch<elect_by_warp<K, kWarpVotes<K> / kWarp, kWarpRoom, kWarpThreads>>(
      "elect_by_warp", 5, 6, kWarpThreads / kWarp, kWarpThreads);
  launcher.template launch<elect_by_warp<K, kMedium / kWarp, kMediumRoom<K>, kBlock>>(
      "elect_by_warp", 4, 5, kBlock / kWarp);
  launcher.template elect_few_by<32>(3);
  launcher.template elect_few_by<16>(2);
  launcher.template launch<elect_alone<K, 8>>("elect_alone", 1, 2, kBlock);
  launcher.elect_shortest();
}

template void elect_all(Session&, const Poll<std::uint32_t>&);
template void elect_all(Session&, const Poll<std::uint64_t>&);

}  // namespace vertigo::gpu::elections
