#include <algorithm>
#include <utility>
#include <vector>

#include "device/check.h"
#include "device/prepare/sorting.h"
#include "vertigo/engines/distances/records.cuh"
#include "vertigo/graph/part.h"

namespace vertigo::gpu {

namespace {

using distances::Heads;
using distances::kHeads;
using distances::NarrowEdge;
using distances::WideEdge;

using namespace distances::records;

template <class Weight, class Edge>
__global__ void pack(const Adjacency<Weight> from, std::uint64_t count,
                     const RecordCode<Weight> code, Edge* edges) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t e = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; e < count;
       e += threads)
    write(edges[e], code, from.targets[e], weight_at(from, e));
}

template <class Weight, class Edge>
__global__ void pack_first(const Adjacency<Weight> from, Vertex count,
                           const RecordCode<Weight> code, Heads<Edge>* heads) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < count;
       v += threads) {
    const EdgeIndex begin = from.offsets[v];
    const EdgeIndex end = from.offsets[v + 1];
    Heads<Edge> mine;
    for (unsigned i = 0; i < kHeads; ++i) {
      if (begin + i < end)
        write(mine.edges[i], code, from.targets[begin + i], weight_at(from, begin + i));
      else
        write_none(mine.edges[i]);
    }
    heads[v] = mine;
  }
}

template <class Weight, class Edge>
__global__ void take_first(const std::uint32_t* offsets, const Edge* edges, Vertex count,
                           const RecordCode<Weight> code, Weight* weights) {
  const Weight worst = code.downwards ? kInfinity<Weight> : kLowest<Weight>;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < count;
       v += threads)
    weights[v] = offsets[v] != offsets[v + 1] ? read(edges[offsets[v]], code) : worst;
}

/// Edges that are left out are sorted behind all lists, as if of a vertex more.
template <class Weight>
__device__ Vertex list_of(const ListsOfPart& part, const Weight* cut, Vertex source, Vertex target,
                          Weight weight, bool downwards) {
  return cut == nullptr || is_better(weight, cut[target], downwards) ? source : part.vertex_count;
}

/// keys: source above, rank of the weight below. `cut`: of Chosen, or null.
template <class Weight, class Key>
__global__ void __launch_bounds__(kThreads)
    make_keys(const Adjacency<Weight> from, const ListsOfPart part, const Weight* cut,
              const RecordCode<Weight> code, unsigned rank_bits, Key* keys, Vertex* targets) {
  visit_edges(part, [&](std::uint32_t e, Vertex source) {
    const Weight weight = weight_at(from, e);
    const Vertex list = list_of(part, cut, source, from.targets[e], weight, code.downwards);
    Key rank;
    if constexpr (sizeof(Key) == 4)
      rank = code_of(code, weight);
    else
      rank = rank_of(weight, code.downwards);
    keys[e] = static_cast<Key>(list) << rank_bits | rank;
    targets[e] = from.targets[e];
  });
}

__global__ void merge_narrow(const std::uint32_t* keys, const Vertex* targets, std::uint64_t count,
                             unsigned weight_bits, NarrowEdge* edges) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t e = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; e < count;
       e += threads)
    edges[e] = {targets[e] << weight_bits | (keys[e] & ((1u << weight_bits) - 1))};
}

template <class Weight>
__global__ void merge_wide(const std::uint64_t* keys, const Vertex* targets, std::uint64_t count,
                           bool downwards, WideEdge<Weight>* edges) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t e = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; e < count;
       e += threads)
    edges[e] = {targets[e], weight_of<Weight>(static_cast<Rank<Weight>>(keys[e]), downwards)};
}

/// 64-bit weights leave no room for the source: their ranks are sorted first, with the edges'
/// numbers, and the sources of those afterwards.
template <class Weight>
__global__ void __launch_bounds__(kThreads)
    make_ranks(const Adjacency<Weight> from, const ListsOfPart part, const Weight* cut,
               bool downwards, std::uint64_t* ranks, std::uint32_t* numbers, Vertex* sources) {
  visit_edges(part, [&](std::uint32_t e, Vertex source) {
    const Weight weight = weight_at(from, e);
    ranks[e] = rank_of(weight, downwards);
    numbers[e] = e;
    sources[e] = list_of(part, cut, source, from.targets[e], weight, downwards);
  });
}

__global__ void gather_sources(const Vertex* sources, const std::uint32_t* numbers,
                               std::uint64_t count, std::uint32_t* keys) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t e = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; e < count;
       e += threads)
    keys[e] = sources[numbers[e]];
}

template <class Weight>
__global__ void gather_edges(const Adjacency<Weight> from, const std::uint32_t* numbers,
                             std::uint64_t count, WideEdge<Weight>* edges) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t e = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; e < count;
       e += threads)
    edges[e] = {from.targets[numbers[e]], weight_at(from, numbers[e])};
}

constexpr const char* kPurpose = "sort the edges by weight";

template <class Weight>
void sort_by_64_bits(Session& session, const Adjacency<Weight>& from, const ListsOfPart& part,
                     const Weight* cut, std::uint32_t kept, const RecordCode<Weight>& code,
                     WideEdge<Weight>* edges) {
  const std::uint32_t edge_count = part.edge_count;
  const unsigned blocks = blocks_for(edge_count, kEdgesPerBlock);
  prepare::WorkingMemory memory(session.stream());
  auto numbers = prepare::take_two<std::uint32_t>(memory, edge_count, kPurpose);
  auto* const sources = memory.take<Vertex>(edge_count, kPurpose);
  {
    prepare::WorkingMemory of_ranks(session.stream());
    auto ranks = prepare::take_two<std::uint64_t>(of_ranks, edge_count, kPurpose);
    make_ranks<<<blocks, kThreads, 0, session.stream()>>>(from, part, cut, code.downwards,
                                                          ranks.now, numbers.now, sources);
    session.launched("make_ranks");
    prepare::sort_pairs(of_ranks, ranks, numbers, edge_count, 0, 64);
  }
  auto keys = prepare::take_two<std::uint32_t>(memory, edge_count, kPurpose);
  gather_sources<<<blocks, kThreads, 0, session.stream()>>>(sources, numbers.now, edge_count,
                                                            keys.now);
  session.launched("gather_sources");
  prepare::sort_pairs(memory, keys, numbers, edge_count, 0, vertex_bits(part.vertex_count));
  gather_edges<<<blocks, kThreads, 0, session.stream()>>>(from, numbers.now, kept, edges);
  session.launched("gather_edges");
  memory.finish(kPurpose);
}

std::uint64_t memory_of_64_bits(std::uint32_t edge_count, Vertex vertex_count) {
  using prepare::array_bytes;
  using prepare::sort_memory;
  const std::uint64_t ranks = 2 * array_bytes<std::uint64_t>(edge_count) +
                              sort_memory<std::uint64_t, std::uint32_t>(edge_count, 64);
  const std::uint64_t keys =
      2 * array_bytes<std::uint32_t>(edge_count) +
      sort_memory<std::uint32_t, std::uint32_t>(edge_count, vertex_bits(vertex_count));
  return 2 * array_bytes<std::uint32_t>(edge_count) + array_bytes<Vertex>(edge_count) +
         std::max(ranks, keys);
}

/// What lists are sorted by, beside the vertex that they belong to.
template <class EdgeType, class Weight>
struct SortKey {
  static constexpr bool kNarrow = sizeof(EdgeType) == sizeof(NarrowEdge);
  /// A rank and a vertex are more than 64 bits: two sorts.
  static constexpr bool kTwice = !kNarrow && sizeof(Weight) == 8;
  using Type = Unsigned<kNarrow ? 4 : 8>;

  static unsigned rank_bits(const RecordCode<Weight>& code) {
    return kNarrow ? code.weight_bits : 32;
  }
};

}  // namespace

unsigned vertex_bits(Vertex count) {
  unsigned bits = 1;
  while (bits < 32 && (std::uint64_t{1} << bits) <= count) ++bits;
  return bits;
}

template <class Weight, class EdgeType>
void pack_lists(Session& session, const Adjacency<Weight>& from, std::uint32_t edge_count,
                const RecordCode<Weight>& code, EdgeType* edges) {
  pack<<<blocks_for(edge_count, kThreads), kThreads, 0, session.stream()>>>(from, edge_count, code,
                                                                            edges);
  session.launched("pack");
}

template <class Weight, class EdgeType>
void pack_heads(Session& session, const Adjacency<Weight>& from, Vertex vertex_count,
                const RecordCode<Weight>& code, Heads<EdgeType>* heads) {
  pack_first<<<blocks_for(vertex_count, kThreads), kThreads, 0, session.stream()>>>(
      from, vertex_count, code, heads);
  session.launched("pack_first");
}

template <class Weight, class EdgeType>
void first_weights(Session& session, const std::uint32_t* offsets, const EdgeType* edges,
                   Vertex vertex_count, const RecordCode<Weight>& code, Weight* weights) {
  take_first<<<blocks_for(vertex_count, kThreads), kThreads, 0, session.stream()>>>(
      offsets, edges, vertex_count, code, weights);
  session.launched("take_first");
}

namespace {

/// The lists of the session's graph, in parts that are sorted one after the other.
std::vector<graph::AdjacencySlice> slices_of(const Session& session, bool in) {
  const graph::Graph& graph = session.host_graph();
  std::vector<graph::AdjacencySlice> slices;
  for (graph::Part& part : graph::parts_of_ranges(graph, session.edges_at_a_time()))
    slices.push_back(in && part.in ? std::move(*part.in) : std::move(part.out));
  return slices;
}

/// The first `kept` edges of the sorted part: all, or those that `cut` chooses.
template <class Weight, class EdgeType>
void sort_part(Session& session, const Adjacency<Weight>& from, const ListsOfPart& part,
               const Weight* cut, std::uint32_t kept, const RecordCode<Weight>& code,
               EdgeType* edges) {
  using By = SortKey<EdgeType, Weight>;
  const std::uint32_t edge_count = part.edge_count;
  if constexpr (By::kTwice) {
    sort_by_64_bits(session, from, part, cut, kept, code, edges);
  } else {
    prepare::WorkingMemory memory(session.stream());
    auto keys = prepare::take_two<typename By::Type>(memory, edge_count, kPurpose);
    auto targets = prepare::take_two<Vertex>(memory, edge_count, kPurpose);
    const unsigned blocks = blocks_for(edge_count, kEdgesPerBlock);
    make_keys<<<blocks, kThreads, 0, session.stream()>>>(from, part, cut, code, By::rank_bits(code),
                                                         keys.now, targets.now);
    session.launched("make_keys");
    prepare::sort_pairs(memory, keys, targets, edge_count, 0,
                        By::rank_bits(code) + vertex_bits(part.vertex_count));
    if constexpr (By::kNarrow)
      merge_narrow<<<blocks, kThreads, 0, session.stream()>>>(keys.now, targets.now, kept,
                                                              code.weight_bits, edges);
    else
      merge_wide<<<blocks, kThreads, 0, session.stream()>>>(keys.now, targets.now, kept,
                                                            code.downwards, edges);
    session.launched("merge");
    memory.finish(kPurpose);
  }
}

template <class EdgeType, class Weight>
std::uint64_t memory_of_part(Vertex vertex_count, std::uint64_t edge_count,
                             const RecordCode<Weight>& code) {
  using By = SortKey<EdgeType, Weight>;
  using Key = typename By::Type;
  if (edge_count == 0) return 0;
  if constexpr (By::kTwice)
    return memory_of_64_bits(edge_count, vertex_count);
  else
    return 2 * prepare::array_bytes<Key>(edge_count) +
           2 * prepare::array_bytes<Vertex>(edge_count) +
           prepare::sort_memory<Key, Vertex>(edge_count,
                                             By::rank_bits(code) + vertex_bits(vertex_count));
}

}  // namespace

namespace {

/// visit(adjacency from its first edge on, part) for the parts that are sorted one after the other.
/// `offsets`: of the whole adjacency.
template <class Weight, class Visit>
void visit_parts(const Session& session, const Adjacency<Weight>& from,
                 const std::uint32_t* offsets, bool in, const Visit& visit) {
  for (const graph::AdjacencySlice& slice : slices_of(session, in)) {
    if (slice.targets.empty()) continue;
    Adjacency<Weight> of_part = from;
    of_part.targets += slice.base;
    if (of_part.attributes != nullptr) of_part.attributes += slice.base;
    visit(of_part, static_cast<Vertex>(slice.first),
          ListsOfPart{offsets + slice.first, static_cast<Vertex>(slice.offsets.size() - 1),
                      static_cast<std::uint32_t>(slice.base),
                      static_cast<std::uint32_t>(slice.targets.size())});
  }
}

std::uint32_t read_offset(Session& session, const std::uint32_t* place) {
  std::uint32_t offset = 0;
  check(cudaMemcpyAsync(&offset, place, sizeof offset, cudaMemcpyDeviceToHost, session.stream()),
        kPurpose);
  check(cudaStreamSynchronize(session.stream()), kPurpose);
  return offset;
}

}  // namespace

template <class Weight, class EdgeType>
void sort_lists(Session& session, const Adjacency<Weight>& from, const std::uint32_t* offsets,
                bool in, const RecordCode<Weight>& code, EdgeType* edges) {
  visit_parts(session, from, offsets, in,
              [&](const Adjacency<Weight>& of_part, Vertex, const ListsOfPart& part) {
                sort_part<Weight>(session, of_part, part, nullptr, part.edge_count, code,
                                  edges + part.first_edge);
              });
}

template <class Weight, class EdgeType>
void sort_chosen(Session& session, const Adjacency<Weight>& from, bool in,
                 const std::uint32_t* offsets, const Chosen<Weight>& chosen,
                 const RecordCode<Weight>& code, EdgeType* edges) {
  visit_parts(session, from, offsets, in,
              [&](const Adjacency<Weight>& of_part, Vertex first, const ListsOfPart& part) {
                const std::uint32_t begin = read_offset(session, chosen.offsets + first);
                const std::uint32_t end =
                    read_offset(session, chosen.offsets + first + part.vertex_count);
                sort_part(session, of_part, part, chosen.cut, end - begin, code, edges + begin);
              });
}

template <class EdgeType, class Weight>
std::uint64_t sorting_memory(const Session& session, bool in, const RecordCode<Weight>& code) {
  std::uint64_t most = 0;
  for (const graph::AdjacencySlice& slice : slices_of(session, in))
    most = std::max(most, memory_of_part<EdgeType>(static_cast<Vertex>(slice.offsets.size() - 1),
                                                   slice.targets.size(), code));
  return most;
}

#define VERTIGO_LISTS(Weight, EdgeType)                                                           \
  template void first_weights(Session&, const std::uint32_t*, const EdgeType*, Vertex,            \
                              const RecordCode<Weight>&, Weight*);                                \
  template void pack_lists(Session&, const Adjacency<Weight>&, std::uint32_t,                     \
                           const RecordCode<Weight>&, EdgeType*);                                 \
  template void sort_lists(Session&, const Adjacency<Weight>&, const std::uint32_t*, bool,        \
                           const RecordCode<Weight>&, EdgeType*);                                 \
  template void sort_chosen(Session&, const Adjacency<Weight>&, bool, const std::uint32_t*,       \
                            const Chosen<Weight>&, const RecordCode<Weight>&, EdgeType*);         \
  template std::uint64_t sorting_memory<EdgeType>(const Session&, bool,                           \
                                                  const RecordCode<Weight>&);                     \
  template void pack_heads(Session&, const Adjacency<Weight>&, Vertex, const RecordCode<Weight>&, \
                           distances::Heads<EdgeType>*);
#define VERTIGO_WEIGHT(Weight)      \
  VERTIGO_LISTS(Weight, NarrowEdge) \
  VERTIGO_LISTS(Weight, WideEdge<Weight>)

VERTIGO_WEIGHT(std::int32_t)
VERTIGO_WEIGHT(std::int64_t)
VERTIGO_WEIGHT(std::uint32_t)
VERTIGO_WEIGHT(std::uint64_t)
VERTIGO_WEIGHT(float)
VERTIGO_WEIGHT(double)

#undef VERTIGO_WEIGHT
#undef VERTIGO_LISTS

}  // namespace vertigo::gpu
