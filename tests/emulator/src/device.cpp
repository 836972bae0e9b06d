// The CUDA runtime's calls, but for those about streams.

#include "device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace emulator {

constinit thread_local int chosen = 0;
constinit thread_local cudaError_t last_error = cudaSuccess;

namespace {

constexpr std::uint64_t kDeviceMemory = std::uint64_t{1} << 30;
constexpr int kUnwritten = 0xcd;
/// What a GPU hands out is a multiple of this.
constexpr std::uint64_t kPiece = 512;
std::uint64_t in_pieces(std::uint64_t bytes) { return (bytes + kPiece - 1) / kPiece * kPiece; }
/// More dynamic shared memory than this has to be asked for.
constexpr std::uint64_t kSharedUnasked = 48 << 10;

/// For EMULATOR_MEMORY.
void tell_memory() {
  std::fprintf(stderr, "emulator: %llu bytes of device memory at most\n",
               static_cast<unsigned long long>(device().most_taken));
}

}  // namespace

int device_count() {
  const char* const text = std::getenv("EMULATOR_DEVICES");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

Device& device() {
  static auto* const the_device = [] {
    if (std::getenv("EMULATOR_MEMORY") != nullptr) std::atexit(tell_memory);
    auto* const made = new Device;  // outlives whoever frees memory late
    for (int number = 0; number < device_count(); ++number) {
      made->streams.push_back(std::make_unique<CUstream_st>());
      made->streams.back()->device = number;
    }
    return made;
  }();
  return *the_device;
}

namespace {

/// The default stream waits for streams that were not told to go their own way.
void finish_default() {
  for (const auto& stream : device().streams)
    if (stream->device == chosen && stream->waits_for_default)
      device().finish(*stream, stream->added);
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
                              void** arguments, std::size_t bytes, cudaStream_t stream) {
  const Lock lock(device().mutex);
  const auto known = device().kernels.find(kernel);
  if (known == device().kernels.end()) return note(cudaErrorInvalidDeviceFunction);
  Launch launch{.kernel = cooperative ? "(cooperative)" : "(by address)",
                .grid = grid,
                .block = block,
                .shared_bytes = bytes,
                .cooperative = cooperative,
                .body = known->second(arguments)};
  const cudaError_t error = check_launch(launch, kernel);
  return error == cudaSuccess ? add(stream, {.launch = std::move(launch)}) : note(error);
}

}  // namespace

cudaError_t enqueue(Launch launch, cudaStream_t stream) {
  const Lock lock(device().mutex);
  const cudaError_t error = check_launch(launch, nullptr);
  return error == cudaSuccess ? add(stream, {.launch = std::move(launch)}) : note(error);
}

void remember(const void* kernel, MakeBody make_body) {
  const Lock lock(device().mutex);
  device().kernels[kernel] = std::move(make_body);
}

}  // namespace emulator

using emulator::add;
using emulator::chosen;
using emulator::device;
using emulator::Lock;
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
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
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

cudaError_t cudaGetLastError() { return std::exchange(emulator::last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return emulator::last_error; }
const char* cudaGetErrorName(cudaError_t error) { return text_of(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return text_of(error).words; }

// The device.

cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) {
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const bool none = visible != nullptr && std::strcmp(visible, "-1") == 0;
  *count = none ? 0 : emulator::device_count();
  return note(none ? cudaErrorNoDevice : cudaSuccess);
}
cudaError_t cudaGetDevice(int* number) { return *number = chosen, cudaSuccess; }
cudaError_t cudaSetDevice(int number) {
  if (number < 0 || number >= emulator::device_count()) return note(cudaErrorInvalidDevice);
  chosen = number;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (number < 0 || number >= emulator::device_count()) return note(cudaErrorInvalidDevice);
  *properties = {"CUDA emulated on the CPU", emulator::kDeviceMemory, emulator::kProcessors, 9, 0};
  if (number > 0)
    std::snprintf(properties->name, sizeof properties->name, "CUDA emulated on the CPU, number %d",
                  number);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  if (number < 0 || number >= emulator::device_count()) return note(cudaErrorInvalidDevice);
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
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int number) {
  if (number < 0 || number >= emulator::device_count()) return note(cudaErrorInvalidDevice);
  std::snprintf(text, static_cast<std::size_t>(size), "0000:%02X:00.0",
                static_cast<unsigned>(number));
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  const Lock lock(device().mutex);
  return device().catch_up(), cudaSuccess;
}

// Memory.

namespace {

/// Whether this is the allocation that is to fail: EMULATOR_FAILING, counted from 0. To be asked
/// once for each, under the device's lock.
bool fails() {
  static long left = -1;
  static const char* const text = [] {
    const char* const asked = std::getenv("EMULATOR_FAILING");
    if (asked == nullptr) return asked;
    left = std::atol(asked);
    std::atexit([] {
      if (left >= 0) std::fprintf(stderr, "emulator: no allocation failed\n");
    });
    return asked;
  }();
  return text != nullptr && left-- == 0;
}

}  // namespace

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const Lock lock(device().mutex);
  *free = emulator::kDeviceMemory - device().used[chosen];
  *total = emulator::kDeviceMemory;
  return cudaSuccess;
}
cudaError_t cudaDeviceReset() {
  const Lock lock(device().mutex);
  device().check_alive("cudaDeviceReset");
  device().catch_up();
  const std::size_t arrays = device().memory.size(), pinned = device().pinned.size();
  const std::size_t streams =
      device().streams.size() - static_cast<std::size_t>(emulator::device_count());
  if (arrays + pinned + streams != 0) {
    std::fprintf(stderr, "emulator: reset with %zu arrays, %zu pinned ones and %zu streams\n",
                 arrays, pinned, streams);
    std::abort();
  }
  device().was_reset = true;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** place, std::size_t bytes) {
  const Lock lock(device().mutex);
  device().check_alive("cudaMalloc");
  *place = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (fails() || bytes > emulator::kDeviceMemory - device().used[chosen] ||
      posix_memalign(place, 256, bytes) != 0)
    return note(cudaErrorMemoryAllocation);
  std::memset(*place, emulator::kUnwritten, bytes);
  device().memory[*place] = {bytes, chosen};
  device().used[chosen] += bytes;
  device().taken += emulator::in_pieces(bytes);
  device().most_taken = std::max(device().most_taken, device().taken);
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  const Lock lock(device().mutex);
  device().check_alive("cudaFree");
  device().catch_up();
  if (memory == nullptr) return cudaSuccess;
  const auto known = device().memory.find(memory);
  if (known == device().memory.end()) return note(cudaErrorInvalidValue);
  const auto [bytes, owner] = known->second;
  device().used[owner] -= bytes;
  device().taken -= emulator::in_pieces(bytes);
  device().memory.erase(known);
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** place, std::size_t bytes, cudaStream_t) {
  return cudaMalloc(place, bytes);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) { return cudaFree(memory); }
cudaError_t cudaMallocHost(void** place, std::size_t bytes) {
  const Lock lock(device().mutex);
  device().check_alive("cudaMallocHost");
  *place = nullptr;
  if (fails()) return note(cudaErrorMemoryAllocation);
  *place = std::malloc(bytes == 0 ? 1 : bytes);
  // Staging buffers are large, and most of theirs is never touched.
  std::memset(*place, emulator::kUnwritten, std::min<std::size_t>(bytes, 4096));
  device().pinned[static_cast<char*>(*place)] = bytes;
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** place, std::size_t bytes, unsigned) {
  return cudaMallocHost(place, bytes);
}
cudaError_t cudaHostRegister(void* place, std::size_t bytes, unsigned) {
  const Lock lock(device().mutex);
  device().check_alive("cudaHostRegister");
  if (std::getenv("EMULATOR_NO_PINNING") != nullptr) return note(cudaErrorInvalidValue);
  // Whole pages are pinned, and each once.
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(place);
  const std::pair pages(begin / kPage, (begin + bytes - 1) / kPage);
  for (const auto& [other, taken] : device().pages)
    if (pages.first <= taken.second && taken.first <= pages.second)
      return note(cudaErrorInvalidValue);
  device().pages[place] = pages;
  device().pinned[static_cast<char*>(place)] = bytes;
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* place) {
  const Lock lock(device().mutex);
  device().check_alive("cudaHostUnregister");
  device().catch_up();
  device().pinned.erase(static_cast<char*>(place));
  return device().pages.erase(place) == 1 ? cudaSuccess : note(cudaErrorInvalidValue);
}
cudaError_t cudaHostGetDevicePointer(void** place, void* pinned, unsigned) {
  const Lock lock(device().mutex);
  if (!device().is_pinned(pinned)) return note(cudaErrorInvalidValue);
  *place = pinned;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  const Lock lock(device().mutex);
  device().check_alive("cudaFreeHost");
  device().catch_up();
  device().pinned.erase(static_cast<char*>(memory));
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  const Lock lock(device().mutex);
  if (kind == cudaMemcpyHostToDevice && !device().is_pinned(from)) {
    const auto* const data = static_cast<const char*>(from);
    return add(stream, {.step = [to, kept = std::vector<char>(data, data + bytes)] {
                 std::memcpy(to, kept.data(), kept.size());
               }});
  }
  const cudaError_t error = add(stream, {.step = [=] { std::memmove(to, from, bytes); }});
  if (error != cudaSuccess || kind != cudaMemcpyDeviceToHost || device().is_pinned(to))
    return error;
  return cudaStreamSynchronize(stream);
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Lock lock(device().mutex);
  emulator::finish_default();
  cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  return cudaStreamSynchronize(nullptr);
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  const Lock lock(device().mutex);
  return add(stream, {.step = [=] { std::memset(to, value, bytes); }});
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  const Lock lock(device().mutex);
  emulator::finish_default();
  cudaMemsetAsync(to, value, bytes, nullptr);
  return cudaStreamSynchronize(nullptr);
}

// Kernels by their address.

cudaError_t cudaFuncGetName(const char** name, const void*) { return *name = "?", cudaSuccess; }
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::uint64_t>(value) > emulator::kSharedPerBlock)
    return note(cudaErrorInvalidValue);
  const Lock lock(device().mutex);
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
                             std::size_t bytes, cudaStream_t stream) {
  return emulator::launch_by_address(kernel, false, grid, block, arguments, bytes, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t bytes, cudaStream_t stream) {
  return emulator::launch_by_address(kernel, true, grid, block, arguments, bytes, stream);
}
