#include "vertigo/graph/array.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {
namespace {

std::vector<int> numbers(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

TEST(Array, TakesOverAVectorWithoutACopy) {
  std::vector<int> values = numbers(100);
  const int* const place = values.data();
  const Array<int> array = std::move(values);
  EXPECT_EQ(array.data(), place);
  EXPECT_EQ(array, numbers(100));
}

TEST(Array, CopiesShareTheValuesAndKeepThemAlive) {
  Array<int> copy;
  const int* place = nullptr;
  {
    const Array<int> array = numbers(100);
    place = array.data();
    copy = array;
  }
  EXPECT_EQ(copy.data(), place);
  EXPECT_EQ(copy, numbers(100));
}

TEST(Array, ASliceKeepsTheWholeAlive) {
  const Array<int> slice = Array<int>(numbers(100)).slice(10, 5);
  EXPECT_EQ(slice, (std::vector<int>{10, 11, 12, 13, 14}));
  EXPECT_TRUE(Array<int>(numbers(3)).slice(3, 0).empty());
}

TEST(Array, GivesItsVectorBackWhereNothingElseViewsIt) {
  Array<int> array = numbers(100);
  const int* const place = array.data();
  const std::vector<int> taken = std::move(array).take();
  EXPECT_EQ(taken.data(), place);
  EXPECT_TRUE(array.empty());
}

TEST(Array, GivesACopyWhereOthersViewTheValues) {
  Array<int> array = numbers(100);
  const Array<int> slice = array.slice(10, 5);
  std::vector<int> taken = std::move(array).take();
  std::ranges::fill(taken, -1);
  EXPECT_EQ(slice, (std::vector<int>{10, 11, 12, 13, 14}));
  EXPECT_EQ(Array<int>(slice).take(), (std::vector<int>{10, 11, 12, 13, 14}));
}

// The arrays of whoever calls the library, pages that are pinned: anything may own the values.
TEST(Array, AnyOwnerIsLetGoWithTheLastView) {
  const std::vector<int> values = numbers(8);
  int released = 0;
  {
    Array<int> array(values,
                     std::shared_ptr<const void>(&released, [&](const void*) { ++released; }));
    const Array<int> slice = array.slice(2, 2);
    EXPECT_EQ(array.data(), values.data());
    array = {};
    EXPECT_EQ(released, 0);
    EXPECT_EQ(slice, (std::vector<int>{2, 3}));
  }
  EXPECT_EQ(released, 1);
}

/// Writes ascending numbers when they are asked for; the first attempts fail.
class Counting final : public Arrival {
 public:
  Counting(std::vector<int>& place, int failures) : place_(place), failures_(failures) {}
  mutable int calls = 0;

 private:
  void bring() const override {
    if (calls++ < failures_) throw std::runtime_error("not yet");
    std::iota(place_.begin(), place_.end(), 0);
  }
  std::vector<int>& place_;
  int failures_;
};

TEST(Array, ValuesArriveOnceWhenOneIsAskedFor) {
  std::vector<int> place(100, -1);
  const auto arrival = std::make_shared<const Counting>(place, 0);
  const Array<int> array(place, nullptr, arrival);
  const Array<int> slice = array.slice(10, 5);
  EXPECT_EQ(array.size(), 100U);
  EXPECT_FALSE(array.empty());
  EXPECT_FALSE(array.is_there());
  EXPECT_EQ(arrival->calls, 0);
  EXPECT_EQ(slice, (std::vector<int>{10, 11, 12, 13, 14}));
  EXPECT_TRUE(array.is_there());
  EXPECT_EQ(array, numbers(100));
  EXPECT_EQ(arrival->calls, 1);
}

TEST(Array, TakingValuesWaitsForThem) {
  std::vector<int> place(3, -1);
  Array<int> array(place, nullptr, std::make_shared<const Counting>(place, 0));
  EXPECT_EQ(std::move(array).take(), numbers(3));
}

TEST(Array, ValuesThatDidNotArriveAreAskedForAgain) {
  std::vector<int> place(3, -1);
  const Array<int> array(place, nullptr, std::make_shared<const Counting>(place, 2));
  EXPECT_THROW((void)array[0], std::runtime_error);
  EXPECT_THROW((void)array.begin(), std::runtime_error);
  EXPECT_EQ(array, numbers(3));
}

TEST(Array, ManyThreadsAskAtOnce) {
  std::vector<int> place(1000, -1);
  const auto arrival = std::make_shared<const Counting>(place, 0);
  const Array<int> array(place, nullptr, arrival);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] { wrong += array[static_cast<std::size_t>(i * 100)] != i * 100; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(arrival->calls, 1);
}

TEST(Array, ACopyOfAGraphSharesItsArrays) {
  Graph graph;
  graph.out = {{0, 1, 1}, {1}, Array<float>{2.5F}};
  const Graph copy = graph;
  EXPECT_EQ(copy.out.targets.data(), graph.out.targets.data());
  EXPECT_EQ(copy.out.weights, graph.out.weights);
}

}  // namespace
}  // namespace vertigo::graph
