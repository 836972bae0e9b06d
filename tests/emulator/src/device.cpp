// The CUDA runtime's calls on a device that is this process. What CUDA does later is done later
// here, too: as late as the program can notice, when it waits for the stream. So a host that reads
// before it waits sees what was there before.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <vector>

#include "emulator.h"

struct CUevent_st {
  std::uint64_t time = 0;
};
struct CUstream_st {};

namespace emulator {

namespace {

constexpr std::uint64_t kDeviceMemory = std::uint64_t{1} << 30;
constexpr int kUnwritten = 0xcd;
/// What a GPU hands out is a multiple of this.
constexpr std::uint64_t kPiece = 512;
std::uint64_t in_pieces(std::uint64_t bytes) { return (bytes + kPiece - 1) / kPiece * kPiece; }
/// More dynamic shared memory than this has to be asked for.
constexpr std::uint64_t kSharedUnasked = 48 << 10;

struct Device {
  std::vector<std::function<void()>> pending;  ///< of all streams, in the order of the calls
  std::map<void*, std::size_t> memory;
  std::map<const char*, std::size_t> pinned;
  std::uint64_t used = 0;
  std::uint64_t most_taken = 0;  ///< at once, as a GPU counts it: in pieces of kPiece bytes
  std::uint64_t taken = 0;
  cudaError_t last_error = cudaSuccess;
  std::map<const void*, MakeBody> kernels;
  std::map<const void*, std::uint64_t> shared_allowed;

  void catch_up() {
    std::vector<std::function<void()>> due;
    due.swap(pending);
    for (const auto& action : due) action();
  }
  bool is_pinned(const void* place) const {
    const auto* const byte = static_cast<const char*>(place);
    auto after = pinned.upper_bound(byte);
    return after != pinned.begin() && byte < (--after)->first + after->second;
  }
};

/// For EMULATOR_MEMORY.
void tell_memory();

Device& device() {
  static auto* const the_device = [] {
    if (std::getenv("EMULATOR_MEMORY") != nullptr) std::atexit(tell_memory);
    return new Device;  // outlives whoever frees memory late
  }();
  return *the_device;
}

void tell_memory() {
  std::fprintf(stderr, "emulator: %llu bytes of device memory at most\n",
               static_cast<unsigned long long>(device().most_taken));
}

cudaError_t note(cudaError_t error) {
  if (error != cudaSuccess) device().last_error = error;
  return error;
}

cudaError_t check_launch(const Launch& launch, const void* kernel) {
  const std::uint64_t threads = launch.block.count();
  if (threads == 0 || threads > 1024 || launch.grid.count() == 0 || launch.grid.y > 65535 ||
      launch.grid.z > 65535)
    return cudaErrorInvalidConfiguration;
  const auto allowed = device().shared_allowed.find(kernel);
  if (launch.shared_bytes > kSharedUnasked &&
      (allowed == device().shared_allowed.end() || launch.shared_bytes > allowed->second))
    return kernel == nullptr && launch.shared_bytes <= kSharedPerBlock ? cudaSuccess
                                                                       : cudaErrorInvalidValue;
  if (launch.cooperative && launch.grid.count() > kProcessors * resident_blocks(threads))
    return cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

cudaError_t launch_by_address(const void* kernel, bool cooperative, dim3 grid, dim3 block,
                              void** arguments, std::size_t bytes) {
  const auto known = device().kernels.find(kernel);
  if (known == device().kernels.end()) return note(cudaErrorInvalidDeviceFunction);
  Launch launch{.kernel = cooperative ? "(cooperative)" : "(by address)",
                .grid = grid,
                .block = block,
                .shared_bytes = bytes,
                .cooperative = cooperative,
                .body = known->second(arguments)};
  const cudaError_t error = check_launch(launch, kernel);
  if (error == cudaSuccess)
    device().pending.push_back([launch = std::move(launch)] { run(launch); });
  return note(error);
}

}  // namespace

cudaError_t enqueue(Launch launch) {
  const cudaError_t error = check_launch(launch, nullptr);
  if (error == cudaSuccess)
    device().pending.push_back([launch = std::move(launch)] { run(launch); });
  return note(error);
}

void remember(const void* kernel, MakeBody make_body) {
  device().kernels[kernel] = std::move(make_body);
}

}  // namespace emulator

using emulator::device;
using emulator::note;

// Errors.

namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* words;
};

constexpr ErrorText kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
};

const ErrorText& text_of(cudaError_t error) {
  for (const ErrorText& text : kErrors)
    if (text.error == error) return text;
  static constexpr ErrorText kUnknown{cudaSuccess, "cudaErrorUnknown", "unknown error"};
  return kUnknown;
}

}  // namespace

cudaError_t cudaGetLastError() { return std::exchange(device().last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return device().last_error; }
const char* cudaGetErrorName(cudaError_t error) { return text_of(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return text_of(error).words; }

// The device.

cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) {
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  *count = visible == nullptr || std::strcmp(visible, "-1") != 0 ? 1 : 0;
  return note(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}
cudaError_t cudaGetDevice(int* number) { return *number = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int number) {
  return note(number == 0 ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {"CUDA emulated on the CPU", emulator::kDeviceMemory, emulator::kProcessors, 9, 0};
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return *value = 1024, cudaSuccess;
    case cudaDevAttrWarpSize:
      return *value = 32, cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      return *value = emulator::kProcessors, cudaSuccess;
    case cudaDevAttrL2CacheSize:
      return *value = 1 << 20, cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return *value = emulator::kThreadsPerProcessor, cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      return *value = 9, cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      return *value = 0, cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: {
      const char* const less = std::getenv("EMULATOR_SHARED");
      return *value =
                 less != nullptr ? std::atoi(less) : static_cast<int>(emulator::kSharedPerBlock),
             cudaSuccess;
    }
    case cudaDevAttrCooperativeLaunch:
      return *value = 1, cudaSuccess;
  }
  return note(cudaErrorInvalidValue);
}
cudaError_t cudaDeviceSynchronize() { return device().catch_up(), cudaSuccess; }

// Memory.

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = emulator::kDeviceMemory - device().used;
  *total = emulator::kDeviceMemory;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** place, std::size_t bytes) {
  *place = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > emulator::kDeviceMemory - device().used || posix_memalign(place, 256, bytes) != 0)
    return note(cudaErrorMemoryAllocation);
  std::memset(*place, emulator::kUnwritten, bytes);
  device().memory[*place] = bytes;
  device().used += bytes;
  device().taken += emulator::in_pieces(bytes);
  device().most_taken = std::max(device().most_taken, device().taken);
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  device().catch_up();
  if (memory == nullptr) return cudaSuccess;
  const auto known = device().memory.find(memory);
  if (known == device().memory.end()) return note(cudaErrorInvalidValue);
  device().used -= known->second;
  device().taken -= emulator::in_pieces(known->second);
  device().memory.erase(known);
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** place, std::size_t bytes, cudaStream_t) {
  return cudaMalloc(place, bytes);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) { return cudaFree(memory); }
cudaError_t cudaMallocHost(void** place, std::size_t bytes) {
  *place = std::malloc(bytes == 0 ? 1 : bytes);
  // Staging buffers are large, and most of theirs is never touched.
  std::memset(*place, emulator::kUnwritten, std::min<std::size_t>(bytes, 4096));
  device().pinned[static_cast<char*>(*place)] = bytes;
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** place, std::size_t bytes, unsigned) {
  return cudaMallocHost(place, bytes);
}
cudaError_t cudaFreeHost(void* memory) {
  device().catch_up();
  device().pinned.erase(static_cast<char*>(memory));
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  if (bytes == 0) return cudaSuccess;
  if (kind == cudaMemcpyHostToDevice && !device().is_pinned(from)) {
    const auto* const data = static_cast<const char*>(from);
    device().pending.push_back([to, kept = std::vector<char>(data, data + bytes)] {
      std::memcpy(to, kept.data(), kept.size());
    });
    return cudaSuccess;
  }
  device().pending.push_back([=] { std::memmove(to, from, bytes); });
  if (kind == cudaMemcpyDeviceToHost && !device().is_pinned(to)) device().catch_up();
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  return cudaDeviceSynchronize();
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) {
  if (bytes != 0) device().pending.push_back([=] { std::memset(to, value, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  cudaMemsetAsync(to, value, bytes, nullptr);
  return cudaDeviceSynchronize();
}

// Streams and events.

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return *stream = new CUstream_st, cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return cudaStreamCreate(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  device().catch_up();
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = new CUevent_st, cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return cudaEventCreate(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  device().catch_up();
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  device().pending.push_back([event] { event->time = emulator::nanoseconds(); });
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds = static_cast<float>(static_cast<double>(to->time - from->time) / 1e6);
  return cudaSuccess;
}

// Kernels by their address.

cudaError_t cudaFuncGetName(const char** name, const void*) { return *name = "?", cudaSuccess; }
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::uint64_t>(value) > emulator::kSharedPerBlock)
    return note(cudaErrorInvalidValue);
  device().shared_allowed[kernel] = static_cast<std::uint64_t>(value);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads,
                                                          std::size_t) {
  if (threads <= 0 || threads > 1024) return note(cudaErrorInvalidValue);
  *blocks = static_cast<int>(emulator::resident_blocks(static_cast<unsigned>(threads)));
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t bytes, cudaStream_t) {
  return emulator::launch_by_address(kernel, false, grid, block, arguments, bytes);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t bytes, cudaStream_t) {
  return emulator::launch_by_address(kernel, true, grid, block, arguments, bytes);
}
