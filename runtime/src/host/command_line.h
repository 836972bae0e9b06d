#pragma once
// From argv to typed options. Whatever is malformed is an Error(Usage) of one line.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "vertigo/host/program.h"

namespace vertigo::host {

/// What was typed: long names without dashes (`_` for parameters of the program as declared). A
/// flag that was given has an empty value.
struct CommandLine {
  std::string binary;
  std::optional<std::string> graph;
  std::map<std::string, std::string, std::less<>> values;

  bool has(std::string_view name) const { return values.find(name) != values.end(); }
  /// The value, or `otherwise` where the option was not given.
  std::string get(std::string_view name, std::string otherwise = "") const {
    const auto found = values.find(name);
    return found == values.end() ? otherwise : found->second;
  }
};

CommandLine parse_command_line(const ProgramInfo& info, int argc, const char* const* argv);

enum class TargetWish : std::uint8_t { Auto, Gpu, Cpu };
enum class OutputFormat : std::uint8_t { Text, Csv, Json, Npy, Bin };
enum class TraceFormat : std::uint8_t { JsonLines, Chrome };

/// The options of every binary, typed and free of contradictions. Options that concern the graph or
/// the program's parameters are read where the graph is known.
struct Options {
  std::string output;  ///< empty: none; "-": standard output
  OutputFormat output_format = OutputFormat::Text;
  std::string trace;
  TraceFormat trace_format = TraceFormat::JsonLines;
  std::string report;
  bool force = false;
  bool check = false;
  bool json = false;
  bool quiet = false;
  TargetWish target = TargetWish::Auto;
  std::string schedule;
  std::uint64_t step_limit = 0;
  unsigned threads = 0;
  unsigned runs = 1;
  std::optional<Prepare> prepare;
  Diameter diameter = Diameter::Estimated;
  EdgeSharing balance = EdgeSharing::Auto;
  std::optional<std::uint32_t> colours;  ///< as RunRequest has it
  std::optional<PathChoice> paths;       ///< likewise
  std::optional<Transfer> transfer;
  std::optional<unsigned> device;  ///< where one was named: a GPU then, and no other
  std::uint64_t device_memory = 0;
  std::uint64_t host_memory = 0;
  bool deterministic = false;
  bool interpret = false;
  bool compare_schedules = false;
  bool dry_run = false;
};

Options read_options(const CommandLine& line);

/// One of `words`, or an Error(Usage) that names them: "--target: 'gpo' is none of auto, gpu, cpu".
std::size_t read_word(std::string_view option, const std::string& value,
                      std::span<const std::string> words);

/// A whole number from `least` to `most`; `otherwise` where the option was not given.
std::uint64_t read_count(const CommandLine& line, const std::string& option,
                         std::uint64_t otherwise, std::uint64_t least, std::uint64_t most);

}  // namespace vertigo::host
