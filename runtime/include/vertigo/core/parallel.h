#pragma once
// The number of threads of a parallel region, also where the code is compiled without OpenMP
// (fuzzers, tools), a way to carry an exception out of such a region, which OpenMP itself does not
// allow, and memcpy by several threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace vertigo {

/// Threads that the next parallel region will have; honours OMP_NUM_THREADS.
inline int thread_count() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/// This thread's number inside a parallel region, 0 outside.
inline int thread_index() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

/// memcpy by up to eight threads: one core moves 10 GB/s.
inline void copy_in_parallel(void* to, const void* from, std::uint64_t bytes) {
  constexpr std::int64_t kSlice = 1 << 20;
  const auto slices = static_cast<std::int64_t>((bytes + kSlice - 1) / kSlice);
#pragma omp parallel for schedule(static) num_threads(std::min(8, thread_count())) if (slices > 1)
  for (std::int64_t slice = 0; slice < slices; ++slice) {
    const std::uint64_t begin = static_cast<std::uint64_t>(slice) * kSlice;
    std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                std::min<std::uint64_t>(kSlice, bytes - begin));
  }
}

/// Keeps the first exception of a parallel region; `rethrow` after the region.
class ExceptionCarrier {
 public:
  template <class Body>
  void run(Body&& body) noexcept {
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace vertigo
