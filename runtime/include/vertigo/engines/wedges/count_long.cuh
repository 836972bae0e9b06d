#pragma once
// Closed wedges of long lists, each by a block. The list is kept as bits in shared memory. Of each
// vertex of the list, the list is held against them: its dense front as a row of bits, a hundred
// vertices in one operation, and the rest vertex by vertex.

#include <type_traits>

#include "vertigo/engines/wedges/shares.cuh"

namespace vertigo::gpu::wedges {

/// Numbers whose bits a block keeps; hubs have the lowest ones.
inline constexpr unsigned kBits = 1u << 17;
/// Bits of the filter for all others.
inline constexpr unsigned kFilterBits = 1u << 13;
/// Places of a list whose shares a block counts in shared memory.
inline constexpr unsigned kCountedPlaces = 2048;
/// Lanes that go through a neighbour's list together.
inline constexpr unsigned kLanes = 8;

/// Blocks that count alone hold little shared memory: more of them, each done with its list
/// sooner.
template <class Program>
inline constexpr unsigned kLongThreads = Rule<Program>::kAlone ? 128 : 256;

/// Registers for so many blocks on a processor; alone, as the compiler sees fit. On an H200, local
/// clustering on kron 21 48 takes 40.6 ms with five and 43.6 with six, and 39.0 with five that take
/// unit after unit instead of two at a time.
template <class Program>
inline constexpr unsigned kLongBlocks = Rule<Program>::kAlone ? 0 : 5;
template <class Program>
inline constexpr int kUnitsTogether = Rule<Program>::kAlone ? 2 : 1;

/// The list at hand, in shared memory.
struct Marks {
  Unit bits[kBits / Unit::kVertices];
  std::uint32_t filter[kFilterBits / 32];

  __device__ __forceinline__ std::uint32_t* words() { return bits->words; }
  __device__ __forceinline__ static unsigned filter_bit(Vertex w) {
    static_assert(kFilterBits == 1u << 13);
    return (w * 0x9e3779b1u) >> 19;
  }
  __device__ __forceinline__ void add(Vertex w) {
    if (w < kBits)
      atomicOr(&words()[w / 32], 1u << w % 32);
    else
      atomicOr(&filter[filter_bit(w) / 32], 1u << filter_bit(w) % 32);
  }
  __device__ __forceinline__ void remove(Vertex w) {
    if (w < kBits)
      words()[w / 32] = 0;
    else
      filter[filter_bit(w) / 32] = 0;
  }
  __device__ __forceinline__ void clear() {
    for (unsigned i = threadIdx.x; i < kBits / 32; i += blockDim.x) words()[i] = 0;
    for (unsigned i = threadIdx.x; i < kFilterBits / 32; i += blockDim.x) filter[i] = 0;
  }
  /// False where `w` is not in the list.
  __device__ __forceinline__ bool may_have(Vertex w) {
    if (w < kBits) return (words()[w / 32] >> w % 32 & 1) != 0;
    return (filter[filter_bit(w) / 32] >> filter_bit(w) % 32 & 1) != 0;
  }
};

/// Where in the list each of its vertices stands, and the shares of these places.
template <class Share>
struct Places {
  /// Of each word of bits, the place of its first vertex.
  std::uint16_t first[kBits / 32];
  Share shares[kCountedPlaces];
  /// Stands for places beyond those that 16 bits can say.
  static constexpr unsigned kFar = 0xffff;

  __device__ __forceinline__ void note(const Vertex* list, unsigned place) {
    const Vertex w = list[place];
    if (w < kBits && (place == 0 || list[place - 1] / 32 != w / 32))
      first[w / 32] = static_cast<std::uint16_t>(place < kFar ? place : kFar);
    if (place < kCountedPlaces) shares[place] = Share{0};
  }
  /// Of a vertex whose bit is set in `word`.
  __device__ __forceinline__ unsigned of(const Vertex* list, unsigned length, Vertex w,
                                         std::uint32_t word) const {
    const unsigned start = first[w / 32];
    if (start == kFar) return static_cast<unsigned>(place_in(list, 0, length, w));
    return start + __popc(word & ((1u << w % 32) - 1));
  }
};
struct NoPlaces {};

/// A word of bits of a list, and where the first of its vertices stands in the lists.
struct Word {
  std::uint32_t bits;
  EdgeIndex first;

  __device__ __forceinline__ EdgeIndex place(std::uint32_t bit) const {
    return first + __popc(bits & (bit - 1));
  }
};

/// A block's work on the list of `u`.
template <class Program>
struct LongList {
  static constexpr bool kAlone = Rule<Program>::kAlone;
  static constexpr bool kSides = Rule<Program>::kSides;
  using PlacesOrNone = std::conditional_t<kAlone, NoPlaces, Places<Part<Program>>>;
  using Mine = Part<Program>;

  const Oriented& lists;
  const Rule<Program>& rule;
  Shares<Program> shares;
  Marks& marks;
  PlacesOrNone& places;
  Vertex u;
  const Vertex* list;
  unsigned length;
  /// The shares of all places are counted in shared memory.
  const bool is_counted = length <= kCountedPlaces;
  Mine of_u = 0;  ///< alone: triangles

  /// Who gets the shares of a place: that vertex, or the edge to it.
  __device__ __forceinline__ auto receiver(unsigned place) const {
    if constexpr (kSides)
      return static_cast<EdgeIndex>(list - lists.targets) + place;
    else
      return list[place];
  }

  __device__ __forceinline__ void mark() {
    for (unsigned j = threadIdx.x; j < length; j += kLongThreads<Program>) {
      marks.add(list[j]);
      if constexpr (!kAlone) places.note(list, j);
    }
  }
  __device__ __forceinline__ void unmark() {
    for (unsigned j = threadIdx.x; j < length; j += kLongThreads<Program>) {
      marks.remove(list[j]);
      if constexpr (!kAlone)
        if (j < kCountedPlaces) give_share<Total<Program>>(shares, receiver(j), places.shares[j]);
    }
  }

  __device__ __forceinline__ void give(unsigned place, Mine share) {
    if (share == Mine{0}) return;
    if (place < kCountedPlaces)
      atomicAdd(&places.shares[place], share);
    else
      give_share<Total<Program>>(shares, receiver(place), share);
  }
  /// u, v and w, which stands at `place`, are a triangle; the edge between v and w is `side`.
  __device__ __forceinline__ void close(Vertex v, Vertex w, unsigned place, EdgeIndex side,
                                        Mine& of_v) {
    Mine for_u, for_v, for_w;
    rule.give(u, v, w, for_u, for_v, for_w);
    if constexpr (kSides)
      give_share<Total<Program>>(shares, side, for_u);
    else
      of_u += for_u;
    of_v += for_v;
    give(place, for_w);
  }

  /// The same, where each triangle is one for each of its corners, or sides.
  __device__ __forceinline__ void count_word(unsigned word, std::uint32_t both, std::uint32_t ours,
                                             const Word& theirs, Mine& of_v) {
    const auto found = static_cast<unsigned>(__popc(both));
    if constexpr (!kSides) of_u += found;
    of_v += found;
    Mine* const of_word = places.shares + places.first[word];
    while (both != 0) {
      const std::uint32_t lowest = both & (0u - both);
      atomicAdd(of_word + __popc(ours & (lowest - 1)), Mine{1});
      if constexpr (kSides) atomicAdd(shares + theirs.place(lowest), Total<Program>{1});
      both ^= lowest;
    }
  }
  /// u and v are a triangle with each w of a word of bits whose bit is set in `both`.
  __device__ __forceinline__ void close_word(Vertex v, unsigned word, std::uint32_t both,
                                             std::uint32_t ours, const Word& theirs, Mine& of_v) {
    if constexpr (!Rule<Program>::kWeighs && Rule<Program>::kBothWays)
      if (is_counted) return count_word(word, both, ours, theirs, of_v);
    for (; both != 0; both &= both - 1) {
      const Vertex w = word * 32 + (__ffs(both) - 1);
      close(v, w, places.of(list, length, w, ours), theirs.place(both & (0u - both)), of_v);
    }
  }
  /// The front of v's list.
  __device__ __forceinline__ void meet_units(Vertex v, const List& list_of_v, Mine& of_v) {
    const unsigned units = list_of_v.units;
    const Unit* const row = lists.rows + row_at(v);
#pragma unroll kUnitsTogether < Program>
    for (unsigned at = threadIdx.x % kLanes; at < units; at += kLanes) {
      const Unit theirs = load_constant(row + at);
      const Unit ours = marks.bits[at];
      EdgeIndex first = list_of_v.begin;
      if constexpr (kSides) first += __ldg(lists.ranks + row_at(v) + at);
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t both = theirs.words[i] & ours.words[i];
        if constexpr (kAlone)
          of_u += __popc(both);
        else if (both != 0)
          close_word(v, 4 * at + i, both, ours.words[i], {theirs.words[i], first}, of_v);
        if constexpr (kSides) first += __popc(theirs.words[i]);
      }
    }
  }
  /// What is left of it, in 16 bits or in 32.
  template <class Target>
  __device__ __forceinline__ void meet_rest(Vertex v, const Target* targets, EdgeIndex begin,
                                            EdgeIndex end, Mine& of_v) {
#pragma unroll 4
    for (EdgeIndex e = begin + threadIdx.x % kLanes; e < end; e += kLanes) {
      const Vertex w = __ldg(targets + e);
      if (sizeof(Target) == 2 || w < kBits) {
        const std::uint32_t word = marks.words()[w / 32];
        const std::uint32_t hit = word & 1u << w % 32;
        if constexpr (kAlone)
          of_u += hit != 0;
        else if (hit != 0)
          close_word(v, w / 32, hit, word, {hit, e}, of_v);
      } else if (marks.may_have(w)) {
        const auto place = static_cast<unsigned>(place_in(list, 0, length, w));
        if (place == length) continue;
        if constexpr (kAlone)
          ++of_u;
        else
          close(v, w, place, e, of_v);
      }
    }
  }
  __device__ __forceinline__ void meet(unsigned place, Vertex v, const List& theirs) {
    Mine of_v = 0;
    if (theirs.units != 0) meet_units(v, theirs, of_v);
    const EdgeIndex rest = theirs.begin + theirs.in_units, end = theirs.begin + theirs.length;
    if (v < lists.row_count)
      meet_rest(v, lists.near_targets, rest, end, of_v);
    else
      meet_rest(v, lists.targets, rest, end, of_v);
    if constexpr (!kAlone) give(place, of_v);
  }
  /// Groups of lanes take the vertices of the list in turn. What a vertex's list is like is loaded
  /// while the one before is met.
  __device__ __forceinline__ void meet_all() {
    constexpr unsigned kGroups = kLongThreads<Program> / kLanes;
    unsigned j = threadIdx.x / kLanes;
    if (j >= length) return;
    Vertex v = list[j];
    List theirs = list_of(lists, v);
    Vertex next = j + kGroups < length ? list[j + kGroups] : v;
#pragma unroll 1
    for (; j < length; j += kGroups) {
      const List after = list_of(lists, next);
      const Vertex later = j + 2 * kGroups < length ? list[j + 2 * kGroups] : next;
      meet(j, v, theirs);
      v = next;
      theirs = after;
      next = later;
    }
  }
};

template <class Program>
__global__ void __launch_bounds__(kLongThreads<Program>, kLongBlocks<Program>)
    count_long(const Oriented lists, const Total<Program>* weights, Shares<Program> shares,
               std::uint32_t* next) {
  using Work = LongList<Program>;
  __shared__ Marks marks;
  __shared__ typename Work::PlacesOrNone places;
  __shared__ std::uint32_t shown;
  const Rule<Program> rule{lists.order, weights};
  Total<Program> triangles = 0;
  marks.clear();
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) shown = atomicAdd(next, 1u);
    __syncthreads();
    if (shown >= *lists.longs.count) break;
    const Vertex u = lists.longs.items[shown];
    const List own = list_of(lists, u);
    Work work{lists, rule, shares, marks, places, u, lists.targets + own.begin, own.length};
    work.mark();
    __syncthreads();
    work.meet_all();
    if constexpr (Work::kAlone)
      triangles += work.of_u;
    else if constexpr (!Work::kSides)
      give_sum<Total<Program>>(shares, u, work.of_u);
    __syncthreads();
    work.unmark();
  }
  if constexpr (Work::kAlone) give_counted(lists, shares, triangles);
}

}  // namespace vertigo::gpu::wedges
