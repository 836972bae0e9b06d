#include "vertigo/trace/stage.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace vertigo::trace {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point kBegan = Clock::now();

}  // namespace

double process_seconds() { return std::chrono::duration<double>(Clock::now() - kBegan).count(); }

std::vector<Stage> in_order(std::vector<Stage> stages) {
  std::ranges::stable_sort(stages, {}, &Stage::begin);
  std::vector<Stage> merged;
  for (Stage& stage : stages) {
    if (!merged.empty() && merged.back().name == stage.name)
      merged.back().end = std::max(merged.back().end, stage.end);
    else
      merged.push_back(std::move(stage));
  }
  return merged;
}

}  // namespace vertigo::trace
