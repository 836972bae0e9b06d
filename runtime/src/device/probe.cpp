#include "probe.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

namespace vertigo::gpu {

namespace {

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string visible_devices() {
  const char* value = std::getenv("CUDA_VISIBLE_DEVICES");
  return value ? std::string(" (CUDA_VISIBLE_DEVICES=") + value + ")" : std::string();
}

/// CUDA reports a missing driver and one that is too old by the same code 35; only the version
/// tells them apart: it is 0 where there is none.
std::string why_no_driver() {
  int driver = 0;
  int runtime = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
    return "no NVIDIA driver is installed";
  cudaRuntimeGetVersion(&runtime);
  return "the NVIDIA driver is too old: it supports CUDA " + version(driver) +
         ", this program needs " + version(runtime);
}

/// Machine code runs on the same major version from its own minor version on; the PTX of the last
/// architecture is compiled by the driver for every later one.
bool runs_on(int capability, const std::vector<int>& architectures) {
  for (const int built : architectures)
    if (built / 100 == capability / 100 && built <= capability) return true;
  return !architectures.empty() && architectures.back() <= capability;
}

}  // namespace

std::string why_unusable(const std::vector<int>& architectures, unsigned device) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (code == cudaErrorInsufficientDriver) return why_no_driver();
  if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0))
    return "no NVIDIA GPU is visible" + visible_devices();
  if (code != cudaSuccess)
    return std::string("CUDA cannot start: ") + cudaGetErrorString(code) + " (" +
           cudaGetErrorName(code) + ")" + visible_devices();
  const auto visible = static_cast<unsigned>(count);
  if (device >= visible)
    return "there is no GPU " + std::to_string(device) + ": " +
           (visible == 1 ? "one is visible, GPU 0"
                         : std::to_string(visible) + " are visible, the last is GPU " +
                               std::to_string(visible - 1)) +
           visible_devices();

  int major = 0;
  int minor = 0;
  const int number = static_cast<int>(device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, number);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, number);
  if (runs_on(major * 100 + minor * 10, architectures)) return "";
  std::string built;
  for (const int architecture : architectures)
    built += (built.empty() ? "sm_" : ", sm_") + std::to_string(architecture / 10);
  return (device == 0 ? std::string("the GPU") : "GPU " + std::to_string(device)) + " is sm_" +
         std::to_string(major * 10 + minor) + ", this program was built for " + built;
}

void start_device(unsigned device) {
  // Some versions of CUDA make the context with the first call that needs it.
  if (cudaSetDevice(static_cast<int>(device)) == cudaSuccess) cudaFree(nullptr);
  cudaGetLastError();
}

void end_device(unsigned device) {
  if (cudaSetDevice(static_cast<int>(device)) == cudaSuccess) cudaDeviceReset();
}

std::string device_name(unsigned device) {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, static_cast<int>(device)) != cudaSuccess) {
    cudaGetLastError();
    return "unknown GPU";
  }
  char memory[32];
  std::snprintf(memory, sizeof memory, "%.1f GiB",
                static_cast<double>(properties.totalGlobalMem) / (1024.0 * 1024 * 1024));
  return std::string(properties.name) + ", " + memory;
}

}  // namespace vertigo::gpu
