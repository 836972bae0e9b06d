// What each construct of the language does, on graphs small enough to follow by hand.
#include <gtest/gtest.h>

#include "fixture.h"
#include "programs.h"
#include "vertigo/core/error.h"

namespace vertigo::test {
namespace {

constexpr std::int32_t kInf = kInfinity<std::int32_t>;
using Ints = std::vector<std::int32_t>;
using Vertices = std::vector<Vertex>;

// 0 -> 1 -> 3 is longer than 0 -> 2 -> 1 -> 3; 4 is not reached.
graph::Graph detour() { return make_graph(5, {{0, 1, 9}, {0, 2, 1}, {2, 1, 2}, {1, 3, 1}}); }

TEST(Interpreter, RelaxesUntilNoDistanceImproves) {
  const auto result = interpret(kSssp, detour(), source_argument(0));
  EXPECT_EQ(column<std::int32_t>(result, "distance"), (Ints{0, 3, 1, 4, kInf}));
  ASSERT_EQ(result.phases.size(), 1u);
  EXPECT_EQ(result.phases[0].steps, 4u);
}

TEST(Interpreter, UsesTheDefaultWeightOfAGraphWithoutWeights) {
  const auto graph = make_graph(3, {{0, 1, 7}, {1, 2, 7}}, false, false);
  EXPECT_EQ(column<std::int32_t>(interpret(kSssp, graph, source_argument(0)), "distance"),
            (Ints{0, 1, 2}));
  EXPECT_THROW(interpret(kWidest, graph, source_argument(0)), Error);
}

TEST(Interpreter, OrdersTuplesLexicographically) {
  // Two shortest paths to 3: the smaller parent wins.
  const auto graph = make_graph(4, {{0, 2, 1}, {0, 1, 1}, {1, 3, 1}, {2, 3, 1}});
  const auto result = interpret(kSsspTree, graph, source_argument(0));
  EXPECT_EQ(column<std::int32_t>(result, "path.0"), (Ints{0, 1, 1, 2}));
  EXPECT_EQ(column<Vertex>(result, "path.1"), (Vertices{0, 0, 0, 1}));
}

TEST(Interpreter, MaximisesTheNarrowestEdge) {
  const auto result = interpret(kWidest, detour(), source_argument(0));
  EXPECT_EQ(column<std::int32_t>(result, "width"), (Ints{kInf, 9, 1, 1, 0}));
}

TEST(Interpreter, SendsAgainstTheEdgesToo) {
  const auto graph = make_graph(6, {{3, 1, 1}, {3, 4, 1}, {5, 2, 1}});
  EXPECT_EQ(column<Vertex>(interpret(kWcc, graph), "component"), (Vertices{0, 1, 2, 1, 1, 2}));
}

TEST(Interpreter, CountsTheEdgesThatReductionsOverNeighboursVisit) {
  constexpr const char* kReduces = R"(program reduces {
  state total: int64 = 0i64;
  phase main: sweep v { update { v.total = sum<int64>(1i64 for u in in(v)); } }
  body { run main; }
  output total;
})";
  const auto result = interpret(kReduces, detour());
  ASSERT_EQ(result.phases.size(), 1u);
  EXPECT_EQ(result.phases[0].edges, 4u);
}

TEST(Interpreter, AnswersTheEmptyGraph) {
  const auto result = interpret(kWcc, make_graph(0, {}));
  ASSERT_EQ(result.states.size(), 1u);
  EXPECT_EQ(result.states[0].size(), 0u);
}

TEST(Interpreter, AccumulatesDeltasUpToTheTolerance) {
  // A vertex that nobody links to keeps the base rank; one link adds damping times it.
  const auto result = interpret(kPageRank, make_graph(3, {{0, 1, 1}}));
  const auto rank = column<float>(result, "rank");
  EXPECT_FLOAT_EQ(rank[0], 0.15f);
  EXPECT_FLOAT_EQ(rank[1], 0.15f + 0.85f * 0.15f);
  EXPECT_FLOAT_EQ(rank[2], 0.15f);
}

TEST(Interpreter, TakesTheFirstSenderOfAny) {
  const auto graph = make_graph(4, {{0, 2, 1}, {0, 1, 1}, {1, 3, 1}, {2, 3, 1}});
  const auto result = interpret(kBfsParents, graph, source_argument(0));
  EXPECT_EQ(column<std::int32_t>(result, "depth"), (Ints{0, 1, 1, 2}));
  EXPECT_EQ(column<Vertex>(result, "parent"), (Vertices{0, 0, 0, 1}));
}

TEST(Interpreter, CountsDependenciesBackwards) {
  // A diamond and a tail: half of the paths to 3 and 4 lead over each of 1 and 2.
  const auto graph = make_graph(5, {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}, {3, 4, 1}});
  const auto dependency = column<double>(interpret(kBc, graph, source_argument(0)), "dependency");
  EXPECT_EQ(dependency, (std::vector<double>{4, 1, 1, 1, 0}));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

// The way over 1 is longer, and its message comes when 2 has its distance.
const std::vector<WeightedEdge> kLateMessage = {{0, 2, 2}, {0, 1, 3}, {1, 2, 3}};

TEST(Interpreter, EmptiesInboxesWhenAPhaseEnds) {
  const auto late = interpret(kSsspLate, make_graph(3, kLateMessage), source_argument(0));
  EXPECT_EQ(column<std::int32_t>(late, "late"), (Ints{kInf, kInf, kInf}));
}

TEST(Interpreter, EmptiesInboxesWhenALimitEndsAPhase) {
  const std::string limited = replaced(kSsspLate, "start vertex", "limit 1;\n    start vertex");
  const auto late = interpret(limited, make_graph(3, kLateMessage), source_argument(0));
  EXPECT_EQ(column<std::int32_t>(late, "distance"), (Ints{0, kInf, kInf}));
  EXPECT_EQ(column<std::int32_t>(late, "late"), (Ints{kInf, kInf, kInf}));
}

TEST(Interpreter, AsksAtALimitWithTheStepThatDoesNotRun) {
  const auto result = interpret(R"(program p {
  state turns: int32 = 0;
  message more: int32 combine sum identity 0;
  phase main: fixpoint v when 2 > step {
    limit 2;
    start all { }
    update {
      v.turns = v.turns + 1;
      send both more = 1;
    }
  }
  body { run main; }
  output turns;
})",
                                make_graph(2, {{0, 1, 1}}));
  EXPECT_EQ(column<std::int32_t>(result, "turns"), (Ints{2, 2}));
  EXPECT_TRUE(result.converged);
}

TEST(Interpreter, KeepsWhatIsLeftOfAKeptMessage) {
  const std::string kept = replaced(kSsspLate, "inf<int32>;\n  phase", "inf<int32> keep;\n  phase");
  const auto late = interpret(kept, make_graph(3, kLateMessage), source_argument(0));
  EXPECT_EQ(column<std::int32_t>(late, "late"), (Ints{kInf, kInf, 6}));
}

TEST(Interpreter, KeepsAnInboxWhileTheGuardDoesNotHold) {
  // A triangle with a tail: the tail peels first, and its message must not be lost.
  const auto graph = make_graph(5, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {2, 3, 1}}, true);
  EXPECT_EQ(column<std::int32_t>(interpret(kCore, graph), "core"), (Ints{2, 2, 2, 1, 0}));
}

TEST(Interpreter, ReadsNeighboursAsTheyWereBeforeTheStep) {
  // On a two-cycle with exchanged labels, current values would make both equal.
  const auto graph = make_graph(2, {{0, 1, 1}, {1, 0, 1}});
  host::Arguments once;
  once.set("rounds", Value{ScalarKind::Int32, std::int64_t{1}});
  EXPECT_EQ(column<Vertex>(interpret(kCdlp, graph, once), "label"), (Vertices{1, 0}));
}

TEST(Interpreter, ReadsNeighboursAsTheyAreInSerializablePhases) {
  const auto path = make_graph(3, {{0, 1, 1}, {1, 2, 1}}, true);
  EXPECT_EQ(column<std::int32_t>(interpret(kColouring, path), "colour"), (Ints{1, 0, 1}));
}

TEST(Interpreter, KeepsTheMassOfRanks) {
  const auto graph = random_graph(60, 150, 3);
  const auto result = interpret(kGraphalyticsPageRank, graph);
  EXPECT_NEAR(result.reports.at("mass").as<double>(), 1.0, 1e-12);
}

TEST(Interpreter, CountsTriangles) {
  // Two triangles that share the edge 1-2, and a parallel edge that adds none.
  const auto graph = make_graph(4, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}}, true);
  EXPECT_EQ(interpret(kTriangles, graph).reports.at("total").as<std::int64_t>(), 2);
}

TEST(Interpreter, NamesANegativeCycle) {
  const auto graph =
      make_graph(6, {{0, 1, 1}, {1, 2, 1}, {2, 3, -2}, {3, 1, -1}, {3, 4, 1}, {4, 5, 1}});
  try {
    interpret(kSssp, graph, source_argument(0));
    FAIL() << "a negative cycle was not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::NotConverged);
    EXPECT_NE(std::string(error.what()).find("negative cycle 1 -> 2 -> 3 -> 1"), std::string::npos)
        << error.what();
  }
}

TEST(Interpreter, AcceptsNegativeEdgesWithoutANegativeCycle) {
  const auto graph = make_graph(4, {{0, 1, 5}, {1, 2, -3}, {2, 0, -2}, {2, 3, 1}});
  EXPECT_EQ(column<std::int32_t>(interpret(kSssp, graph, source_argument(0)), "distance"),
            (Ints{0, 5, 2, 3}));
}

TEST(Interpreter, StopsAtAStepLimit) {
  const auto path = make_graph(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}});
  const host::Arguments arguments = source_argument(0);
  host::RunRequest request{path, arguments, {}};
  request.step_limit = 2;
  const auto result = reference::interpret_text(kSssp, request);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(column<std::int32_t>(result, "distance"), (Ints{0, 1, kInf, kInf, kInf}));
}

TEST(Interpreter, RefusesASourceThatIsNoVertex) {
  try {
    interpret(kSssp, detour(), source_argument(5));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::InputRefused);
    EXPECT_NE(std::string(error.what()).find("'source'"), std::string::npos);
  }
}

TEST(Interpreter, RefusesDamagedText) {
  try {
    interpret("program broken {", detour());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Other);
  }
}

TEST(Interpreter, CombinesByAFunction) {
  // Both 0 and 1 send news of degree 1 to 2; the smaller sender is the later by the function.
  const auto graph = make_graph(4, {{1, 2, 1}, {0, 2, 1}});
  const auto result = interpret(kLatestNews, graph);
  EXPECT_EQ(column<std::int32_t>(result, "last.0"), (Ints{1, 1, 1, -1}));
  EXPECT_EQ(column<Vertex>(result, "last.1"), (Vertices{0, 1, 0, kNoVertex}));
}

TEST(Interpreter, StartsAListedVertexOnce) {
  host::Arguments arguments;
  arguments.set_list("sources", {1, 0, 1});
  const auto graph = make_graph(3, {{0, 1, 1}, {1, 2, 1}});
  EXPECT_EQ(column<double>(interpret(kFromList, graph, arguments), "mass"),
            (std::vector<double>{1, 3, 6}));
}

TEST(Interpreter, NoticesASumThatGrowsWithoutBound) {
  host::Arguments arguments;
  arguments.set_list("sources", {0});
  try {
    interpret(kFromList, make_graph(2, {{0, 1, 1}, {1, 0, 1}}), arguments);
    FAIL() << "a diverging sum was not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::NotConverged);
    EXPECT_NE(std::string(error.what()).find("'share' grows without bound"), std::string::npos);
  }
}

TEST(Interpreter, DrawsByTheIdOfTheInput) {
  auto graph = make_graph(3, {});
  const auto draws = column<double>(interpret(kDraws, graph), "draw");
  for (const double draw : draws) {
    EXPECT_GE(draw, 0);
    EXPECT_LT(draw, 1);
  }
  EXPECT_NE(draws[0], draws[1]);
  graph.ids = graph::IdMap::contiguous(1, 3);
  const auto shifted = column<double>(interpret(kDraws, graph), "draw");
  EXPECT_EQ(shifted[0], draws[1]);
  EXPECT_EQ(shifted[1], draws[2]);
}

// The start names no vertex, and a vertex that is a value has no name: they are not the same one.
TEST(Interpreter, ReadsOfAVertexThatIsAValueWhatItHeldBeforeTheStep) {
  const char* program = R"(program followed {
    param source: vertex;
    state next: vertex = $source;
    state left: int32 = 100;
    phase main: fixpoint v when v.left > 0 {
      limit 2;
      start all {
      }
      update {
        v.left = at(v.next).left - 1;
      }
    }
    body {
      run main;
    }
    output left;
  })";
  const auto result = interpret(program, make_graph(3, {}), source_argument(0));
  EXPECT_EQ(column<std::int32_t>(result, "left"), (std::vector<std::int32_t>{99, 99, 99}));
}

TEST(Interpreter, SaturatesAndKeepsInfinityAbsorbing) {
  const char* program = R"(program numbers {
    state big: int32 = 2147483000 + 5000;
    state infinite: int32 = inf<int32> + -7;
    state low: int32 = -2147483000 - 5000;
    state quotient: int32 = 7 / 0;
    state rest: int32 = 7 % 0;
    state truncated: int32 = -7 / 2;
    state floor: uint32 = 3u32 - 5u32;
    state clamped: int32 = cast<int32>(1e30);
    output big;
  })";
  const auto result = interpret(program, make_graph(1, {}));
  const auto value = [&](const char* name) { return column<std::int32_t>(result, name).at(0); };
  EXPECT_EQ(value("big"), kInf);
  EXPECT_EQ(value("infinite"), kInf);
  EXPECT_EQ(value("low"), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(value("quotient"), 0);
  EXPECT_EQ(value("rest"), 0);
  EXPECT_EQ(value("truncated"), -3);
  EXPECT_EQ(value("floor"), 0);
  EXPECT_EQ(value("clamped"), kInf);
}

}  // namespace
}  // namespace vertigo::test
