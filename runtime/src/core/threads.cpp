#include "vertigo/core/threads.h"

#include <pthread.h>
#include <sys/stat.h>

#include <chrono>
#include <latch>
#include <thread>
#include <vector>

namespace vertigo {
namespace {

// Threads of this process as the kernel counts them; 0 where /proc is not there.
nlink_t counted_threads() {
  struct stat status{};
  return ::stat("/proc/self/task", &status) == 0 ? status.st_nlink : 0;
}

}  // namespace

int startable_threads(int wanted) {
  const nlink_t before = counted_threads();
  std::latch all_started(1);
  std::vector<pthread_t> threads;
  threads.reserve(static_cast<std::size_t>(wanted));
  const auto wait = [](void* latch) -> void* {
    static_cast<std::latch*>(latch)->wait();
    return nullptr;
  };
  pthread_t thread{};
  while (static_cast<int>(threads.size()) < wanted &&
         pthread_create(&thread, nullptr, wait, &all_started) == 0)
    threads.push_back(thread);
  all_started.count_down();
  for (const pthread_t each : threads) pthread_join(each, nullptr);
  // A thread is joined a little before it is off the kernel's count, and only then can another one
  // take its place.
  constexpr int kPatience = 2000;
  for (int i = 0; i < kPatience && counted_threads() > before; ++i)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  return static_cast<int>(threads.size());
}

}  // namespace vertigo
