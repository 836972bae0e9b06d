#include "vertigo/graph/array.h"

#include <gtest/gtest.h>

#include <numeric>

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

TEST(Array, ACopyOfAGraphSharesItsArrays) {
  Graph graph;
  graph.out = {{0, 1, 1}, {1}, Array<float>{2.5F}};
  const Graph copy = graph;
  EXPECT_EQ(copy.out.targets.data(), graph.out.targets.data());
  EXPECT_EQ(copy.out.weights, graph.out.weights);
}

}  // namespace
}  // namespace vertigo::graph
