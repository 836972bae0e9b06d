// expect: deadlock in kernel|wrong value
// Kernels of two streams meet at one barrier, because nobody made them wait for each other.
#include <cuda_runtime.h>

#include <cstdio>

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

int main() {
  int count = 500;
  cudaStream_t streams[2];
  int* arrays[2][2];
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    for (int*& array : arrays[s]) cudaMalloc(&array, count * sizeof(int));
    cudaMemsetAsync(arrays[s][0], 0, count * sizeof(int), streams[s]);
    int steps = 4 + 2 * s;
    void* arguments[] = {&arrays[s][0], &arrays[s][1], &count, &steps};
    cudaLaunchCooperativeKernel(shift, dim3(2 + s), dim3(256), arguments, 0, streams[s]);
  }
  for (int s = 0; s < 2; ++s) {
    int result = 0;
    cudaStreamSynchronize(streams[s]);
    cudaMemcpy(&result, arrays[s][0], sizeof result, cudaMemcpyDeviceToHost);
    if (result != 4 + 2 * s) return std::printf("wrong value\n"), 1;
  }
  return 0;
}
