#include "cooperative.h"

#include <algorithm>
#include <map>
#include <mutex>

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

/// On which stream each device had its last launch.
struct LastLaunches {
  std::mutex mutex;
  std::map<int, cudaStream_t> stream_of;
};

LastLaunches& last_launches() {
  static LastLaunches launches;
  return launches;
}

/// What is on `later` from now on waits for what is on `earlier`.
void put_behind(cudaStream_t later, cudaStream_t earlier) {
  cudaEvent_t passed = nullptr;
  check(cudaEventCreateWithFlags(&passed, cudaEventDisableTiming), "create an event");
  cudaError_t code = cudaEventRecord(passed, earlier);
  if (code == cudaSuccess) code = cudaStreamWaitEvent(later, passed, 0);
  cudaEventDestroy(passed);  // once the streams are done with it
  check(code, "wait for another run's kernel");
}

}  // namespace

void launch_cooperatively(const void* kernel, unsigned blocks, unsigned threads, void** arguments,
                          std::size_t shared_bytes, cudaStream_t stream) {
  int device = 0;
  check(cudaGetDevice(&device), "ask for the device");
  LastLaunches& last = last_launches();
  const std::lock_guard lock(last.mutex);
  const auto [known, is_first] = last.stream_of.try_emplace(device, stream);
  if (!is_first && known->second != stream) put_behind(stream, known->second);
  known->second = stream;
  const cudaError_t code = cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads),
                                                       arguments, shared_bytes, stream);
  if (code != cudaSuccess) check(code, "launch kernel '" + name_of(kernel) + "'");
}

void launch_cooperatively(const void* kernel, unsigned blocks, unsigned threads, void** arguments,
                          cudaStream_t stream) {
  launch_cooperatively(kernel, blocks, threads, arguments, 0, stream);
}

void forget_cooperative_launches(cudaStream_t stream) {
  LastLaunches& last = last_launches();
  const std::lock_guard lock(last.mutex);
  std::erase_if(last.stream_of, [&](const auto& entry) { return entry.second == stream; });
}

unsigned most_resident_blocks(const void* kernel, unsigned threads) {
  const auto processors = static_cast<int>(attribute_of_device(cudaDevAttrMultiProcessorCount));
  int blocks = 0;
  check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0),
      "ask how often kernel '" + name_of(kernel) + "' fits on the device");
  return static_cast<unsigned>(std::max(1, processors * blocks));
}

}  // namespace vertigo::gpu::detail
