#pragma once
// Parameters and vertex inputs of one run, from what was typed to what run() gets.

#include "host/command_line.h"
#include "vertigo/graph/graph.h"
#include "vertigo/host/program.h"

namespace vertigo::host {

/// Checks the form of every parameter before the graph is read, so that a typing error is not
/// answered after minutes of loading. Throws Error(Usage).
void check_arguments(const ProgramInfo& info, const CommandLine& line);

/// Resolves every parameter against the graph and reads the files of vertex inputs and `@file`
/// lists. Throws Error(Usage) for malformed values, Error(InputRefused) for vertices that the graph
/// has not and for files that cannot be read, naming file and line.
Arguments bind_arguments(const ProgramInfo& info, const CommandLine& line,
                         const graph::Graph& graph);

}  // namespace vertigo::host
