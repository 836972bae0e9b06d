// A program that declares everything that ProgramInfo can. Its states: `value` (float64) is
// scale * weighted in-degree + seed; `pair` is (int32, vertex); `flag` is bool. `mode` plants
// faults.
#ifdef _OPENMP
#include <omp.h>
#endif

#include <cmath>
#include <limits>
#include <new>
#include <variant>

#include "test_programs.h"
#include "vertigo/core/error.h"
#include "vertigo/execute/gave_up.h"
#include "vertigo/graph/reading_device.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::host::test {
namespace {

enum Mode : int {
  kNormal = 0,
  kNan = 1,
  kOutOfMemory = 2,
  kNegativeCycle = 3,
  kPullIsWrong = 4,
  kStepLimit = 5,
  kForeignException = 6,
  kMissingColumn = 7,
  kWithinTolerance = 8,
  kPushDoesNotFit = 9,
  kNothingFits = 10,
  kEngineGivesUp = 11,
};

std::string reason_against_gpu;

ProgramInfo make_info() {
  ProgramInfo info;
  info.name = "everything";
  info.source_file = "every'thing $(x).vg";
  info.compiler_version = "0.1.0";
  info.options = "--target=cpu";
  info.program_ir = "program everything";
  info.plan = "plan everything";
  info.parameters = {
      {"mode", ScalarKind::Int32, false, "0"},     {"scale_by", ScalarKind::Float32, false, "1"},
      {"root", ScalarKind::Vertex, false, "none"}, {"sources", ScalarKind::Vertex, true, "1"},
      {"far", ScalarKind::Int64, false, "inf"},    {"count", ScalarKind::UInt32, false, "7"},
      {"wide", ScalarKind::UInt64, false, "0"},    {"exact", ScalarKind::Float64, false, "1e-4"},
      {"fancy", ScalarKind::Bool, false, "false"}, {"threads", ScalarKind::Int32, false, "5"}};
  info.vertex_inputs = {{"seed", ScalarKind::Float64, "0"}, {"full", ScalarKind::Int32, ""}};
  info.edge = EdgeAttributeInfo{"weight", ScalarKind::Int32, "1"};
  info.outputs = {{"value", {ScalarKind::Float64}, 1e-6},
                  {"pair", {ScalarKind::Int32, ScalarKind::Vertex}, 0},
                  {"flag", {ScalarKind::Bool}, 0}};
  info.reports = {{"total", ScalarKind::Float64}};
  info.phases = {{"forward",
                  {{"sync-push-data", "always", false, true},
                   {"async-push-data", "proved"},
                   {"async-pull-topology", "proved"}},
                  1},
                 {"backward", {{"sync-push-data", "always"}, {"sync-pull-data", "always"}}, 0}};
  info.needs_transpose = true;
  info.all_schedules = true;
  return info;
}

const ProgramInfo& info() {
  static const ProgramInfo info = make_info();
  return info;
}

double weight(const graph::Graph& graph, EdgeIndex edge) {
  const auto* weights = std::get_if<graph::Array<std::int32_t>>(&graph.in().weights);
  return weights == nullptr ? 1 : (*weights)[edge];
}

template <class T>
Column column(const std::string& name, ScalarKind kind, Vertex count) {
  Column made{name, kind, {}};
  made.bytes.resize(count * sizeof(T));
  return made;
}

void remember(const RunRequest& request) {
  ++runs;
  seen = {.schedule = request.schedule,
          .step_limit = request.step_limit,
          .device = request.device,
          .device_memory = request.device_memory,
          .deterministic = request.deterministic,
          .traced = request.trace != nullptr,
          .threads = 0,
          .arguments = request.arguments};
#ifdef _OPENMP
  seen.threads = omp_get_max_threads();
#endif
}

std::string variant_of(const RunRequest& request, const std::string& phase) {
  const auto found = request.schedule.find(phase);
  return found == request.schedule.end() ? "sync-push-data" : found->second;
}

RunResult run(const RunRequest& request) {
  remember(request);
  const graph::Graph& graph = request.graph;
  const auto mode = request.arguments.get<int>("mode");
  if (mode == kOutOfMemory) throw std::bad_alloc();
  const std::string forward = variant_of(request, "forward");
  if (mode == kNothingFits || (mode == kPushDoesNotFit && forward == "async-push-data"))
    throw Error(ExitCode::OutOfMemory, "9 GiB are needed for " + forward);
  if (mode == kNegativeCycle)
    throw Error(ExitCode::NotConverged, "a negative cycle goes through 2");
  if (mode == kEngineGivesUp && !request.schedule.contains("forward"))
    throw execute::EngineGaveUp("forward", "it grows", "no fixed point");
  if (mode == kForeignException) throw std::runtime_error("something\nelse");

  const Vertex n = graph.vertex_count;
  auto value = column<double>("value", ScalarKind::Float64, n);
  auto first = column<std::int32_t>("pair.0", ScalarKind::Int32, n);
  auto second = column<Vertex>("pair.1", ScalarKind::Vertex, n);
  auto flag = column<bool>("flag", ScalarKind::Bool, n);
  const Column* seed = request.arguments.input("seed");
  double total = 0;
  for (Vertex v = 0; v < n; ++v) {
    double sum = seed == nullptr ? 0 : seed->as<double>()[v];
    const EdgeIndex begin = graph.in().offsets[v], end = graph.in().offsets[v + 1];
    for (EdgeIndex e = begin; e < end; ++e)
      sum += request.arguments.get<float>("scale_by") * weight(graph, e);
    value.as<double>()[v] = sum;
    first.as<std::int32_t>()[v] =
        begin == end ? kInfinity<std::int32_t> : static_cast<std::int32_t>(v);
    second.as<Vertex>()[v] = begin == end ? kNoVertex : graph.in().targets[begin];
    flag.as<bool>()[v] = begin != end;
    total += sum;
  }
  if (n > 0) {
    const bool pulled = forward == "async-pull-topology";
    if (mode == kNan) value.as<double>()[n - 1] = std::numeric_limits<double>::quiet_NaN();
    if (mode == kPullIsWrong && pulled) first.as<std::int32_t>()[n - 1] = -5;
    if (mode == kWithinTolerance && pulled) value.as<double>()[n - 1] *= 1 + 1e-8;
  }

  RunResult result;
  result.states.push_back(std::move(value));
  result.states.push_back(std::move(first));
  if (mode != kMissingColumn) result.states.push_back(std::move(second));
  result.states.push_back(std::move(flag));
  result.reports["total"] = {ScalarKind::Float64, total};
  for (const PhaseInfo& phase : info().phases) {
    const std::string name(phase.name);
    result.phases.push_back({.phase = name,
                             .schedule = variant_of(request, name),
                             .reason = "preferred by the test",
                             .steps = 3,
                             .edges = graph.edge_count,
                             .active_vertices = 10});
  }
  result.timing = {.preprocess = 0.25, .transfer = 0.5, .run = 0.125 * runs};
  result.converged = mode != kStepLimit;
  if (request.trace != nullptr)
    request.trace->add({.phase = "forward", .variant = "sync-push-data", .reason = "always"});
  return result;
}

Footprint footprint(const RunRequest& request) {
  return {.arrays = {{"value", request.graph.vertex_count * 8ull, true}},
          .device_total = 1 << 30,
          .device_free = 1 << 29,
          .strategy = "resident: everything fits"};
}

std::string device(unsigned number) { return "Test GPU " + std::to_string(number) + ", 1 GiB"; }
std::string unusable(unsigned number) {
  return number < 2 ? reason_against_gpu : "there is no GPU " + std::to_string(number);
}

const Target cpu{
    .kind = TargetKind::Cpu, .info = &info(), .run = &run, .emitted_source = "// C++\n"};
// What fails here the run meets again.
void start(unsigned number) {
  started_devices.push_back(number);
  started_elsewhere = std::this_thread::get_id() != caller;
  throw Error(ExitCode::OutOfMemory, "the device is full");
}

class DoubtfulDevice final : public graph::ReadingDevice {
 public:
  std::unique_ptr<graph::DeviceEdges> parse(const graph::EdgeText& /*text*/) override {
    throw graph::DeviceDoubt{"this device doubts everything"};
  }
  graph::TakenLists take(const graph::StoredLists& /*stored*/) override {
    throw graph::DeviceDoubt{"this device doubts everything"};
  }
};
std::shared_ptr<graph::ReadingDevice> reading_device(unsigned /*number*/) {
  return std::make_shared<DoubtfulDevice>();
}

const Target gpu{.kind = TargetKind::Gpu,
                 .info = &info(),
                 .run = &run,
                 .emitted_source = "// CUDA",
                 .unusable = &unusable,
                 .device = &device,
                 .start = &start,
                 .reading_device = &reading_device,
                 .footprint = &footprint};

}  // namespace

Targets everything() { return {&cpu, nullptr}; }

Targets with_gpu(const std::string& reason) {
  reason_against_gpu = reason;
  return {&cpu, &gpu};
}

Targets gpu_alone(const std::string& reason) {
  reason_against_gpu = reason;
  return {nullptr, &gpu};
}

}  // namespace vertigo::host::test
