// expect: ok 2 streams
// No fault: kernels of two streams run at the same time, but those whose blocks wait for each
// other.
#include <cuda_runtime.h>

#include <cstdio>

#include "vertigo/device/cooperative.cuh"

using namespace vertigo::gpu;

/// Each step reads what other blocks wrote in the step before.
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

/// Ends once the other kernel has written what this one waits for.
__global__ void meet(int* mine, const int* other) {
  atomicExch(mine, 1);
  while (load_relaxed(*other) == 0) {
  }
}

int main() {
  constexpr int kCount = 500;
  cudaStream_t streams[2];
  int* arrays[2][2];
  int* met = nullptr;
  cudaMalloc(&met, 2 * sizeof(int));
  cudaMemset(met, 0, 2 * sizeof(int));
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    for (int*& array : arrays[s]) cudaMalloc(&array, kCount * sizeof(int));
    cudaMemsetAsync(arrays[s][0], 0, kCount * sizeof(int), streams[s]);
  }
  for (int s = 0; s < 2; ++s) meet<<<1, 1, 0, streams[s]>>>(met + s, met + 1 - s);
  // Another number of blocks and steps each: they could not share a barrier.
  for (int round = 0; round < 3; ++round)
    for (int s = 0; s < 2; ++s)
      launch_cooperative(shift, 2 + s, 256, streams[s], arrays[s][0], arrays[s][1], kCount,
                         4 + 2 * s);
  for (int s = 0; s < 2; ++s) {
    int result = 0;
    cudaStreamSynchronize(streams[1 - s]);
    cudaStreamSynchronize(streams[s]);
    cudaMemcpy(&result, arrays[s][0], sizeof result, cudaMemcpyDeviceToHost);
    if (result != 3 * (4 + 2 * s)) return 1;
  }
  std::printf("ok 2 streams\n");
  return 0;
}
