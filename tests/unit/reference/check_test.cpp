// A check must pass right answers and fail every kind of wrong one, naming the vertex.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fixture.h"
#include "programs.h"

namespace vertigo::test {
namespace {

constexpr std::int32_t kInf = kInfinity<std::int32_t>;

// A path 0 -> 1 -> 2 -> 3 with a detour, a part {5, 6} that is not reached, and an isolated 4.
graph::Graph two_parts() {
  return make_graph(7, {{0, 1, 2}, {1, 2, 3}, {0, 2, 9}, {2, 3, 4}, {5, 6, 1}, {6, 5, 1}});
}

class CheckedRun {
 public:
  CheckedRun(const char* program, graph::Graph graph, host::Arguments arguments)
      : program_(program), graph_(std::move(graph)), arguments_(std::move(arguments)) {
    result = interpret(program_, graph_, arguments_);
  }

  reference::CheckReport check() const {
    const auto report = test::check(program_, graph_, arguments_, result);
    EXPECT_FALSE(report.checked.empty());
    EXPECT_EQ(report.passed, report.failures.empty());
    return report;
  }
  void expect_pass(const std::string& property) const {
    const auto report = check();
    EXPECT_TRUE(report.passed) << report.failures.front();
    EXPECT_NE(report.checked.front().find(property), std::string::npos) << report.checked.front();
  }
  /// The first failure contains the text.
  void expect_failure(const std::string& text) const {
    const auto report = check();
    ASSERT_FALSE(report.passed) << "the check passed a wrong answer";
    EXPECT_NE(report.failures.front().find(text), std::string::npos) << report.failures.front();
  }

  host::RunResult result;

 private:
  const char* program_;
  graph::Graph graph_;
  host::Arguments arguments_;
};

CheckedRun sssp() { return {kSssp, two_parts(), source_argument(0)}; }

TEST(CheckShortestPaths, PassesTheRightAnswer) { sssp().expect_pass("no edge can improve"); }

TEST(CheckShortestPaths, FailsWhatIsTooLarge) {
  CheckedRun run = sssp();
  set_value(run.result, "distance", 2, 6);
  run.expect_failure("vertex 2: 'distance' is 6, but the edge 1 -> 2 offers 5");
}

TEST(CheckShortestPaths, FailsWhatIsTooSmall) {
  CheckedRun run = sssp();
  set_value(run.result, "distance", 3, 8);
  run.expect_failure("vertex 3: 'distance' is 8, but no chain");
}

TEST(CheckShortestPaths, FailsAReachedVertexThatLooksUnreached) {
  CheckedRun run = sssp();
  set_value(run.result, "distance", 3, kInf);
  run.expect_failure("vertex 3: 'distance' is inf, but the edge 2 -> 3 offers 9");
}

TEST(CheckShortestPaths, FailsAnUnreachedVertexWithAValue) {
  CheckedRun run = sssp();
  set_value(run.result, "distance", 4, 1);
  run.expect_failure("vertex 4: 'distance' is 1, but no chain");
}

TEST(CheckShortestPaths, FailsAWrongSource) {
  CheckedRun run = sssp();
  set_value(run.result, "distance", 0, 1);
  run.expect_failure("vertex 0: 'distance' is 1, but its start gives 0");
}

TEST(CheckShortestPaths, FailsSwappedValues) {
  CheckedRun run = sssp();
  set_value(run.result, "distance", 1, 5);
  set_value(run.result, "distance", 2, 2);
  run.expect_failure("vertex 1: 'distance' is 5, but the edge 0 -> 1 offers 2");
}

TEST(CheckShortestPaths, FailsACycleOfZeroWeightThatSupportsItself) {
  // 2 and 3 claim 1 of each other; nothing leads to them from the source.
  CheckedRun run(kSssp, make_graph(4, {{0, 1, 1}, {2, 3, 0}, {3, 2, 0}}), source_argument(0));
  set_value(run.result, "distance", 2, 1);
  set_value(run.result, "distance", 3, 1);
  run.expect_failure("vertex 2: 'distance' is 1, but no chain");
}

TEST(CheckShortestPaths, FailsADistanceThatLeavesItsType) {
  CheckedRun run(kSssp, make_graph(3, {{0, 1, 2147483000}, {1, 2, 2147483000}}),
                 source_argument(0));
  run.expect_failure("edge 1 -> 2: 'distance' exceeds int32 there");
  run.expect_failure("declare it int64");
}

// What is sent is computed by `cost` from the inbox, a weight, and `fee`.
std::string sssp_with(const std::string& cost, const std::string& initial = "inf<int32>") {
  return "program sssp {\n  param source: vertex;\n  param fee: int32 = 46341;\n"
         "  edge weight: int32 = 1;\n  state distance: int32 = " +
         initial +
         ";\n  message best: int32 combine min identity inf<int32>;\n"
         "  phase main: fixpoint v when inbox(best) < v.distance {\n"
         "    start vertex $source { inbox best = 0; }\n"
         "    update { v.distance = inbox(best); send out best = " +
         cost + "; }\n  }\n  body { run main; }\n  output distance;\n}";
}

TEST(CheckShortestPaths, FailsACostThatLeavesItsTypeByItself) {
  const char* const costs[] = {"inbox(best) + ($fee * $fee)", "inbox(best) + 2147483647",
                               "inbox(best) + cast<int32>(cast<int64>($fee) * 50000i64)",
                               "inbox(best) + neg(-2147483648)", "max(inbox(best), $fee * 50000)"};
  for (const char* const cost : costs) {
    const std::string program = sssp_with(cost);
    CheckedRun run(program.c_str(), make_graph(2, {{0, 1, 1}}), source_argument(0));
    run.expect_failure("edge 0 -> 1: 'distance' exceeds int32 there, so vertex 1 looks unreached");
  }
}

TEST(CheckShortestPaths, PassesAnInfinityThatIsPassedOn) {
  const std::string passed = sssp_with("inbox(best) + edge(weight)");
  CheckedRun(passed.c_str(), make_graph(2, {{0, 1, kInf}}), source_argument(0))
      .expect_pass("no edge can improve");
  const std::string written = sssp_with("inbox(best) + inf<int32>");
  CheckedRun(written.c_str(), make_graph(2, {{0, 1, 1}}), source_argument(0))
      .expect_pass("no edge can improve");
  // What left its type stands in a branch that is not taken.
  const std::string closed = sssp_with("select($fee > 0, inf<int32>, inbox(best) + ($fee * $fee))");
  CheckedRun(closed.c_str(), make_graph(2, {{0, 1, 1}}), source_argument(0))
      .expect_pass("no edge can improve");
  // Whoever begins with less than inf does not look unreached.
  const std::string bounded = sssp_with("inbox(best) + ($fee * $fee)", "100");
  CheckedRun(bounded.c_str(), make_graph(2, {{0, 1, 1}}), source_argument(0))
      .expect_pass("no edge can improve");
}

TEST(CheckShortestPaths, FailsAMissingColumn) {
  CheckedRun run = sssp();
  run.result.states.clear();
  run.expect_failure("no column 'distance'");
}

TEST(CheckShortestPaths, FailsARunThatStoppedAtItsLimit) {
  CheckedRun run = sssp();
  run.result.converged = false;
  run.expect_failure("limit of steps");
}

TEST(CheckShortestPaths, CountsTheFailuresThatItDoesNotShow) {
  std::vector<WeightedEdge> edges;
  for (Vertex v = 1; v < 50; ++v) edges.emplace_back(0, v, 1);
  CheckedRun run(kSssp, make_graph(50, edges), source_argument(0));
  for (Vertex v = 1; v < 50; ++v) set_value(run.result, "distance", v, 2);
  const auto report = run.check();
  ASSERT_EQ(report.failures.size(), 6u);
  EXPECT_EQ(report.failures.back(), "and 44 more");
}

TEST(CheckShortestPaths, PassesAndFailsOnRandomGraphs) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    CheckedRun run(kSssp, random_graph(80, 240, seed), source_argument(seed % 80));
    run.expect_pass("no edge can improve");
    const auto distances = column<std::int32_t>(run.result, "distance");
    for (const std::int32_t change : {-1, 1}) {
      const Vertex v = (seed * 7 + 3) % 80;
      const std::int32_t wrong = distances[v] == kInf ? 12 : distances[v] + change;
      set_value(run.result, "distance", v, wrong);
      EXPECT_FALSE(run.check().passed) << "seed " << seed << " vertex " << v;
      set_value(run.result, "distance", v, distances[v]);
    }
  }
}

TEST(CheckShortestPaths, FindsOneWrongVertexAmongMany) {
  CheckedRun run(kSssp, random_graph(20000, 80000, 8), source_argument(3));
  run.expect_pass("no edge can improve");
  const auto distances = column<std::int32_t>(run.result, "distance");
  ASSERT_NE(distances[11111], kInf);
  set_value(run.result, "distance", 11111, distances[11111] - 1);
  EXPECT_FALSE(run.check().passed);
  set_value(run.result, "distance", 11111, distances[11111] + 1);
  run.expect_failure("vertex 11111: 'distance' is");
}

TEST(CheckShortestPathTree, FailsAWrongParent) {
  CheckedRun run(kSsspTree, two_parts(), source_argument(0));
  run.expect_pass("no edge can improve");
  set_value<Vertex>(run.result, "path.1", 2, 0);
  run.expect_failure("vertex 2: 'path' is (5, 0), but no chain");
  set_value<Vertex>(run.result, "path.1", 2, 5);
  run.expect_failure("vertex 2: 'path' is (5, 5), but the edge 1 -> 2 offers (5, 1)");
}

TEST(CheckShortestPathTree, PassesParentsThatNameEachOther) {
  // 1 and 2 are as far as each other, and each is the other's least parent.
  CheckedRun run(kSsspTree, make_graph(4, {{3, 1, 4}, {1, 2, 0}, {2, 1, 0}}), source_argument(3));
  run.expect_pass("no edge can improve");
  set_value<Vertex>(run.result, "path.1", 1, 3);
  run.expect_failure("vertex 1: 'path' is (4, 3), but the edge 2 -> 1 offers (4, 2)");
}

TEST(CheckShortestPathTree, FailsACycleOfZeroWeightThatSupportsItself) {
  CheckedRun run(kSsspTree, make_graph(4, {{0, 1, 1}, {2, 3, 0}, {3, 2, 0}}), source_argument(0));
  set_value(run.result, "path.0", 2, 1);
  set_value<Vertex>(run.result, "path.1", 2, 3);
  set_value(run.result, "path.0", 3, 1);
  set_value<Vertex>(run.result, "path.1", 3, 2);
  run.expect_failure("vertex 2: 'path' is (1, 3), but no chain");
}

TEST(CheckWidestPath, FailsWhatIsTooWideOrTooNarrow) {
  CheckedRun run(kWidest, two_parts(), source_argument(0));
  run.expect_pass("no edge can improve");
  set_value(run.result, "width", 3, 5);
  run.expect_failure("vertex 3: 'width' is 5, but no chain");
  set_value(run.result, "width", 3, 3);
  run.expect_failure("vertex 3: 'width' is 3, but the edge 2 -> 3 offers 4");
}

TEST(CheckComponents, FailsWrongLabels) {
  CheckedRun run(kWcc, two_parts(), {});
  run.expect_pass("no edge can improve");
  // A label that comes from nowhere, spread over its whole component.
  set_value<Vertex>(run.result, "component", 5, 3);
  set_value<Vertex>(run.result, "component", 6, 3);
  run.expect_failure("vertex 5: 'component' is 3, but no chain");
  // A component in two.
  set_value<Vertex>(run.result, "component", 5, 5);
  set_value<Vertex>(run.result, "component", 6, 6);
  run.expect_failure("vertex 6: 'component' is 6, but the edge 5 -> 6 offers 5");
  set_value(run.result, "component", 6, kNoVertex);
  run.expect_failure("vertex 6: 'component' is none, but");
}

host::Arguments tolerance(double value) {
  host::Arguments arguments;
  arguments.set("tolerance", Value{ScalarKind::Float32, value});
  return arguments;
}

TEST(CheckPageRank, FailsOneRankThatIsOff) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    CheckedRun run(kPageRank, random_graph(100, 400, seed, false, false), tolerance(1e-4));
    run.expect_pass("'rank' balances");
    const auto rank = column<float>(run.result, "rank");
    for (const float change : {1e-3f, -1e-3f}) {
      set_value(run.result, "rank", 17, rank[17] + change);
      run.expect_failure("vertex 17: 'rank' is");
    }
  }
}

TEST(CheckPageRank, FailsNoNumberAndSwappedRanks) {
  CheckedRun run(kPageRank, make_graph(4, {{0, 1, 1}, {1, 2, 1}, {2, 1, 1}}), tolerance(1e-6));
  const auto rank = column<float>(run.result, "rank");
  set_value(run.result, "rank", 3, std::nanf(""));
  run.expect_failure("vertex 3: 'rank' is");
  set_value(run.result, "rank", 3, rank[3]);
  set_value(run.result, "rank", 0, rank[1]);
  set_value(run.result, "rank", 1, rank[0]);
  run.expect_failure("vertex 1: 'rank' is");
}

TEST(CheckByReference, AcceptsEveryParentThatWasOffered) {
  const auto diamond = make_graph(4, {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}});
  CheckedRun run(kBfsParents, diamond, source_argument(0));
  run.expect_pass("as the reference execution gives it");
  set_value<Vertex>(run.result, "parent", 3, 2);
  run.expect_pass("as the reference execution gives it");
  set_value<Vertex>(run.result, "parent", 3, 0);
  run.expect_failure("vertex 3: 'parent' is 0");
}

TEST(CheckByReference, FailsAWrongDependency) {
  CheckedRun run(kBc, random_graph(40, 120, 5), source_argument(0));
  run.expect_pass("as the reference execution gives it");
  const auto dependency = column<double>(run.result, "dependency");
  set_value(run.result, "dependency", 9, dependency[9] * (1 + 1e-12));
  run.expect_pass("as the reference execution gives it");
  set_value(run.result, "dependency", 9, dependency[9] + 1e-3);
  run.expect_failure("vertex 9: 'dependency' is");
}

TEST(CheckByReference, CountsResultsThatLeftTheirType) {
  const CheckedRun run(kCubes, make_graph(3, {{0, 1, 1}}), {});
  run.expect_pass("as the reference execution gives it");
  const auto checked = run.check().checked;
  ASSERT_EQ(checked.size(), 2);
  EXPECT_EQ(checked.back().find("3 results of + - * left the integer type"), 0) << checked.back();
}

TEST(CheckByReference, FailsAWrongReport) {
  CheckedRun run(kTriangles, random_graph(30, 90, 2, true), {});
  run.expect_pass("as the reference execution gives it");
  run.result.reports["total"].data = std::int64_t{-1};
  run.expect_failure("report 'total' is -1");
}

}  // namespace
}  // namespace vertigo::test
