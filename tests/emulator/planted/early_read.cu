// expect: ok too early
// The host reads a pinned word before it waits for the kernel that writes it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void write(int* word) { *word = 7; }

int main() {
  int* word = nullptr;
  int* pinned = nullptr;
  cudaMalloc(&word, sizeof(int));
  cudaMallocHost(&pinned, sizeof(int));
  write<<<1, 1>>>(word);
  cudaMemcpyAsync(pinned, word, sizeof(int), cudaMemcpyDeviceToHost);
  const bool too_early = *pinned != 7;
  cudaDeviceSynchronize();
  std::printf("ok %s\n", too_early && *pinned == 7 ? "too early" : "unnoticed");
}
