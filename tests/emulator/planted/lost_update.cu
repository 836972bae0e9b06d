// expect: ok lost
// A race: threads read a counter and write it back increased. Some order of threads must lose one.
#include <cuda_runtime.h>

#include <cstdio>

#include "vertigo/device/intrinsics.cuh"

using namespace vertigo::gpu;

__global__ void increase(int* counter) {
  const int before = load_relaxed(*counter);
  store_relaxed(*counter, before + 1);
}

int main() {
  int* counter = nullptr;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  increase<<<4, 256>>>(counter);
  int count = 0;
  cudaMemcpy(&count, counter, sizeof count, cudaMemcpyDeviceToHost);
  std::printf("ok %s\n", count < 4 * 256 ? "lost" : "kept");
}
