// expect: local_out_of_bounds.cu:.*index 8 out of bounds
// One element too far in an array of a thread.
#include <cuda_runtime.h>

__global__ void beyond(int* result, int last) {
  int values[8] = {};
  for (int i = 0; i <= last; ++i) values[i] = i;
  *result = values[result != nullptr ? 3 : 4];
}

int main() {
  int* result = nullptr;
  cudaMalloc(&result, sizeof(int));
  beyond<<<1, 32>>>(result, 8);
  cudaDeviceSynchronize();
}
