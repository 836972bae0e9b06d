#pragma once
// The kernels that lay rows out; build_rows.cu says in which order. Only that file includes this
// one.

#include "vertigo/engines/solve/build_rows.cuh"

namespace vertigo::gpu::solve {
namespace {

/// Classes of rows while they are sorted: long ones, those of kClasses, and vertices without any.
constexpr unsigned kLong = 0;
constexpr unsigned kNone = kClasses + 1;
constexpr int kClassBits = 3;

__device__ __forceinline__ std::uint64_t thread() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::uint64_t threads() { return std::uint64_t{gridDim.x} * blockDim.x; }

__device__ __forceinline__ unsigned degree(const EdgeIndex* offsets, Vertex v) {
  const EdgeIndex edges = offsets[v + 1] - offsets[v];
  return edges < 0xffffffffu ? static_cast<unsigned>(edges) : 0xffffffffu;
}

__global__ void __launch_bounds__(kBlock) list_out_degrees(const EdgeLists graph, unsigned* degrees,
                                                           Vertex* vertices, unsigned* largest) {
  unsigned mine = 0;
  unsigned longest = 0;
  for (std::uint64_t v = thread(); v < graph.vertex_count; v += threads()) {
    degrees[v] = degree(graph.sender_offsets, static_cast<Vertex>(v));
    vertices[v] = static_cast<Vertex>(v);
    mine = max(mine, degrees[v]);
    longest = max(longest, degree(graph.receiver_offsets, static_cast<Vertex>(v)));
  }
  mine = __reduce_max_sync(kAllLanes, mine);
  longest = __reduce_max_sync(kAllLanes, longest);
  if (lane() == 0) atomicMax(largest, mine);
  if (lane() == 0) atomicMax(largest + 1, longest);
}

__global__ void __launch_bounds__(kBlock)
    invert_order(Vertex count, const Vertex* order, Vertex* position_of) {
  for (std::uint64_t i = thread(); i < count; i += threads())
    position_of[order[i]] = static_cast<Vertex>(i);
}

__device__ __forceinline__ unsigned class_of(unsigned words, unsigned long_row) {
  if (words == 0) return kNone;
  if (words > long_row) return kLong;
  unsigned kind = kClasses;  // one lane
  for (unsigned lanes = 1; lanes < kWarp && words > lanes * kWordsPerLane; lanes *= 2) --kind;
  return kind;
}

/// Words of a vertex's row; `pairs` by vertex.
__device__ __forceinline__ unsigned row_words(const EdgeLists& graph, const unsigned* pairs,
                                              Vertex v) {
  const unsigned edges = degree(graph.receiver_offsets, v);
  return pairs == nullptr ? edges : edges - pairs[v];
}

__global__ void __launch_bounds__(kBlock)
    mark_hot(const Vertex* order, unsigned hot, unsigned* bits) {
  for (std::uint64_t i = thread(); i < hot; i += threads())
    atomicOr(bits + order[i] / 32, 1u << order[i] % 32);
}

/// How many of the caller's edges have hot sources; kLanes lanes of a warp share a row.
template <unsigned kLanes>
__device__ __forceinline__ unsigned count_hot(const EdgeLists& graph, EdgeIndex begin,
                                              unsigned edges, const unsigned* hot) {
  unsigned count = 0;
#pragma unroll 4
  for (unsigned e = lane() % kLanes; e < edges; e += kLanes) {
    const Vertex source = load_streaming(graph.receiver_sources + begin + e);
    count += hot[source / 32] >> source % 32 & 1;
  }
  __syncwarp();
#pragma unroll
  for (unsigned distance = kLanes / 2; distance > 0; distance /= 2)
    count += shuffle(count, lane() ^ distance);
  return count;
}

/// A warp for 32 vertices: one after the other where they have many in-neighbours, four at a time
/// where they have few.
__global__ void __launch_bounds__(kBlock)
    count_pairs(const EdgeLists graph, const unsigned* hot, unsigned* pairs) {
  constexpr unsigned kLanes = 8;
  constexpr unsigned kAtOnce = kWarp / kLanes;
  for (std::uint64_t start = thread() - lane(); start < graph.vertex_count; start += threads()) {
    const std::uint64_t v = start + lane();
    EdgeIndex begin = 0;
    unsigned edges = 0;
    if (v < graph.vertex_count) {
      begin = graph.receiver_offsets[v];
      edges = degree(graph.receiver_offsets, static_cast<Vertex>(v));
    }
    unsigned mine = 0;
    for (unsigned i = 0; i < kWarp; i += kAtOnce) {
      const unsigned which = i + lane() / kLanes;
      const unsigned few = shuffle(edges, which);
      const EdgeIndex from = shuffle(begin, which);
      const unsigned count = count_hot<kLanes>(graph, from, few <= kWarp ? few : 0, hot);
      const unsigned to_me = shuffle(count, lane() % kAtOnce * kLanes);
      if (lane() / kAtOnce == i / kAtOnce) mine = to_me;
    }
    for (unsigned many = __ballot_sync(kAllLanes, edges > kWarp); many != 0; many &= many - 1) {
      const unsigned which = static_cast<unsigned>(__ffs(many)) - 1;
      const EdgeIndex from = shuffle(begin, which);
      const unsigned count = count_hot<kWarp>(graph, from, shuffle(edges, which), hot);
      if (lane() == which) mine = count;
    }
    if (v < graph.vertex_count) pairs[v] = mine / 2;
  }
}

__global__ void __launch_bounds__(kBlock)
    classify_rows(const EdgeLists graph, const unsigned* pairs, const Vertex* order,
                  unsigned* classes, Vertex* positions, unsigned* counts, Vertex* row_end,
                  bool one_class, unsigned long_row) {
  Vertex end = 0;
  for (std::uint64_t i = thread(); i < graph.vertex_count; i += threads()) {
    const Vertex v = order == nullptr ? static_cast<Vertex>(i) : order[i];
    const unsigned kind = one_class ? kClasses : class_of(row_words(graph, pairs, v), long_row);
    classes[i] = kind;
    positions[i] = static_cast<Vertex>(i);
    if (kind != kNone) end = static_cast<Vertex>(i + 1);
    const unsigned alike = __match_any_sync(__activemask(), kind);
    if (lane() == static_cast<unsigned>(__ffs(alike)) - 1) atomicAdd(counts + kind, __popc(alike));
  }
  __syncwarp();
  end = __reduce_max_sync(kAllLanes, end);
  if (lane() == 0) atomicMax(row_end, end);
}

__global__ void __launch_bounds__(kBlock)
    classify_vertices(const EdgeLists graph, const unsigned* pairs, const Vertex* vertices,
                      Vertex count, unsigned* classes, unsigned long_row) {
  for (std::uint64_t i = thread(); i < count; i += threads())
    classes[i] = class_of(row_words(graph, pairs, vertices[i]), long_row);
}

__global__ void __launch_bounds__(kBlock)
    list_degrees_in_order(const EdgeLists graph, const Vertex* order, unsigned* degrees) {
  for (std::uint64_t i = thread(); i < graph.vertex_count; i += threads())
    degrees[i] = degree(graph.sender_offsets, order[i]);
}

/// `*moved` becomes 1 where row k is not position k.
__global__ void __launch_bounds__(kBlock)
    measure_rows(const EdgeLists graph, const unsigned* pairs, const Vertex* order,
                 const Vertex* positions, Vertex row_count, unsigned* lengths, unsigned* row_pairs,
                 unsigned* moved) {
  for (std::uint64_t row = thread(); row <= row_count; row += threads()) {
    if (row == row_count) {
      lengths[row] = 0;
      continue;
    }
    const Vertex at = positions[row];
    if (at != row) *moved = 1;
    const Vertex v = order == nullptr ? at : order[at];
    lengths[row] = row_words(graph, pairs, v);
    if (pairs != nullptr) row_pairs[row] = pairs[v];
  }
}

/// A warp per row. Edges of a row keep their order, so that attributes are found beside them.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    fill_rows(const EdgeLists graph, const Vertex* order, const Vertex* position_of,
              const Vertex* positions, Vertex row_count, const Offset* begin, Vertex* sources) {
  for (std::uint64_t row = thread() / kWarp; row < row_count; row += threads() / kWarp) {
    const Vertex at = positions[row];
    const EdgeIndex first = graph.receiver_offsets[order == nullptr ? at : order[at]];
    const Offset to = begin[row];
    const Offset edges = begin[row + 1] - to;
    for (Offset e = lane(); e < edges; e += kWarp) {
      const Vertex source = graph.receiver_sources[first + e];
      sources[to + e] = position_of == nullptr ? source : position_of[source];
    }
  }
}

/// The same, hot positions first and two per word. Where their number is odd the last one has the
/// row's last word.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    fill_paired_rows(const EdgeLists graph, const PullRows<Offset> rows, const Vertex* positions,
                     Vertex* sources) {
  constexpr unsigned kTogether = 4;
  for (std::uint64_t row = thread() / kWarp; row < rows.row_count; row += threads() / kWarp) {
    const EdgeIndex first = graph.receiver_offsets[rows.order[positions[row]]];
    const unsigned pairs = rows.pairs[row];
    const auto words = static_cast<unsigned>(rows.begin[row + 1] - rows.begin[row]);
    const unsigned edges = words + pairs;
    Vertex* const to = sources + rows.begin[row];
    auto* const halves = reinterpret_cast<std::uint16_t*>(to);
    unsigned hot_before = 0;
    unsigned cold_before = 0;
    for (unsigned start = 0; start < edges; start += kTogether * kWarp) {
      Vertex at[kTogether];
#pragma unroll
      for (unsigned k = 0; k < kTogether; ++k) {
        const unsigned e = start + k * kWarp + lane();
        at[k] = e < edges ? rows.position_of[load_streaming(graph.receiver_sources + first + e)]
                          : kNoVertex;
      }
#pragma unroll
      for (unsigned k = 0; k < kTogether; ++k) {
        const bool is_hot = at[k] < rows.hot;
        const bool is_cold = !is_hot && at[k] != kNoVertex;
        const unsigned hot = __ballot_sync(kAllLanes, is_hot);
        const unsigned cold = __ballot_sync(kAllLanes, is_cold);
        const unsigned place = hot_before + __popc(hot & lanes_below());
        if (is_hot && place < 2 * pairs) halves[place] = static_cast<std::uint16_t>(at[k]);
        if (is_hot && place >= 2 * pairs) to[words - 1] = at[k];
        if (is_cold) to[pairs + cold_before + __popc(cold & lanes_below())] = at[k];
        hot_before += __popc(hot);
        cold_before += __popc(cold);
      }
    }
  }
}

__global__ void __launch_bounds__(kBlock)
    add_degrees(const unsigned* degrees, unsigned count, unsigned long long* sum) {
  unsigned long long mine = 0;
  for (std::uint64_t i = thread(); i < count; i += threads()) mine += degrees[i];
  if (mine != 0) atomicAdd(sum, mine);
}

/// One thread per row. Counts the rows that are not near.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    pack_near_rows(Vertex count, const Offset* begin, const Vertex* sources, std::uint32_t* first,
                   std::uint32_t* second, unsigned* far) {
  for (std::uint64_t row = thread(); row < count; row += threads()) {
    const Offset from = begin[row];
    const Offset edges = begin[row + 1] - from;
    std::uint32_t distances[kNearSources] = {kNoSource, kNoSource, kNoSource, kNoSource};
    bool is_near = edges <= kNearSources;
    for (unsigned i = 0; i < kNearSources && is_near && i < edges; ++i) {
      const std::int64_t distance =
          static_cast<std::int64_t>(sources[from + i]) - static_cast<std::int64_t>(row);
      is_near = distance > -0x8000 && distance < 0x8000;
      distances[i] = static_cast<std::uint32_t>(distance) & 0xffffu;
    }
    first[row] = is_near ? distances[0] | distances[1] << 16 : kFarRow;
    second[row] = distances[2] | distances[3] << 16;
    if (!is_near) atomicAdd(far, 1u);
  }
}

}  // namespace
}  // namespace vertigo::gpu::solve
