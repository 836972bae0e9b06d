// Faults for compute-sanitizer, so that the suite knows that its checkers see: `planted race`,
// `bounds`, `unwritten` or `barrier`; `planted none` has none. `planted hang` is for the watchdog
// of debug builds.

#define VERTIGO_DEBUG
#define VERTIGO_WATCHDOG_SECONDS 2

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "vertigo/device/cooperative.cuh"

namespace {

constexpr unsigned kThreads = 64;

/// Threads of different warps write and read one word with no barrier between.
__global__ void race(int* result, bool faulty) {
  __shared__ int word[kThreads];
  word[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (!faulty) __syncthreads();
  result[threadIdx.x] = word[kThreads - 1 - threadIdx.x];
}

/// The last thread writes behind the array.
__global__ void bounds(int* result, bool faulty) { result[threadIdx.x + (faulty ? 1 : 0)] = 1; }

/// Reads what nobody wrote.
__global__ void unwritten(const int* unknown, int* result, bool faulty) {
  result[threadIdx.x] = faulty ? unknown[threadIdx.x] : 1;
}

/// Half of a warp waits at a barrier that the other half never reaches.
__global__ void barrier(int* result, bool faulty) {
  if (!faulty || threadIdx.x % 2 == 0) __syncthreads();
  result[threadIdx.x] = 1;
}

/// One block of two does not come to the barrier of all.
__global__ void hang(int* result, bool faulty) {
  if (!faulty || blockIdx.x == 0) vertigo::gpu::grid_sync();
  result[threadIdx.x] = 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const fault = argc > 1 ? argv[1] : "none";
  const auto is = [&](const char* name) { return std::strcmp(fault, name) == 0; };
  int* result = nullptr;
  int* unknown = nullptr;
  cudaMalloc(&result, kThreads * sizeof(int));
  cudaMalloc(&unknown, kThreads * sizeof(int));
  race<<<1, kThreads>>>(result, is("race"));
  bounds<<<1, kThreads>>>(result, is("bounds"));
  unwritten<<<1, kThreads>>>(unknown, result, is("unwritten"));
  barrier<<<1, kThreads>>>(result, is("barrier"));
  hang<<<2, kThreads>>>(result, is("hang"));
  const cudaError_t code = cudaDeviceSynchronize();
  std::printf("%s: %s\n", fault, cudaGetErrorString(code));
  cudaFree(unknown);
  cudaFree(result);
  return code == cudaSuccess ? 0 : 1;
}
