// The smallest generated file: docs/generated-code-contract.md shows this text.
#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

#include "vertigo/host/program.h"
#include "vertigo/trace/recorder.h"

namespace {

using namespace vertigo;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The printed Program IR, without the facts of the passes.
constexpr std::string_view kProgramIr = R"vertigo(program bfs from "bfs.vg" {
  param source: vertex;
  state depth: int32 = inf<int32>;
  message level: int32 combine min identity inf<int32>;
  phase main: fixpoint v when inbox(level) < v.depth {
    start vertex $source {
      inbox level = 0;
    }
    update {
      v.depth = inbox(level);
      send out level = inbox(level) + 1;
    }
  }
  body {
    run main;
  }
  output depth;
}
)vertigo";
constexpr std::string_view kPlan = "plan bfs ...";  // the printed Plan IR
constexpr std::string_view kSource = "// this file, as emitted";

const host::ProgramInfo& info() {
  static const host::ProgramInfo info{
      .name = "bfs",
      .source_file = "bfs.vg",
      .compiler_version = "0.1.0",
      .options = "--target=cpu",
      .program_ir = kProgramIr,
      .plan = kPlan,
      .parameters =
          {{.name = "source", .kind = ScalarKind::Vertex, .is_list = false, .default_text = ""}},
      .vertex_inputs = {},
      .edge = {},
      .outputs = {{.state = "depth", .kinds = {ScalarKind::Int32}, .tolerance = 0}},
      .reports = {{.name = "reached", .kind = ScalarKind::Int64}},
      .requirements = {},
      .phases = {{.name = "main",
                  .variants = {{.name = "sync-push-data", .reason = "breadth first by levels"},
                               {.name = "sync-pull-topology", .reason = "cheap when dense"}},
                  .preferred = 0}},
      .needs_transpose = true,
      .all_schedules = true,
  };
  return info;
}

// Relaxes the edges of one superstep and returns how many it visited.
EdgeIndex step(const graph::Graph& graph, bool push, std::int32_t level, Column& states,
               std::vector<Vertex>& frontier) {
  const std::span<std::int32_t> depth = states.as<std::int32_t>();
  EdgeIndex edges = 0;
  std::vector<Vertex> next;
  const auto reach = [&](Vertex v) {
    depth[v] = level;
    next.push_back(v);
  };
  if (push) {
    for (const Vertex v : frontier)
      for (const Vertex u : graph.out.neighbours(v))
        if (++edges; depth[u] == kInfinity<std::int32_t>) reach(u);
  } else {
    for (Vertex u = 0; u < graph.vertex_count; ++u) {
      if (depth[u] != kInfinity<std::int32_t>) continue;
      for (const Vertex v : graph.in().neighbours(u))
        if (++edges; depth[v] == level - 1) {
          reach(u);
          break;
        }
    }
  }
  frontier = std::move(next);
  return edges;
}

host::RunResult run(const host::RunRequest& request) {
  host::check_request(info(), host::TargetKind::Cpu, request);
  const graph::Graph& graph = request.graph;
  const auto pinned = request.schedule.find("main");
  const std::string_view variant = pinned == request.schedule.end()
                                       ? std::string_view("sync-push-data")
                                       : std::string_view(pinned->second);
  const bool push = variant == "sync-push-data";

  Column depth{.name = "depth", .kind = ScalarKind::Int32, .bytes = {}};
  depth.bytes.resize(graph.vertex_count * sizeof(std::int32_t));
  std::ranges::fill(depth.as<std::int32_t>(), kInfinity<std::int32_t>);

  const Vertex source = request.arguments.get<Vertex>("source");
  depth.as<std::int32_t>()[source] = 0;
  std::vector<Vertex> frontier{source};
  host::PhaseSummary phase{.phase = "main", .schedule = std::string(variant)};
  host::RunResult result;
  std::int64_t reached = 1;

  const auto begin = Clock::now();
  while (!frontier.empty()) {
    if (request.step_limit != 0 && phase.steps == request.step_limit) {
      result.converged = false;
      break;
    }
    const double start = seconds_since(begin);
    const std::uint64_t active = frontier.size();
    const auto level = static_cast<std::int32_t>(phase.steps + 1);
    const EdgeIndex edges = step(graph, push, level, depth, frontier);
    reached += static_cast<std::int64_t>(frontier.size());
    if (request.trace != nullptr)
      request.trace->add({.phase = "main",
                          .variant = push ? "sync-push-data" : "sync-pull-topology",
                          .reason = "pinned or preferred",
                          .step = phase.steps,
                          .active_vertices = active,
                          .edges = edges,
                          .start = start,
                          .duration = seconds_since(begin) - start});
    phase.edges += edges;
    ++phase.steps;
  }
  result.timing.run = seconds_since(begin);

  result.states.push_back(std::move(depth));
  result.reports["reached"] = {.kind = ScalarKind::Int64, .data = reached};
  result.phases.push_back(std::move(phase));
  return result;
}

const host::Target target{
    .kind = host::TargetKind::Cpu, .info = &info(), .run = &run, .emitted_source = kSource};
const host::RegisterTarget registration(target);

}  // namespace
