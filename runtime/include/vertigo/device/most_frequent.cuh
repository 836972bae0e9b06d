#pragma once
// The most frequent value of every vertex's list, the smallest of several: `mode` of the language.
//
//   const Winner<Vertex> found = most_frequent(both_neighbours_once(graph), v, active, keep(),
//       ballots, [&](Vertex v, Vertex u, Vote<Vertex>& vote) { gpu::vote(vote, label[u]); });
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

#include "vertigo/core/degree_buckets.h"
#include "vertigo/device/expand.cuh"
#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// What an edge votes for, if anything.
template <class T>
struct Vote {
  T value{};
  bool cast = false;
};
template <class T>
__device__ __forceinline__ void vote(Vote<T>& vote, detail::Same<T> value) {
  vote.value = value;
  vote.cast = true;
}

namespace detail {

template <unsigned kBytes>
struct KeyOf {
  using Type = std::uint32_t;
};
template <>
struct KeyOf<8> {
  using Type = std::uint64_t;
};
/// A value as an unsigned word of the same order.
template <class T>
using Key = typename KeyOf<sizeof(T)>::Type;

template <class T>
inline constexpr Key<T> kSignOf =
    static_cast<T>(-1) < static_cast<T>(0) ? Key<T>{1} << (8 * sizeof(Key<T>) - 1) : 0;

template <class T>
__device__ __forceinline__ Key<T> key_of(T value) {
  return static_cast<Key<T>>(value) ^ kSignOf<T>;
}

/// The lanes of the warp that bring the same key.
__device__ __forceinline__ unsigned lanes_with(std::uint32_t key) {
  return __match_any_sync(kAllLanes, key);
}
__device__ __forceinline__ unsigned lanes_with(std::uint64_t key) {
  return __match_any_sync(kAllLanes, static_cast<unsigned long long>(key));
}

/// A key and its votes; of two, the one with more votes or the smaller key is better.
template <class K>
struct Count {
  K key{};
  std::uint32_t votes = 0;
};
template <class K>
__device__ __forceinline__ Count<K> better(const Count<K>& a, const Count<K>& b) {
  return b.votes > a.votes || (b.votes == a.votes && b.key < a.key) ? b : a;
}
template <class K>
__device__ __forceinline__ Count<K> best_of_warp(Count<K> count) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    count = better(count, shuffle(count, lane() ^ distance));
  return count;
}

/// Bytes of shared memory that a warp counts in; the block counts in those of all its warps.
inline constexpr unsigned kWarpTable = 4096;
/// Places that are looked at before a key counts as not there, in a table that may be full.
inline constexpr unsigned kProbes = 32;

/// Open addressing. A key is stored inverted, so that zero is a free place; the key of all ones,
/// which would be one, is counted by whoever calls.
template <class K>
struct VoteTable {
  K* keys;
  std::uint32_t* counts;
  std::uint32_t mask;  ///< places less one

  static constexpr unsigned kPlaceBytes = sizeof(K) + sizeof(std::uint32_t);
  /// Places that fit into so many bytes, a power of two.
  static constexpr unsigned places_in(unsigned bytes) {
    unsigned places = 1;
    while (2 * places * kPlaceBytes <= bytes) places *= 2;
    return places;
  }
  __device__ __forceinline__ VoteTable(void* room, unsigned places)
      : keys(static_cast<K*>(room)),
        counts(reinterpret_cast<std::uint32_t*>(keys + places)),
        mask(places - 1) {}
  __device__ __forceinline__ VoteTable(K* keys, std::uint32_t* counts, std::uint32_t places)
      : keys(keys), counts(counts), mask(places - 1) {}

  __device__ __forceinline__ void clear(unsigned thread, unsigned threads) const {
    for (std::uint32_t i = thread; i <= mask; i += threads) {
      keys[i] = 0;
      counts[i] = 0;
    }
  }
  __device__ __forceinline__ std::uint32_t first(K key) const {
    if constexpr (sizeof(K) == 8)
      return static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
    else
      return static_cast<std::uint32_t>((std::uint64_t{key} * 0x9e3779b97f4a7c15u) >> 32) & mask;
  }
  /// Adds votes for the key; how many it has then, 0 where it found no place within `probes`.
  __device__ __forceinline__ std::uint32_t add(K key, std::uint32_t votes,
                                               std::uint32_t probes) const {
    const K wanted = ~key;
    for (std::uint32_t i = first(key); probes > 0; --probes, i = (i + 1) & mask) {
      K there = load_volatile(keys[i]);
      if (there == 0) {
        there = compare_and_swap(&keys[i], K{0}, wanted);
        if (there == 0) there = wanted;
      }
      if (there == wanted) return atomicAdd(&counts[i], votes) + votes;
    }
    return 0;
  }
  __device__ __forceinline__ bool holds(K key, std::uint32_t probes) const {
    for (std::uint32_t i = first(key); probes > 0; --probes, i = (i + 1) & mask)
      if (keys[i] == static_cast<K>(~key)) return true;
    return false;
  }

 private:
  /// Others may be writing it: in shared memory, or in device memory that this block alone uses.
  __device__ __forceinline__ static K load_volatile(const K& place) {
    return *static_cast<const volatile K*>(&place);
  }
  __device__ __forceinline__ static std::uint32_t compare_and_swap(std::uint32_t* place,
                                                                   std::uint32_t expected,
                                                                   std::uint32_t value) {
    return atomicCAS(place, expected, value);
  }
  __device__ __forceinline__ static std::uint64_t compare_and_swap(std::uint64_t* place,
                                                                   std::uint64_t expected,
                                                                   std::uint64_t value) {
    return atomicCAS(reinterpret_cast<unsigned long long*>(place),
                     static_cast<unsigned long long>(expected),
                     static_cast<unsigned long long>(value));
  }
};

/// Room for the tables of a block's warps, the same for all loops of a kernel.
__device__ __forceinline__ unsigned char* table_room() {
  __shared__ unsigned long long room[kBlock / kWarp * kWarpTable / 8];
  return reinterpret_cast<unsigned char*>(room);
}

}  // namespace detail

template <class T>
struct Winner {
  detail::Count<detail::Key<T>> count;
};
/// The value with most votes; `winner` stays as it is where nobody voted.
template <class T>
__device__ __forceinline__ void elect(const Winner<T>& found, T& winner) {
  if (found.count.votes > 0) winner = static_cast<T>(found.count.key ^ detail::kSignOf<T>);
}

/// Tables in device memory, for lists with more values than the shared memory of a block holds.
template <class T>
struct Ballots {
  using Key = detail::Key<T>;
  static constexpr unsigned kWarpPlaces = detail::VoteTable<Key>::places_in(detail::kWarpTable);
  static constexpr unsigned kBlockPlaces =
      detail::VoteTable<Key>::places_in(kBlock / kWarp * detail::kWarpTable);
  /// A table that is more than three quarters full takes long to search.
  static constexpr unsigned kWarpVotes = kWarpPlaces / 4 * 3;
  static constexpr unsigned kMostTables = 64;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

  Along along = Along::Out;
  bool once = false;  ///< one list where the graph is symmetric
  Key* keys = nullptr;
  std::uint32_t* counts = nullptr;
  std::uint32_t places = 0;  ///< of a table; 0: no list is too long for shared memory
  std::uint32_t tables = 0;
  Counter taken{};  ///< a bit for each table that a block uses

  void declare(Session& session, const char* name) {
    const std::uint64_t longest = session.longest_list(along, once);
    if (longest <= kBlockPlaces / 2) return;
    constexpr std::uint64_t kMostPlaces = std::uint64_t{1} << 31;
    std::uint64_t wanted = kBlockPlaces;
    while (wanted < 2 * longest && wanted < kMostPlaces) wanted *= 2;
    places = static_cast<std::uint32_t>(wanted);
    const std::uint64_t bytes = wanted * detail::VoteTable<Key>::kPlaceBytes;
    tables = static_cast<std::uint32_t>(kMostBytes / bytes);
    if (tables < 1) tables = 1;
    if (tables > kMostTables) tables = kMostTables;
    session.declare(keys, wanted * tables, name);
    session.declare(counts, wanted * tables, name);
    session.declare(taken, name);
  }
};

namespace detail {

/// A table in device memory, cleared, that no other block uses. Who waits does so for blocks that
/// run, and those wait for nobody. All threads of the block call.
template <class T>
__device__ __forceinline__ VoteTable<Key<T>> take_table(const Ballots<T>& ballots, EdgeIndex length,
                                                        unsigned& number) {
  __shared__ unsigned shown;
  if (threadIdx.x == 0) {
    for (unsigned tried = blockIdx.x % ballots.tables;; tried = (tried + 1) % ballots.tables) {
      const unsigned long long bit = 1ull << tried;
      if ((atomicOr(ballots.taken.total, bit) & bit) == 0) {
        shown = tried;
        break;
      }
      __nanosleep(100);
    }
    __threadfence();
  }
  __syncthreads();
  number = shown;
  std::uint32_t places = Ballots<T>::kBlockPlaces;
  while (places < ballots.places && places < 2 * length) places *= 2;
  const std::uint64_t at = std::uint64_t{number} * ballots.places;
  const VoteTable<Key<T>> table(ballots.keys + at, ballots.counts + at, places);
  table.clear(threadIdx.x, blockDim.x);
  __threadfence();
  __syncthreads();
  return table;
}
template <class T>
__device__ __forceinline__ void give_back_table(const Ballots<T>& ballots, unsigned number) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicAnd(ballots.taken.total, ~(1ull << number));
}

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

template <class Set, class Kept, class T, class Edge>
struct VoteCounter {
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
                                              Count<K>& best) const {
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
      Count<K> found;
      if (vote.cast) found = {key, static_cast<std::uint32_t>(__popc(same))};
#pragma unroll
      for (unsigned distance = 1; distance < kWarp; distance *= 2) {
        const Count<K> other = shuffle(found, (lane() + distance) & (kWarp - 1));
        if (place < end && lane() + distance < first + many) found = better(found, other);
      }
      const Count<K> mine_found = shuffle(found, (start - base) & (kWarp - 1));
      if (length > 0 && start >= base && after <= end) best = mine_found;
      base = end;
    }
  }

  __device__ __forceinline__ Count<K> one_by_warp(const List& list, unsigned char* room) const {
    const auto length = static_cast<unsigned>(list.length);
    unsigned places = 2 * kWarp;
    while (places < Ballots<T>::kWarpPlaces && places < 2 * length) places *= 2;
    const Table table(room, places);
    table.clear(lane(), kWarp);
    __syncwarp();
    Count<K> best;
    std::uint32_t uncounted = 0;
#pragma unroll 1
    for (unsigned base = 0; base < length; base += kWarp) {
      const unsigned place = base + lane();
      count_together(ask(list, place, place < length), uncounted, [&](K key, std::uint32_t votes) {
        best = better(best, {key, table.add(key, votes, places)});
      });
    }
    if (uncounted > 0) best = better(best, {kUncounted, uncounted});
    __syncwarp();
    return best_of_warp(best);
  }

  __device__ __forceinline__ void by_warp(const List& mine, bool is_medium, Count<K>& best) const {
    unsigned char* const room = table_room() + threadIdx.x / kWarp * kWarpTable;
    for (unsigned left = __ballot_sync(kAllLanes, is_medium); left != 0; left &= left - 1) {
      const unsigned owner = __ffs(left) - 1;
      const Count<K> found = one_by_warp(shuffle(mine, owner), room);
      if (lane() == owner) best = found;
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

  __device__ __forceinline__ Count<K> one_by_block(const List& list) const {
    __shared__ std::uint32_t all_uncounted;
    unsigned places = Ballots<T>::kBlockPlaces;
    while (places / 2 >= 2 * list.length) places /= 2;
    const Table table(table_room(), places);
    table.clear(threadIdx.x, kBlock);
    if (threadIdx.x == 0) all_uncounted = 0;
    __syncthreads();
    Count<K> best;
    std::uint32_t uncounted = 0;
    bool spills = false;
    visit_by_block(list, uncounted, [&](K key, std::uint32_t votes) {
      const std::uint32_t total = table.add(key, votes, kProbes);
      if (total == 0)
        spills = true;
      else
        best = better(best, {key, total});
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
          best = better(best, {key, large.add(key, votes, large.mask + 1)});
      });
      give_back_table(ballots, number);
    }
    if (all_uncounted > 0) best = better(best, {kUncounted, all_uncounted});
    return best_of_block(best);
  }

  __device__ __forceinline__ Count<K> best_of_block(Count<K> best) const {
    __shared__ K keys[kBlock / kWarp];
    __shared__ std::uint32_t votes[kBlock / kWarp];
    best = best_of_warp(best);
    if (lane() == 0) {
      keys[threadIdx.x / kWarp] = best.key;
      votes[threadIdx.x / kWarp] = best.votes;
    }
    __syncthreads();
    best = {};
#pragma unroll
    for (unsigned warp = 0; warp < kBlock / kWarp; ++warp)
      best = better(best, {keys[warp], votes[warp]});
    __syncthreads();
    return best;
  }

  __device__ __forceinline__ void by_block(const List& mine, bool is_long, Count<K>& best) const {
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
      const Count<K> found = one_by_block(shown);
      if (threadIdx.x == owner) best = found;
    }
    __syncthreads();
  }
};

}  // namespace detail

/// All threads of the block call, `active` or not.
template <class T, class Set, class Kept, class Edge>
__device__ __forceinline__ Winner<T> most_frequent(const Set& edges, Vertex v, bool active,
                                                   const Kept& kept, const Ballots<T>& ballots,
                                                   const Edge& edge) {
  const detail::VoteCounter<Set, Kept, T, Edge> counter{edges, ballots, edge};
  const auto mine = counter.list(v, active, kept);
  detail::Count<detail::Key<T>> best;
  const bool is_long = mine.length > Ballots<T>::kWarpVotes;
  const bool is_short = mine.length <= kWarp;
  counter.by_block(mine, is_long, best);
  counter.by_warp(mine, !is_long && !is_short, best);
  counter.short_lists(mine, is_short, best);
  return {best};
}

}  // namespace vertigo::gpu
