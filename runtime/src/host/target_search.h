#pragma once
// Which target runs, found out and made ready while the graph is read. The first call of a process
// to CUDA and the making of a context take a third of a second together.

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <thread>
#include <vector>

#include "host/target_choice.h"
#include "vertigo/trace/stage.h"

namespace vertigo::host {

class TargetSearch {
 public:
  enum class Where : std::uint8_t { Here, Aside };

  TargetSearch() = default;
  ~TargetSearch() { join(); }
  TargetSearch(const TargetSearch&) = delete;
  TargetSearch& operator=(const TargetSearch&) = delete;

  /// Chooses by `choose`: here, so that what it throws is thrown, or on a thread of its own, where
  /// the system has one. Then calls Target::start for the device there. What fails in that is left
  /// for the run, which meets it again and tells it.
  void begin(std::function<TargetChoice()> choose, unsigned device, Where where);
  /// Whether choosing is known to have failed, so that nothing else needs to be done.
  bool has_failed() const { return failed_; }
  /// Waits for the choice; throws what choosing threw.
  TargetChoice choice();
  /// Waits for the choice and until its target is started.
  TargetChoice started() {
    const TargetChoice chosen = choice();
    join();
    return chosen;
  }
  /// Waits until the target is started, and adds what was done aside to `stages`.
  void finish(std::vector<trace::Stage>& stages);

 private:
  void start(const TargetChoice& choice, unsigned device);
  void join() {
    if (thread_.joinable()) thread_.join();
  }

  std::vector<trace::Stage> stages_;  ///< the thread's until it is joined
  std::atomic<bool> failed_{false};
  std::promise<TargetChoice> promise_;
  std::shared_future<TargetChoice> choice_;
  std::thread thread_;
};

}  // namespace vertigo::host
