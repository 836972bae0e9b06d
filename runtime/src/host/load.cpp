#include "host/load.h"

#include <array>
#include <string>
#include <vector>

#include "host/text.h"
#include "vertigo/core/error.h"

namespace vertigo::host {
namespace {

using graph::DuplicatePolicy;
using graph::SelfLoopPolicy;

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (auto format = graph::Format{}; format < graph::Format::Generated;
       format = static_cast<graph::Format>(static_cast<int>(format) + 1))
    names.emplace_back(graph::name_of(format));
  return names;
}

graph::Requirements requirements_of(const ProgramInfo& info) {
  graph::Requirements requirements;
  for (const RequirementInfo& requirement : info.requirements) {
    switch (requirement.kind) {
      case RequirementInfo::Kind::Symmetric:
        requirements.symmetric = true;
        break;
      case RequirementInfo::Kind::NonNegativeWeights:
        requirements.non_negative_weights = true;
        break;
      case RequirementInfo::Kind::NoDuplicates:
        requirements.no_duplicates = true;
        break;
    }
  }
  return requirements;
}

}  // namespace

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
  options.symmetrize = line.has("symmetrize");
  options.strict = line.has("strict");
  options.ignore_weights = !info.edge.has_value();
  return options;
}

graph::LoadedGraph load_for(const ProgramInfo& info, const std::string& source,
                            const graph::ReadOptions& options) {
  graph::LoadedGraph loaded = graph::load_graph(source, options);
  graph::check_requirements(loaded, requirements_of(info), options);
  if (info.edge) {
    if (!loaded.graph.has_weights() && info.edge->default_text.empty())
      throw Error(ExitCode::InputRefused,
                  "the graph has no weights, and the program needs '" +
                      std::string(info.edge->name) + "' of every edge",
                  source);
    if (loaded.graph.has_weights()) graph::convert_weights(loaded.graph, info.edge->kind);
  }
  return loaded;
}

}  // namespace vertigo::host
