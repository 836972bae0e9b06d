#include "vertigo/core/threads.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <latch>
#include <string>
#include <thread>

namespace vertigo {
namespace {

/// A thread that waits until all have been started.
struct Started {
  std::latch& all;
  pthread_t thread{};
  std::atomic<pid_t> id = 0;
};

void* wait_for_all(void* started) {
  Started& mine = *static_cast<Started*>(started);
  mine.id = ::gettid();
  mine.all.wait();
  return nullptr;
}

/// Whether the kernel still counts a thread of this process.
bool is_counted(pid_t id) {
  struct stat status{};
  return ::stat(("/proc/self/task/" + std::to_string(id)).c_str(), &status) == 0;
}

}  // namespace

int startable_threads(int wanted) {
  std::latch all(1);
  std::deque<Started> threads;
  while (static_cast<int>(threads.size()) < wanted) {
    Started& next = threads.emplace_back(all);
    if (pthread_create(&next.thread, nullptr, wait_for_all, &next) == 0) continue;
    threads.pop_back();
    break;
  }
  all.count_down();
  for (const Started& each : threads) pthread_join(each.thread, nullptr);
  // A thread is joined a little before it is off the kernel's count, and only then can another one
  // take its place. Only these are waited for: a GPU's driver starts threads at the same time.
  int patience = 2000;
  for (const Started& each : threads)
    for (; patience > 0 && is_counted(each.id); --patience)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  return static_cast<int>(threads.size());
}

}  // namespace vertigo
