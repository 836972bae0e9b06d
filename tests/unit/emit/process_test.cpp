// Several programs in one process, and several runs of them at the same time.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <thread>

#include "variants.h"
#include "vertigo/core/error.h"
#include "vertigo/host/run.h"
#include "vertigo/reference/reference.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::test {
namespace {

using host::TargetKind;

constexpr std::array<const char*, 5> kPrograms{"bfs", "kcore", "pagerank", "sssp", "wcc"};
constexpr unsigned kThreads = 8;

const host::Target& target_of(const char* program) {
  const host::Target* const target = host::find_target(program, TargetKind::Cpu);
  if (target == nullptr) throw std::runtime_error(std::string("no program ") + program);
  return *target;
}

void in_threads(const std::function<void(unsigned)>& body) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

/// Floating values differ by what the threshold keeps back; the others' bits count.
void expect_same(const host::RunResult& expected, const host::RunResult& actual,
                 const std::string& where) {
  const Column& a = expected.states.at(0);
  const Column& b = actual.states.at(0);
  ASSERT_EQ(a.bytes.size(), b.bytes.size()) << where;
  if (a.kind != ScalarKind::Float32) {
    EXPECT_EQ(a.bytes, b.bytes) << where;
    return;
  }
  for (std::size_t v = 0; v < a.size(); ++v)
    EXPECT_NEAR(a.as<float>()[v], b.as<float>()[v], 5e-3 * (1 + a.as<float>()[v])) << where;
}

host::RunResult interpreted(const host::ProgramInfo& info, const host::RunRequest& request) {
  return reference::interpret_text(info.program_ir, request);
}

/// In every schedule, with a trace of its own.
void run_everywhere(const char* program, const graph::Graph& graph,
                    const host::Arguments& arguments) {
  const host::Target& target = target_of(program);
  const host::RunResult expected =
      interpreted(*target.info, {.graph = graph, .arguments = arguments});
  for (const Schedule& schedule : schedules_of(*target.info)) {
    trace::Recorder trace;
    const host::RunResult actual = host::run(
        target, {.graph = graph, .arguments = arguments, .schedule = schedule, .trace = &trace});
    expect_same(expected, actual, std::string(program) + ", " + describe(schedule));
  }
}

TEST(OneProcess, HoldsAllItsPrograms) {
  EXPECT_EQ(host::program_names(),
            (std::vector<std::string_view>(kPrograms.begin(), kPrograms.end())));
  for (const char* const program : kPrograms) {
    const host::ProgramInfo& info = *target_of(program).info;
    const graph::Graph graph = random_graph(info, 200, 3, 1);
    run_everywhere(program, graph, arguments_for(info, graph));
  }
}

TEST(OneProcess, RunsEightThreadsWithAGraphEach) {
  in_threads([](unsigned number) {
    for (std::size_t turn = 0; turn < kPrograms.size(); ++turn) {
      // Threads meet in the same program as well as in different ones.
      const char* const program = kPrograms[(turn + number / 2) % kPrograms.size()];
      const host::ProgramInfo& info = *target_of(program).info;
      const graph::Graph graph = random_graph(info, 520 + 40 * number, 3, number);
      run_everywhere(program, graph, arguments_for(info, graph));
    }
  });
}

TEST(OneProcess, RunsEightThreadsOnOneGraph) {
  for (const char* const program : {"kcore", "sssp"}) {
    const host::ProgramInfo& info = *target_of(program).info;
    const graph::Graph graph = random_graph(info, 700, 3, 5);
    const host::Arguments arguments = arguments_for(info, graph);
    in_threads([&](unsigned) { run_everywhere(program, graph, arguments); });
  }
}

void expect_error(ExitCode code, const std::string& message, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "no error, where expected: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.message();
    EXPECT_NE(error.message().find(message), std::string::npos) << error.message();
  }
}

/// Whether it is called through the entry or by itself.
void expect_refused(const char* program, ExitCode code, const std::string& message,
                    const host::RunRequest& request) {
  const host::Target& target = target_of(program);
  expect_error(code, message, [&] { host::run(target, request); });
  expect_error(code, message, [&] { target.run(request); });
}

TEST(OneProcess, RefusesWhatAProgramCannotRun) {
  const host::Arguments none;
  const host::ProgramInfo& bfs = *target_of("bfs").info;
  graph::Graph directed = random_graph(bfs, 20, 2, 1);  // with a transpose
  in_threads([&](unsigned) {
    expect_refused("bfs", ExitCode::Usage, "parameter 'source' is missing",
                   {.graph = directed, .arguments = none});
    expect_refused("sssp", ExitCode::Usage, "parameter 'source' is missing",
                   {.graph = directed, .arguments = none});
    expect_refused("pagerank", ExitCode::Usage, "parameter 'damping' is missing",
                   {.graph = directed, .arguments = none});
    expect_refused("kcore", ExitCode::InputRefused, "has no reverse edge",
                   {.graph = directed, .arguments = none});
  });
  directed.in_adjacency.reset();
  expect_refused("kcore", ExitCode::InputRefused, "has no reverse edge",
                 {.graph = directed, .arguments = none});
  expect_refused("wcc", ExitCode::InputRefused, "reads in-neighbours",
                 {.graph = directed, .arguments = none});
}

// The engine that `auto` prefers is for lengths from zero: the entry looks at the weights itself.
TEST(OneProcess, LooksAtTheWeightsItself) {
  const host::ProgramInfo& info = *target_of("sssp").info;
  graph::Graph graph;
  graph.vertex_count = 3;
  graph.edge_count = 3;
  graph.out = {.offsets = {0, 2, 2, 3},
               .targets = {1, 2, 1},
               .weights = std::vector<std::int32_t>{1, 5, -7}};
  graph::build_transpose(graph);
  const host::Arguments arguments = arguments_for(info, graph);
  const host::RunResult result =
      host::run(target_of("sssp"), {.graph = graph, .arguments = arguments});
  const auto distance = result.states.at(0).as<std::int32_t>();
  EXPECT_EQ(std::vector(distance.begin(), distance.end()), (std::vector<std::int32_t>{0, -2, 5}));
}

}  // namespace
}  // namespace vertigo::test
