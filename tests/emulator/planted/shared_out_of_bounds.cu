// expect: heap-buffer-overflow(.|\n)*shared_out_of_bounds.cu
// One element too far in shared memory.
#include <cuda_runtime.h>

__global__ void beyond(int* result) {
  __shared__ int values[32];
  values[threadIdx.x + 1] = 1;
  __syncthreads();
  *result = values[0];
}

int main() {
  int* result = nullptr;
  cudaMalloc(&result, sizeof(int));
  beyond<<<1, 32>>>(result);
  cudaDeviceSynchronize();
}
