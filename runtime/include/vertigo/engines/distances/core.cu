#include "device/check.h"
#include "device/prepare/sorting.h"
#include "vertigo/device/prepare.cuh"
#include "vertigo/engines/distances/core.cuh"
#include "vertigo/engines/distances/records.cuh"

namespace vertigo::gpu {

namespace {

using distances::NarrowEdge;
using distances::WideEdge;

using namespace distances::records;

constexpr const char* kPurpose = "take the core of the lists";

template <class Weight, class Edge>
__global__ void cut_lists(const std::uint32_t* offsets, const Edge* edges, Vertex count,
                          const RecordCode<Weight> code, const CoreRule rule, Weight* cut,
                          std::uint32_t* lengths) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v <= count;
       v += threads) {
    if (v == count) {
      lengths[v] = 0;
      continue;
    }
    const std::uint32_t begin = offsets[v];
    const std::uint32_t length = rule.length(offsets[v + 1] - begin);
    Weight bound = code.downwards ? kInfinity<Weight> : kLowest<Weight>;
    if (begin + length != offsets[v + 1]) bound = read(edges[begin + length], code);
    // Whether an edge is in the core is to be told by its weight alone: of equal ones all or none.
    std::uint32_t low = begin;
    std::uint32_t high = begin + length;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (is_better(read(edges[middle], code), bound, code.downwards))
        low = middle + 1;
      else
        high = middle;
    }
    cut[v] = bound;
    lengths[v] = low - begin;
  }
}

template <class Edge>
__global__ void __launch_bounds__(kThreads)
    copy_first(const std::uint32_t* offsets, const Edge* edges, const ListsOfPart core, Edge* to) {
  visit_edges(
      core, [&](std::uint32_t e, Vertex v) { to[e] = edges[offsets[v] + (e - core.offsets[v])]; });
}

template <class Weight>
__global__ void __launch_bounds__(kThreads)
    count_chosen(const Adjacency<Weight> from, const ListsOfPart whole, const Weight* cut,
                 bool downwards, std::uint32_t* counts) {
  visit_edges(whole, [&](std::uint32_t e, Vertex source) {
    if (is_better(weight_at(from, e), cut[from.targets[e]], downwards))
      atomicAdd(counts + source, 1u);
  });
}

std::uint32_t last_of(Session& session, const std::uint32_t* offsets, Vertex vertex_count) {
  std::uint32_t last = 0;
  check(cudaMemcpyAsync(&last, offsets + vertex_count, sizeof last, cudaMemcpyDeviceToHost,
                        session.stream()),
        kPurpose);
  check(cudaStreamSynchronize(session.stream()), kPurpose);
  return last;
}

}  // namespace

template <class Weight, class EdgeType>
void take_core(Session& session, const CoreRule& rule, const Adjacency<Weight>& out, bool back,
               const std::uint32_t* in_offsets, const EdgeType* in_edges,
               const RecordCode<Weight>& code, const CoreLists<Weight, EdgeType>& core) {
  const Vertex vertices = session.vertex_count();
  const auto edges = static_cast<std::uint32_t>(session.edge_count());
  const std::uint64_t offsets = vertices + std::uint64_t{1};
  prepare::WorkingMemory memory(session.stream());
  auto* const counts = memory.take<std::uint32_t>(offsets, kPurpose);
  auto* const whole = memory.take<std::uint32_t>(offsets, kPurpose);
  cut_lists<<<blocks_for(offsets, kThreads), kThreads, 0, session.stream()>>>(
      in_offsets, in_edges, vertices, code, rule, core.cut, counts);
  session.launched("cut_lists");
  prepare::exclusive_sum(memory, counts, core.in_offsets, offsets);
  const std::uint32_t in_core = last_of(session, core.in_offsets, vertices);
  if (in_core != 0) {
    copy_first<<<blocks_for(in_core, kEdgesPerBlock), kThreads, 0, session.stream()>>>(
        in_offsets, in_edges, ListsOfPart{core.in_offsets, vertices, 0, in_core}, core.in);
    session.launched("copy_first");
  }
  session.clear(counts, offsets);
  prepare::narrow_offsets(session.stream(), out.offsets, offsets, whole);
  count_chosen<<<blocks_for(edges, kEdgesPerBlock), kThreads, 0, session.stream()>>>(
      out, ListsOfPart{whole, vertices, 0, edges}, core.cut, code.downwards, counts);
  session.launched("count_chosen");
  prepare::exclusive_sum(memory, counts, core.out_offsets, offsets);
  sort_chosen(session, out, back, whole, Chosen<Weight>{core.cut, core.out_offsets}, code,
              core.out);
  memory.finish(kPurpose);
}

template <class EdgeType, class Weight>
std::uint64_t core_memory(const Session& session, const RecordCode<Weight>& code, bool back) {
  const std::uint64_t offsets = session.vertex_count() + std::uint64_t{1};
  const std::uint64_t sums = 2 * prepare::sum_memory<std::uint32_t, std::uint32_t>(offsets);
  return 2 * prepare::array_bytes<std::uint32_t>(offsets) + sums +
         sorting_memory<EdgeType>(session, back, code);
}

#define VERTIGO_CORE(Weight, EdgeType)                                                      \
  template void take_core(Session&, const CoreRule&, const Adjacency<Weight>&, bool,        \
                          const std::uint32_t*, const EdgeType*, const RecordCode<Weight>&, \
                          const CoreLists<Weight, EdgeType>&);                              \
  template std::uint64_t core_memory<EdgeType>(const Session&, const RecordCode<Weight>&, bool);
#define VERTIGO_WEIGHT(Weight)     \
  VERTIGO_CORE(Weight, NarrowEdge) \
  VERTIGO_CORE(Weight, WideEdge<Weight>)

VERTIGO_WEIGHT(std::int32_t)
VERTIGO_WEIGHT(std::int64_t)
VERTIGO_WEIGHT(std::uint32_t)
VERTIGO_WEIGHT(std::uint64_t)
VERTIGO_WEIGHT(float)
VERTIGO_WEIGHT(double)

#undef VERTIGO_WEIGHT
#undef VERTIGO_CORE

}  // namespace vertigo::gpu
