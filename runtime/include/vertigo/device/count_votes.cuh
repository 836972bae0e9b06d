#pragma once
// Equal values of every vertex's list are found, and something is made of them: the most frequent
// one (most_frequent.cuh), or their number (different_values.cuh).
//
// Each thread of a block brings at most one vertex, and all threads call. Who counts goes by the
// length of the list:
//
//   up to 32          the lanes of a warp, whole lists side by side: __match_any_sync
//   up to kWarpVotes  a warp, in a table in shared memory
//   longer            the block, in a table in shared memory. What finds no place there is counted
//                     in device memory, in one of a few tables that blocks take in turns.
//
// Counts are the same in whatever order threads come, so the answer is, too.

#include "vertigo/device/ballots.cuh"

namespace vertigo::gpu::detail {

/// The list of one vertex: its edges in the first adjacency, then those in the second.
template <class Kept>
struct VoterList {
  EdgeIndex first_begin;
  EdgeIndex second_begin;
  EdgeIndex in_first;
  EdgeIndex length;
  Vertex vertex;
  Kept kept;
};

/// `Tally`: what is made of the votes for the keys of a list.
///   Result of(key, all, now)  of `now` votes for a key that has `all` of those counted so far;
///                             results of all keys, however often they come, are joined
///   Result join(a, b)         in any order
template <class Tally, class Set, class Kept, class T, class Edge>
struct VoteCounter {
  using Result = typename Tally::Result;
  using List = VoterList<Kept>;
  using K = Key<T>;
  using Table = VoteTable<K>;
  static constexpr K kUncounted = static_cast<K>(~K{0});

  const Set& edges;
  const Ballots<T>& ballots;
  const Edge& edge;

  __device__ __forceinline__ List list(Vertex v, bool active, const Kept& kept) const {
    List list{0, 0, 0, 0, v, kept};
    if (!active) return list;
    list.first_begin = edges.first.offsets[v];
    list.in_first = list.length = edges.first.offsets[v + 1] - list.first_begin;
    if (edges.passes < 2) return list;
    list.second_begin = edges.second.offsets[v];
    list.length += edges.second.offsets[v + 1] - list.second_begin;
    return list;
  }

  /// What the edge at that place votes for, if it is one of the list's.
  __device__ __forceinline__ Vote<T> ask(const List& list, EdgeIndex place, bool is_place) const {
    Vote<T> vote;
    if (!is_place) return vote;
    auto adjacency = edges.first;
    EdgeIndex e = list.first_begin + place;
    if (place >= list.in_first) {
      adjacency = edges.second;
      e = list.second_begin + (place - list.in_first);
    }
    Set::visit(adjacency, list.vertex, e, list.kept, edge, vote);
    return vote;
  }

  /// Votes of a warp, equal ones together. `count(key, votes)` is called by one lane for each key;
  /// `uncounted` grows by the votes for the key that no table holds, in lane 0.
  template <class CountVotes>
  __device__ __forceinline__ void count_together(const Vote<T>& vote, std::uint32_t& uncounted,
                                                 const CountVotes& count) const {
    const K key = vote.cast ? key_of(vote.value) : kUncounted;
    const bool counts = vote.cast && key != kUncounted;
    const unsigned special = __ballot_sync(kAllLanes, vote.cast && !counts);
    if (lane() == 0) uncounted += __popc(special);
    const unsigned same = lanes_with(key);
    if (counts && __ffs(same) - 1 == static_cast<int>(lane())) count(key, __popc(same));
  }

  /// Lists of up to 32 edges: as many whole ones as lanes are there for.
  __device__ __forceinline__ void short_lists(const List& mine, bool is_short,
                                              Result& result) const {
    const unsigned length = is_short ? static_cast<unsigned>(mine.length) : 0;
    unsigned after = length;  // edges up to the end of this lane's list
#pragma unroll
    for (unsigned distance = 1; distance < kWarp; distance *= 2) {
      const unsigned other = shuffle(after, (lane() - distance) & (kWarp - 1));
      if (lane() >= distance) after += other;
    }
    const unsigned start = after - length;
    const unsigned all = shuffle(after, kWarp - 1);
#pragma unroll 1
    for (unsigned base = 0; base < all;) {
      // The lists that end within reach are those of the first lanes.
      const unsigned reached = __popc(__ballot_sync(kAllLanes, after <= base + kWarp));
      const unsigned end = shuffle(after, reached - 1);
      const unsigned place = base + lane();
      unsigned owner = 0;  // the first whose list ends behind the place: empty ones are passed over
#pragma unroll
      for (unsigned step = kWarp / 2; step > 0; step /= 2)
        if (shuffle(after, owner + step - 1) <= place) owner += step;
      const List list = shuffle(mine, owner);
      const unsigned first = shuffle(start, owner) - base;
      const auto many = static_cast<unsigned>(list.length);
      const Vote<T> vote = ask(list, place - base - first, place < end);
      const K key = vote.cast ? key_of(vote.value) : K{0};
      const unsigned voters = __ballot_sync(kAllLanes, vote.cast);
      const unsigned same =
          lanes_with(key) & voters &
          ((many >= kWarp ? kAllLanes : (1u << many) - 1) << (first & (kWarp - 1)));
      Result found{};
      if (vote.cast) {
        const auto all = static_cast<std::uint32_t>(__popc(same));
        found = Tally::of(key, all, __popc(same & ~lanes_below()));
      }
#pragma unroll
      for (unsigned distance = 1; distance < kWarp; distance *= 2) {
        const Result other = shuffle(found, (lane() + distance) & (kWarp - 1));
        if (place < end && lane() + distance < first + many) found = Tally::join(found, other);
      }
      const Result mine_found = shuffle(found, (start - base) & (kWarp - 1));
      if (length > 0 && start >= base && after <= end) result = mine_found;
      base = end;
    }
  }

  __device__ __forceinline__ Result one_by_warp(const List& list, unsigned char* room) const {
    const auto length = static_cast<unsigned>(list.length);
    unsigned places = 2 * kWarp;
    while (places < Ballots<T>::kWarpPlaces && places < 2 * length) places *= 2;
    const Table table(room, places);
    table.clear(lane(), kWarp);
    __syncwarp();
    Result result{};
    std::uint32_t uncounted = 0;
#pragma unroll 1
    for (unsigned base = 0; base < length; base += kWarp) {
      const unsigned place = base + lane();
      count_together(ask(list, place, place < length), uncounted, [&](K key, std::uint32_t votes) {
        result = Tally::join(result, Tally::of(key, table.add(key, votes, places), votes));
      });
    }
    if (uncounted > 0) result = Tally::join(result, Tally::of(kUncounted, uncounted, uncounted));
    __syncwarp();
    return joined_by_warp(result);
  }

  __device__ __forceinline__ void by_warp(const List& mine, bool is_medium, Result& result) const {
    unsigned char* const room = table_room() + threadIdx.x / kWarp * kWarpTable;
    for (unsigned left = __ballot_sync(kAllLanes, is_medium); left != 0; left &= left - 1) {
      const unsigned owner = __ffs(left) - 1;
      const Result found = one_by_warp(shuffle(mine, owner), room);
      if (lane() == owner) result = found;
    }
  }

  /// Visits the list with all threads of the block. Each asks for several votes before it counts
  /// them, so that the loads of a hub do not wait for each other.
  template <class CountVotes>
  __device__ __forceinline__ void visit_by_block(const List& list, std::uint32_t& uncounted,
                                                 const CountVotes& count) const {
    constexpr unsigned kAtOnce = 4;
#pragma unroll 1
    for (EdgeIndex base = 0; base < list.length; base += kAtOnce * kBlock) {
      Vote<T> votes[kAtOnce];
#pragma unroll
      for (unsigned i = 0; i < kAtOnce; ++i) {
        const EdgeIndex place = base + i * kBlock + threadIdx.x;
        votes[i] = ask(list, place, place < list.length);
      }
#pragma unroll
      for (unsigned i = 0; i < kAtOnce; ++i) count_together(votes[i], uncounted, count);
    }
  }

  __device__ __forceinline__ Result one_by_block(const List& list) const {
    __shared__ std::uint32_t all_uncounted;
    unsigned places = Ballots<T>::kBlockPlaces;
    while (places / 2 >= 2 * list.length) places /= 2;
    const Table table(table_room(), places);
    table.clear(threadIdx.x, kBlock);
    if (threadIdx.x == 0) all_uncounted = 0;
    __syncthreads();
    Result result{};
    std::uint32_t uncounted = 0;
    bool spills = false;
    visit_by_block(list, uncounted, [&](K key, std::uint32_t votes) {
      const std::uint32_t total = table.add(key, votes, kProbes);
      if (total == 0)
        spills = true;
      else
        result = Tally::join(result, Tally::of(key, total, votes));
    });
    if (uncounted > 0) atomicAdd(&all_uncounted, uncounted);
    // A key that found no place never does: places are not given back. So its votes are all of them
    // left, and a second visit counts those alone.
    if (__syncthreads_or(spills)) {
      unsigned number;
      const Table large = take_table(ballots, list.length, number);
      std::uint32_t known = 0;
      visit_by_block(list, known, [&](K key, std::uint32_t votes) {
        if (!table.holds(key, kProbes))
          result =
              Tally::join(result, Tally::of(key, large.add(key, votes, large.mask + 1), votes));
      });
      give_back_table(ballots, number);
    }
    if (threadIdx.x == 0 && all_uncounted > 0)
      result = Tally::join(result, Tally::of(kUncounted, all_uncounted, all_uncounted));
    return joined_by_block(result);
  }

  __device__ __forceinline__ static Result joined_by_warp(Result result) {
#pragma unroll
    for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
      result = Tally::join(result, shuffle(result, lane() ^ distance));
    return result;
  }

  __device__ __forceinline__ Result joined_by_block(Result result) const {
    constexpr unsigned kWarps = kBlock / kWarp;
    __shared__ unsigned long long room[(kWarps * sizeof(Result) + 7) / 8];
    Result* const of_warps = reinterpret_cast<Result*>(room);
    result = joined_by_warp(result);
    if (lane() == 0) of_warps[threadIdx.x / kWarp] = result;
    __syncthreads();
    result = {};
#pragma unroll
    for (unsigned warp = 0; warp < kWarps; ++warp) result = Tally::join(result, of_warps[warp]);
    __syncthreads();
    return result;
  }

  __device__ __forceinline__ void by_block(const List& mine, bool is_long, Result& result) const {
    __shared__ List shown;
    __shared__ unsigned next;
    if (!__syncthreads_or(is_long)) return;
    for (;;) {
      if (threadIdx.x == 0) next = kBlock;
      __syncthreads();
      if (is_long) atomicMin(&next, threadIdx.x);
      __syncthreads();
      const unsigned owner = next;
      if (owner == kBlock) break;
      if (threadIdx.x == owner) {
        shown = mine;
        is_long = false;
      }
      __syncthreads();
      const Result found = one_by_block(shown);
      if (threadIdx.x == owner) result = found;
    }
    __syncthreads();
  }
};

/// The result of every vertex's list. All threads of the block call, `active` or not.
template <class Tally, class T, class Set, class Kept, class Edge>
__device__ __forceinline__ typename Tally::Result count_votes(const Set& edges, Vertex v,
                                                              bool active, const Kept& kept,
                                                              const Ballots<T>& ballots,
                                                              const Edge& edge) {
  const VoteCounter<Tally, Set, Kept, T, Edge> counter{edges, ballots, edge};
  const auto mine = counter.list(v, active, kept);
  typename Tally::Result result{};
  const bool is_long = mine.length > Ballots<T>::kWarpVotes;
  const bool is_short = mine.length <= kWarp;
  counter.by_block(mine, is_long, result);
  counter.by_warp(mine, !is_long && !is_short, result);
  counter.short_lists(mine, is_short, result);
  return result;
}

}  // namespace vertigo::gpu::detail
