// What a caller of one's own may get wrong: each is an Error with its code, before anything runs.
#include <gtest/gtest.h>

#include <functional>

#include "test_programs.h"
#include "vertigo/core/error.h"
#include "vertigo/graph/builder.h"
#include "vertigo/graph/prepare.h"
#include "vertigo/host/run.h"

namespace vertigo::host::test {
namespace {

graph::Graph chain(bool with_transpose = true) {
  graph::EdgeList edges;
  edges.vertex_count = 3;
  edges.sources = {0, 1};
  edges.targets = {1, 2};
  graph::Graph graph = graph::build_graph(std::move(edges), {});
  if (with_transpose) graph::build_transpose(graph);
  return graph;
}

Value vertex(std::uint64_t id) { return {ScalarKind::Vertex, id}; }

Arguments from(std::uint64_t source) {
  Arguments arguments;
  arguments.set("source", vertex(source));
  return arguments;
}

void expect_error(ExitCode code, const std::string& message, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "no error, where expected: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.message();
    EXPECT_EQ(error.message(), message);
  }
}

/// By whichever door: the entry for callers, and the target itself.
void expect_refused(ExitCode code, const std::string& message, const RunRequest& request) {
  const Target& target = *bfs().cpu;
  expect_error(code, message, [&] { run(target, request); });
  expect_error(code, message, [&] { target.run(request); });
}

TEST(Request, RunsInThisProcess) {
  const graph::Graph graph = chain();
  const Arguments arguments = from(0);
  const RunResult result = run(*bfs().cpu, {.graph = graph, .arguments = arguments});
  const auto depth = result.states.at(0).as<std::int32_t>();
  EXPECT_EQ(std::vector(depth.begin(), depth.end()), (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(Request, NeedsEveryParameter) {
  const graph::Graph graph = chain();
  const Arguments none;
  expect_refused(ExitCode::Usage, "parameter 'source' is missing",
                 {.graph = graph, .arguments = none});
  expect_error(ExitCode::Usage, "parameter 'source' is missing",
               [&] { none.get<Vertex>("source"); });
  expect_error(ExitCode::Usage, "parameter 'sources' is missing", [&] { none.list("sources"); });
}

TEST(Request, NeedsParametersOfTheRightKind) {
  const graph::Graph graph = chain();
  Arguments number;
  number.set("source", {ScalarKind::Int32, std::int64_t{0}});
  expect_refused(ExitCode::Usage,
                 "parameter 'source' is of another type: vertex is wanted, int32 was given",
                 {.graph = graph, .arguments = number});
  Arguments list;
  list.set_list("source", {0});
  expect_refused(ExitCode::Usage, "parameter 'source' is missing",
                 {.graph = graph, .arguments = list});
  Arguments misspelled = from(0);
  misspelled.set("sorce", vertex(1));
  expect_refused(ExitCode::Usage, "program 'bfs' has no parameter 'sorce'",
                 {.graph = graph, .arguments = misspelled});
}

TEST(Request, NeedsVerticesOfTheGraph) {
  const graph::Graph graph = chain();
  expect_refused(ExitCode::InputRefused,
                 "parameter 'source': vertex 3 is not in the graph, which has 3 vertices",
                 {.graph = graph, .arguments = from(3)});
  expect_refused(ExitCode::Usage, "parameter 'source': none is no vertex",
                 {.graph = graph, .arguments = from(kNoVertex)});
}

TEST(Request, NeedsATransposeWhereTheProgramReadsInNeighbours) {
  const graph::Graph graph = chain(false);
  expect_refused(ExitCode::InputRefused,
                 "the program reads in-neighbours, and the graph has none (graph::build_transpose)",
                 {.graph = graph, .arguments = from(0)});
}

TEST(Request, NeedsAWholeGraph) {
  graph::Graph graph = chain();
  graph.edge_count = 7;
  expect_refused(ExitCode::InputRefused,
                 "the graph's arrays do not fit its numbers of vertices and edges",
                 {.graph = graph, .arguments = from(0)});
}

TEST(Request, NamesWhatTheProgramHas) {
  const graph::Graph graph = chain();
  const Arguments arguments = from(0);
  expect_refused(
      ExitCode::Usage, "phase 'main' has no schedule 'sync-pull-data'",
      {.graph = graph, .arguments = arguments, .schedule = {{"main", "sync-pull-data"}}});
  expect_refused(ExitCode::Usage, "program 'bfs' has no phase 'forward'",
                 {.graph = graph, .arguments = arguments, .schedule = {{"forward", ""}}});
  expect_refused(ExitCode::Usage, "the CPU has no device 1",
                 {.graph = graph, .arguments = arguments, .device = 1});
  expect_refused(ExitCode::Usage, "a program is run once at least",
                 {.graph = graph, .arguments = arguments, .runs = 0});
}

/// Of a program with requirements, which bfs has not.
class Requirement : public testing::Test {
 protected:
  Requirement() { info.needs_transpose = false; }
  void expect_refused(const std::string& message, const graph::Graph& graph) const {
    const Arguments arguments = from(0);
    expect_error(ExitCode::InputRefused, message, [&] {
      check_request(info, TargetKind::Cpu, {.graph = graph, .arguments = arguments});
    });
  }
  ProgramInfo info = bfs().info();
};

TEST_F(Requirement, OfSymmetryNamesAnEdge) {
  info.requirements = {{RequirementInfo::Kind::Symmetric, "removing works both ways"}};
  expect_refused("the edge 0 -> 1 has no reverse edge (removing works both ways)", chain());
  graph::Graph symmetric = chain();
  symmetric.symmetric = true;
  const Arguments arguments = from(0);
  EXPECT_NO_THROW(
      check_request(info, TargetKind::Cpu, {.graph = symmetric, .arguments = arguments}));
}

TEST_F(Requirement, OfWeights) {
  info.edge = EdgeAttributeInfo{"weight", ScalarKind::Int32, ""};
  graph::Graph graph = chain();
  expect_refused("the graph has no weights, and the program needs 'weight' of every edge", graph);
  graph.out.weights = std::vector<double>{1, 2};
  expect_refused(
      "the graph's weights are float64, and the program's 'weight' is int32 "
      "(graph::convert_weights)",
      graph);
  graph.out.weights = std::vector<std::int32_t>{1, -2};
  expect_refused("one direction of the graph's edges has weights, the other has none", graph);
  graph.in_adjacency->weights = std::vector<std::int32_t>{1, -2};
  info.requirements = {{RequirementInfo::Kind::NonNegativeWeights, "lengths"}};
  expect_refused("the edge 1 -> 2 has the negative weight -2 (lengths)", graph);
}

TEST_F(Requirement, OfAttributesByName) {
  info.edge_columns = {{"length", ScalarKind::Int32, ""}, {"open", ScalarKind::Bool, "true"}};
  graph::Graph graph = chain();
  expect_refused("the graph has no attribute 'length', and the program needs it of every edge",
                 graph);
  // A length and a truth value, and what pads them: of two edges.
  const auto records = [](std::byte low, std::byte high) {
    std::vector<std::byte> bytes(16);
    bytes[0] = low;
    for (const std::size_t i : {8, 9, 10, 11}) bytes[i] = high;
    return bytes;
  };
  const char* const others =
      "the attributes of the graph's edges are not those of the program (graph::attach_records)";
  graph.out.records = records(std::byte{1}, std::byte{0});
  expect_refused(others, graph);
  graph.record_fields = {{"length", ScalarKind::Int32}, {"open", ScalarKind::Bool}};
  expect_refused(others, graph);  // in-edges have none
  graph.in_adjacency->records = graph.out.records;
  const Arguments arguments = from(0);
  EXPECT_NO_THROW(check_request(info, TargetKind::Cpu, {.graph = graph, .arguments = arguments}));
  info.requirements = {{RequirementInfo::Kind::NonNegativeWeights, "lengths", "length"}};
  EXPECT_NO_THROW(check_request(info, TargetKind::Cpu, {.graph = graph, .arguments = arguments}));
  graph.out.records = records(std::byte{1}, std::byte{0xFF});
  expect_refused("'length' of some edge is below zero (lengths)", graph);
  info.requirements = {{RequirementInfo::Kind::Symmetric, ""}};
  expect_refused(
      "the graph is not known to be symmetric, and it is too late to ask "
      "(graph::check_requirements before graph::attach_records)",
      graph);
  graph.out.weights = std::vector<std::int32_t>{1, 2};
  expect_refused(
      "the graph has weights, and the program reads attributes by name (graph::attach_records)",
      graph);
}

TEST_F(Requirement, OfNoDuplicates) {
  info.requirements = {{RequirementInfo::Kind::NoDuplicates, ""}};
  graph::Graph graph = chain();
  EXPECT_NO_THROW(check_request(info, TargetKind::Cpu, {.graph = graph, .arguments = from(0)}));
  graph.out.targets = {1, 1};
  graph.out.offsets = {0, 2, 2, 2};
  expect_refused("the edge 0 -> 1 is a duplicate", graph);
}

TEST_F(Requirement, OfASizeThatTheEngineTakes) {
  graph::Graph graph = chain();
  graph.edge_count = std::uint64_t{1} << 32;
  const auto run_on_gpu = [&](std::map<std::string, std::string> schedule) {
    check_request(info, TargetKind::Gpu,
                  {.graph = graph, .arguments = from(0), .schedule = std::move(schedule)});
  };
  const std::string problem =
      "phase 'main': engine 'distances' takes graphs of fewer than 4,294,967,296 edges, this one "
      "has 4,294,967,296 edges; pin another schedule (--compare-schedules names them)";
  const std::string later = "the graph's arrays do not fit its numbers of vertices and edges";
  info.phases = {
      {.name = "main", .variants = {{.name = "distances", .reason = ""}}, .preferred = 0}};
  expect_error(ExitCode::Usage, problem, [&] { run_on_gpu({}); });
  expect_error(ExitCode::InputRefused, later, [&] {
    check_request(info, TargetKind::Cpu, {.graph = graph, .arguments = from(0)});
  });
  info.phases[0].variants.push_back({.name = "sync-push-data", .reason = ""});
  expect_error(ExitCode::InputRefused, later, [&] { run_on_gpu({}); });
  expect_error(ExitCode::Usage, problem, [&] { run_on_gpu({{"main", "distances"}}); });
  graph.edge_count -= 1;
  expect_error(ExitCode::InputRefused, later, [&] { run_on_gpu({{"main", "distances"}}); });
}

TEST_F(Requirement, OfVertexInputs) {
  info.vertex_inputs = {{"seed", ScalarKind::Float64, "0"}};
  const graph::Graph graph = chain();
  Arguments arguments = from(0);
  const auto expect = [&](const std::string& message) {
    expect_error(ExitCode::Usage, message, [&] {
      check_request(info, TargetKind::Cpu, {.graph = graph, .arguments = arguments});
    });
  };
  arguments.set_input({"seed", ScalarKind::Int32, {}});
  expect("vertex input 'seed' is of another type: float64 is wanted, int32 was given");
  arguments.set_input({"seed", ScalarKind::Float64, UninitialisedBytes(8)});
  expect(
      "vertex input 'seed' has not one value for each vertex of the graph, which has 3 vertices");
}

}  // namespace
}  // namespace vertigo::host::test
