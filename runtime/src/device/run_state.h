#pragma once
// What one run of a program knows and leaves behind; the next one begins without it. Shared by the
// files of this folder only.

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "kept_records.h"
#include "vertigo/execute/controller.h"
#include "vertigo/host/program.h"

namespace vertigo::gpu::detail {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct RunState {
  host::RunResult result;
  std::map<unsigned, std::size_t> summary_of_phase;
  std::map<unsigned, execute::Controller> learnt;  ///< of phases that ran before in this run
  KeptRecords kept;
  /// The worklist whose length the host knows, and the length; null where it knows none.
  const void* known_list = nullptr;
  std::uint32_t known_length = 0;
  std::vector<Column>* seen = nullptr;  ///< where outputs go while a phase runs; null: the result
  Clock::time_point start{};
  bool running = false;
};

}  // namespace vertigo::gpu::detail
