#include "link.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>

#include "../check.h"
#include "active.h"
#include "vertigo/core/parallel.h"

namespace vertigo::gpu::hybrid {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kPiece = 32u << 20;  // as partitions are long
constexpr std::uint64_t kStart = 4u << 10;
constexpr std::uint64_t kRead = 8u << 20;
constexpr std::uint64_t kGather = 8u << 20;
constexpr int kTimes = 3;

/// Seconds of the fastest of some times; `act` ends with what it started.
template <class Act>
double fastest(const Act& act) {
  double least = 1e9;
  for (int i = 0; i < kTimes; ++i) {
    const auto begin = Clock::now();
    act();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return std::max(least, 1e-9);
}

std::uint64_t largest_piece(const Trial& trial) {
  return std::min({kPiece, trial.host_bytes, trial.device_bytes});
}

/// The machine with the calling thread's device. What CUDA does not tell is left empty.
execute::Machine machine() {
  execute::Machine machine;
  int device = 0;
  cudaDeviceProp properties{};
  char bus[32] = {};
  if (cudaGetDevice(&device) == cudaSuccess) {
    if (cudaGetDeviceProperties(&properties, device) == cudaSuccess)
      machine.device = properties.name;
    if (cudaDeviceGetPCIBusId(bus, sizeof bus, device) == cudaSuccess) machine.bus = bus;
  }
  cudaDriverGetVersion(&machine.driver);
  cudaRuntimeGetVersion(&machine.runtime);
  cudaGetLastError();
  machine.threads = thread_count();
  return machine;
}

class Measurement {
 public:
  Measurement(const Trial& trial, unsigned blocks, cudaStream_t stream)
      : trial_(trial), blocks_(blocks), stream_(stream) {}

  double copy(std::uint64_t bytes) const {
    return fastest([&] {
      check(cudaMemcpyAsync(trial_.device, trial_.host, bytes, cudaMemcpyHostToDevice, stream_),
            "measure the link");
      wait();
    });
  }

  /// Bytes a second of kernels that read lists of `list` bytes.
  double read(std::uint32_t list) const {
    const auto lists = static_cast<std::uint32_t>(std::min(kRead, trial_.host_bytes) / list);
    if (lists == 0) return 0;
    const double seconds = fastest([&] {
      launch_read(blocks_, stream_, trial_.on_device, trial_.host_bytes / kLineBytes, lists, list,
                  static_cast<std::uint32_t*>(trial_.device));
      wait();
    });
    return lists * static_cast<double>(list) / seconds;
  }

  /// Of all cores that gather lists of `list` bytes.
  double gather(std::uint64_t list) const {
    const std::uint64_t bytes = std::min({kGather, trial_.host_bytes, trial_.pinned_bytes});
    const auto lists = static_cast<std::int64_t>(bytes / list);
    if (lists == 0) return 0;
    const std::uint64_t places = trial_.host_bytes / list;
    const double seconds = fastest([&] {
#pragma omp parallel for schedule(static)
      for (std::int64_t i = 0; i < lists; ++i) {
        const auto at = static_cast<std::uint64_t>(i);
        std::memcpy(static_cast<std::byte*>(trial_.pinned) + at * list,
                    static_cast<const std::byte*>(trial_.host) + scattered(at, places) * list,
                    list);
      }
    });
    return static_cast<double>(lists) * static_cast<double>(list) / seconds;
  }

 private:
  void wait() const { check(cudaStreamSynchronize(stream_), "measure the link"); }

  const Trial& trial_;
  unsigned blocks_;
  cudaStream_t stream_;
};

}  // namespace

LinkRates measure_link(const Trial& trial, unsigned blocks, cudaStream_t stream) {
  const auto begin = Clock::now();
  const Measurement measurement(trial, blocks, stream);
  LinkRates rates;
  const std::uint64_t piece = largest_piece(trial);
  const std::uint64_t start = std::min(kStart, piece / 2);
  const double seconds = measurement.copy(piece);
  const double seconds_of_start = measurement.copy(start);
  rates.copy = static_cast<double>(piece - start) / std::max(seconds - seconds_of_start, 1e-9);
  rates.copy_start = seconds_of_start;
  rates.read_short = measurement.read(kLineBytes);
  rates.read_long = measurement.read(4096);
  rates.gather_short = measurement.gather(64);
  rates.gather_long = measurement.gather(1024);
  // Too little to measure: nothing can be wrong by much.
  for (double* const rate :
       {&rates.copy, &rates.read_short, &rates.read_long, &rates.gather_short, &rates.gather_long})
    if (*rate <= 0) *rate = 1e9;
  rates.piece = piece;
  rates.measured = std::time(nullptr);
  rates.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return rates;
}

LinkRates link_rates(const Trial& trial, unsigned blocks, cudaStream_t stream,
                     const std::string& folder) {
  if (folder.empty()) return measure_link(trial, blocks, stream);
  const std::string key = execute::key_of(machine());
  if (const auto kept = execute::find_rates(folder, key, largest_piece(trial))) return *kept;
  const LinkRates rates = measure_link(trial, blocks, stream);
  execute::keep_rates(folder, key, rates);
  return rates;
}

}  // namespace vertigo::gpu::hybrid
