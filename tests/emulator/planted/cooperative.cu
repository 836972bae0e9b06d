// expect: ok 8 blocks
// No fault: a barrier over the grid, shared memory of both kinds, warps, a launch that is too
// large.
#include <cuda_runtime.h>

#include <cstdio>
#include <exception>

#include "vertigo/device/cooperative.cuh"

using namespace vertigo::gpu;

__global__ void __launch_bounds__(256) shift(int* from, int* to, int count, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(count);
         i += gridDim.x * blockDim.x)
      to[i] = from[(i + 1) % count] + 1;
    grid_sync();
    int* const kept = from;
    from = to;
    to = kept;
  }
}

template <unsigned kSize>
__global__ void sums(const int* values, int* result) {
  __shared__ int partial[kSize / kWarp], extra;
  extern __shared__ int copies[];
  int sum = values[threadIdx.x];
  copies[threadIdx.x] = sum;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(kAllLanes, sum, distance);
  if (lane() == 0) partial[threadIdx.x / kWarp] = sum;
  if (threadIdx.x == 0) extra = 5;
  __syncthreads();
  if (threadIdx.x != 0) return;
  result[0] = extra;
  result[1] = 0;
  for (const int each : partial) result[0] += each;
  for (unsigned i = 0; i < kSize; ++i) result[1] += copies[i];
}

int main() {
  constexpr int kCount = 1000;
  constexpr unsigned kThreads = 128;
  int* a = nullptr;
  int* b = nullptr;
  cudaMalloc(&a, kCount * sizeof(int));
  cudaMalloc(&b, kCount * sizeof(int));
  cudaMemset(a, 0, kCount * sizeof(int));
  const unsigned blocks = most_resident_blocks(shift, 256);
  launch_cooperative(shift, blocks, 256, nullptr, a, b, kCount, 7);
  sums<kThreads><<<1, kThreads, kThreads * sizeof(int)>>>(b, a);
  int result[2];
  cudaMemcpy(result, a, sizeof result, cudaMemcpyDeviceToHost);
  if (result[0] != 7 * int(kThreads) + 5 || result[1] != 7 * int(kThreads)) return 1;
  try {
    launch_cooperative(shift, blocks + 1, 256, nullptr, a, b, kCount, 7);
    return 1;
  } catch (const std::exception&) {
    std::printf("ok %u blocks\n", blocks);
  }
  return 0;
}
