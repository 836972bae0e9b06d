#pragma once
// In which order the threads of a grid run. Nothing in CUDA promises any order, so each seed is one
// that a correct program must bear: 0 first come, first served; 1 whoever came last, which runs
// each thread as far as it gets; any other a random one.

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "emulator/threads.h"

namespace emulator {

class Order {
 public:
  explicit Order(std::uint64_t seed) : seed_(seed), random_(seed) {}

  void begin(const std::vector<std::unique_ptr<Block>>& running) { running_ = &running; }
  /// The block to start as number `turn` of `count`.
  std::uint64_t block(std::uint64_t turn, std::uint64_t count) const {
    return seed_ == 1 ? count - 1 - turn : turn;
  }

  /// A thread can go on; a thread goes on once all others that can have; it asks for news again
  /// once no other thread can do better.
  void add(Thread* thread) { ready_.push_back(thread); }
  void add_last(Thread* thread);
  void add_waiting(Thread* thread) { waiting_.push_back(thread); }
  /// Null where all threads wait.
  Thread* next();

  bool lets_others_go_first();
  /// A thread did something besides asking for news.
  void progress() { fruitless_ = 0; }

  const std::vector<std::unique_ptr<Block>>& running() const { return *running_; }

 private:
  std::uint64_t seed_;
  std::mt19937_64 random_;
  std::vector<Thread*> ready_;  ///< from `first_` on
  std::size_t first_ = 0;
  std::vector<Thread*> waiting_;
  std::uint64_t fruitless_ = 0;
  std::uint64_t taken_ = 0;  ///< turns
  const std::vector<std::unique_ptr<Block>>* running_ = nullptr;
};

/// Of this process: EMULATOR_SEED, 0 unless set.
extern Order the_order;
inline Order& order() { return the_order; }

/// Prints what the threads of all blocks wait for.
void describe_waiting();

/// Ends the process where a kernel takes more than EMULATOR_SECONDS of processor time, 60 unless
/// set: a loop that never ends and asks nobody for anything.
class TimeLimit {
 public:
  TimeLimit();
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
};

}  // namespace emulator
