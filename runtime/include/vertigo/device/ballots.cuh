#pragma once
// Tables in which threads find equal values of one list: what most_frequent.cuh and
// different_values.cuh are made of.

#include "vertigo/core/unsigned_word.h"
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

/// A value as an unsigned word of the same order.
template <class T>
using Key = Unsigned<sizeof(T) == 8 ? 8 : 4>;

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

}  // namespace detail
}  // namespace vertigo::gpu
