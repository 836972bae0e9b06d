// Classes of vertices by the lengths of their lists.

#include <algorithm>

#include "device/check.h"
#include "vertigo/device/vertices.cuh"
#include "vertigo/device/worklist.cuh"
#include "vertigo/engines/elections/lists.cuh"

namespace vertigo::gpu::elections {

namespace {

constexpr const char* kPurpose = "sort vertices by the lengths of their lists";

unsigned blocks_for(std::uint64_t count) {
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>((count + kBlock - 1) / kBlock, 1, 1u << 16));
}

/// Counts the classes; where `kFills`, `sizes` says where each goes on, and its members go there.
template <class K, bool kFills>
__global__ void __launch_bounds__(kBlock) classify(const Poll<K> poll) {
  for (std::uint64_t base = gpu::detail::block_start(); base < poll.vertex_count;
       base += gpu::detail::grid_stride()) {
    const std::uint64_t i = base + threadIdx.x;
    const auto v = static_cast<Vertex>(i);
    const unsigned mine = i < poll.vertex_count ? class_of<K>(list_of(poll, v).length) : kClasses;
    const unsigned same = gpu::detail::lanes_with(mine);
    const unsigned leader = __ffs(same) - 1;
    std::uint32_t place = 0;
    if (mine < kClasses && lane() == leader) place = atomicAdd(poll.sizes + mine, __popc(same));
    place = shuffle(place, leader);
    if (kFills && mine < kClasses) poll.members[place + __popc(same & lanes_below())] = v;
  }
}

/// Whether two places of an ascending list hold the same vertex. Where two neighbouring places of
/// the array do, the second may begin another list.
__global__ void __launch_bounds__(kBlock) find_repeats(const Lists lists, const Vertex vertices,
                                                       const EdgeIndex edges, const Flag repeats) {
  for (EdgeIndex e = gpu::detail::block_start() + threadIdx.x; e + 1 < edges;
       e += gpu::detail::grid_stride()) {
    if (lists.targets[e] != lists.targets[e + 1]) continue;
    // The first list that begins behind `e`.
    Vertex first = 0, end = vertices;
    while (first < end) {
      const Vertex middle = first + (end - first) / 2;
      if (lists.offsets[middle] <= e)
        first = middle + 1;
      else
        end = middle;
    }
    if (lists.offsets[first] != e + 1) raise(repeats);
  }
}

template <class T>
T read(Session& session, const T* place) {
  T value;
  check(cudaMemcpyAsync(&value, place, sizeof value, cudaMemcpyDeviceToHost, session.stream()),
        kPurpose);
  check(cudaStreamSynchronize(session.stream()), kPurpose);
  return value;
}

struct Sizes {
  std::uint32_t of[kClasses];
};

}  // namespace

template <class K>
void declare_poll(Session& session, Poll<K>& poll, Along along) {
  poll.vertex_count = session.vertex_count();
  session.declare(poll.votes, "elections (votes)");
  session.declare(poll.winners, "elections (winners)");
  session.declare(poll.elected, "elections (elected)");
  session.declare(poll.changed, "elections (changed)");
  session.declare(poll.asked, "elections (asked)");
  session.declare(poll.members, "elections (vertices by their lists)");
  session.declare(poll.sizes, kClasses, "elections (classes)");
  session.declare(poll.changed_edges, "elections (edges of the changed)");
  session.declare(poll.disordered, "elections (order)");
  session.declare(poll.repeats, "elections (repeats)");
  poll.ballots.along = along;
  poll.ballots.once = along == Along::Both;
  poll.ballots.declare(session, "elections (votes of hubs)");
}

template <class K>
void prepare_poll(Session& session, Poll<K>& poll) {
  const Vertex vertices = poll.vertex_count;
  if (vertices == 0) return;
  const Stream stream = session.stream();
  session.clear(poll.winners, vertices);
  session.clear(poll.elected, vertices);
  session.clear(poll.sizes, kClasses);
  session.clear(poll.repeats);
  classify<K, false><<<blocks_for(vertices), kBlock, 0, stream>>>(poll);
  session.launched("classify");
  if (poll.second.offsets == nullptr) {
    find_repeats<<<blocks_for(poll.edge_count), kBlock, 0, stream>>>(poll.first, vertices,
                                                                     poll.edge_count, poll.repeats);
    session.launched("find_repeats");
  }
  const auto sizes = read(session, reinterpret_cast<const Sizes*>(poll.sizes));
  poll.is_simple = poll.second.offsets == nullptr && read(session, poll.repeats.word) == 0;
  for (unsigned each = 0; each < kClasses; ++each)
    poll.class_begin[each + 1] = poll.class_begin[each] + sizes.of[each];
  session.upload(poll.sizes, poll.class_begin, kClasses);
  classify<K, true><<<blocks_for(vertices), kBlock, 0, stream>>>(poll);
  session.launched("classify");
}

#define VERTIGO_POLL(K)                                  \
  template void declare_poll(Session&, Poll<K>&, Along); \
  template void prepare_poll(Session&, Poll<K>&);
VERTIGO_POLL(std::uint32_t)
VERTIGO_POLL(std::uint64_t)
#undef VERTIGO_POLL

}  // namespace vertigo::gpu::elections
