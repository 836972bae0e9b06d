#pragma once
// The options of vertigo-graph that say how a graph is read, and how usage errors are told.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "vertigo/core/error.h"
#include "vertigo/core/near_miss.h"
#include "vertigo/graph/read_option_names.h"
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

/// An option whose value is one of `names`; a value that is not is refused with the nearest name.
template <class Value>
void add_named(CLI::App& command, const std::string& option, Value& value,
               const graph::NamedValues<Value>& names, const std::string& help) {
  const auto assign = [&value, names, option](const std::string& word) {
    std::vector<std::string> known;
    for (const auto& [name, named] : names) {
      known.push_back(name);
      if (name != word) continue;
      value = named;
      return;
    }
    const auto meant = near_miss(word, known);
    throw Error(ExitCode::Usage,
                fmt::format("{}: '{}' is not one of {}{}", option, word, fmt::join(known, ", "),
                            meant ? fmt::format("; did you mean '{}'?", *meant) : ""));
  };
  command.add_option_function<std::string>(option, assign, help);
}

/// `--to= x`: the parser would take the next word for the value.
void refuse_empty_values(int argc, const char* const* argv);

/// One line for a command line that CLI11 refused, with the nearest known name where one is near.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace vertigo::tools
