#pragma once
// What `kernel<<<blocks, threads, bytes, stream>>>(arguments...)` becomes.

#include <tuple>
#include <utility>

#include "cuda_runtime_api.h"
#include "emulator/memory.h"

namespace emulator {

struct Configuration {
  Index grid;
  Index block;
  std::uint64_t shared_bytes = 0;
  cudaStream_t stream = nullptr;

  Configuration(Index blocks, Index threads, std::uint64_t bytes = 0, cudaStream_t on = nullptr)
      : grid(blocks), block(threads), shared_bytes(bytes), stream(on) {}
};

/// Puts the launch into the stream, or notes the error for cudaGetLastError().
cudaError_t enqueue(Launch launch, cudaStream_t stream);

template <class Kernel, class... Arguments>
void launch(const char* name, const Configuration& how, const Kernel& kernel,
            const Arguments&... arguments) {
  enqueue({.kernel = name,
           .grid = how.grid,
           .block = how.block,
           .shared_bytes = how.shared_bytes,
           .cooperative = false,
           .body = [kernel,
                    kept = std::tuple<Arguments...>(arguments...)] { std::apply(kernel, kept); }},
          how.stream);
}

/// Makes a body from the places of a kernel's parameters.
using MakeBody = std::function<std::function<void()>(void** places)>;
void remember(const void* kernel, MakeBody make_body);

/// The address of a kernel as CUDA's calls take it, which know it by nothing else.
template <class... Parameters>
const void* kernel_address(void (*kernel)(Parameters...)) {
  const auto* const address = reinterpret_cast<const void*>(kernel);
  remember(address, [kernel](void** places) -> std::function<void()> {
    return [&]<std::size_t... i>(std::index_sequence<i...>) -> std::function<void()> {
      return [kernel, kept = std::tuple<Parameters...>(*static_cast<Parameters*>(places[i])...)] {
        std::apply(kernel, kept);
      };
    }(std::index_sequence_for<Parameters...>());
  });
  return address;
}
template <class T>
const void* kernel_address(T address) {
  return reinterpret_cast<const void*>(address);
}

}  // namespace emulator

// The calls that take a kernel as it is.

template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t bytes = 0,
                                        cudaStream_t stream = nullptr) {
  return cudaLaunchCooperativeKernel(emulator::kernel_address(kernel), grid, block, arguments,
                                     bytes, stream);
}
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t bytes = 0, cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(emulator::kernel_address(kernel), grid, block, arguments, bytes, stream);
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                          void (*kernel)(Parameters...),
                                                          int threads, std::size_t bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, emulator::kernel_address(kernel),
                                                       threads, bytes);
}
template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute,
                                 int value) {
  return cudaFuncSetAttribute(emulator::kernel_address(kernel), attribute, value);
}
template <class T>
cudaError_t cudaMalloc(T** place, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(place), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T** place, std::size_t bytes) {
  return cudaMallocHost(reinterpret_cast<void**>(place), bytes);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes,
                               std::size_t offset = 0) {
  return cudaMemcpy(reinterpret_cast<char*>(&symbol) + offset, from, bytes, cudaMemcpyHostToDevice);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0) {
  return cudaMemcpy(to, reinterpret_cast<const char*>(&symbol) + offset, bytes,
                    cudaMemcpyDeviceToHost);
}
