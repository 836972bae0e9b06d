#pragma once
// The options of vertigo-graph that say how a graph is read, and how usage errors are told.

#include <CLI/CLI.hpp>
#include <string>

#include "vertigo/graph/reader.h"

namespace vertigo::tools {

/// What the command line holds before it is turned into ReadOptions.
struct ReadArguments {
  std::string format;
  bool directed = false;
  bool undirected = false;
  graph::ReadOptions options;
};

/// Adds --format, --directed, --undirected, --symmetrize, --self-loops, --duplicates, --vertices,
/// --ignore-weights,
/// --strict and --max-vertices to `command`; `format_option` is "--format", or "--from" where an
/// output has a format too.
void add_read_options(CLI::App& command, ReadArguments& arguments,
                      const std::string& format_option);

/// Throws ExitCode::Usage for an unknown format.
graph::ReadOptions to_read_options(const ReadArguments& arguments);

/// One line for a command line that CLI11 refused, with the nearest known name where one is near.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace vertigo::tools
