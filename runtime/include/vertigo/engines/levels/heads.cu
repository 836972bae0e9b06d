#include "vertigo/engines/levels/prepare.cuh"

namespace vertigo::gpu::levels {

namespace {

template <class Offset>
class BestHeads {
 public:
  __device__ __forceinline__ explicit BestHeads(const Offset* offsets) : offsets_(offsets) {}

  __device__ __forceinline__ void offer(Vertex u) {
    offer(u, static_cast<std::uint32_t>(offsets_[u + 1] - offsets_[u]));
  }
  __device__ __forceinline__ void merge_warp() {
#pragma unroll
    for (unsigned step = kWarp / 2; step != 0; step /= 2) {
      const BestHeads other = *this;
      for (unsigned k = 0; k < kHeads; ++k)
        offer(__shfl_xor_sync(kAllLanes, other.heads_[k], step),
              __shfl_xor_sync(kAllLanes, other.degrees_[k], step));
    }
  }
  __device__ __forceinline__ void put(Vertex* first, Vertex* second, Vertex v) const {
    first[v] = heads_[0];
    second[v] = heads_[1];
  }

 private:
  /// Of equal degrees the smaller id, so that the order of offers does not matter.
  __device__ __forceinline__ static bool is_better(Vertex u, std::uint32_t degree, Vertex than,
                                                   std::uint32_t than_degree) {
    return degree > than_degree || (degree == than_degree && u < than);
  }
  __device__ __forceinline__ void offer(Vertex u, std::uint32_t degree) {
    if (u == heads_[0] || u == heads_[1]) return;
    if (is_better(u, degree, heads_[0], degrees_[0])) {
      heads_[1] = heads_[0];
      degrees_[1] = degrees_[0];
      heads_[0] = u;
      degrees_[0] = degree;
    } else if (is_better(u, degree, heads_[1], degrees_[1])) {
      heads_[1] = u;
      degrees_[1] = degree;
    }
  }

  const Offset* offsets_;
  Vertex heads_[kHeads] = {kNoVertex, kNoVertex};
  std::uint32_t degrees_[kHeads] = {0, 0};
};

/// One warp per 32 vertices.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    choose(const Offset* offsets, const Vertex* targets, Vertex vertex_count, Vertex* first,
           Vertex* second, std::uint32_t* unreached) {
  const unsigned words = (vertex_count + 31) / 32;
  const unsigned warps = gridDim.x * blockDim.x / kWarp;
  for (unsigned w = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp; w < words; w += warps) {
    const Vertex v = w * 32 + lane();
    const bool exists = v < vertex_count;
    const Offset begin = exists ? offsets[v] : 0;
    const Offset end = exists ? offsets[v + 1] : 0;
    const unsigned none = __ballot_sync(kAllLanes, begin == end);
    if (lane() == 0) unreached[w] = none;
    const bool is_long = end - begin >= kLongList;
    BestHeads<Offset> best(offsets);
    if (!is_long)
      for (Offset e = begin; e < end; ++e) best.offer(targets[e]);
    if (exists) best.put(first, second, v);
    for (unsigned left = __ballot_sync(kAllLanes, is_long); left != 0; left &= left - 1) {
      const unsigned owner = __ffs(left) - 1;
      const Offset last = shuffle(end, owner);
      BestHeads<Offset> shared(offsets);
      for (Offset e = shuffle(begin, owner) + lane(); e < last; e += kWarp)
        shared.offer(targets[e]);
      shared.merge_warp();
      if (lane() == 0) shared.put(first, second, w * 32 + owner);
    }
  }
}

template <class Offset>
void launch(Session& session, const Offset* in_offsets, const Vertex* in_targets, Vertex* first,
            Vertex* second, std::uint32_t* unreached) {
  choose<<<session.blocks(), kBlock, 0, session.stream()>>>(
      in_offsets, in_targets, session.vertex_count(), first, second, unreached);
  session.launched("choose_heads");
}

}  // namespace

void choose_heads(Session& session, const std::uint32_t* in_offsets, const Vertex* in_targets,
                  Vertex* first, Vertex* second, std::uint32_t* unreached) {
  launch(session, in_offsets, in_targets, first, second, unreached);
}
void choose_heads(Session& session, const std::uint64_t* in_offsets, const Vertex* in_targets,
                  Vertex* first, Vertex* second, std::uint32_t* unreached) {
  launch(session, in_offsets, in_targets, first, second, unreached);
}

}  // namespace vertigo::gpu::levels
