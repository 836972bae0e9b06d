#include "order.h"

#include <sys/time.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace emulator {

namespace {

/// Rounds of asking in vain that end a kernel: a loop of so many reads alone would be taken for a
/// deadlock.
constexpr std::uint64_t kMostFruitless = 100'000;

/// Turns of others after which a thread that asks in vain may ask again.
constexpr std::uint64_t kPatience = 4096;

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

Order the_order(number_from_environment("EMULATOR_SEED", 0));

void Order::add_last(Thread* thread) {
  if (seed_ == 1)
    ready_.insert(ready_.begin() + static_cast<std::ptrdiff_t>(first_), thread);
  else
    ready_.push_back(thread);
}

Thread* Order::next() {
  // Others that go round and round over barriers are no reason to look in memory for ever.
  if (++taken_ % kPatience == 0 && !waiting_.empty()) {
    ready_.insert(ready_.end(), waiting_.begin(), waiting_.end());
    waiting_.clear();
  }
  if (first_ == ready_.size()) {
    ready_.clear();
    first_ = 0;
    if (++fruitless_ > kMostFruitless) return nullptr;
    ready_.swap(waiting_);
    if (ready_.empty()) return nullptr;
  }
  if (seed_ == 0) {
    Thread* const thread = ready_[first_++];
    if (first_ * 2 > ready_.size() && first_ > 4096) {
      ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return thread;
  }
  if (seed_ > 1) std::swap(ready_[random_() % ready_.size()], ready_.back());
  Thread* const thread = ready_.back();
  ready_.pop_back();
  return thread;
}

bool Order::lets_others_go_first() { return seed_ > 1 ? random_() % 4 == 0 : random_() % 32 == 0; }

void describe_waiting() {
  for (const auto& block : order().running()) {
    std::map<std::string, unsigned> reasons;
    for (const Thread& thread : block->threads) {
      if (thread.finished)
        ++reasons["have ended"];
      else if (thread.waits_for != nullptr)
        ++reasons[std::string("wait at ") + thread.waits_for];
      else
        ++reasons["wait for a value in memory"];
    }
    for (const auto& [reason, count] : reasons)
      std::fprintf(stderr, "  block %u: %u threads %s\n", block->index.x, count, reason.c_str());
  }
}

namespace {

void too_long(int) {
  const char* const kernel = launched == nullptr ? "?" : launched->kernel.c_str();
  std::fprintf(stderr, "emulator: kernel '%s' has no end\n", kernel);
  std::_Exit(70);
}

}  // namespace

TimeLimit::TimeLimit() {
  std::signal(SIGPROF, &too_long);
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(number_from_environment("EMULATOR_SECONDS", 60));
  setitimer(ITIMER_PROF, &limit, nullptr);
}
TimeLimit::~TimeLimit() {
  const itimerval none{};
  setitimer(ITIMER_PROF, &none, nullptr);
}

}  // namespace emulator
