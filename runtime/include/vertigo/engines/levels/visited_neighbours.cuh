#pragma once
// What a pull of the wide search asks: which vertices have an in-neighbour that was visited, and
// that sends to them.

#include "vertigo/engines/levels/task.cuh"
#include "vertigo/engines/levels/wide_buffers.cuh"

namespace vertigo::gpu::levels {

template <class Offset, class Condition>
class VisitedNeighbours {
  static constexpr unsigned kBatch = kAtOnce<Offset>;

 public:
  /// `before`: bits of the visited vertices. `looked_at`: counts edges, of this thread.
  __device__ __forceinline__ VisitedNeighbours(const WideGraph<Offset, Condition>& graph,
                                               const std::uint32_t* before, Offset& looked_at)
      : graph_(graph), before_(before), looked_at_(looked_at) {}

  /// Whether in-neighbours of the vertices that ask were visited; the whole warp calls it.
  __device__ __forceinline__ void find(const Vertex (&v)[kBatch], const bool (&asks)[kBatch],
                                       bool (&hits)[kBatch]) {
    if constexpr (Condition::kReadsEdge) {
      // Which edge leads to a head is not known.
#pragma unroll
      for (unsigned k = 0; k < kBatch; ++k) {
        hits[k] = false;
        search_list(v[k], asks[k], hits[k]);
      }
      return;
    }
    Vertex head[kBatch];
#pragma unroll
    for (unsigned k = 0; k < kBatch; ++k) head[k] = asks[k] ? graph_.heads[0][v[k]] : kNoVertex;
    bool missed = false;
#pragma unroll
    for (unsigned k = 0; k < kBatch; ++k) {
      hits[k] = asks[k] && is_sender(head[k], v[k], 0);
      looked_at_ += asks[k];
      missed |= asks[k] && !hits[k];
    }
    if (!__any_sync(kAllLanes, missed)) return;
#pragma unroll
    for (unsigned k = 0; k < kBatch; ++k)
      head[k] = asks[k] && !hits[k] ? graph_.heads[1][v[k]] : kNoVertex;
#pragma unroll
    for (unsigned k = 0; k < kBatch; ++k) {
      const bool looks = head[k] != kNoVertex;
      if (looks) hits[k] = is_sender(head[k], v[k], 0);
      looked_at_ += looks;
      search_list(v[k], looks && !hits[k], hits[k]);
    }
  }

 private:
  __device__ __forceinline__ bool is_visited(Vertex v) const {
    return before_[v / 32] >> (v % 32) & 1;
  }
  /// Whether u was visited and sends along the edge at place `edge` of v's list.
  __device__ __forceinline__ bool is_sender(Vertex u, Vertex v, Offset edge) const {
    return is_visited(u) && graph_.condition.passes_back(u, v, edge);
  }

  /// The whole list of a vertex whose heads were not visited; the whole warp calls it.
  __device__ __forceinline__ void search_list(Vertex v, bool asks, bool& hit) {
    constexpr unsigned kAlone = 16;  // edges that a lane looks at before the warp helps
    if (!__any_sync(kAllLanes, asks)) return;
    Offset at = 0;
    Offset end = 0;
    if (asks) {
      at = graph_.in_offsets[v];
      end = graph_.in_offsets[v + 1];
      if (!Condition::kReadsEdge && end - at <= kHeads) end = at;
      for (unsigned turn = 0; turn < kAlone / 4 && at < end && !hit; ++turn, at += 4) {
        looked_at_ += end - at < 4 ? end - at : 4;
#pragma unroll
        for (unsigned k = 0; k < 4; ++k)
          if (at + k < end) hit |= is_sender(graph_.in_targets[at + k], v, at + k);
      }
    }
    for (unsigned left = __ballot_sync(kAllLanes, asks && !hit && at < end); left != 0;
         left &= left - 1) {
      const unsigned owner = __ffs(left) - 1;
      const bool found =
          search_list_by_warp(shuffle(v, owner), shuffle(at, owner), shuffle(end, owner));
      if (lane() == owner) hit = found;
    }
  }

  __device__ __forceinline__ bool search_list_by_warp(Vertex v, Offset begin, Offset end) {
    for (Offset first = begin; first < end; first += 2 * kWarp) {
      const Offset at = first + lane();
      bool hit = at < end && is_sender(graph_.in_targets[at], v, at);
      hit |= at + kWarp < end && is_sender(graph_.in_targets[at + kWarp], v, at + kWarp);
      if (lane() == 0) looked_at_ += end - first < 2 * kWarp ? end - first : 2 * kWarp;
      if (__any_sync(kAllLanes, hit)) return true;
    }
    return false;
  }

  const WideGraph<Offset, Condition>& graph_;
  const std::uint32_t* before_;
  Offset& looked_at_;
};

}  // namespace vertigo::gpu::levels
