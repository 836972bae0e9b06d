// expect: has no end|no thread can go on
// A lock that is taken twice by the same thread.
#include <cuda_runtime.h>

__global__ void twice(unsigned* lock) {
  for (int i = 0; i < 2; ++i)
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
}

int main() {
  unsigned* lock = nullptr;
  cudaMalloc(&lock, sizeof(unsigned));
  cudaMemset(lock, 0, sizeof(unsigned));
  twice<<<1, 32>>>(lock);
  cudaDeviceSynchronize();
}
