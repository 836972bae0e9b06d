#include "vertigo/core/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

#include "vertigo/core/error.h"

namespace vertigo {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t available_by_kernel() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::uint64_t kibibytes = 0;
  std::string unit;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return kUnlimited;
}

std::uint64_t read_number(const char* path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : kUnlimited;  // "max" does not parse: no limit
}

// A container sees its own group at the root, in version 2 or version 1 of control groups. What the
// group uses is not subtracted: it counts the page cache, which the kernel gives back.
std::uint64_t control_group_limit() {
  return std::min(read_number("/sys/fs/cgroup/memory.max"),
                  read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
}

std::uint64_t address_space_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  return limit.rlim_cur;
}

}  // namespace

std::uint64_t available_memory() {
  return std::min({available_by_kernel(), control_group_limit(), address_space_limit()});
}

void require_memory(std::uint64_t bytes, std::string_view purpose) {
  // Asking the kernel takes longer than reading a small graph, whose memory is there or is not.
  constexpr std::uint64_t kNotWorthAsking = std::uint64_t{1} << 20;
  if (bytes <= kNotWorthAsking) return;
  const std::uint64_t available = available_memory();
  if (bytes > available) {
    throw Error(ExitCode::OutOfMemory,
                fmt::format("{} needs {} of memory, {} is available", purpose, format_bytes(bytes),
                            format_bytes(available)));
  }
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace vertigo
