#pragma once
// Closed wedges: of each list, the pairs that an edge joins. Each pair is a triangle, found once.

#include "vertigo/device/combine.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/graph.cuh"
#include "vertigo/device/reduce.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/engines/wedges/operators.h"
#include "vertigo/engines/wedges/orient.cuh"

namespace vertigo::gpu::wedges {

/// Numbers whose bits a block keeps; hubs have the lowest ones.
inline constexpr unsigned kBits = 1u << 16;
/// Bits of the filter for all others.
inline constexpr unsigned kFilterBits = 1u << 13;
/// Places of a list whose shares a block counts in shared memory.
inline constexpr unsigned kCountedPlaces = 4096;
/// Lanes that go through a neighbour's list together.
inline constexpr unsigned kLanes = 8;

/// Shares of triangles, by the numbers of vertices.
using Shares = unsigned long long*;

/// The place of `w` in an ascending list, or its end.
__device__ __forceinline__ EdgeIndex place_in(const Vertex* targets, EdgeIndex from, EdgeIndex end,
                                              Vertex w) {
  const EdgeIndex last = end;
  while (from < end) {
    const EdgeIndex middle = from + (end - from) / 2;
    if (__ldg(targets + middle) < w)
      from = middle + 1;
    else
      end = middle;
  }
  return from < last && __ldg(targets + from) == w ? from : last;
}

/// Who gets the shares of a triangle, by the program's condition on ids.
template <class Program>
struct Rule {
  static constexpr bool kBothWays = engines::wedges::kCountsBothWays<Program>;
  static constexpr bool kAlone = Program::sum_alone;
  const Vertex* order;

  /// Whether `a` and not `b`, both numbers, gets the share of the edge between them.
  __device__ __forceinline__ bool is_for_first(Vertex a, Vertex b) const {
    const Vertex x = __ldg(order + a);
    const Vertex y = __ldg(order + b);
    return Program::counts_greater ? x < y : x > y;
  }
  /// Shares of the corners u, v and w of one triangle.
  __device__ __forceinline__ void give(Vertex u, Vertex v, Vertex w, unsigned& for_u,
                                       unsigned& for_v, unsigned& for_w) const {
    for_u = for_v = for_w = 1;
    if constexpr (!kBothWays) {
      const bool uv = is_for_first(u, v), uw = is_for_first(u, w), vw = is_for_first(v, w);
      for_u = unsigned{uv} + unsigned{uw};
      for_v = unsigned{!uv} + unsigned{vw};
      for_w = unsigned{!uw} + unsigned{!vw};
    }
  }
};

/// Adds up over a warp and gives it to `number`. All lanes call.
__device__ __forceinline__ void give_sum(Shares shares, Vertex number, unsigned long long mine) {
  const unsigned long long sum = gpu::detail::combine_warp(mine, Sum{});
  if (lane() == 0 && sum != 0) atomicAdd(shares + number, sum);
}

/// Long lists, each by a block: the list as bits, and the lists of its vertices probed.
template <class Program>
__global__ void __launch_bounds__(kBlock)
    count_long(const Oriented lists, Shares shares, std::uint32_t* next) {
  constexpr bool kAlone = Rule<Program>::kAlone;
  __shared__ std::uint32_t bits[kBits / 32];
  __shared__ std::uint32_t filter[kFilterBits / 32];
  // Of each word of bits, the place of its first vertex in the list.
  __shared__ std::uint32_t first_places[kAlone ? 1 : kBits / 32];
  __shared__ std::uint32_t counts[kAlone ? 1 : kCountedPlaces];
  __shared__ std::uint32_t shown;
  const Rule<Program> rule{lists.order};
  const auto filter_bit = [](Vertex w) { return (w * 0x9e3779b1u) >> 19; };
  static_assert(kFilterBits == 1u << 13);
  for (unsigned i = threadIdx.x; i < kBits / 32; i += kBlock) bits[i] = 0;
  for (unsigned i = threadIdx.x; i < kFilterBits / 32; i += kBlock) filter[i] = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) shown = atomicAdd(next, 1u);
    __syncthreads();
    if (shown >= *lists.longs.count) return;
    const Vertex u = lists.longs.items[shown];
    const EdgeIndex begin = lists.offsets[u];
    const auto length = static_cast<unsigned>(lists.offsets[u + 1] - begin);
    const Vertex* const list = lists.targets + begin;
    for (unsigned j = threadIdx.x; j < length; j += kBlock) {
      const Vertex w = list[j];
      if (w < kBits) {
        atomicOr(&bits[w / 32], 1u << w % 32);
        if constexpr (!kAlone)
          if (j == 0 || list[j - 1] / 32 != w / 32) first_places[w / 32] = j;
      } else {
        atomicOr(&filter[filter_bit(w) / 32], 1u << filter_bit(w) % 32);
      }
      if constexpr (!kAlone)
        if (j < kCountedPlaces) counts[j] = 0;
    }
    __syncthreads();

    const auto give = [&](unsigned place, unsigned share) {
      if (share == 0) return;
      if (place < kCountedPlaces)
        atomicAdd(&counts[kAlone ? 0 : place], share);
      else
        atomicAdd(shares + list[place], static_cast<unsigned long long>(share));
    };
    unsigned long long mine = 0;
#pragma unroll 1
    for (unsigned j = threadIdx.x / kLanes; j < length; j += kBlock / kLanes) {
      const Vertex v = list[j];
      const EdgeIndex end = lists.offsets[v + 1];
      unsigned of_v = 0;
#pragma unroll 4
      for (EdgeIndex e = lists.offsets[v] + threadIdx.x % kLanes; e < end; e += kLanes) {
        const Vertex w = __ldg(lists.targets + e);
        unsigned place = 0;
        if (w < kBits) {
          const std::uint32_t word = bits[w / 32];
          if ((word >> w % 32 & 1) == 0) continue;
          if constexpr (!kAlone) place = first_places[w / 32] + __popc(word & ((1u << w % 32) - 1));
        } else {
          if ((filter[filter_bit(w) / 32] >> filter_bit(w) % 32 & 1) == 0) continue;
          place = static_cast<unsigned>(place_in(list, 0, length, w));
          if (place == length) continue;
        }
        if constexpr (kAlone) {
          ++mine;
        } else {
          unsigned for_u, for_v, for_w;
          rule.give(u, v, w, for_u, for_v, for_w);
          mine += for_u;
          of_v += for_v;
          give(place, for_w);
        }
      }
      if constexpr (!kAlone) give(j, of_v);
    }
    give_sum(shares, u, kAlone ? 3 * mine : mine);
    __syncthreads();
    for (unsigned j = threadIdx.x; j < length; j += kBlock) {
      const Vertex w = list[j];
      if constexpr (!kAlone)
        if (j < kCountedPlaces && counts[j] != 0)
          atomicAdd(shares + w, static_cast<unsigned long long>(counts[j]));
      if (w < kBits)
        bits[w / 32] = 0;
      else
        filter[filter_bit(w) / 32] = 0;
    }
  }
}

/// Short lists, each by a warp: every pair of its vertices is looked up in the list of the one.
template <class Program>
__global__ void __launch_bounds__(kBlock) count_short(const Oriented lists, Shares shares) {
  constexpr bool kAlone = Rule<Program>::kAlone;
  __shared__ Vertex all_lists[kBlock / kWarp][kBlockFrom];
  __shared__ unsigned all_counts[kBlock / kWarp][kAlone ? 1 : kBlockFrom];
  Vertex* const list = all_lists[threadIdx.x / kWarp];
  unsigned* const counts = all_counts[threadIdx.x / kWarp];
  const Rule<Program> rule{lists.order};
  const std::uint32_t number_of_lists = *lists.shorts.count;
  for (std::uint32_t i = (blockIdx.x * kBlock + threadIdx.x) / kWarp; i < number_of_lists;
       i += gridDim.x * (kBlock / kWarp)) {
    const Vertex u = lists.shorts.items[i];
    const EdgeIndex begin = lists.offsets[u];
    const auto length = static_cast<unsigned>(lists.offsets[u + 1] - begin);
    __syncwarp();
    for (unsigned j = lane(); j < length; j += kWarp) {
      list[j] = lists.targets[begin + j];
      if constexpr (!kAlone) counts[j] = 0;
    }
    __syncwarp();
    // Pairs as a rectangle of rows / 2 by rows - 1: row a holds those of a with what follows it,
    // and in what is left of it those of rows - 1 - a. An odd length has a row too many.
    const unsigned rows = length + length % 2;
    unsigned long long mine = 0;
#pragma unroll 1
    for (unsigned pair = lane(); pair < rows / 2 * (rows - 1); pair += kWarp) {
      const unsigned a = pair / (rows - 1), b = pair % (rows - 1);
      const unsigned h = b >= a ? a : rows - 1 - a;
      const unsigned j = b >= a ? b + 1 : rows - 1 - b;
      if (j >= length || h >= length) continue;
      const Vertex w = list[h < j ? h : j], v = list[h < j ? j : h];
      const EdgeIndex end = lists.offsets[v + 1];
      if (place_in(lists.targets, lists.offsets[v], end, w) == end) continue;
      if constexpr (kAlone) {
        ++mine;
      } else {
        unsigned for_u, for_v, for_w;
        rule.give(u, v, w, for_u, for_v, for_w);
        mine += for_u;
        if (for_v != 0) atomicAdd(&counts[h < j ? j : h], for_v);
        if (for_w != 0) atomicAdd(&counts[h < j ? h : j], for_w);
      }
    }
    give_sum(shares, u, kAlone ? 3 * mine : mine);
    if constexpr (!kAlone) {
      __syncwarp();
      for (unsigned j = lane(); j < length; j += kWarp)
        if (counts[j] != 0) atomicAdd(shares + list[j], static_cast<unsigned long long>(counts[j]));
    }
  }
}

template <class Attribute>
__device__ __forceinline__ bool has_loop(const Adjacency<Attribute>& out, Vertex v) {
  return place_in(out.targets, out.offsets[v], out.offsets[v + 1], v) != out.offsets[v + 1];
}

/// What self loops add: whoever has one is a neighbour of its own.
template <class Program, class Attribute>
__device__ __forceinline__ unsigned long long of_loops(const Adjacency<Attribute>& out, Vertex v) {
  const unsigned own = has_loop(out, v) ? 1 : 0;
  unsigned long long sum = 0;
  for (EdgeIndex e = out.offsets[v]; e < out.offsets[v + 1]; ++e) {
    const Vertex u = out.targets[e];
    if (u == v)
      sum += Program::counts_equal ? out.offsets[v + 1] - out.offsets[v] : 0;
    else if (u < v ? Program::counts_less : Program::counts_greater)
      sum += own + (has_loop(out, u) ? 1 : 0);
  }
  return sum;
}

template <class Program, class Attribute>
__global__ void __launch_bounds__(kBlock)
    update(const Program program, const Adjacency<Attribute> out, const Oriented lists,
           const Shares shares, const Counter updated_counter) {
  Tally updated(updated_counter);
  const bool loops = *lists.has_loops.word != 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x; i < lists.vertex_count;
       i += std::uint64_t{gridDim.x} * kBlock) {
    const auto v = static_cast<Vertex>(i);
    if (!program.concerns(v)) continue;
    unsigned long long sum = shares[lists.numbers[v]];
    if constexpr (Rule<Program>::kBothWays) sum *= 2;
    if (loops) sum += of_loops<Program>(out, v);
    program.update(v, static_cast<std::int64_t>(sum));
    updated.add(1);
  }
}

/// The one step that the phase takes. One thread.
__global__ void begin_step(const StepLog log) {
  if (log.records != nullptr) log.records[0].begin_ns = global_nanoseconds();
}
__global__ void log_step(const StepLog log, const EdgeIndex edges, const Counter updated) {
  StepRecord step{};
  if (log.records != nullptr) step.begin_ns = log.records[0].begin_ns;
  step.end_ns = global_nanoseconds();
  step.active_vertices = *updated.total;
  step.edges = edges;
  record(log, 0, step);
}

}  // namespace vertigo::gpu::wedges
