#include "vertigo/core/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>
#include <vector>

namespace {

TEST(Threads, CountsThoseThatCanBeStarted) { EXPECT_EQ(vertigo::startable_threads(3), 3); }

TEST(Threads, WaitsForNobodyElses) {
  // Like a GPU's driver, which starts threads that stay while these are counted.
  std::atomic<bool> end = false;
  std::latch busy(1);
  std::thread starts([&] {
    std::vector<std::thread> others;
    while (!end && others.size() < 100) {
      others.emplace_back([&] {
        while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
      if (others.size() == 3) busy.count_down();
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    for (std::thread& other : others) other.join();
  });
  busy.wait();
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(vertigo::startable_threads(2), 2);
  const auto taken = std::chrono::steady_clock::now() - before;
  end = true;
  starts.join();
  EXPECT_LT(taken, std::chrono::milliseconds(100)) << "waiting for others takes longer";
}

}  // namespace
