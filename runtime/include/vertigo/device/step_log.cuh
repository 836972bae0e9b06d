#pragma once
// What a loop that runs on the device leaves behind: totals for the summary and, where a trace was
// asked for, one record per step. Written by one thread between steps, read by the host when the
// loop is over.

#include <cstdint>

namespace vertigo::gpu {

struct StepRecord {
  std::uint64_t begin_ns;  ///< of the device's global timer
  std::uint64_t end_ns;
  std::uint64_t active_vertices;
  std::uint64_t edges;      ///< visited
  std::uint64_t out_edges;  ///< of the active vertices; 0: not counted
  std::uint64_t in_edges;   ///< of the vertices that are still to be reached; 0: not counted
  std::uint32_t mode;       ///< which of the names that the host knows
  float predicted_ns;       ///< what the controller expected; 0: it expected nothing
  std::uint64_t deferred;   ///< active vertices below the threshold
  float threshold;          ///< 0: there was none
  std::uint32_t reserved;
};

enum class LoopEnd : std::uint32_t {
  Done,
  StepLimit,     ///< a limit of steps ended the loop; something was left to do
  NoFixedPoint,  ///< more rounds than there is work for
};

struct LoopTotals {
  std::uint64_t steps;
  std::uint64_t active_vertices;
  std::uint64_t edges;
  std::uint32_t modes;  ///< bit i: mode i was used
  LoopEnd end;
};

/// Declared with Session::declare; zero when the phase begins.
struct StepLog {
  LoopTotals* totals = nullptr;
  StepRecord* records = nullptr;  ///< null: no trace was asked for
  std::uint32_t capacity = 0;     ///< later steps are counted, not recorded
};

#ifdef __CUDACC__
/// By one thread, once per step; `step` counts from 0.
__device__ __forceinline__ void record(const StepLog& log, std::uint64_t step,
                                       const StepRecord& record) {
  log.totals->steps = step + 1;
  log.totals->active_vertices += record.active_vertices;
  log.totals->edges += record.edges;
  log.totals->modes |= 1u << record.mode;
  if (log.records != nullptr && step < log.capacity) log.records[step] = record;
}
#endif

}  // namespace vertigo::gpu
