#include <algorithm>
#include <bit>

#include "device/check.h"
#include "device/prepare/sorting.h"
#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/prepare.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/device/worklist.cuh"
#include "vertigo/engines/wedges/orient.cuh"
#include "vertigo/engines/wedges/sequence.cuh"

namespace vertigo::gpu::wedges {

namespace {

constexpr const char* kPurpose = "put edges at their ends of fewer edges";
/// A unit of a row costs as much as so many vertices that are looked up one by one.
constexpr unsigned kUnitCost = 4;
/// Threads that fill one row.
constexpr unsigned kRowThreads = 128;

unsigned threads_for(std::uint64_t count) {
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>((count + kBlock - 1) / kBlock, 1, 1u << 16));
}

/// How many vertices of an ascending list are below `bound`.
__device__ __forceinline__ std::uint32_t count_below(const Vertex* list, std::uint32_t length,
                                                     std::uint64_t bound) {
  std::uint32_t first = 0;
  while (first < length) {
    const std::uint32_t middle = first + (length - first) / 2;
    if (list[middle] < bound)
      first = middle + 1;
    else
      length = middle;
  }
  return first;
}

/// Every vertex gets its number, every number the length of its vertex's list in the graph.
__global__ void __launch_bounds__(kBlock)
    number_vertices(const Oriented lists, const EdgeIndex* offsets, std::uint32_t* degrees) {
  for (const Vertex number : gpu::detail::AllVertices{0, lists.vertex_count}) {
    const Vertex v = lists.order[number];
    lists.numbers[v] = number;
    degrees[number] = static_cast<std::uint32_t>(offsets[v + 1] - offsets[v]);
  }
}

/// How many edges of each part go from a lower number to a higher one.
__global__ void __launch_bounds__(kBlock)
    count_kept(const Oriented lists, const Sequence sequence, std::uint32_t* counts) {
  for_each_part(sequence.length, [&](std::uint64_t part) {
    std::uint32_t count = 0;
    for_each_edge(sequence, lists, part, [&](bool inside, Vertex number, Vertex other) {
      count += __popc(__ballot_sync(kAllLanes, inside && other > number));
      if (inside && other == number) raise(lists.has_loops);
    });
    if (lane() == 0) counts[part] = count;
  });
}

/// These edges by the numbers of their lower ends.
__global__ void __launch_bounds__(kBlock)
    keep_edges(const Oriented lists, const Sequence sequence, const EdgeIndex* firsts,
               std::uint32_t* higher, std::uint32_t* lower) {
  for_each_part(sequence.length, [&](std::uint64_t part) {
    EdgeIndex next = firsts[part];
    for_each_edge(sequence, lists, part, [&](bool inside, Vertex number, Vertex other) {
      const bool kept = inside && other > number;
      const unsigned taken = __ballot_sync(kAllLanes, kept);
      if (kept) {
        const EdgeIndex place = next + __popc(taken & lanes_below());
        higher[place] = other;
        lower[place] = number;
      }
      next += __popc(taken);
    });
  });
}

/// Where the lists of sorted edges begin and end; who has none keeps zeros.
__global__ void __launch_bounds__(kBlock)
    find_lists(const Oriented lists, const std::uint32_t* owners, EdgeIndex edges,
               EdgeIndex* ends) {
  for (EdgeIndex e = gpu::detail::block_start() + threadIdx.x; e < edges;
       e += gpu::detail::grid_stride()) {
    const std::uint32_t owner = owners[e];
    if (e == 0 || owners[e - 1] != owner) lists.lists[owner].begin = e;
    if (e + 1 == edges || owners[e + 1] != owner) ends[owner] = e + 1;
    if (owner < lists.row_count)
      lists.near_targets[e] = static_cast<std::uint16_t>(lists.targets[e]);
  }
}

/// How much of each list is read as bits: what costs least. Lists are handed out by length.
__global__ void __launch_bounds__(kBlock)
    divide_lists(const Oriented lists, const EdgeIndex* ends) {
  for (const Vertex number : gpu::detail::AllVertices{0, lists.vertex_count}) {
    const EdgeIndex begin = lists.lists[number].begin;
    const Vertex* const list = lists.targets + begin;
    const auto length = static_cast<std::uint32_t>(ends[number] - begin);
    const unsigned all = number < lists.row_count ? number / Unit::kVertices + 1 : 0;
    unsigned units = 0, in_units = 0;
    std::uint64_t least = length;
    for (unsigned tried = 8; all > 0 && length > 0; tried *= 2) {
      const unsigned front = tried < all ? tried : all;
      const unsigned inside = count_below(list, length, front * std::uint64_t{Unit::kVertices});
      const std::uint64_t cost = std::uint64_t{front} * kUnitCost + (length - inside);
      if (cost < least) {
        least = cost;
        units = front;
        in_units = inside;
      }
      if (front == all) break;
    }
    lists.lists[number] = {begin, length, static_cast<std::uint16_t>(units),
                           static_cast<std::uint16_t>(in_units)};
    if (length >= kBlockFrom)
      append(lists.longs, number);
    else if (length >= kWarpFrom)
      append(lists.shorts, number);
  }
}

/// A block for each row.
__global__ void __launch_bounds__(kRowThreads) fill_rows(const Oriented lists) {
  __shared__ Unit row[kMostRows / Unit::kVertices];
  auto* const words = reinterpret_cast<std::uint32_t*>(row);
  const Vertex v = blockIdx.x;
  const unsigned units = v / Unit::kVertices + 1;
  for (unsigned i = threadIdx.x; i < 4 * units; i += kRowThreads) words[i] = 0;
  __syncthreads();
  const List list = lists.lists[v];
  for (unsigned i = threadIdx.x; i < list.length; i += kRowThreads) {
    const Vertex w = lists.targets[list.begin + i];
    atomicOr(&words[w / 32], 1u << w % 32);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < units; i += kRowThreads) {
    lists.rows[row_at(v) + i] = row[i];
    if (lists.ranks != nullptr)
      lists.ranks[row_at(v) + i] = static_cast<std::uint16_t>(
          count_below(lists.targets + list.begin, list.length, i * std::uint64_t{Unit::kVertices}));
  }
}

/// Ids are the numbers: the list of a vertex is the front of its list in the graph.
__global__ void __launch_bounds__(kBlock)
    take_fronts(const Oriented lists, const EdgeIndex* offsets) {
  for (const Vertex v : gpu::detail::AllVertices{0, lists.vertex_count}) {
    const EdgeIndex begin = offsets[v];
    const auto degree = static_cast<std::uint32_t>(offsets[v + 1] - begin);
    const std::uint32_t length = count_below(lists.targets + begin, degree, v);
    if (length < degree && lists.targets[begin + length] == v) raise(lists.has_loops);
    lists.lists[v] = {begin, length, 0, 0};
    if (length >= kWarpFrom) append(lists.shorts, v);
  }
}

/// Rows for as many vertices as take no more memory than the edges do.
Vertex count_rows(Vertex vertices, EdgeIndex edges) {
  Vertex rows = 0;
  while (rows < vertices && rows < kMostRows &&
         row_at(rows + Unit::kVertices) * sizeof(Unit) <= edges * sizeof(Vertex))
    rows += Unit::kVertices;
  return rows;
}

unsigned bits_of(Vertex numbers) {
  return static_cast<unsigned>(std::bit_width(numbers == 0 ? 0u : numbers - 1));
}

/// What sort_by_numbers() takes at most.
std::uint64_t sorting_bytes(Vertex vertices, EdgeIndex all_edges) {
  using prepare::array_bytes;
  const EdgeIndex edges = all_edges / 2;
  const std::uint64_t parts = parts_of(all_edges);
  return array_bytes<std::uint32_t>(vertices + 1ull) + array_bytes<EdgeIndex>(vertices + 1ull) +
         array_bytes<EdgeIndex>(vertices) + array_bytes<std::uint32_t>(parts + 1) +
         array_bytes<EdgeIndex>(parts + 1) + 3 * array_bytes<std::uint32_t>(edges) +
         prepare::sum_memory<std::uint32_t, EdgeIndex>(vertices + 1ull) +
         prepare::sum_memory<std::uint32_t, EdgeIndex>(parts + 1) +
         prepare::sort_memory<std::uint32_t, std::uint32_t>(edges, bits_of(vertices));
}

/// The edges between lower and higher numbers as they stand in the sequence ascend by the lower
/// one. A stable sort by the higher one makes lists of them that ascend.
void sort_by_numbers(Session& session, const EdgeIndex* offsets, const Vertex* targets,
                     Oriented& lists) {
  const Vertex vertices = lists.vertex_count;
  const Stream stream = session.stream();
  prepare::WorkingMemory memory(stream);
  auto* const degrees = memory.take<std::uint32_t>(vertices + 1ull, kPurpose);
  auto* const starts = memory.take<EdgeIndex>(vertices + 1ull, kPurpose);
  session.clear(degrees + vertices, 1);
  number_vertices<<<threads_for(vertices), kBlock, 0, stream>>>(lists, offsets, degrees);
  session.launched("number_vertices");
  prepare::exclusive_sum(memory, degrees, starts, vertices + 1ull);

  const Sequence sequence{starts, offsets, targets, vertices, session.edge_count()};
  const std::uint64_t parts = parts_of(sequence.length);
  auto* const counts = memory.take<std::uint32_t>(parts + 1, kPurpose);
  auto* const firsts = memory.take<EdgeIndex>(parts + 1, kPurpose);
  session.clear(counts + parts, 1);
  count_kept<<<threads_for(parts * kWarp), kBlock, 0, stream>>>(lists, sequence, counts);
  session.launched("count_kept");
  prepare::exclusive_sum(memory, counts, firsts, parts + 1);
  EdgeIndex edges = 0;
  check(cudaMemcpyAsync(&edges, firsts + parts, sizeof edges, cudaMemcpyDeviceToHost, stream),
        kPurpose);
  memory.finish(kPurpose);

  prepare::TwoArrays<std::uint32_t> higher =
      prepare::take_two<std::uint32_t>(memory, edges, kPurpose);
  prepare::TwoArrays<std::uint32_t> lower{lists.own_targets,
                                          memory.take<std::uint32_t>(edges, kPurpose)};
  keep_edges<<<threads_for(parts * kWarp), kBlock, 0, stream>>>(lists, sequence, firsts, higher.now,
                                                                lower.now);
  session.launched("keep_edges");
  if (edges != 0) prepare::sort_pairs(memory, higher, lower, edges, 0, bits_of(vertices));
  if (lower.now != lists.own_targets)
    check(cudaMemcpyAsync(lists.own_targets, lower.now, edges * sizeof(Vertex),
                          cudaMemcpyDeviceToDevice, stream),
          kPurpose);

  auto* const ends = memory.take<EdgeIndex>(vertices, kPurpose);
  session.clear(ends, vertices);
  find_lists<<<threads_for(edges), kBlock, 0, stream>>>(lists, higher.now, edges, ends);
  session.launched("find_lists");
  divide_lists<<<threads_for(vertices), kBlock, 0, stream>>>(lists, ends);
  session.launched("divide_lists");
  memory.finish(kPurpose);
}

}  // namespace

void declare_oriented(Session& session, Oriented& lists, bool sides) {
  const Vertex vertices = session.vertex_count();
  const EdgeIndex edges = session.edge_count();
  lists.vertex_count = vertices;
  session.declare(lists.lists, vertices, "wedges (lists)");
  session.declare(lists.longs, "wedges (long lists)");
  session.declare(lists.shorts, "wedges (short lists)");
  session.declare(lists.has_loops, "wedges (self loops)");
  if (session.longest_list(Along::Out, false) < kBlockFrom) return;
  lists.row_count = count_rows(vertices, edges);
  session.declare(lists.order, "wedges (vertices by degree)");
  session.declare(lists.numbers, "wedges (numbers of vertices)");
  session.declare(lists.own_targets, edges / 2, "wedges (edges at one end)");
  if (lists.row_count != 0) {
    const std::uint64_t pairs = std::uint64_t{lists.row_count} * (lists.row_count - 1) / 2;
    session.declare(lists.rows, row_at(lists.row_count), "wedges (rows of bits)");
    if (sides) session.declare(lists.ranks, row_at(lists.row_count), "wedges (ranks in rows)");
    session.declare(lists.near_targets, std::min<std::uint64_t>(edges / 2, pairs),
                    "wedges (edges among hubs)");
  }
  session.reserve(kPurpose,
                  std::max(prepare::order_memory(vertices), sorting_bytes(vertices, edges)));
}

void orient(Session& session, const EdgeIndex* offsets, const Vertex* targets, Oriented& lists) {
  const Vertex vertices = lists.vertex_count;
  if (vertices == 0) return;
  const Stream stream = session.stream();
  session.clear(lists.longs);
  session.clear(lists.shorts);
  session.clear(lists.has_loops);
  if (lists.order == nullptr) {
    lists.targets = targets;
    take_fronts<<<threads_for(vertices), kBlock, 0, stream>>>(lists, offsets);
    session.launched("take_fronts");
    return;
  }
  lists.targets = lists.own_targets;
  session.clear(lists.lists, vertices);
  prepare::approximate_order(stream, {offsets, nullptr}, vertices, lists.order);
  sort_by_numbers(session, offsets, targets, lists);
  const Vertex rows = std::min(lists.row_count, vertices);
  if (rows == 0) return;
  fill_rows<<<rows, kRowThreads, 0, stream>>>(lists);
  session.launched("fill_rows");
}

}  // namespace vertigo::gpu::wedges
