// vertigo-graph: shows, converts, generates and checks graphs, and validates results.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "show_layouts.h"
#include "validate_results.h"
#include "vertigo/core/colours.h"
#include "vertigo/core/failure.h"
#include "vertigo/core/process.h"
#include "vertigo/core/threads.h"
#include "vertigo/graph/colouring.h"
#include "vertigo/graph/generate.h"
#include "vertigo/graph/prepare.h"
#include "vertigo/graph/reader.h"
#include "vertigo/graph/statistics.h"
#include "vertigo/graph/writer.h"
#include "vertigo_graph_cache.h"
#include "vertigo_graph_options.h"

namespace vertigo::tools {
namespace {

struct Arguments {
  std::string input;
  std::string output;
  ReadArguments read;
  std::string output_format;
  bool force = false;
  bool transpose = false;
  std::vector<std::string> preparations;
  bool json = false;
  bool quiet = false;
  bool statistics = true;
  std::string family;
  std::vector<std::string> sizes;
  graph::Requirements requirements;
  std::string action;  ///< what is to be done with the cache
  Validation validation;
  graph::SketchOptions sketch;
  std::uint32_t colours = graph::kAllColours;
  bool dot = false;
};

[[noreturn]] void refuse_standard_output() {
  throw system_failure(ExitCode::OutputFailed, "cannot write to standard output", errno, "");
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_standard_output();
}

// What is said beside the result; a run does not fail because nobody can hear it.
void note(const std::string& text) { std::fputs(text.c_str(), stderr); }

void print_json(const nlohmann::json& json) {
  print(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void take_threads(const Arguments& arguments) {
  const int missing = start_threads(0);
  if (missing > 0 && !arguments.quiet)
    note(fmt::format("note: the system starts no more threads: {} fewer than wanted\n", missing));
}

void run_info(const Arguments& arguments) {
  take_threads(arguments);
  graph::LoadedGraph loaded = graph::load_graph(arguments.input, to_read_options(arguments.read));
  if (!arguments.statistics) {
    if (arguments.json) return print_json({{"intake", graph::to_json(loaded.report)}});
    print(graph::to_text(loaded.report) + "\n");
    return;
  }
  const graph::Statistics statistics = graph::compute_statistics(loaded.graph);
  if (arguments.json) {
    return print_json(
        {{"intake", graph::to_json(loaded.report)}, {"statistics", graph::to_json(statistics)}});
  }
  print(fmt::format("{}\n{}\n", graph::to_text(loaded.report), graph::to_text(statistics)));
}

graph::OutputFormat output_format(const Arguments& arguments) {
  if (!arguments.output_format.empty()) {
    if (const auto format = graph::output_format_named(arguments.output_format)) return *format;
    throw Error(ExitCode::Usage, fmt::format("no output format is called '{}'; there are {}",
                                             arguments.output_format,
                                             fmt::join(graph::output_format_names(), ", ")));
  }
  if (const auto format = graph::output_format_of(arguments.output)) return *format;
  throw Error(ExitCode::Usage,
              fmt::format("the ending of '{}' names no format: say one by --to {}",
                          arguments.output, fmt::join(graph::output_format_names(), "|")));
}

graph::WriteOptions write_options(const Arguments& arguments) {
  graph::WriteOptions options;
  options.format = output_format(arguments);
  options.overwrite = arguments.force ? OverwriteRule::Force : OverwriteRule::RegularOnly;
  return options;
}

// A bad name, a place where nothing can be written, and an output that is the input are told before
// a large graph is read.
void check_output(const Arguments& arguments, const std::vector<std::string>& inputs) {
  const graph::WriteOptions options = write_options(arguments);
  for (const std::string& path : graph::written_files(arguments.output, options)) {
    const AtomicFile file(path, options.overwrite);
    for (const std::string& input : inputs)
      if (file.replaced() && file.replaced() == identity_of(input))
        throw Error(ExitCode::Usage,
                    "the output and the input are the same file, which would be lost", path);
  }
}

void write(const Arguments& arguments, const graph::Graph& graph) {
  const graph::WriteOptions options = write_options(arguments);
  for (const std::string& each : graph::write_graph(graph, arguments.output, options)) {
    if (!arguments.quiet) note("note: " + each + "\n");
  }
}

std::vector<graph::Preparation> preparations(const Arguments& arguments) {
  std::vector<graph::Preparation> result;
  for (const std::string& name : arguments.preparations) {
    const auto known = graph::preparation_named(name);
    if (!known)
      throw Error(ExitCode::Usage, fmt::format("no preparation is called '{}'; there are {}", name,
                                               fmt::join(graph::preparation_names(), ", ")));
    result.push_back(*known);
  }
  if (!result.empty() && output_format(arguments) != graph::OutputFormat::Cached)
    throw Error(ExitCode::Usage, "--prepare needs the cached form (.vgg): no other can hold it");
  return result;
}

// Has a copy in the cached form keep all attributes of the edges, unless they are one weight, or
// the user says which column is.
void keep_attributes(const Arguments& arguments, graph::ReadOptions& reading) {
  const bool merging = reading.duplicates != graph::DuplicatePolicy::Keep &&
                       reading.duplicates != graph::DuplicatePolicy::First;
  const bool weight_named = reading.columns.size() == 1 || reading.columns.size() == 3;
  if (output_format(arguments) != graph::OutputFormat::Cached || weight_named || merging ||
      reading.ignore_weights)
    return;
  graph::AttributeSurvey survey = graph::survey_attributes(arguments.input, reading);
  const bool weight_alone =
      survey.fields.size() == 1 && graph::is_usual_weight(survey.fields[0].name);
  if (survey.fields.empty() || weight_alone) return;
  if (!arguments.preparations.empty())
    throw Error(
        ExitCode::Usage,
        "--prepare: what is prepared is of edges with one weight, and these have attributes "
        "by name; --columns says which is the weight",
        arguments.input);
  reading.edge_fields = std::move(survey.fields);
  if (arguments.quiet) return;
  for (const std::string& each : survey.notes) note("note: " + each + "\n");
}

// ", which runs along paths need not make: paths between 6,553 hubs …"; empty of what is a copy.
std::string what_is_saved(const graph::Graph& graph, graph::Preparation preparation) {
  const graph::Preparations& prepared = graph.prepared;
  constexpr const char* kText = ", which runs need not make any more: ";
  switch (preparation) {
    case graph::Preparation::Paths:
      return kText + graph::described(*prepared.paths);
    case graph::Preparation::Colours:
      return kText + graph::described(*prepared.all_colours);
    case graph::Preparation::FewColours:
      return kText + graph::described(*prepared.few_colours);
    default:
      return "";
  }
}

void run_convert(const Arguments& arguments) {
  const std::vector<graph::Preparation> wanted = preparations(arguments);
  const bool makes_paths = std::ranges::find(wanted, graph::Preparation::Paths) != wanted.end();
  if (!makes_paths && (arguments.sketch.hub_share != 0 || arguments.sketch.sample_share != 0))
    throw Error(ExitCode::Usage, "--hub-share and --hub-sample are of --prepare paths");
  graph::ReadOptions reading = to_read_options(arguments.read);
  check_output(arguments, graph::source_files(arguments.input, reading));
  take_threads(arguments);
  keep_attributes(arguments, reading);
  graph::LoadedGraph loaded = graph::load_graph(arguments.input, reading);
  if (!arguments.quiet) note(graph::to_text(loaded.report) + "\n");
  if (arguments.transpose) graph::build_transpose(loaded.graph);
  for (const graph::Preparation preparation : wanted) {
    if (preparation == graph::Preparation::WeightSorted && !loaded.graph.has_weights())
      throw Error(ExitCode::Usage, "--prepare weight-sorted: the graph has no weights");
    const auto start = std::chrono::steady_clock::now();
    graph::prepare(loaded.graph, preparation, arguments.sketch);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (!arguments.quiet)
      note(fmt::format("prepared:  {} in {:.3f} s{}\n", graph::name_of(preparation), took.count(),
                       what_is_saved(loaded.graph, preparation)));
  }
  write(arguments, loaded.graph);
}

void run_generate(const Arguments& arguments) {
  check_output(arguments, {});
  take_threads(arguments);
  const graph::GeneratorSpec spec = graph::parse_generator(
      fmt::format("{}:{}", arguments.family, fmt::join(arguments.sizes, ":")));
  graph::Graph graph = graph::generate(spec);
  if (!arguments.quiet) {
    note(fmt::format("{} n={} m={} check={:016x}\n", arguments.family, graph.vertex_count,
                     graph.edge_count, graph::fingerprint(graph)));
  }
  if (arguments.transpose) graph::build_transpose(graph);
  write(arguments, graph);
}

void run_check(const Arguments& arguments) {
  graph::ReadOptions options = to_read_options(arguments.read);
  options.verify = options.preparations = true;
  take_threads(arguments);
  graph::LoadedGraph loaded = graph::load_graph(arguments.input, options);
  graph::check_requirements(loaded, arguments.requirements, options);
  if (!arguments.quiet) print(arguments.input + ": good\n");
}

void describe_cache(CLI::App& command, Arguments& arguments) {
  command.add_option("ACTION", arguments.action, "list or clear")->required();
  command.add_flag("--json", arguments.json, "print one JSON object");
}

void describe_info(CLI::App& command, Arguments& arguments) {
  command.add_option("GRAPH", arguments.input, "a file, or generate:KIND:SIZES")->required();
  command.add_flag("--json", arguments.json, "print one JSON object");
  command.add_flag("--statistics,!--no-statistics", arguments.statistics,
                   "also degrees, components and diameter");
  add_read_options(command, arguments.read, "--format");
}

void describe_output(CLI::App& command, Arguments& arguments) {
  command.add_option("--to", arguments.output_format,
                     fmt::format("format of the output, else by the ending of its name: {}",
                                 fmt::join(graph::output_format_names(), " ")));
  command.add_flag("--transpose", arguments.transpose, "also store the in-edges (cached form)");
  command.add_flag("--force", arguments.force, "write through a link or to a device or pipe");
  command.add_flag("--quiet", arguments.quiet, "print nothing but errors");
}

// Which vertices are hubs of paths.
void describe_hubs(CLI::App& command, Arguments& arguments) {
  const CLI::Range share(1e-9, 1.0);
  command
      .add_option("--hub-share", arguments.sketch.hub_share,
                  "of all vertices, that are hubs (derived from the graph)")
      ->check(share);
  command
      .add_option("--hub-sample", arguments.sketch.sample_share,
                  "of all vertices, that are looked at for the degree of a hub (derived)")
      ->check(share);
}

void describe_convert(CLI::App& command, Arguments& arguments) {
  command.add_option("IN", arguments.input, "a file, or generate:KIND:SIZES")->required();
  command.add_option("OUT", arguments.output, "the file to write; .gz or .zst compresses it")
      ->required();
  command
      .add_option("--prepare", arguments.preparations,
                  fmt::format("also store what runs would make of the graph (cached form): {}",
                              fmt::join(graph::preparation_names(), " ")))
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  describe_hubs(command, arguments);
  describe_output(command, arguments);
  add_read_options(command, arguments.read, "--from,--format");
}

void describe_generate(CLI::App& command, Arguments& arguments) {
  command
      .add_option("KIND", arguments.family,
                  fmt::format("{}", fmt::join(graph::generator_names(), " ")))
      ->required();
  command
      .add_option("SIZES", arguments.sizes,
                  "SCALE EDGEFACTOR, or WIDTH HEIGHT for road, or N; then the file to write")
      ->required()
      ->expected(2, 3)
      ->type_name("SIZES... OUT");
  describe_output(command, arguments);
}

void describe_check(CLI::App& command, Arguments& arguments) {
  graph::Requirements& requirements = arguments.requirements;
  command.add_option("GRAPH", arguments.input, "a file, or generate:KIND:SIZES")->required();
  command.add_flag("--symmetric", requirements.symmetric,
                   "every edge has its reverse of the same weight");
  command.add_flag("--non-negative", requirements.non_negative_weights, "no weight is negative");
  command.add_flag("--no-duplicates", requirements.no_duplicates, "no edge is there twice");
  command.add_flag("--no-self-loops", requirements.no_self_loops,
                   "no edge leads to its own source");
  command.add_flag("--quiet", arguments.quiet, "print nothing but errors");
  add_read_options(command, arguments.read, "--format");
}

graph::Graph load_for_layout(const Arguments& arguments) {
  take_threads(arguments);
  return graph::load_graph(arguments.input, to_read_options(arguments.read)).graph;
}

void run_sketch(const Arguments& arguments) {
  const graph::Graph graph = load_for_layout(arguments);
  print(arguments.dot ? draw_sketch(graph, arguments.sketch)
                      : show_sketch(graph, arguments.sketch, arguments.json));
}

void run_colour(const Arguments& arguments) {
  const graph::Graph graph = load_for_layout(arguments);
  print(arguments.dot ? draw_colours(graph, arguments.colours)
                      : show_colours(graph, arguments.colours, arguments.json));
}

void describe_layout(CLI::App& command, Arguments& arguments) {
  command.add_option("GRAPH", arguments.input, "a file, or generate:KIND:SIZES")->required();
  CLI::Option* const json =
      command.add_flag("--json", arguments.json, "the same, machine-readable");
  command.add_flag("--dot", arguments.dot, "draw it: text for Graphviz")->excludes(json);
  add_read_options(command, arguments.read, "--format");
}

void describe_sketch(CLI::App& command, Arguments& arguments) {
  describe_layout(command, arguments);
  describe_hubs(command, arguments);
}

void describe_colour(CLI::App& command, Arguments& arguments) {
  describe_layout(command, arguments);
  command
      .add_option_function<std::string>(
          "--colours",
          [&arguments](const std::string& word) {
            const auto colours = parse_colours(word);
            if (!colours)
              throw CLI::ValidationError("--colours", "'" + word + "' is not " + colours_words());
            arguments.colours = *colours;
          },
          "how many classes, before one with all other vertices: a number, auto (few that have "
          "most vertices), or all (there are no others)")
      ->type_name("N");
}

void run_validate(const Arguments& arguments) {
  const std::string said = validate(arguments.validation);
  if (!arguments.quiet) print(said + "\n");
}

void describe_validate(CLI::App& command, Arguments& arguments) {
  Validation& validation = arguments.validation;
  command.add_option("RESULT", validation.result, "one vertex and its value a line")->required();
  command.add_option("REFERENCE", validation.reference, "the same, of what is right")->required();
  add_named(
      command, "--rule", validation.rule,
      {{"exact", Rule::Exact}, {"equivalence", Rule::Equivalence}, {"epsilon", Rule::Epsilon}},
      "when two values agree: exact (default), equivalence (classes, whatever their names), "
      "epsilon");
  command
      .add_option("--epsilon", validation.epsilon,
                  "share of the reference that a number may differ by (1e-4)")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--quiet", arguments.quiet, "print nothing but errors");
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Shows, converts, generates and checks graphs, and validates results.",
               "vertigo-graph");
  app.set_version_flag("--version", "vertigo-graph " VERTIGO_VERSION);
  app.require_subcommand(1);
  CLI::App& info = *app.add_subcommand("info", "what a file holds: intake report and statistics");
  CLI::App& convert = *app.add_subcommand("convert", "read one format, write another");
  CLI::App& generate = *app.add_subcommand("generate", "write a synthetic graph");
  CLI::App& check =
      *app.add_subcommand("check", "whether a file is well-formed and has stated properties");
  CLI::App& cache =
      *app.add_subcommand("cache", "what runs with --cache keep of the graphs that they read");
  CLI::App& validate = *app.add_subcommand("validate", "whether a result is what a reference says");
  CLI::App& sketch =
      *app.add_subcommand("sketch", "the paths that order=path makes of a graph, and its hubs");
  CLI::App& colour =
      *app.add_subcommand("colour", "classes of vertices of which no two are neighbours");
  describe_sketch(sketch, arguments);
  describe_colour(colour, arguments);
  describe_validate(validate, arguments);
  describe_info(info, arguments);
  describe_convert(convert, arguments);
  describe_generate(generate, arguments);
  describe_check(check, arguments);
  describe_cache(cache, arguments);
  refuse_empty_values(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    throw Error(ExitCode::Usage, usage_message(app, error));
  }
  if (info) run_info(arguments);
  if (convert) run_convert(arguments);
  if (generate) {
    arguments.output = arguments.sizes.back();
    arguments.sizes.pop_back();
    run_generate(arguments);
  }
  if (check) run_check(arguments);
  if (cache) print(act_on_cache(arguments.action, arguments.json));
  if (validate) run_validate(arguments);
  if (sketch) run_sketch(arguments);
  if (colour) run_colour(arguments);
  if (std::fflush(stdout) != 0) refuse_standard_output();
  return 0;
}

// File names may hold line ends and control characters; a message is one line all the same.
std::string one_line(std::string message) {
  for (char& c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return message;
}

void say_last_words(ExitCode /*code*/, const char* message) noexcept {
  for (const char* piece : {"vertigo-graph: ", message, "\n"})
    (void)!::write(STDERR_FILENO, piece, std::strlen(piece));
}

int tell_failure() noexcept {
  try {
    const Failure failure = current_failure();
    const std::string place = failure.place.empty() ? "" : failure.place + ": ";
    note("vertigo-graph: " + one_line(place + failure.message) + "\n");
    return static_cast<int>(failure.code);
  } catch (const std::exception&) {
    say_last_words(ExitCode::OutOfMemory, kOutOfMemory);
    return static_cast<int>(ExitCode::OutOfMemory);
  }
}

}  // namespace
}  // namespace vertigo::tools

int main(int argc, char** argv) {
  const vertigo::ProcessGuard guard;
  vertigo::set_last_words(vertigo::tools::say_last_words);
  try {
    return vertigo::tools::run(argc, argv);
  } catch (...) {
    return vertigo::tools::tell_failure();
  }
}
