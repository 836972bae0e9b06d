#pragma once
// The graph as a program wants it: read with the options of the command line, its requirements
// checked, weights of its type, the transpose where it is needed.

#include <optional>
#include <string>
#include <vector>

#include "host/command_line.h"
#include "vertigo/graph/graph_cache.h"
#include "vertigo/graph/reader.h"
#include "vertigo/host/program.h"

namespace vertigo::host {

/// The words that --format takes, in the order of graph::Format.
std::vector<std::string> format_names();

/// Reading options of the command line. Throws Error(Usage) for unknown words.
graph::ReadOptions read_options_of(const ProgramInfo& info, const CommandLine& line);

/// The cache of graphs where the command line or the environment asks for it.
std::optional<graph::GraphCache> cache_of(const CommandLine& line);

/// Reads the graph, checks what the program requires of it and converts its weights. Throws
/// Error(InputRefused) with the place of the violation.
graph::LoadedGraph load_for(const ProgramInfo& info, const std::string& source,
                            const graph::ReadOptions& options,
                            const std::optional<graph::GraphCache>& cache);

/// Throws Error(OutOfMemory) where the edges stay in a file, and the program reads edges where no
/// phase runs: nothing brings them there.
void refuse_edges_outside_phases(const ProgramInfo& info, const graph::Graph& graph);

/// Whether an edge of a loaded graph has a negative weight, be it the program's default, or a
/// vertex a negative value in a file of inputs.
bool has_negative_values(const ProgramInfo& info, const graph::Graph& graph,
                         const Arguments& arguments);

}  // namespace vertigo::host
