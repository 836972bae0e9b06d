#include "host/load.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "host/text.h"
#include "host/values.h"
#include "vertigo/core/error.h"
#include "vertigo/core/memory.h"
#include "vertigo/execute/requirements.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/edges_on_file.h"
#include "vertigo/graph/read_option_names.h"
#include "vertigo/reference/edges_outside.h"

namespace vertigo::host {
namespace {

using graph::DuplicatePolicy;
using graph::SelfLoopPolicy;

// What a user who means the graph as it is could do.
const char* remedy_of(RequirementInfo::Kind kind) {
  switch (kind) {
    case RequirementInfo::Kind::Symmetric:
      return "; --symmetrize adds the missing reverse edges";
    case RequirementInfo::Kind::NoDuplicates:
      return "; --duplicates first keeps one of them";
    case RequirementInfo::Kind::NonNegativeWeights:
      break;
  }
  return "";
}

// What the program reads of edges by name, with what it requires.
std::vector<graph::EdgeField> fields_of(const ProgramInfo& info) {
  std::vector<graph::EdgeField> fields;
  for (const EdgeAttributeInfo& column : info.edge_columns) {
    graph::EdgeField& field = fields.emplace_back();
    field.name = column.name;
    field.kind = column.kind;
    std::string why;
    Value otherwise;
    if (!column.default_text.empty() &&
        parse_scalar(column.default_text, column.kind, otherwise, why))
      field.otherwise = otherwise;
    for (const RequirementInfo& requirement : info.requirements) {
      if (requirement.kind != RequirementInfo::Kind::NonNegativeWeights ||
          requirement.attribute != column.name)
        continue;
      field.non_negative = true;
      field.reason = requirement.reason;
    }
  }
  return fields;
}

// Whether the requirement is of an attribute that the graph's weight does not become.
bool concerns_no_weight(const RequirementInfo& requirement, const graph::LoadedGraph& loaded) {
  return !requirement.attribute.empty() &&
         (loaded.graph.table || !graph::is_usual_weight(std::string(requirement.attribute)));
}

// One at a time, so that a violation is told with the program's reason for what it breaks.
void check_requirement(graph::LoadedGraph& loaded, const RequirementInfo& requirement,
                       const graph::ReadOptions& options) {
  try {
    graph::check_requirements(loaded, requirements_of(requirement), options);
  } catch (const Error& error) {
    if (error.code() != ExitCode::InputRefused) throw;
    const Error reasoned = with_reason(requirement, error);
    throw Error(error.code(), reasoned.message() + remedy_of(requirement.kind), error.place());
  }
}

std::uint64_t bytes_of(const graph::Adjacency& edges) {
  return edges.targets.size_bytes() + edges.records.size_bytes() +
         std::visit(
             []<class T>(const T& weights) -> std::uint64_t {
               if constexpr (std::is_same_v<T, std::monostate>)
                 return 0;
               else
                 return weights.size_bytes();
             },
             edges.weights);
}

/// What of the edges is in memory, and what a graph whose edges stay in the file cannot be given.
void require_allowed(const ProgramInfo& info, const graph::Graph& graph,
                     const graph::ReadOptions& options) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ExitCode::OutOfMemory, what, graph.name);
  };
  const std::uint64_t bytes =
      bytes_of(graph.out) + (graph.in_adjacency ? bytes_of(*graph.in_adjacency) : 0);
  if (options.host_memory != 0 && bytes > options.host_memory)
    refuse("the edges take " + format_bytes(bytes) + ", --host-memory allows " +
           format_bytes(options.host_memory) +
           "; of a file that vertigo-graph convert has written (NAME.vgg), they may stay there");
  if (graph.on_file && info.needs_transpose && !graph.symmetric && !graph.in_adjacency)
    refuse(
        "the program reads in-neighbours, the file has none, and to find them takes all edges in "
        "memory; vertigo-graph convert --transpose keeps them in the file");
}

/// Whether some phase runs in another way where the graph is symmetric.
bool asks_for_symmetry(const ProgramInfo& info) {
  return std::ranges::any_of(info.phases, [](const PhaseInfo& phase) {
    return std::ranges::any_of(phase.variants, &VariantInfo::symmetric);
  });
}

}  // namespace

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (auto format = graph::Format{}; format < graph::Format::Generated;
       format = static_cast<graph::Format>(static_cast<int>(format) + 1))
    names.emplace_back(graph::name_of(format));
  return names;
}

graph::ReadOptions read_options_of(const ProgramInfo& info, const CommandLine& line) {
  graph::ReadOptions options;
  if (line.has("format"))
    options.format =
        static_cast<graph::Format>(read_word("--format", line.get("format"), format_names()));
  if (line.has("directed")) options.direction = graph::Direction::Directed;
  if (line.has("undirected")) options.direction = graph::Direction::Undirected;
  if (line.has("self-loops"))
    options.self_loops = std::array{SelfLoopPolicy::Keep, SelfLoopPolicy::Drop}[read_word(
        "--self-loops", line.get("self-loops"), std::array<std::string, 2>{"keep", "drop"})];
  if (line.has("duplicates"))
    options.duplicates =
        std::array{DuplicatePolicy::Keep, DuplicatePolicy::First, DuplicatePolicy::Min,
                   DuplicatePolicy::Max, DuplicatePolicy::Sum}[read_word(
            "--duplicates", line.get("duplicates"),
            std::array<std::string, 5>{"keep", "first", "min", "max", "sum"})];
  if (line.has("ids"))
    options.ids =
        std::array{graph::IdKind::Auto, graph::IdKind::Numbers, graph::IdKind::Text}[read_word(
            "--ids", line.get("ids"), std::array<std::string, 3>{"auto", "numbers", "text"})];
  if (line.has("vertices"))
    options.vertices = std::array{graph::VertexRule::Auto, graph::VertexRule::Seen,
                                  graph::VertexRule::Range}[read_word(
        "--vertices", line.get("vertices"), std::array<std::string, 3>{"auto", "seen", "range"})];
  if (line.has("read"))
    options.read_by =
        std::array{graph::ReadBy::Host, graph::ReadBy::Device, graph::ReadBy::Auto}[read_word(
            "--read", line.get("read"), std::array<std::string, 3>{"host", "device", "auto"})];
  options.max_vertices = read_count(line, "max-vertices", 0, 1, std::uint64_t{kNoVertex} - 1);
  options.edge_fields = fields_of(info);
  if (line.has("columns")) {
    std::vector<std::string> fields;
    for (const EdgeAttributeInfo& column : info.edge_columns) fields.emplace_back(column.name);
    options.columns = graph::columns_of(line.get("columns"), fields);
  }
  options.symmetrize = line.has("symmetrize");
  options.strict = line.has("strict");
  options.ignore_weights = (!info.edge && info.edge_columns.empty()) || line.has("ignore-weights");
  options.in_edges = options.isolated_later = info.needs_transpose;
  return options;
}

std::optional<graph::GraphCache> cache_of(const CommandLine& line) {
  if (line.has("no-cache") || (!line.has("cache") && !graph::cache_is_wanted()))
    return std::nullopt;
  const graph::CacheSettings settings = graph::cache_settings();
  return graph::GraphCache(settings.folder, settings.most_bytes);
}

graph::LoadedGraph load_for(const ProgramInfo& info, const std::string& source,
                            const graph::ReadOptions& options,
                            const std::optional<graph::GraphCache>& cache) {
  graph::LoadedGraph loaded =
      cache ? cache->load(source, options) : graph::load_graph(source, options);
  require_allowed(info, loaded.graph, options);
  for (const RequirementInfo& requirement : info.requirements)
    if (!concerns_no_weight(requirement, loaded)) check_requirement(loaded, requirement, options);
  if (asks_for_symmetry(info)) graph::find_symmetry(loaded);
  if (!options.edge_fields.empty()) graph::attach_records(loaded, options.edge_fields);
  check_weights(info, loaded.graph);
  if (info.edge && loaded.graph.has_weights())
    graph::convert_weights(loaded.graph, info.edge->kind);
  return loaded;
}

namespace {

bool has_negative_columns(const ProgramInfo& info, const graph::Graph& graph) {
  const bool given = !graph.out.records.empty();
  return std::ranges::any_of(info.edge_columns, [&](const EdgeAttributeInfo& column) {
    return given ? graph::first_negative(graph, column.name).has_value()
                 : column.default_text.starts_with('-');
  });
}

/// What is no number counts, too.
template <class T>
bool has_negative(const Column& column) {
  return std::ranges::any_of(column.as<T>(), [](T value) { return !(value >= T{0}); });
}

bool has_negative_inputs(const ProgramInfo& info, const Arguments& arguments) {
  return std::ranges::any_of(info.vertex_inputs, [&](const VertexInputInfo& input) {
    const Column* const column = arguments.input(std::string(input.name));
    if (column == nullptr) return false;
    switch (column->kind) {
      case ScalarKind::Int32:
        return has_negative<std::int32_t>(*column);
      case ScalarKind::Int64:
        return has_negative<std::int64_t>(*column);
      case ScalarKind::Float32:
        return has_negative<float>(*column);
      case ScalarKind::Float64:
        return has_negative<double>(*column);
      default:
        return false;
    }
  });
}

bool has_negative_weights(const ProgramInfo& info, const graph::Graph& graph) {
  if (!info.edge_columns.empty()) return graph.edge_count > 0 && has_negative_columns(info, graph);
  if (!info.edge || graph.edge_count == 0) return false;
  if (const auto facts = graph::weight_facts(graph.out)) return facts->negative > 0;
  if (graph.on_file && graph.has_weights()) return graph.on_file->facts().negative_weights > 0;
  return std::visit(
      [&]<class Weights>(const Weights& weights) {
        if constexpr (std::is_same_v<Weights, std::monostate>) {
          return info.edge->default_text.starts_with('-');
        } else {
          bool found = false;
          if constexpr (std::is_signed_v<typename Weights::value_type>) {
            const auto count = static_cast<std::int64_t>(weights.size());
#pragma omp parallel for schedule(static) reduction(|| : found)
            for (std::int64_t i = 0; i < count; ++i)
              found = found || weights[static_cast<std::size_t>(i)] < 0;
          }
          return found;
        }
      },
      graph.out.weights);
}

}  // namespace

void refuse_edges_outside_phases(const ProgramInfo& info, const graph::Graph& graph) {
  if (!graph.on_file) return;
  const std::string what = reference::edges_outside_phases(info.program_ir);
  if (what.empty()) return;
  throw Error(ExitCode::OutOfMemory,
              "the program asks for " + what +
                  " outside of its phases, which takes all edges in memory: " +
                  format_bytes(graph.on_file->bytes()) + " of them stay in the file",
              graph.name);
}

bool has_negative_values(const ProgramInfo& info, const graph::Graph& graph,
                         const Arguments& arguments) {
  return has_negative_weights(info, graph) || has_negative_inputs(info, arguments);
}

}  // namespace vertigo::host
