#pragma once
// What one run of a program knows and leaves behind; the next one begins without it. Shared by the
// files of this folder only.

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "kept_records.h"
#include "vertigo/execute/controller.h"
#include "vertigo/host/program.h"
#include "vertigo/trace/stage.h"

namespace vertigo::gpu::detail {

/// `begin`: of trace::process_seconds().
inline double seconds_since(double begin) { return trace::process_seconds() - begin; }

struct RunState {
  host::RunResult result;
  /// Seconds since `begin`, which the result gets as a stage.
  double spent(const char* stage, double begin) {
    result.timing.stages.push_back({stage, begin, trace::process_seconds()});
    return result.timing.stages.back().end - begin;
  }
  std::map<unsigned, std::size_t> summary_of_phase;
  std::map<unsigned, std::uint64_t> active_in_step;  ///< by phase: of its last one
  std::map<unsigned, execute::Controller> learnt;    ///< of phases that ran before in this run
  /// Of phases in loops that might have run in one launch: why they did not.
  std::map<unsigned, std::string_view> reason_of_rounds;
  KeptRecords kept;
  /// The worklist whose length the host knows, and the length; null where it knows none.
  const void* known_list = nullptr;
  std::uint32_t known_length = 0;
  std::vector<Column>* seen = nullptr;  ///< where outputs go while a phase runs; null: the result
  double start = 0;                     ///< trace::process_seconds()
  bool running = false;
};

}  // namespace vertigo::gpu::detail
