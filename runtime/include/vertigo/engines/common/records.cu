#include "vertigo/engines/common/records.cuh"

namespace vertigo::gpu {

namespace {

__global__ void __launch_bounds__(kBlock)
    pack(const EdgeIndex* offsets, const Vertex* targets, Vertex vertices, uint4* records) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < vertices;
       v += stride) {
    const EdgeIndex begin = offsets[v];
    const EdgeIndex degree = offsets[v + 1] - begin;
    if (degree > kRecord) {
      records[v] = {kMore, static_cast<Vertex>(v), kNoVertex, kNoVertex};
      continue;
    }
    Vertex neighbours[kRecord];
#pragma unroll
    for (unsigned k = 0; k < kRecord; ++k)
      neighbours[k] = k < degree ? targets[begin + k] : kNoVertex;
    records[v] = {neighbours[0], neighbours[1], neighbours[2], neighbours[3]};
  }
}

}  // namespace

void pack_records(Session& session, const EdgeIndex* offsets, const Vertex* targets,
                  uint4* records) {
  pack<<<session.blocks(), kBlock, 0, session.stream()>>>(offsets, targets, session.vertex_count(),
                                                          records);
  session.launched("pack_records");
}

}  // namespace vertigo::gpu
