// Measures what a GPU can do at most, for the floors of the benchmark table: copy bandwidth, random
// 4-byte gathers and atomics over several footprints, the cost of a grid-wide barrier, of a launch,
// and of the link to the host. Prints one JSON object; every figure is the median of 5 after a
// warm-up.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kTurns = 64;  // of each thread, in the random-access kernels
constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr unsigned kFootprints[] = {8, 32, 64, 128,
                                    512};  // megabytes, as the table of limits has them

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "calibrate: cannot %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// Numbers from a counter, so that no index is read from memory; scaled to [0, count).
__device__ std::uint32_t random_index(std::uint32_t& state, std::uint32_t count) {
  state = state * 1664525u + 1013904223u;
  std::uint32_t x = state;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  return __umulhi(x ^ (x >> 15), count);
}

__device__ std::uint32_t thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void copy(const uint4* from, uint4* to, std::uint64_t count) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = thread_index(); i < count; i += stride) to[i] = from[i];
}

__global__ void gather(const std::uint32_t* values, std::uint32_t count, std::uint32_t* sink) {
  std::uint32_t state = thread_index() * 0x9E3779B1u;
  std::uint32_t sum = 0;
#pragma unroll 16
  for (unsigned turn = 0; turn < kTurns; ++turn) sum += values[random_index(state, count)];
  if (sum == 0xFFFFFFFFu) *sink = sum;  // keeps the loads alive; the values are zero
}

__global__ void add_floats(float* values, std::uint32_t count) {
  std::uint32_t state = thread_index() * 0x9E3779B1u;
#pragma unroll 8
  for (unsigned turn = 0; turn < kTurns; ++turn)
    atomicAdd(&values[random_index(state, count)], 1.0F);
}

__global__ void take_minima(int* values, std::uint32_t count) {
  std::uint32_t state = thread_index() * 0x9E3779B1u;
#pragma unroll 8
  for (unsigned turn = 0; turn < kTurns; ++turn)
    atomicMin(&values[random_index(state, count)], -static_cast<int>(turn));
}

__global__ void synchronise(unsigned turns) {
  const auto grid = cooperative_groups::this_grid();
  for (unsigned turn = 0; turn < turns; ++turn) grid.sync();
}

__global__ void nothing() {}

/// Milliseconds of `body` between two events: the median of 5 after a warm-up.
template <class Body>
double milliseconds(Body&& body) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  require(cudaEventCreate(&begin), "create an event");
  require(cudaEventCreate(&end), "create an event");
  std::vector<float> times;
  for (int turn = 0; turn < 6; ++turn) {
    require(cudaEventRecord(begin), "record an event");
    body();
    require(cudaEventRecord(end), "record an event");
    require(cudaEventSynchronize(end), "run a kernel");
    float time = 0;
    require(cudaEventElapsedTime(&time, begin, end), "read an event");
    if (turn > 0) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void* allocate(std::uint64_t bytes) {
  void* memory = nullptr;
  require(cudaMalloc(&memory, bytes), "allocate device memory");
  require(cudaMemset(memory, 0, bytes), "clear device memory");
  return memory;
}

// {"8": rate, "32": rate, ...} in operations a second.
template <class Launch>
std::string rates(Launch&& launch, double operations) {
  std::string text;
  for (const unsigned footprint : kFootprints) {
    const auto count = static_cast<std::uint32_t>(footprint * kMegabyte / sizeof(std::uint32_t));
    const double time = milliseconds([&] { launch(count); });
    char entry[64];
    std::snprintf(entry, sizeof entry, "%s\"%u\": %.4g", text.empty() ? "" : ", ", footprint,
                  operations / time * 1e3);
    text += entry;
  }
  return "{" + text + "}";
}

double barrier_microseconds(unsigned blocks) {
  constexpr unsigned kMany = 1000;
  unsigned turns = kMany;
  void* arguments[] = {&turns};
  const double time = milliseconds([&] {
    require(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(synchronise), dim3(blocks),
                                        dim3(kThreads), arguments),
            "launch a cooperative kernel");
  });
  return time * 1e3 / kMany;
}

}  // namespace

int main() {
  cudaDeviceProp device{};
  require(cudaGetDeviceProperties(&device, 0), "find a GPU");
  const auto processors = static_cast<unsigned>(device.multiProcessorCount);
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 30;
  void* const first = allocate(kBytes);
  void* const second = allocate(kBytes);
  const double copy_ms = milliseconds([&] {
    copy<<<processors * 16, 512>>>(static_cast<const uint4*>(first), static_cast<uint4*>(second),
                                   kBytes / sizeof(uint4));
  });
  const unsigned blocks = processors * 64;
  const double operations = double(blocks) * kThreads * kTurns;
  const std::string gathers = rates(
      [&](std::uint32_t count) {
        gather<<<blocks, kThreads>>>(static_cast<const std::uint32_t*>(first), count,
                                     static_cast<std::uint32_t*>(second));
      },
      operations);
  const std::string additions = rates(
      [&](std::uint32_t count) {
        add_floats<<<blocks, kThreads>>>(static_cast<float*>(first), count);
      },
      operations);
  const std::string minima = rates(
      [&](std::uint32_t count) {
        take_minima<<<blocks, kThreads>>>(static_cast<int*>(second), count);
      },
      operations);
  constexpr unsigned kLaunches = 1000;
  const double launch_ms = milliseconds([&] {
    for (unsigned turn = 0; turn < kLaunches; ++turn) nothing<<<1, 32>>>();
  });
  void* pinned = nullptr;
  constexpr std::uint64_t kPinned = std::uint64_t{64} << 20;
  require(cudaMallocHost(&pinned, kPinned), "pin host memory");
  const double link_ms = milliseconds(
      [&] { require(cudaMemcpyAsync(first, pinned, kPinned, cudaMemcpyHostToDevice), "copy"); });

  std::printf(
      "{\"device\": \"%s\", \"processors\": %u, \"copy_bytes_per_second\": %.4g, "
      "\"gathers_per_second\": %s, \"float_additions_per_second\": %s, \"int_minima_per_second\": "
      "%s, "
      "\"barrier_microseconds\": {\"1\": %.3g, \"2\": %.3g, \"8\": %.3g}, \"launch_microseconds\": "
      "%.3g, "
      "\"host_to_device_bytes_per_second\": %.4g}\n",
      device.name, processors, 2.0 * kBytes / copy_ms * 1e3, gathers.c_str(), additions.c_str(),
      minima.c_str(), barrier_microseconds(processors), barrier_microseconds(2 * processors),
      barrier_microseconds(8 * processors), launch_ms * 1e3 / kLaunches, kPinned / link_ms * 1e3);
  return 0;
}
