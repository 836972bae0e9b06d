#pragma once
// Values that are elsewhere when an array of them is made, and come to host memory when somebody
// first asks for one.

#include <atomic>
#include <mutex>

namespace vertigo::graph {

class Arrival {
 public:
  Arrival() = default;
  Arrival(const Arrival&) = delete;
  virtual ~Arrival() = default;

  /// Returns when the values are in place. Any number of threads may call. Throws what bring()
  /// throws, and the next call tries again.
  void await() const {
    if (!there_.load(std::memory_order_acquire)) bring_once();
  }
  bool is_there() const { return there_.load(std::memory_order_acquire); }

 protected:
  /// Puts the values in place; one thread at a time calls it, until it returns.
  virtual void bring() const = 0;

 private:
  void bring_once() const {
    const std::lock_guard lock(mutex_);
    if (there_.load(std::memory_order_relaxed)) return;
    bring();
    there_.store(true, std::memory_order_release);
  }

  mutable std::mutex mutex_;
  mutable std::atomic<bool> there_{false};
};

}  // namespace vertigo::graph
