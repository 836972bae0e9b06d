#include <algorithm>
#include <array>
#include <deque>
#include <mutex>

#include "check.h"
#include "lists/held_lists.h"
#include "memory_plan.h"
#include "probe.h"
#include "reading_device.h"
#include "state.h"
#include "vertigo/core/error.h"
#include "vertigo/core/packed_text.h"
#include "vertigo/device/session.cuh"
#include "vertigo/engines/engines.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/edges_on_file.h"

// The emitted file's own text, which the compiler links into the binaries that it builds.
extern "C" {
[[gnu::weak]] extern const char vertigo_cuda_source[];
}

namespace vertigo::gpu {

namespace {

/// A CUDA program of this process; its target points to it.
struct Registered {
  host::ProgramInfo info;
  std::vector<int> architectures;
  void (*run)(Session&);
};

/// The value among `words` that `text` is, as the values count from 0.
template <class Value, std::size_t kCount>
Value read_word(std::string_view text, const std::array<std::string_view, kCount>& words) {
  return static_cast<Value>(std::ranges::find(words, text) - words.begin());
}

constexpr std::array<std::string_view, 5> kParts{"whole", "none", "out", "in", "both"};
constexpr std::array<std::string_view, 3> kPrepare{"auto", "always", "never"};
constexpr std::array<std::string_view, 5> kTransfer{"auto", "resident", "zero-copy", "filter",
                                                    "compaction"};

const Registered& keep(Registered program) {
  static std::mutex mutex;
  static std::deque<Registered> all;
  const std::lock_guard lock(mutex);
  return all.emplace_back(std::move(program));
}

std::vector<host::PhaseInfo> phases_of(const ProgramTables& info) {
  std::vector<host::PhaseInfo> phases;
  for (const PhaseInfo& phase : info.phases) {
    host::PhaseInfo& added = phases.emplace_back();
    added.name = phase.name;
    added.preferred = phase.preferred;
    const VariantInfo* const first = info.variants.begin() + phase.first_variant;
    for (unsigned i = 0; i < phase.variant_count; ++i)
      added.variants.push_back({first[i].name, first[i].reason, first[i].prepares,
                                first[i].balanced_by_graph, first[i].non_negative,
                                first[i].symmetric, first[i].no_duplicates, first[i].deterministic,
                                read_word<host::EdgeParts>(first[i].parts, kParts),
                                first[i].colours});
  }
  return phases;
}

host::ProgramInfo host_info(const ProgramTables& info) {
  host::ProgramInfo result{};
  result.name = info.name;
  result.source_file = info.source_file;
  result.compiler_version = info.compiler_version;
  result.options = info.options;
  result.program_ir = unpacked(info.program_ir);
  result.plan = unpacked(info.plan);
  for (const ParameterInfo& p : info.parameters)
    result.parameters.push_back({p.name, p.kind, p.is_list, p.default_text});
  for (const VertexInputInfo& input : info.vertex_inputs)
    result.vertex_inputs.push_back({input.name, input.kind, input.default_text});
  if (info.edge.size() != 0) {
    const EdgeAttributeInfo& edge = *info.edge.begin();
    result.edge = host::EdgeAttributeInfo{edge.name, edge.kind, edge.default_text};
  }
  for (const EdgeAttributeInfo& column : info.edge_columns)
    result.edge_columns.push_back({column.name, column.kind, column.default_text});
  for (const OutputInfo& output : info.outputs)
    result.outputs.push_back({output.state,
                              {output.kinds.kinds, output.kinds.kinds + output.kinds.count},
                              output.tolerance});
  for (const ReportInfo& report : info.reports)
    result.reports.push_back({report.name, report.kind});
  for (const RequirementInfo& requirement : info.requirements)
    result.requirements.push_back({static_cast<host::RequirementInfo::Kind>(requirement.kind),
                                   requirement.reason, requirement.attribute});
  result.phases = phases_of(info);
  result.needs_transpose = info.needs_transpose;
  result.all_schedules = info.all_schedules;
  result.prepare = read_word<host::Prepare>(info.prepare, kPrepare);
  result.transfer = read_word<host::Transfer>(info.transfer, kTransfer);
  return result;
}

/// What phases read that run as they would with all memory that they want, and with the least.
Reads reads_of(const host::ProgramInfo& info, const host::RunRequest& request) {
  Reads reads{.copies = true, .whole = false, .parts = false};
  const auto chosen = [&](const host::PhaseInfo& phase, const MemoryPlan& plan) -> const auto& {
    return phase.variants[choose_variant(phase, request, plan).variant];
  };
  for (const host::PhaseInfo& phase : info.phases) {
    const host::VariantInfo& ample = chosen(phase, {Room::Ample, Edges::WhereTheyFit});
    const engines::Contract* const engine = engines::find(ample.name);
    reads.copies = reads.copies && engine != nullptr && engine->reads_copies;
    reads.whole = reads.whole || ample.parts == host::EdgeParts::Whole;
    const host::EdgeParts least = chosen(phase, {Room::Short, Edges::InParts}).parts;
    reads.parts =
        reads.parts || (least != host::EdgeParts::Whole && least != host::EdgeParts::None);
  }
  return reads;
}

/// Of a graph whose edges stay in a file there is one.
MemoryPlan plan_on_file(const host::RunRequest& request) {
  if (request.transfer != host::Transfer::Auto && request.transfer != host::Transfer::Filter)
    throw Error(
        ExitCode::OutOfMemory,
        in_words(request.graph.on_file->bytes()) +
            " of edges stay in the file: they come to the device by --transfer auto or filter",
        request.graph.name);
  return {Room::Short, Edges::InParts};
}

std::vector<MemoryPlan> plans_of(const host::ProgramInfo& info, const host::RunRequest& request) {
  if (request.graph.on_file) return {plan_on_file(request)};
  return memory_plans(request.transfer, request.prepare, reads_of(info, request));
}

/// A plan that does not keep all edges on the device does not want there what reading has left.
void make_room(const graph::Graph& graph, const MemoryPlan& plan) {
  if (plan.edges == Edges::OnDevice) return;
  graph::bring_home(graph.out);
  if (graph.in_adjacency) graph::bring_home(*graph.in_adjacency);
}

host::RunResult run_with(const Registered& program, const host::RunRequest& request,
                         const MemoryPlan& plan) {
  make_room(request.graph, plan);
  detail::State state(request, program.info, plan, false);
  Session session(state);
  program.run(session);
  state.finish_run();
  return std::move(state.run.result);
}

host::RunResult run(const Registered& program, const host::RunRequest& request) {
  host::check_request(program.info, host::TargetKind::Gpu, request);
  const std::string problem = why_unusable(program.architectures, request.device);
  if (!problem.empty()) throw Error(ExitCode::DeviceUnusable, problem);
  std::vector<MemoryPlan> plans = plans_of(program.info, request);
  const MemoryPlan last = plans.back();
  plans.pop_back();
  for (const MemoryPlan& plan : plans) {
    try {
      return run_with(program, request, plan);
    } catch (const Error& error) {
      if (error.code() != ExitCode::OutOfMemory) throw;
    }
  }
  return run_with(program, request, last);
}

host::Footprint footprint_with(const Registered& program, const host::RunRequest& request,
                               const MemoryPlan& plan) {
  make_room(request.graph, plan);
  detail::State state(request, program.info, plan, true);
  Session session(state);
  program.run(session);
  return std::move(state.footprint);
}

host::Footprint footprint(const Registered& program, const host::RunRequest& request) {
  host::check_request(program.info, host::TargetKind::Gpu, request);
  const std::vector<MemoryPlan> plans = plans_of(program.info, request);
  host::Footprint first = footprint_with(program, request, plans.front());
  if (fits(first, request.device_memory)) return first;
  host::Footprint footprint = first;
  for (std::size_t i = 1; i < plans.size() && !fits(footprint, request.device_memory); ++i)
    footprint = footprint_with(program, request, plans[i]);
  if (footprint.bytes(true) < first.bytes(true))
    footprint.strategy += "; prepared, it would need " + in_words(first.bytes(true));
  return footprint;
}

std::string_view emitted_source() {
  return vertigo_cuda_source == nullptr ? std::string_view()
                                        : std::string_view(vertigo_cuda_source);
}

}  // namespace

Registration::Registration(const ProgramTables& info, void (*run_program)(Session&),
                           ListOf<int> architectures) {
  const Registered& program = keep({host_info(info), architectures, run_program});
  const host::Target target{
      .kind = host::TargetKind::Gpu,
      .info = &program.info,
      .run = [&program](const host::RunRequest& request) { return run(program, request); },
      .emitted_source = emitted_source(),
      .unusable =
          [&program](unsigned device) { return why_unusable(program.architectures, device); },
      .device = &device_name,
      .start = &start_device,
      .reading_device = &make_reading_device,
      .hold_lists = &lists::hold_lists,
      .end = &end_device,
      .repeats = true,
      .footprint =
          [&program](const host::RunRequest& request) { return footprint(program, request); }};
  const host::RegisterTarget registration(target);
}

}  // namespace vertigo::gpu
