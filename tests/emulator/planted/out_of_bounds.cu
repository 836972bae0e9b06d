// expect: heap-buffer-overflow(.|\n)*out_of_bounds.cu
// The last thread writes one element too far.
#include <cuda_runtime.h>

__global__ void beyond(int* values, int count) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i <= count) values[i] = i;
}

int main() {
  int* values = nullptr;
  cudaMalloc(&values, 100 * sizeof(int));
  beyond<<<1, 128>>>(values, 100);
  cudaDeviceSynchronize();
}
