// expect: more local memory than
// An array of a thread that no thread has room for.
#include <cuda_runtime.h>

__global__ void large(int* result) {
  volatile int values[4500];
  for (int i = 0; i < 4500; ++i) values[i] = i;
  *result = values[*result & 7];
}

int main() {
  int* result = nullptr;
  cudaMalloc(&result, sizeof(int));
  cudaMemset(result, 0, sizeof(int));
  large<<<1, 32>>>(result);
  cudaDeviceSynchronize();
}
