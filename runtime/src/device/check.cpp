#include "check.h"

#include <cstdio>

#include "vertigo/core/error.h"

namespace vertigo::gpu {

void check(cudaError_t code, const std::string& what) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // a failure that is not sticky must not be reported twice
  const ExitCode exit_code =
      code == cudaErrorMemoryAllocation ? ExitCode::OutOfMemory : ExitCode::DeviceUnusable;
  throw Error(exit_code, "cannot " + what + ": " + cudaGetErrorString(code) + " (" +
                             cudaGetErrorName(code) + ")");
}

cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "create an event");
  return event;
}

unsigned attribute_of_device(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "ask for the device");
  check(cudaDeviceGetAttribute(&value, attribute, device), "query the device");
  return static_cast<unsigned>(value);
}

std::string in_words(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  unsigned unit = 0;
  for (; amount >= 1024 && unit < 4; ++unit) amount /= 1024;
  char text[64];
  if (unit == 0)
    std::snprintf(text, sizeof text, "%llu bytes", static_cast<unsigned long long>(bytes));
  else
    std::snprintf(text, sizeof text, "%.1f %s (%llu bytes)", amount, kUnits[unit],
                  static_cast<unsigned long long>(bytes));
  return text;
}

}  // namespace vertigo::gpu
