#pragma once
// What a target can do before it has a graph, while the graph is read.

#include <thread>
#include <vector>

#include "vertigo/host/program.h"
#include "vertigo/trace/stage.h"

namespace vertigo::host {

/// Target::start on a thread of its own. A failure is left for the run, which meets it again and
/// tells it in its turn: after what is wrong with the graph.
class TargetStart {
 public:
  TargetStart() = default;
  ~TargetStart() { join(); }
  TargetStart(const TargetStart&) = delete;
  TargetStart& operator=(const TargetStart&) = delete;

  /// Does nothing where the target has nothing to start, or the system no thread for it.
  void begin(const Target& target, unsigned device);
  /// Waits until it is done, and adds its stage.
  void finish(std::vector<trace::Stage>& stages);

 private:
  void join() {
    if (thread_.joinable()) thread_.join();
  }

  std::vector<trace::Stage> stages_;  ///< the thread's until it is joined
  std::thread thread_;
};

}  // namespace vertigo::host
