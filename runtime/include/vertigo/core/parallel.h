#pragma once
// The number of threads of a parallel region, also where the code is compiled without OpenMP
// (fuzzers, tools), and a way to carry an exception out of such a region, which OpenMP itself does
// not allow.

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
