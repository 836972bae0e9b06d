// What is told of lists that come in pieces, whatever the pieces are.

#include "row_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace vertigo::graph {
namespace {

RowFacts one_by_one(const std::vector<EdgeIndex>& offsets, const std::vector<Vertex>& targets) {
  RowFacts facts;
  for (Vertex v = 0; v + 1 < offsets.size(); ++v)
    for (EdgeIndex e = offsets[v]; e < offsets[v + 1]; ++e) {
      facts.self_loops += targets[e] == v;
      facts.largest = std::max(facts.largest, targets[e]);
      if (e == offsets[v]) continue;
      facts.duplicates += targets[e - 1] == targets[e];
      facts.ascending = facts.ascending && targets[e - 1] <= targets[e];
    }
  return facts;
}

// Of lists of 0 to 8 vertices.
class Lists {
 public:
  Lists(std::mt19937& random, bool sorted) {
    constexpr Vertex kVertices = 12;
    offsets = {0};
    for (Vertex v = 0; v < kVertices; ++v) {
      for (unsigned count = random() % 9; count > 0; --count)
        targets.push_back(static_cast<Vertex>(random() % kVertices));
      const auto begin = targets.begin() + static_cast<std::ptrdiff_t>(offsets.back());
      if (sorted) std::sort(begin, targets.end());
      offsets.push_back(targets.size());
    }
  }
  std::vector<EdgeIndex> offsets;
  std::vector<Vertex> targets;
};

TEST(FactsOfPieces, AreTheSameWhereverTheListsAreCut) {
  std::mt19937 random(7);
  for (int turn = 0; turn < 300; ++turn) {
    const Lists lists(random, turn % 3 != 0);
    const RowFacts expected = one_by_one(lists.offsets, lists.targets);
    for (const std::size_t piece : {1, 2, 3, 7, 1000}) {
      std::vector<EdgeIndex> begins;
      for (EdgeIndex first = 0; first < lists.targets.size(); first += piece)
        begins.push_back(first);
      std::ranges::shuffle(begins, random);
      FactsOfPieces facts(lists.offsets);
      for (const EdgeIndex first : begins)
        facts.look(
            first,
            std::span(lists.targets).subspan(first, std::min(piece, lists.targets.size() - first)));
      const RowFacts found = facts.finished();
      EXPECT_EQ(found.ascending, expected.ascending);
      EXPECT_EQ(found.self_loops, expected.self_loops);
      EXPECT_EQ(found.duplicates, expected.duplicates);
      if (expected.ascending) {
        EXPECT_EQ(found.largest, expected.largest);
      }
    }
  }
}

// One list in two pieces that each ascend.
TEST(FactsOfPieces, SeeWhatFallsAndRepeatsBetweenTwoPieces) {
  const std::vector<EdgeIndex> offsets = {0, 4};
  const std::vector<Vertex> falls = {2, 3, 1, 2}, repeats = {1, 2, 2, 3};
  for (const bool backwards : {false, true}) {
    FactsOfPieces falling(offsets), repeating(offsets);
    for (const std::size_t first :
         backwards ? std::vector<std::size_t>{2, 0} : std::vector<std::size_t>{0, 2}) {
      falling.look(first, std::span(falls).subspan(first, 2));
      repeating.look(first, std::span(repeats).subspan(first, 2));
    }
    EXPECT_FALSE(falling.finished().ascending);
    const RowFacts facts = repeating.finished();
    EXPECT_TRUE(facts.ascending);
    EXPECT_EQ(facts.duplicates, 1);
  }
}

}  // namespace
}  // namespace vertigo::graph
