// expect: lanes of a warp meet in different operations
// Half a warp shuffles, the other half votes, all in the name of the whole warp.
#include <cuda_runtime.h>

__global__ void apart(int* word) {
  if (threadIdx.x % 2 == 0)
    *word = __shfl_sync(0xffffffffu, 1, 0);
  else
    *word = __any_sync(0xffffffffu, 1);
}

int main() {
  int* word = nullptr;
  cudaMalloc(&word, sizeof(int));
  apart<<<1, 32>>>(word);
  cudaDeviceSynchronize();
}
