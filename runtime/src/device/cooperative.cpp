#include <algorithm>

#include "check.h"
#include "vertigo/device/session.cuh"

namespace vertigo::gpu::detail {

namespace {

std::string name_of(const void* kernel) {
  const char* name = nullptr;
  if (cudaFuncGetName(&name, kernel) == cudaSuccess && name != nullptr) return name;
  cudaGetLastError();
  return "?";
}

}  // namespace

void launch_cooperatively(const void* kernel, unsigned blocks, unsigned threads, void** arguments,
                          cudaStream_t stream) {
  const cudaError_t code =
      cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, stream);
  if (code != cudaSuccess) check(code, "launch kernel '" + name_of(kernel) + "'");
}

unsigned most_resident_blocks(const void* kernel, unsigned threads) {
  int processors = 0;
  int blocks = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "query the device");
  check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0),
      "ask how often kernel '" + name_of(kernel) + "' fits on the device");
  return static_cast<unsigned>(std::max(1, processors * blocks));
}

}  // namespace vertigo::gpu::detail
