#pragma once
// What a process did when. Stages overlap where threads work on several at once.

#include <string>
#include <vector>

namespace vertigo::trace {

/// Seconds since the process began; more exactly, since the objects were made that exist before
/// main() does.
double process_seconds();

struct Stage {
  std::string name;
  double begin = 0;  ///< process_seconds()
  double end = 0;
};

/// A stage from here to the end of the scope. The list must stay where it is until then, and be
/// this thread's alone; it may grow.
class StageScope {
 public:
  StageScope(std::vector<Stage>& stages, std::string name)
      : stages_(stages), place_(stages.size()) {
    const double now = process_seconds();
    stages_.push_back({std::move(name), now, now});
  }
  ~StageScope() { stages_[place_].end = process_seconds(); }
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  std::vector<Stage>& stages_;
  std::size_t place_;
};

/// By their beginnings. Stages of one name that follow each other, as the runs of --runs do, become
/// one.
std::vector<Stage> in_order(std::vector<Stage> stages);

}  // namespace vertigo::trace
