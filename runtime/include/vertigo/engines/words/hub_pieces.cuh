#pragma once
// The pieces of those hubs that a step has to do with. The warps of a block share them out: hubs
// come in clusters, and a warp that kept to pieces of its own would work while others wait.

#include "vertigo/engines/words/search.cuh"

namespace vertigo::gpu::words::detail {

/// visit(piece) by a warp for each piece whose hub it concerns(). All threads of the grid call.
template <class Concerns, class Visit>
__device__ __forceinline__ void for_each_piece(const Hubs& hubs, const Concerns& concerns,
                                               const Visit& visit) {
  __shared__ HubPiece found[kThreads];
  __shared__ unsigned count;
  for (std::uint64_t base = 0; base < hubs.count; base += threads()) {
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    // Neighbouring pieces are of one hub: they go to different blocks.
    const std::uint64_t mine = base + std::uint64_t{threadIdx.x} * gridDim.x + blockIdx.x;
    HubPiece piece{};
    if (mine < hubs.count) piece = hubs.pieces[mine];
    const bool takes = mine < hubs.count && concerns(piece.hub);
    const unsigned taking = __ballot_sync(kAllLanes, takes);
    unsigned place = 0;
    if (lane() == 0 && taking != 0)
      place = atomicAdd(&count, static_cast<unsigned>(__popc(taking)));
    place = __shfl_sync(kAllLanes, place, 0) + __popc(taking & lanes_below());
    if (takes) found[place] = piece;
    __syncthreads();
    for (unsigned i = threadIdx.x / kWarp; i < count; i += kThreads / kWarp) visit(found[i]);
    __syncthreads();
  }
}

/// visit(hub) by one thread for each hub.
template <class Visit>
__device__ __forceinline__ void for_each_hub(const Hubs& hubs, const Visit& visit) {
  for (std::uint64_t i = thread(); i < hubs.count; i += threads()) {
    const HubPiece piece = hubs.pieces[i];
    if (piece.number == 0) visit(piece.hub);
  }
}

}  // namespace vertigo::gpu::words::detail
