// What host::RunRequest promises to a program, checked: a caller of one's own makes mistakes that
// the command line rules out.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "vertigo/core/colour_turn.h"
#include "vertigo/core/error.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/number_text.h"
#include "vertigo/core/record_layout.h"
#include "vertigo/engines/engines.h"
#include "vertigo/execute/requirements.h"
#include "vertigo/graph/edge_records.h"
#include "vertigo/graph/edges_on_file.h"
#include "vertigo/graph/requirements.h"
#include "vertigo/graph/weight_types.h"
#include "vertigo/host/program.h"

namespace vertigo::host {
namespace {

[[noreturn]] void misused(const std::string& message) { throw Error(ExitCode::Usage, message); }
[[noreturn]] void refuse(const std::string& message, const graph::Graph& graph) {
  throw Error(ExitCode::InputRefused, message, graph.name);
}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

void check_vertex(std::uint64_t vertex, const std::string& what, const graph::Graph& graph) {
  if (vertex >= graph.vertex_count)
    refuse(what + ": vertex " + std::to_string(vertex) + " is not in the graph, which has " +
               counted(graph.vertex_count, "vertex", "vertices"),
           graph);
}

void check_parameter(const ParameterInfo& parameter, const RunRequest& request) {
  const std::string name(parameter.name);
  const std::string what = "parameter " + quoted(name);
  if (parameter.is_list) {
    for (const Vertex vertex : request.arguments.list(name))
      check_vertex(vertex, what, request.graph);
    return;
  }
  const Value& value = request.arguments.value(name);
  if (value.kind != parameter.kind)
    misused(what + " is of another type: " + std::string(kind_name(parameter.kind)) +
            " is wanted, " + std::string(kind_name(value.kind)) + " was given");
  if (parameter.kind != ScalarKind::Vertex) return;
  const auto vertex = value.as<std::uint64_t>();
  if (vertex != kNoVertex) return check_vertex(vertex, what, request.graph);
  if (parameter.default_text != "none") misused(what + ": none is no vertex");
}

void check_input(const VertexInputInfo& input, const RunRequest& request) {
  const Column* const column = request.arguments.input(std::string(input.name));
  if (column == nullptr) return;
  const std::string what = "vertex input " + quoted(input.name);
  if (column->kind != input.kind)
    misused(what + " is of another type: " + std::string(kind_name(input.kind)) + " is wanted, " +
            std::string(kind_name(column->kind)) + " was given");
  if (column->bytes.size() != request.graph.vertex_count * size_of(input.kind))
    misused(what + " has not one value for each vertex of the graph, which has " +
            counted(request.graph.vertex_count, "vertex", "vertices"));
}

void check_arguments(const ProgramInfo& info, const RunRequest& request) {
  for (const ParameterInfo& parameter : info.parameters) check_parameter(parameter, request);
  for (const VertexInputInfo& input : info.vertex_inputs) check_input(input, request);
  for (const std::string& name : request.arguments.names())
    if (std::ranges::find(info.parameters, name, &ParameterInfo::name) == info.parameters.end() &&
        std::ranges::find(info.vertex_inputs, name, &VertexInputInfo::name) ==
            info.vertex_inputs.end())
      misused("program " + quoted(info.name) + " has no parameter " + quoted(name));
}

/// "": the variant is for graphs of that size.
std::string size_problem(const VariantInfo& variant, TargetKind target, const graph::Graph& graph) {
  const engines::Contract* const engine = engines::find(variant.name);
  if (target == TargetKind::Cpu || engine == nullptr || engine->edges_below == 0 ||
      graph.edge_count < engine->edges_below)
    return "";
  return "engine " + quoted(engine->name) + " takes graphs of fewer than " +
         counted(engine->edges_below, "edge") + ", this one has " +
         counted(graph.edge_count, "edge") +
         "; pin another schedule (--compare-schedules names them)";
}

/// Whether each phase has a variant that it may run by on a graph of that size.
void check_sizes(const ProgramInfo& info, TargetKind target, const RunRequest& request) {
  for (const PhaseInfo& phase : info.phases) {
    const auto pinned = request.schedule.find(std::string(phase.name));
    const bool is_free = pinned == request.schedule.end() || pinned->second.empty();
    std::string problem;
    for (const VariantInfo& variant : phase.variants) {
      if (!is_free && variant.name != pinned->second) continue;
      problem = size_problem(variant, target, request.graph);
      if (problem.empty()) break;
    }
    if (!problem.empty()) misused("phase " + quoted(phase.name) + ": " + problem);
  }
}

void check_schedule(const ProgramInfo& info, const RunRequest& request) {
  for (const auto& [name, variant] : request.schedule) {
    const auto phase = std::ranges::find(info.phases, name, &PhaseInfo::name);
    if (phase == info.phases.end())
      misused("program " + quoted(info.name) + " has no phase " + quoted(name));
    if (!variant.empty() &&
        std::ranges::find(phase->variants, variant, &VariantInfo::name) == phase->variants.end())
      misused("phase " + quoted(name) + " has no schedule " + quoted(variant));
  }
}

bool is_whole(const graph::Adjacency& adjacency, const graph::Graph& graph) {
  if (graph.vertex_count == 0 && graph.edge_count == 0) return true;
  const EdgeIndex there = graph.on_file ? 0 : graph.edge_count;  // the others stay in the file
  const bool weights_fit = std::visit(
      [&]<class T>(const T& weights) {
        if constexpr (std::is_same_v<T, std::monostate>)
          return true;
        else
          return weights.size() == there;
      },
      adjacency.weights);
  // Those of lists on a device are right, and are not fetched for this.
  const graph::Array<EdgeIndex>& offsets = adjacency.offsets;
  const bool span_all =
      !offsets.is_there() || (offsets.front() == 0 && offsets.back() == graph.edge_count);
  return offsets.size() == std::size_t{graph.vertex_count} + 1 && span_all &&
         adjacency.targets.size() == there && weights_fit;
}

// Kernels read records by the layout that the compiler gave them.
void check_records(const ProgramInfo& info, const graph::Graph& graph, bool has_in) {
  if (graph.has_weights())
    refuse(
        "the graph has weights, and the program reads attributes by name "
        "(graph::attach_records)",
        graph);
  if (graph.out.records.empty()) return;
  for (const RequirementInfo& each : info.requirements) {
    if (each.kind == RequirementInfo::Kind::Symmetric && !graph.symmetric)
      refuse(
          "the graph is not known to be symmetric, and it is too late to ask "
          "(graph::check_requirements before graph::attach_records)",
          graph);
  }
  std::vector<graph::RecordField> wanted;
  std::vector<ScalarKind> kinds;
  for (const EdgeAttributeInfo& column : info.edge_columns) {
    wanted.push_back({std::string(column.name), column.kind});
    kinds.push_back(column.kind);
  }
  const std::uint64_t bytes = graph.edge_count * layout_of(kinds).bytes;
  const bool fits =
      graph.out.records.size() == bytes && (!has_in || graph.in_adjacency->records.size() == bytes);
  if (wanted != graph.record_fields || !fits)
    refuse(
        "the attributes of the graph's edges are not those of the program "
        "(graph::attach_records)",
        graph);
  for (const RequirementInfo& each : info.requirements)
    if (!each.attribute.empty() && graph::first_negative(graph, each.attribute))
      throw with_reason(each,
                        Error(ExitCode::InputRefused,
                              quoted(each.attribute) + " of some edge is below zero", graph.name));
}

void check_edges(const ProgramInfo& info, const graph::Graph& graph) {
  const bool has_in = graph.in_adjacency && !graph.symmetric;
  if (!is_whole(graph.out, graph) || (has_in && !is_whole(*graph.in_adjacency, graph)))
    refuse("the graph's arrays do not fit its numbers of vertices and edges", graph);
  check_weights(info, graph);
  if (!info.edge_columns.empty()) return check_records(info, graph, has_in);
  if (!info.edge) return;
  for (const graph::Adjacency* const edges :
       {&graph.out, has_in ? &*graph.in_adjacency : &graph.out}) {
    const auto kind = graph::kind_of(edges->weights);
    if (kind.has_value() != graph.has_weights())
      refuse("one direction of the graph's edges has weights, the other has none", graph);
    if (kind && *kind != info.edge->kind)
      refuse("the graph's weights are " + std::string(kind_name(*kind)) + ", and the program's " +
                 quoted(info.edge->name) + " is " + std::string(kind_name(info.edge->kind)) +
                 " (graph::convert_weights)",
             graph);
  }
}

}  // namespace

void check_weights(const ProgramInfo& info, const graph::Graph& graph) {
  if (info.edge && !graph.has_weights() && info.edge->default_text.empty())
    refuse("the graph has no weights, and the program needs " + quoted(info.edge->name) +
               " of every edge",
           graph);
  if (!graph.out.records.empty() || graph.edge_count == 0) return;
  for (const EdgeAttributeInfo& column : info.edge_columns)
    if (column.default_text.empty())
      refuse("the graph has no attribute " + quoted(column.name) +
                 ", and the program needs it of every edge",
             graph);
}

Error with_reason(const RequirementInfo& requirement, const Error& violation) {
  std::string message = violation.message();
  if (!requirement.reason.empty()) message += " (" + std::string(requirement.reason) + ")";
  return {violation.code(), message, violation.place()};
}

graph::Requirements requirements_of(const RequirementInfo& requirement) {
  return {.symmetric = requirement.kind == RequirementInfo::Kind::Symmetric,
          .non_negative_weights = requirement.kind == RequirementInfo::Kind::NonNegativeWeights,
          .no_duplicates = requirement.kind == RequirementInfo::Kind::NoDuplicates};
}

void check_request(const ProgramInfo& info, TargetKind target, const RunRequest& request) {
  if (target == TargetKind::Cpu && request.device != 0)
    misused("the CPU has no device " + std::to_string(request.device));
  if (request.runs == 0) misused("a program is run once at least");
  if (request.colours && *request.colours != kAllColours && *request.colours > kMostBeforeRest)
    misused("there are at most " + std::to_string(kMostBeforeRest) +
            " colour classes before a rest");
  check_arguments(info, request);
  check_schedule(info, request);
  check_sizes(info, target, request);
  if (target == TargetKind::Cpu && request.graph.on_file)
    throw Error(ExitCode::OutOfMemory,
                format_bytes(request.graph.on_file->bytes()) +
                    " of edges stay in the file, and the CPU reads edges in memory",
                request.graph.name);
  check_edges(info, request.graph);
  for (const RequirementInfo& requirement : info.requirements) {
    try {
      graph::check_requirements(request.graph, requirements_of(requirement));
    } catch (const Error& error) {
      throw with_reason(requirement, error);
    }
  }
  if (info.needs_transpose && !request.graph.symmetric && !request.graph.in_adjacency)
    refuse("the program reads in-neighbours, and the graph has none (graph::build_transpose)",
           request.graph);
}

}  // namespace vertigo::host
