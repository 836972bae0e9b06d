#include "actions.h"
#include "vertigo/device/bitmap.cuh"

namespace vertigo::gpu {

namespace {

__global__ void clear_listed_bits(Bitmap bitmap, Worklist list) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < *list.count;
       i += stride)
    clear_bit(bitmap, list.items[i]);
}

__global__ void list_all_vertices(Worklist list, Vertex count) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::uint64_t i = first; i < count; i += stride) list.items[i] = static_cast<Vertex>(i);
  if (first == 0) *list.count = count;
}

}  // namespace

void launch_clear_listed(unsigned blocks, cudaStream_t stream, const Bitmap& bitmap,
                         const Worklist& list) {
  clear_listed_bits<<<blocks, kBlock, 0, stream>>>(bitmap, list);
}

void launch_fill(unsigned blocks, cudaStream_t stream, const Worklist& list, Vertex count) {
  list_all_vertices<<<blocks, kBlock, 0, stream>>>(list, count);
}

}  // namespace vertigo::gpu
