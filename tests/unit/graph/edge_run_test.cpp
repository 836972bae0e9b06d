// A run gives back the entries that it was given, folded or not.
#include <gtest/gtest.h>

#include <random>
#include <tuple>
#include <vector>

#include "raw_graph.h"

namespace vertigo::graph {
namespace {

using Entry = std::tuple<std::uint64_t, std::uint64_t>;

std::vector<Entry> entries_of(const EdgeRun& run) {
  std::vector<Entry> entries;
  run.each([&](std::uint64_t source, std::uint64_t target, std::size_t i) {
    EXPECT_EQ(i, entries.size());
    entries.emplace_back(source, target);
  });
  EXPECT_EQ(entries.size(), run.size());
  return entries;
}

// Lists of about `degree` targets.
std::vector<Entry> ascending(std::mt19937& random, std::size_t count, unsigned degree) {
  std::vector<Entry> entries;
  std::uint64_t source = random() % 5;
  while (entries.size() < count) {
    if (random() % degree == 0) source += 1 + random() % 3;
    entries.emplace_back(source, random() % 1000);
  }
  return entries;
}

// Folded behind entries that chance chooses, and behind the last.
EdgeRun folded(std::mt19937& random, const std::vector<Entry>& entries, unsigned often) {
  EdgeRun run;
  for (const auto& [source, target] : entries) {
    run.add(source, target);
    if (random() % often == 0) run.fold();
  }
  run.fold();
  return run;
}

TEST(EdgeRun, KeepsLongListsOncePerSource) {
  std::mt19937 random(1);
  for (const unsigned often : {1u, 7u, 5000u}) {
    const auto entries = ascending(random, 3000, 20);
    EdgeRun run = folded(random, entries, often);
    EXPECT_TRUE(run.is_folded());
    EXPECT_LT(run.narrow_sources().size(), 300u);
    EXPECT_EQ(run.ends().back(), entries.size());
    EXPECT_EQ(entries_of(run), entries);
    run.map([](std::uint64_t id) { return static_cast<Vertex>(2 * id + 1); });
    auto mapped = entries;
    for (auto& [source, target] : mapped) source = 2 * source + 1, target = 2 * target + 1;
    EXPECT_EQ(entries_of(run), mapped);
  }
}

TEST(EdgeRun, UnfoldsWhereItDoesNotPay) {
  std::mt19937 random(2);
  const auto entries = ascending(random, 3000, 2);
  const EdgeRun run = folded(random, entries, 50);
  EXPECT_FALSE(run.is_folded());
  EXPECT_EQ(entries_of(run), entries);
}

TEST(EdgeRun, UnfoldsWhereASourceDescends) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    auto entries = ascending(random, 200, 20);
    // Within what was folded last, or where folding begins.
    std::get<0>(entries[1 + random() % 199]) = 0;
    EXPECT_EQ(entries_of(folded(random, entries, 1 + random() % 40)), entries);
  }
}

TEST(EdgeRun, UnfoldsForAnIdOfMoreThan32Bits) {
  std::mt19937 random(4);
  for (const std::size_t place : {0u, 1u, 57u, 99u}) {
    auto entries = ascending(random, 100, 20);
    std::get<1>(entries[place]) = std::uint64_t{1} << 32;
    EdgeRun run = folded(random, entries, 10);
    EXPECT_TRUE(run.is_wide());
    EXPECT_FALSE(run.is_folded());
    EXPECT_EQ(entries_of(run), entries);
    run.map([](std::uint64_t id) { return static_cast<Vertex>(id % 1001); });
    EXPECT_EQ(entries_of(run).size(), entries.size());
    EXPECT_EQ(std::get<0>(entries_of(run)[99]), std::get<0>(entries[99]) % 1001);
  }
}

TEST(EdgeRun, FoldsNothingToNothing) {
  EdgeRun run;
  run.fold();
  EXPECT_FALSE(run.is_folded());
  EXPECT_TRUE(entries_of(run).empty());
  run.add(3, 4);
  run.fold();
  run.fold();
  EXPECT_EQ(entries_of(run), (std::vector<Entry>{{3, 4}}));
}

}  // namespace
}  // namespace vertigo::graph
