// Accumulations with a threshold: what a right result is, and which orders may find it.
#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"

namespace vertigo::test {
namespace {

/// v passes `share` of what it takes along each edge; the start gives `first` to vertex 0 and
/// `rest` to the others.
std::string program(const std::string& guard, const std::string& facts = "") {
  return R"(program shares {
  param threshold: float64 = 0.5;
  param share: float64 = 0.5;
  param first: float64 = 1.0;
  param rest: float64 = 1.0;
  state total: float64 = 0.0;
  message delta: float64 combine sum identity 0.0;
  phase main: fixpoint v when )" +
         guard + R"( {
    fact form = "accumulation";
)" + facts +
         R"(
    start all as v { inbox delta = select(out_degree<int64>(v) > 1i64, $first, $rest); }
    update {
      v.total = v.total + inbox(delta);
      send out delta = $share * inbox(delta);
    }
  }
  body { run main; }
  output total;
})";
}

host::Arguments values(double threshold, double share, double first = 1, double rest = 1) {
  host::Arguments arguments;
  const auto set = [&](const char* name, double value) {
    arguments.set(name, Value{ScalarKind::Float64, value});
  };
  set("threshold", threshold);
  set("share", share);
  set("first", first);
  set("rest", rest);
  return arguments;
}

const char* const kAbove = "inbox(delta) > $threshold";
const char* const kSize = "abs(inbox(delta)) > $threshold";

graph::Graph path() { return make_graph(3, {{0, 1, 1}, {1, 2, 1}}); }
graph::Graph cycle() { return make_graph(3, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}}); }
/// 0 -> 1, 0 -> 2, and back.
graph::Graph fork() { return make_graph(3, {{0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {2, 0, 1}}); }

host::RunResult totals(const std::vector<double>& values) {
  host::RunResult result;
  Column column{"total", ScalarKind::Float64, UninitialisedBytes(values.size() * 8)};
  std::copy(values.begin(), values.end(), column.as<double>().begin());
  result.states.push_back(std::move(column));
  return result;
}

std::string judged(const std::string& text, const graph::Graph& graph,
                   const host::Arguments& arguments, const std::vector<double>& result) {
  const auto report = check(text, graph, arguments, totals(result));
  return report.passed ? "" : report.failures.front();
}

TEST(Threshold, AllowsWhatStaysWithinItAtEachVertex) {
  const host::Arguments arguments = values(0.9, 0.5);
  // In steps, at once, and with something kept back at the end.
  EXPECT_EQ(judged(program(kAbove), path(), arguments, {1, 1, 1}), "");
  EXPECT_EQ(judged(program(kAbove), path(), arguments, {1, 1.5, 1.75}), "");
  EXPECT_EQ(judged(program(kAbove), path(), arguments, {1, 1.5, 1}), "");
  EXPECT_NE(judged(program(kAbove), path(), arguments, {1, 1.5, 0.5}), "");
  EXPECT_NE(judged(program(kAbove), path(), arguments, {0, 1, 1}), "");
}

TEST(Threshold, ThatNothingPassesLeavesEverythingAsItWas) {
  for (const double threshold : {1.0, 2.0, double{INFINITY}, double{NAN}}) {
    const host::Arguments arguments = values(threshold, 0.5);
    EXPECT_EQ(column<double>(interpret(program(kAbove), path(), arguments), "total"),
              (std::vector<double>{0, 0, 0}));
    EXPECT_EQ(judged(program(kAbove), path(), arguments, {0, 0, 0}), "") << threshold;
    EXPECT_NE(judged(program(kAbove), path(), arguments, {1, 1.5, 1.75}).find("no inbox"),
              std::string::npos)
        << threshold;
  }
}

TEST(Threshold, BelowZeroLetsEverythingPass) {
  for (const char* guard : {kAbove, kSize}) {
    const host::Arguments arguments = values(-3, 0.5);
    EXPECT_EQ(judged(program(guard), path(), arguments, {1, 1.5, 1.75}), "");
    EXPECT_NE(judged(program(guard), path(), arguments, {1, 1.5, 1}), "");
  }
}

TEST(Threshold, MayStandBesideWhatNeverChanges) {
  const std::string text = program("(inbox(delta) > $threshold) && (out_degree<int64>(v) > 0i64)");
  const host::Arguments arguments = values(0.1, 0.5);
  EXPECT_EQ(judged(text, path(), arguments, {1, 1.5, 0}), "");
  EXPECT_NE(judged(text, path(), arguments, {1, 1.5, 1.75}), "");
}

// The state of an accumulation, and twice its value, which another phase writes.
std::string followed(const std::string& body) {
  std::string text = program(kAbove, "fact difference = \"by-graph\";");
  const auto put = [&](const std::string& place, const std::string& what) {
    text.insert(text.find(place), what);
  };
  put("  message", "  state twice: float64 = 0.0;\n");
  put("  body", "  phase after: sweep v { update { v.twice = v.total * 2.0; } }\n");
  text.replace(text.find("run main;"), 9, body);
  text.insert(text.rfind('}'), "  output twice;\n");
  return text;
}

host::RunResult totals_and_twice(const std::vector<double>& values, double last) {
  host::RunResult result = totals(values);
  Column column = result.states.front();
  column.name = "twice";
  for (double& value : column.as<double>()) value *= 2;
  column.as<double>().back() = last;
  result.states.push_back(std::move(column));
  return result;
}

TEST(Threshold, IsCheckedByItselfWhereOtherPhasesFollow) {
  const std::string text = followed("run main; run after;");
  const host::Arguments arguments = values(0.9, 0.5);
  const auto judge = [&](const std::vector<double>& result, double last) {
    const auto report = check(text, path(), arguments, totals_and_twice(result, last));
    return report.passed ? "" : report.failures.front();
  };
  EXPECT_EQ(judge({1, 1, 1}, 2), "");
  EXPECT_EQ(judge({1, 1.5, 1.75}, 3.5), "");
  EXPECT_EQ(judge({1, 1.5, 1}, 2), "");
  EXPECT_NE(judge({1, 1.5, 0.5}, 1).find("'total'"), std::string::npos);
  EXPECT_NE(judge({1, 1.5, 1}, 3.5).find("'twice'"), std::string::npos);
}

TEST(Threshold, LeavesOpenWhatNoStateShows) {
  const host::Arguments arguments = values(0.9, 0.5);
  for (const char* body : {"repeat 2 { run main; } run after;", "run main; run after; run main;"}) {
    const std::string text = followed(body);
    const auto report = check(text, path(), arguments, totals_and_twice({2, 3, 3.5}, 7));
    EXPECT_TRUE(report.passed) << body;
    EXPECT_EQ(report.checked.back(),
              "'total', 'twice' not compared: what a threshold kept back shows in it, and that "
              "depends on the order");
  }
}

TEST(Threshold, MayStandBeforeSendsUnderConditions) {
  std::string text = program(kAbove);
  const std::string send = "send out delta = $share * inbox(delta);";
  text.replace(text.find(send), send.size(),
               "if out_degree<int64>(v) > 1i64 { send out delta = 0.25 * inbox(delta); } else { " +
                   send + " }");
  EXPECT_EQ(judged(text, path(), values(0.1, 0.5), {1, 1.5, 1.75}), "");
  EXPECT_NE(judged(text, path(), values(0.1, 0.5), {1, 1.25, 1.75}), "") << "a path has no forks";
  EXPECT_EQ(judged(text, fork(), values(0.9, 0.5), {2, 1, 1}), "");
  EXPECT_NE(judged(text, fork(), values(0.4, 0.5), {2, 1, 1}), "");
}

TEST(Threshold, IsStatedAsADistanceBetweenResults) {
  const auto stated = [](const graph::Graph& graph, const host::Arguments& arguments) {
    const auto result = interpret(program(kAbove), graph, arguments);
    return check(program(kAbove), graph, arguments, result).checked.at(1);
  };
  EXPECT_EQ(stated(path(), values(0.25, 0.5)),
            "other schedules differ by at most the share 0.5 of each value");
  EXPECT_EQ(stated(cycle(), values(0.75, 0.5)),
            "other schedules differ by at most 3 at each vertex");
  EXPECT_EQ(stated(fork(), values(0.75, 0.6)).substr(0, 41),
            "how far other schedules may be off is not");
}

std::string in_step(const std::string& text, const graph::Graph& graph,
                    const host::Arguments& arguments) {
  const auto phases = reference::phases_in_step(text, host::RunRequest{graph, arguments, {}});
  return phases.contains("main") ? phases.at("main") : "";
}

TEST(Order, IsFreeWhereNothingIsBelowZero) {
  EXPECT_EQ(in_step(program(kAbove), fork(), values(0.1, 0.4)), "");
  EXPECT_EQ(in_step(program(kAbove), cycle(), values(0.1, 3)), "");
}

TEST(Order, IsInStepsWhereAGuardOfOneSideMeetsBothSigns) {
  EXPECT_EQ(in_step(program(kAbove), path(), values(0.1, -0.5)),
            "vertex 0 sends a value of the other sign, and the guard looks at one side only");
  EXPECT_EQ(in_step(program(kAbove), fork(), values(0.1, 0.5, 1, -1)),
            "vertex 1 starts with a value below zero, and the guard looks at one side only");
}

TEST(Order, IsFreeWhereAGuardOfBothSidesMeetsWhatShrinks) {
  EXPECT_EQ(in_step(program(kSize), path(), values(0.1, -0.5)), "");
  EXPECT_EQ(in_step(program(kSize), fork(), values(0.1, 0.4, 1, -1)), "");
}

TEST(Order, IsInStepsWhereWhatGrowsMayCancel) {
  EXPECT_EQ(in_step(program(kSize), fork(), values(0.1, -2)),
            "vertex 0 sends a value of the other sign, and vertex 0 passes on 4 times what it "
            "takes");
  EXPECT_EQ(in_step(program(kSize), fork(), values(0.1, NAN)).substr(0, 8), "vertex 0");
}

TEST(Order, NeedsNoValuesWhereTheProofHasThem) {
  EXPECT_EQ(in_step(program(kAbove, "fact signs = \"non-negative\";"), path(), values(0.1, -0.5)),
            "");
}

TEST(OpenResults, AreWhatAThresholdKeepsBack) {
  const auto open = reference::open_results(program(kAbove, "fact difference = \"by-graph\";"));
  EXPECT_EQ(open.outputs, std::set<std::string>{"total"});
  const auto exact = reference::open_results(program(kAbove, "fact difference = \"rounding\";"));
  EXPECT_TRUE(exact.empty());
}

}  // namespace
}  // namespace vertigo::test
