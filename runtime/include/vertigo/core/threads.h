#pragma once
// How many threads a run gets. OpenMP ends the process where it cannot start one; limits on
// processes (ulimit -u, containers) and on memory are common, so what can be started is found out
// before OpenMP tries.

#ifdef _OPENMP
#include <omp.h>
#endif

namespace vertigo {

/// Threads beside this one that the system starts at the same time, at most `wanted`. All have
/// ended when it returns.
int startable_threads(int wanted);

/// Lets parallel regions that this thread begins have `wanted` threads (0: OMP_NUM_THREADS, else
/// one per core), or as many as can be started. Returns how many are missing.
inline int start_threads([[maybe_unused]] int wanted) {
#ifdef _OPENMP
  if (wanted > 0) omp_set_num_threads(wanted);
  const int most = omp_get_max_threads();
  const int had = 1 + startable_threads(most - 1);
  omp_set_num_threads(had);
// OpenMP keeps the threads of a region for the next.
#pragma omp parallel
  {
  }
  return most - had;
#else
  return 0;
#endif
}

}  // namespace vertigo
