// Tests of 16 bytes that several threads change. Included by one file for each way to do that.
#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

#include "vertigo/cpu/atomics.h"

namespace vertigo::cpu {
namespace {

constexpr unsigned kThreads = 4;
// So many that the threads run at the same time for a while, on a machine with little to spare,
// too.
constexpr std::uint32_t kEach = 4000000;

template <class Body>
void on_threads(const Body& body) {
  std::vector<std::thread> threads;
  std::latch all_there(kThreads);
  for (unsigned t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      all_there.arrive_and_wait();
      body(t);
    });
  for (std::thread& thread : threads) thread.join();
}

using Pair = Tuple<double, std::uint32_t>;
using Slot = Packed<double, std::uint32_t>;

TEST(VERTIGO_WIDE_ATOMICS, CombineSaysWhetherItChangedTheSlot) {
  Slot slot = Pair(2.0, 5);
  EXPECT_FALSE(combine_min(slot, Pair(2.0, 5)));
  EXPECT_FALSE(combine_min(slot, Pair(3.0, 1)));
  EXPECT_TRUE(combine_min(slot, Pair(2.0, 4)));
  EXPECT_TRUE(combine_min(slot, Pair(-1.0, 9)));
  EXPECT_EQ(Pair(slot), Pair(-1.0, 9));
  EXPECT_FALSE(combine_max(slot, Pair(-1.0, 9)));
  EXPECT_TRUE(combine_max(slot, Pair(-1.0, 10)));
  EXPECT_EQ(Pair(load_relaxed(slot)), Pair(-1.0, 10));
}

TEST(VERTIGO_WIDE_ATOMICS, TakeLeavesTheIdentity) {
  Slot slot = Pair(2.0, 5);
  EXPECT_EQ(Pair(take(slot, Pair(7.0, 1))), Pair(2.0, 5));
  EXPECT_EQ(Pair(load_relaxed(slot)), Pair(7.0, 1));
}

TEST(VERTIGO_WIDE_ATOMICS, AnyKeepsTheFirst) {
  Slot slot = Pair(0.0, 0);
  EXPECT_FALSE(combine_any(slot, Pair(0.0, 0), Pair(0.0, 0)));
  EXPECT_TRUE(combine_any(slot, Pair(1.0, 3), Pair(0.0, 0)));
  EXPECT_FALSE(combine_any(slot, Pair(2.0, 3), Pair(0.0, 0)));
  EXPECT_EQ(Pair(slot), Pair(1.0, 3));
}

TEST(VERTIGO_WIDE_ATOMICS, NoThreadsUpdateIsLost) {
  Packed<std::int64_t, std::int64_t> slot = Tuple<std::int64_t, std::int64_t>(0, 0);
  const auto add = [](const Tuple<std::int64_t, std::int64_t>& a,
                      const Tuple<std::int64_t, std::int64_t>& b) {
    return Tuple<std::int64_t, std::int64_t>(get<0>(a) + get<0>(b), get<1>(a) + get<1>(b));
  };
  on_threads([&](unsigned) {
    for (std::uint32_t i = 0; i < kEach; ++i)
      combine_with(slot, Tuple<std::int64_t, std::int64_t>(1, -2), add);
  });
  const Tuple<std::int64_t, std::int64_t> sum = slot;
  EXPECT_EQ(get<0>(sum), std::int64_t{kThreads} * kEach);
  EXPECT_EQ(get<1>(sum), std::int64_t{kThreads} * kEach * -2);
}

// Both halves of what is written say the same number.
TEST(VERTIGO_WIDE_ATOMICS, NobodyReadsHalfOfAValue) {
  alignas(16) Pair state(0.0, 0);
  Slot slot = Pair(0.0, 0);
  std::vector<unsigned> torn(kThreads);
  on_threads([&](unsigned t) {
    for (std::uint32_t i = 1; i <= kEach; ++i) {
      if (t == 0) store_relaxed(state, Pair(i, i));
      if (t == 1) combine_max(slot, Pair(i, i));
      if (t == 2 && i % 64 == 0) {
        const Pair taken = take(slot, Pair(0.0, 0));
        torn[t] += get<0>(taken) != get<1>(taken);
      }
      const Pair a = load_relaxed(state);
      const Pair b = load_relaxed(slot);
      torn[t] += get<0>(a) != get<1>(a) || get<0>(b) != get<1>(b);
    }
  });
  for (const unsigned each : torn) EXPECT_EQ(each, 0u);
}

}  // namespace
}  // namespace vertigo::cpu
