// Typed options from the typed words, and the combinations that make no sense.
#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "host/command_line.h"
#include "host/text.h"
#include "vertigo/core/colours.h"
#include "vertigo/core/error.h"
#include "vertigo/core/number_text.h"
#include "vertigo/core/path_choice.h"

namespace vertigo::host {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ExitCode::Usage, message); }

std::uint64_t read_size(const CommandLine& line, const std::string& option) {
  if (!line.has(option)) return 0;
  const auto bytes = parse_size(line.get(option));
  if (!bytes)
    refuse("--" + option + ": '" + line.get(option) +
           "' is no size; write 8GiB, 500MB or a number of bytes");
  return *bytes;
}

OutputFormat read_output_format(const CommandLine& line, const std::string& output) {
  constexpr std::array kFormats{OutputFormat::Text, OutputFormat::Csv, OutputFormat::Json,
                                OutputFormat::Npy, OutputFormat::Bin};
  if (line.has("output-format"))
    return kFormats[read_word("--output-format", line.get("output-format"),
                              std::array<std::string, 5>{"text", "csv", "json", "npy", "bin"})];
  const std::string name = lowercase(output);
  if (name.ends_with(".csv")) return OutputFormat::Csv;
  if (name.ends_with(".json")) return OutputFormat::Json;
  if (name.ends_with(".npy")) return OutputFormat::Npy;
  if (name.ends_with(".bin")) return OutputFormat::Bin;
  return OutputFormat::Text;
}

// Options that need another one, or exclude it.
void refuse_contradictions(const CommandLine& line, const Options& options) {
  const auto exclude = [&](const char* a, const char* b, const char* why) {
    if (line.has(a) && line.has(b))
      refuse(std::string("--") + a + " and --" + b + " exclude each other: " + why);
  };
  const auto needs = [&](const char* a, const char* b) {
    if (line.has(a) && !line.has(b)) refuse(std::string("--") + a + " needs --" + b);
  };
  exclude("directed", "undirected", "the graph is read one way");
  exclude("cache", "no-cache", "the graph is read once");
  exclude("compare-schedules", "schedule", "every compiled schedule is run");
  exclude("compare-schedules", "trace", "a trace records one run");
  exclude("compare-schedules", "report", "a report shows one run");
  exclude("compare-schedules", "interpret", "the interpreter has one schedule");
  exclude("interpret", "schedule", "the interpreter has one schedule");
  exclude("interpret", "target", "the interpreter runs on the CPU, without compiled code");
  exclude("interpret", "trace", "the interpreter records no steps");
  exclude("interpret", "report", "the interpreter records no steps");
  exclude("interpret", "prepare", "the interpreter takes the graph as it is");
  exclude("interpret", "diameter", "the interpreter has no engines");
  exclude("interpret", "balance", "the interpreter follows edges one by one");
  exclude("interpret", "colours", "the interpreter takes one vertex after the other");
  exclude("interpret", "paths", "the interpreter takes one vertex after the other");
  exclude("interpret", "transfer", "the interpreter uses no device");
  exclude("interpret", "device", "the interpreter uses no device");
  exclude("interpret", "device-memory", "the interpreter uses no device");
  exclude("interpret", "host-memory", "the interpreter reads edges in memory");
  exclude("interpret", "read", "the interpreter uses no device");
  for (const char* action :
       {"output", "check", "runs", "trace", "report", "compare-schedules", "interpret"})
    exclude("dry-run", action, "nothing is run");
  if (line.has("device") && options.target == TargetWish::Cpu)
    refuse("--device and --target cpu exclude each other: the CPU has no devices to choose from");
  needs("output-format", "output");
  needs("trace-format", "trace");
  if (options.json && options.output == "-")
    refuse("--json and --output - exclude each other: both write to standard output");
  for (const char* option : {"output", "trace", "report"}) {
    if (line.has(option) && line.get(option).empty())
      refuse(std::string("--") + option + ": the file name is empty");
    if (option != std::string_view("output") && line.get(option) == "-")
      refuse(std::string("--") + option + ": only --output can be standard output");
  }
  const auto same_file = [&](const char* a, const char* b) {
    if (line.has(a) && line.get(a) == line.get(b))
      refuse(std::string("--") + a + " and --" + b + " name the same file");
  };
  same_file("output", "trace");
  same_file("output", "report");
  same_file("trace", "report");
}

}  // namespace

std::uint64_t read_count(const CommandLine& line, const std::string& option,
                         std::uint64_t otherwise, std::uint64_t least, std::uint64_t most) {
  if (!line.has(option)) return otherwise;
  const std::string text = line.get(option);
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = !text.empty() && end == text.data() + text.size() && code == std::errc{};
  if (!whole || number < least || number > most)
    refuse("--" + option + ": '" + text + "' is not a whole number from " + std::to_string(least) +
           " to " + std::to_string(most));
  return number;
}

std::size_t read_word(std::string_view option, const std::string& value,
                      std::span<const std::string> words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (value == words[i]) return i;
  refuse(std::string(option) + ": '" + value + "' is not " + alternatives(words) +
         suggestion(value, words));
}

Options read_options(const CommandLine& line) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t kMostDevices = 4096;
  Options options;
  options.output = line.get("output");
  options.output_format = read_output_format(line, options.output);
  options.trace = line.get("trace");
  if (line.has("trace-format"))
    options.trace_format = std::array{TraceFormat::JsonLines, TraceFormat::Chrome}[read_word(
        "--trace-format", line.get("trace-format"), std::array<std::string, 2>{"jsonl", "chrome"})];
  options.report = line.get("report");
  options.force = line.has("force");
  options.check = line.has("check");
  options.json = line.has("json");
  options.quiet = line.has("quiet");
  if (line.has("target"))
    options.target = std::array{TargetWish::Auto, TargetWish::Gpu, TargetWish::Cpu}[read_word(
        "--target", line.get("target"), std::array<std::string, 3>{"auto", "gpu", "cpu"})];
  options.schedule = line.get("schedule");
  options.step_limit = read_count(line, "step-limit", 0, 1, kMost);
  options.threads = static_cast<unsigned>(read_count(line, "threads", 0, 1, 4096));
  options.runs = static_cast<unsigned>(read_count(line, "runs", 1, 1, 1'000'000));
  if (line.has("prepare"))
    options.prepare = std::array{Prepare::Auto, Prepare::Always, Prepare::Never}[read_word(
        "--prepare", line.get("prepare"), std::array<std::string, 3>{"auto", "always", "never"})];
  if (line.has("diameter"))
    options.diameter = std::array{Diameter::Estimated, Diameter::Small, Diameter::Large}[read_word(
        "--diameter", line.get("diameter"), std::array<std::string, 3>{"auto", "small", "large"})];
  if (line.has("balance"))
    options.balance = std::array{EdgeSharing::Auto, EdgeSharing::Mixed}[read_word(
        "--balance", line.get("balance"), std::array<std::string, 2>{"auto", "mixed"})];
  if (line.has("colours")) {
    options.colours = parse_colours(line.get("colours"));
    if (!options.colours)
      refuse("--colours: '" + line.get("colours") + "' is not " + colours_words());
  }
  if (line.has("paths")) {
    std::string problem;
    options.paths = parse_path_choice(line.get("paths"), problem);
    if (!options.paths) refuse("--paths: " + problem);
  }
  if (line.has("transfer"))
    options.transfer = std::array{Transfer::Auto, Transfer::Resident, Transfer::ZeroCopy,
                                  Transfer::Filter, Transfer::Compaction}[read_word(
        "--transfer", line.get("transfer"),
        std::array<std::string, 5>{"auto", "resident", "zero-copy", "filter", "compaction"})];
  if (line.has("device"))
    options.device = static_cast<unsigned>(read_count(line, "device", 0, 0, kMostDevices));
  options.device_memory = read_size(line, "device-memory");
  options.host_memory = read_size(line, "host-memory");
  options.deterministic = line.has("deterministic");
  options.interpret = line.has("interpret");
  options.compare_schedules = line.has("compare-schedules");
  options.dry_run = line.has("dry-run");
  refuse_contradictions(line, options);
  return options;
}

}  // namespace vertigo::host
