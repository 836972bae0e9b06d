#include "device/check.h"
#include "device/prepare/working_memory.h"
#include "vertigo/engines/common/hubs.cuh"

namespace vertigo::gpu {

namespace {

/// No graph has more pieces: a hub's last one may be short, its others are full.
std::uint64_t most_pieces(std::uint64_t edges) { return 2 * edges / kHubEdges; }

__global__ void __launch_bounds__(kBlock)
    list_pieces(const EdgeIndex* offsets, Vertex vertices, HubPiece* pieces, std::uint32_t* count) {
  for (std::uint64_t v = blockIdx.x * blockDim.x + threadIdx.x; v < vertices;
       v += gridDim.x * blockDim.x) {
    const EdgeIndex edges = offsets[v + 1] - offsets[v];
    if (edges < kHubEdges) continue;
    const auto mine = static_cast<std::uint32_t>((edges + kHubEdges - 1) / kHubEdges);
    const std::uint32_t first = atomicAdd(count, mine);
    for (std::uint32_t i = 0; i < mine; ++i) pieces[first + i] = {static_cast<Vertex>(v), i};
  }
}

}  // namespace

void declare_hubs(Session& session, Hubs& hubs) {
  session.declare(hubs.pieces, most_pieces(session.edge_count()), "pieces of long lists");
  session.reserve("pieces of long lists", prepare::array_bytes<std::uint32_t>(1));
}

void prepare_hubs(Session& session, const EdgeIndex* offsets, Hubs& hubs) {
  constexpr const char* kPurpose = "count pieces of long lists";
  prepare::WorkingMemory memory(session.stream());
  auto* const count = memory.take<std::uint32_t>(1, kPurpose);
  session.clear(count, 1);
  list_pieces<<<session.blocks(), kBlock, 0, session.stream()>>>(offsets, session.vertex_count(),
                                                                 hubs.pieces, count);
  session.launched("list_pieces");
  check(cudaMemcpyAsync(&hubs.count, count, sizeof(hubs.count), cudaMemcpyDeviceToHost,
                        session.stream()),
        kPurpose);
  memory.finish(kPurpose);
}

}  // namespace vertigo::gpu
