// expect: heap-buffer-overflow(.|\n)*shared_out_of_bounds.cu
// One element too far in shared memory, by an address that is not known as an array's.
#include <cuda_runtime.h>

__global__ void beyond(int* result) {
  __shared__ int values[32];
  int* const behind = values + 1;
  behind[threadIdx.x] = 1;
  __syncthreads();
  *result = values[0];
}

int main() {
  int* result = nullptr;
  cudaMalloc(&result, sizeof(int));
  beyond<<<1, 32>>>(result);
  cudaDeviceSynchronize();
}
