// Cycles that improve their own vertices: found by the interpreter exactly where an independent
// search finds one, on many small graphs with weights of both signs.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <optional>
#include <random>

#include "fixture.h"
#include "programs.h"
#include "vertigo/core/error.h"

namespace vertigo::test {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

/// Shortest distances by Bellman and Ford; nothing where a negative cycle is reached.
std::optional<std::vector<std::int64_t>> distances(Vertex vertices, Vertex source,
                                                   const std::vector<WeightedEdge>& edges) {
  std::vector<std::int64_t> distance(vertices, kFar);
  distance[source] = 0;
  for (Vertex round = 0; round <= vertices; ++round) {
    bool changed = false;
    for (const auto& [from, to, weight] : edges)
      if (distance[from] < kFar && distance[from] + weight < distance[to]) {
        distance[to] = distance[from] + weight;
        changed = true;
      }
    if (!changed) return distance;
  }
  return std::nullopt;
}

std::vector<WeightedEdge> random_edges(std::mt19937& random, Vertex vertices, int lowest,
                                       int factor) {
  std::vector<WeightedEdge> edges;
  const std::size_t count = vertices + random() % (vertices + 1);
  for (std::size_t i = 0; i < count; ++i)
    edges.emplace_back(random() % vertices, random() % vertices,
                       (lowest + static_cast<int>(random() % 9)) * factor);
  return edges;
}

/// The same program on the same graph, by the interpreter.
std::optional<std::vector<std::int64_t>> interpreted(const graph::Graph& graph) {
  try {
    const host::RunResult result = interpret(kSssp, graph, source_argument(0));
    EXPECT_TRUE(check(kSssp, graph, source_argument(0), result).passed);
    std::vector<std::int64_t> found;
    for (const std::int32_t value : column<std::int32_t>(result, "distance"))
      found.push_back(value == std::numeric_limits<std::int32_t>::max()   ? kFar
                      : value == std::numeric_limits<std::int32_t>::min() ? -kFar
                                                                          : value);
    return found;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::NotConverged);
    EXPECT_NE(error.message().find("the negative cycle "), std::string::npos) << error.message();
    return std::nullopt;
  }
}

TEST(ImprovingCycles, AreFoundWhereThereAreAny) {
  std::mt19937 random(7);
  int with = 0, without = 0;
  for (int i = 0; i < 600; ++i) {
    const Vertex vertices = 1 + random() % 12;
    const auto edges = random_edges(random, vertices, -2 + static_cast<int>(random() % 3), 1);
    const auto expected = distances(vertices, 0, edges);
    EXPECT_EQ(interpreted(make_graph(vertices, edges)), expected) << "graph " << i;
    (expected ? without : with) += 1;
  }
  EXPECT_GT(with, 50);
  EXPECT_GT(without, 50);
}

// Weights so large that two times round a cycle ends at the lowest value.
TEST(ImprovingCycles, AreFoundWhereNumbersRunOut) {
  std::mt19937 random(11);
  int with = 0;
  for (int i = 0; i < 300; ++i) {
    const Vertex vertices = 2 + random() % 6;
    // No path of positive weights gets to the largest value.
    const auto edges = random_edges(random, vertices, -7, 260'000'000);
    const auto expected = distances(vertices, 0, edges);
    const auto found = interpreted(make_graph(vertices, edges));
    EXPECT_EQ(found.has_value(), expected.has_value()) << "graph " << i;
    with += expected ? 0 : 1;
  }
  EXPECT_GT(with, 50);
}

// A bound in what is sent: round a cycle, values fall to it and rest there.
constexpr std::string_view kBounded = R"(
program bounded {
  edge weight: int32 = 1;
  state low: int32 = inf<int32>;
  message best: int32 combine min identity inf<int32>;
  phase main: fixpoint v when inbox(best) < v.low {
    start all { inbox best = 1000; }
    update { v.low = inbox(best); send out best = max(inbox(best) + edge(weight), -20); }
  }
  body { run main; }
  output low;
}
)";

TEST(ImprovingCycles, AreNoneWhereValuesComeToRest) {
  const auto graph = make_graph(4, {{0, 1, 1}, {1, 2, -2}, {2, 0, -1}, {2, 3, 5}});
  const host::RunResult result = interpret(kBounded, graph);
  EXPECT_EQ(column<std::int32_t>(result, "low"), (std::vector<std::int32_t>{-20, -19, -20, -15}));
  const auto report = check(kBounded, graph, {}, result);
  EXPECT_TRUE(report.passed) << (report.failures.empty() ? "" : report.failures.front());
}

// Of pairs, the second element may improve once round a cycle of weight 0.
constexpr std::string_view kParents = R"(
program parents {
  edge weight: int32 = 1;
  state near: (int32, vertex) = tuple(inf<int32>, none);
  message best: (int32, vertex) combine min identity tuple(inf<int32>, none);
  phase main: fixpoint v when inbox(best) < v.near {
    start all { inbox best = tuple(5, none); }
    update { v.near = inbox(best); send out best = tuple(get<0>(inbox(best)) + edge(weight), v); }
  }
  body { run main; }
  output near;
}
)";

TEST(ImprovingCycles, OfPairsAreThoseOfTheirValues) {
  const auto tie = make_graph(3, {{2, 1, 0}, {1, 2, 0}, {1, 0, 2}, {0, 1, -2}});
  EXPECT_EQ(column<std::int32_t>(interpret(kParents, tie), "near.0"),
            (std::vector<std::int32_t>{5, 3, 3}));
  const auto falls = make_graph(3, {{2, 1, 0}, {1, 2, -1}});
  EXPECT_THROW(interpret(kParents, falls), Error);
}

}  // namespace
}  // namespace vertigo::test
