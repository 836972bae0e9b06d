#include "vertigo_graph_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <vector>

#include "vertigo/core/error.h"
#include "vertigo/core/near_miss.h"
#include "vertigo/graph/read_option_names.h"

namespace vertigo::tools {
namespace {

// The subcommand that was given, or the program itself.
const CLI::App& active(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::vector<std::string> known_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

}  // namespace

void add_read_options(CLI::App& command, ReadArguments& arguments,
                      const std::string& format_option) {
  graph::ReadOptions& options = arguments.options;
  command.add_option(format_option, arguments.format,
                     fmt::format("format of the input, else by its content: {}",
                                 fmt::join(graph::format_names(), " ")));
  auto* directed = command.add_flag("--directed", arguments.directed,
                                    "refuse a file that says it is undirected");
  command.add_flag("--undirected", arguments.undirected, "every entry stands for both directions")
      ->excludes(directed);
  command.add_flag("--symmetrize", options.symmetrize, "add the missing reverse edges");
  add_named(command, "--self-loops", options.self_loops, graph::self_loop_names(),
            "keep (default) or drop");
  add_named(command, "--duplicates", options.duplicates, graph::duplicate_names(),
            "parallel edges: keep (default), first, min, max or sum of their weights");
  add_named(command, "--vertices", options.vertices, graph::vertex_rule_names(),
            "which ids of an edge list are vertices: auto (default), seen, range");
  add_named(command, "--ids", options.ids, graph::id_kind_names(),
            "what ids of edge lists and tables are: auto (default: text where the first edge has a "
            "word for an id), numbers, text");
  command.add_option_function<std::string>(
      "--columns",
      [&options](const std::string& text) { options.columns = graph::columns_of(text); },
      "columns of a CSV or TSV file: SOURCE,TARGET[,WEIGHT], or WEIGHT, which GraphML has too; "
      "names, "
      "or numbers from 1 where there is no header");
  command.add_flag("--ignore-weights", options.ignore_weights,
                   "read the graph without its weights");
  command.add_flag("--strict", options.strict, "refuse, rather than drop, merge or add an edge");
  command.add_option("--max-vertices", options.max_vertices,
                     "most vertices that a header may declare");
}

graph::ReadOptions to_read_options(const ReadArguments& arguments) {
  graph::ReadOptions options = arguments.options;
  if (arguments.directed) options.direction = graph::Direction::Directed;
  if (arguments.undirected) options.direction = graph::Direction::Undirected;
  if (!arguments.format.empty() && arguments.format != "auto") {
    options.format = graph::format_named(arguments.format);
    if (!options.format) {
      const auto meant = near_miss(arguments.format, graph::format_names());
      throw Error(
          ExitCode::Usage,
          fmt::format("no graph format is called '{}'; {}", arguments.format,
                      meant ? fmt::format("did you mean '{}'?", *meant)
                            : fmt::format("there are {}", fmt::join(graph::format_names(), ", "))));
    }
  }
  return options;
}

void refuse_empty_values(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return;
    if (word.starts_with("--") && word.find('=') == word.size() - 1)
      throw Error(ExitCode::Usage,
                  fmt::format("{} needs a value", word.substr(0, word.size() - 1)));
  }
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = active(app);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> left = app.remaining(true);
    const std::string word = left.empty() ? "" : left.front().substr(0, left.front().find('='));
    const auto meant = near_miss(word, known_names(command));
    return fmt::format("'{}' is not known here{}", word,
                       meant ? fmt::format("; did you mean '{}'?", *meant) : "");
  }
  // CLI11 puts its reasons on several lines.
  std::string message = error.what();
  for (std::size_t at = message.find('\n'); at != std::string::npos; at = message.find('\n'))
    message.replace(at, 1, "; ");
  return message;
}

}  // namespace vertigo::tools
