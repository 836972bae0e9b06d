// expect: deadlock in kernel 'missed'(.|\n)*3 threads wait at __syncthreads(.|\n)*wait for a value
// in memory Three threads wait at a barrier for others, who wait for a value that nobody writes.
#include <cuda_runtime.h>

#include "vertigo/device/intrinsics.cuh"

__global__ void missed(int* word) {
  if (threadIdx.x < 3)
    __syncthreads();
  else
    while (vertigo::gpu::load_relaxed(*word) == 0) {
    }
}

int main() {
  int* word = nullptr;
  cudaMalloc(&word, sizeof(int));
  cudaMemset(word, 0, sizeof(int));
  missed<<<2, 64>>>(word);
  cudaDeviceSynchronize();
}
