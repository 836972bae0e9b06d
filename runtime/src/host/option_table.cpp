#include "host/option_table.h"

#include <algorithm>
#include <array>

#include "host/load.h"
#include "host/text.h"
#include "host/values.h"
#include "vertigo/graph/generate.h"

namespace vertigo::host {
namespace {

constexpr std::array kGroupTitles{"Parameters of the program", "Result",         "Execution",
                                  "Reading the graph",         "Studying a run", "Information"};

const std::vector<OptionRow>& table() {
  using enum OptionGroup;
  static const std::vector<OptionRow> rows{
      {"output", 'o', "FILE", "write the result to FILE; - for standard output", Result},
      {"output-format", 0, "FORMAT",
       "text, csv, json, npy or bin (default: by the name's ending, else text)", Result},
      {"force", 0, "", "let --output, --trace and --report replace a symlink or write to a device",
       Result},
      {"check", 0, "", "verify the result; a wrong one is exit code 8", Result},
      {"json", 0, "", "print a machine-readable summary to standard output", Result},
      {"quiet", 'q', "", "print nothing but errors", Result},

      {"program", 0, "NAME",
       "which program to run, where this binary holds several (default: the one that the binary "
       "is called after)",
       Execution},
      {"target", 0, "TARGET", "auto, gpu or cpu (default: auto)", Execution},
      {"device", 0, "N", "the GPU to run on, as CUDA counts them, from 0 (default: 0); GPU only",
       Execution},
      {"schedule", 0, "SPEC",
       "pin the schedule: [PHASE.]KEY=VALUE,... with keys variant, timing, direction, activation",
       Execution},
      {"step-limit", 0, "N", "end each phase after N steps; exit code 6 where that was too early",
       Execution},
      {"threads", 0, "N", "CPU threads (default: all)", Execution},
      {"runs", 0, "N", "run N times and print minimum, median and maximum (default: 1)", Execution},
      {"prepare", 0, "WHEN",
       "make sorted or packed copies of the graph first: auto (default: where they pay over the "
       "runs), always, never",
       Execution},
      {"diameter", 0, "WHICH",
       "run engines in their form for graphs of small or large diameter (default: auto, estimated "
       "by short searches); GPU only",
       Execution},
      {"balance", 0, "WHICH",
       "mixed: share out edges as if the graph had lists of every length (default: auto, by the "
       "longest list); GPU only",
       Execution},
      {"colours", 0, "N",
       "how many colour classes run one after the other, before all other vertices at once: a "
       "number, auto (few that have most vertices), or all (there are no others); for programs "
       "compiled with timing=coloured (default: as they were compiled)",
       Execution},
      {"paths", 0, "KEY=VALUE,...",
       "which paths values travel along, for programs compiled with order=path: hub-share, "
       "hub-sample and hub-turns as --schedule has them, and walk=forward, which walks along no "
       "path backward (default: as they were compiled)",
       Execution},
      {"transfer", 0, "WAY",
       "where edges are read: on the device (resident), in host memory over the link (zero-copy), "
       "on the device, brought in parts as steps need them, whole parts (filter) or active lists "
       "(compaction); default: auto, on the device where they fit, else what costs least; GPU only",
       Execution},
      {"device-memory", 0, "SIZE",
       "use at most SIZE of the device's memory, such as 8GiB; GPU only", Execution},
      {"host-memory", 0, "SIZE",
       "let edges take at most SIZE of the host's memory, such as 100GiB; those of a cached form "
       "(.vgg) that are more stay in the file; GPU only",
       Execution},
      {"deterministic", 0, "", "floating sums in a fixed order: repeats are bit-identical",
       Execution},
      {"interpret", 0, "", "run the reference interpreter instead of compiled code", Execution},

      {"format", 0, "FORMAT",
       "do not recognise GRAPH by its content, read it as " + alternatives(format_names()),
       Reading},
      {"read", 0, "BY",
       "who reads the file: auto (default), the device where the file is large; host; or device "
       "(edge lists, Matrix Market, DIMACS and binary lists); host and device also say who turns "
       "lists round, which the device does where there are many; the graph is the same; GPU only",
       Reading},
      {"columns", 0, "NAMES",
       "columns of a CSV or TSV file: SOURCE,TARGET[,WEIGHT], or WEIGHT, which GraphML has too; "
       "numbers from 1 where there is no header; of a program that reads attributes by name, those "
       "in place of WEIGHT",
       Reading},
      {"ids", 0, "KIND",
       "what ids of edge lists and tables are: numbers, text, or auto (default: text where the "
       "first "
       "edge has a word for an id)",
       Reading},
      {"vertices", 0, "WHICH",
       "which ids of an edge list are vertices: seen, range (0 to the largest), or auto (default: "
       "as a comment says, else seen)",
       Reading},
      {"max-vertices", 0, "N", "most vertices that a header may declare", Reading},
      {"ignore-weights", 0, "", "read the graph without its weights", Reading},
      {"directed", 0, "", "every line of GRAPH is one directed edge", Reading},
      {"undirected", 0, "", "every line of GRAPH is an edge in both directions", Reading},
      {"self-loops", 0, "POLICY", "keep or drop", Reading},
      {"duplicates", 0, "POLICY", "keep, first, min, max or sum", Reading},
      {"symmetrize", 0, "", "add the missing reverse edges", Reading},
      {"strict", 0, "", "refuse a graph that would be changed while it is read", Reading},
      {"cache", 0, "", "keep what is read, and read the same file faster the next time", Reading},
      {"no-cache", 0, "", "read the file itself, also where VERTIGO_CACHE is set", Reading},

      {"compare-schedules", 0, "", "run every compiled schedule and compare results and times",
       Study},
      {"trace", 0, "FILE", "record every step to FILE", Study},
      {"trace-format", 0, "FORMAT", "jsonl or chrome (default: jsonl)", Study},
      {"report", 0, "FILE", "write a page with plots of every step to FILE (HTML)", Study},
      {"dry-run", 0, "", "print the memory that the run needs, and stop before it", Study},

      {"list-schedules", 0, "", "print the schedules of every phase", Information},
      {"explain", 0, "", "print the compiler's plan with its reasons", Information},
      {"dump-cuda", 0, "", "print the CUDA source that this binary was made from", Information},
      {"dump-cpu", 0, "", "print the C++ source that this binary was made from", Information},
      {"version", 0, "", "print versions and compiler options", Information},
      {"help", 'h', "", "print this text", Information},
  };
  return rows;
}

std::string placeholder(ScalarKind kind, bool is_list) {
  if (is_list) return "ID,...|@FILE";
  if (kind == ScalarKind::Vertex) return "ID";
  return std::string(kind_name(kind));
}

// The option on the left, its help on the right, broken into lines that fit a terminal.
void append_lines(std::vector<std::vector<std::string>>& lines, const OptionRow& row) {
  constexpr std::size_t kWidest = 72;
  std::string spelling =
      row.short_name == 0 ? "      --" : std::string("  -") + row.short_name + ", --";
  spelling += row.name;
  if (!row.value.empty()) spelling += " " + row.value;
  std::string line;
  for (const std::string& word : split(row.help, ' ')) {
    if (!line.empty() && line.size() + 1 + word.size() > kWidest) {
      lines.push_back({spelling, line});
      spelling.clear();
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  lines.push_back({spelling, line});
}

}  // namespace

std::span<const OptionRow> common_options() { return table(); }

std::string dashed_name(std::string_view name) {
  std::string dashed(name);
  const auto first = std::ranges::find_if(dashed, [](char c) { return c != '_'; });
  std::replace(first, dashed.end(), '_', '-');
  return dashed;
}

std::string option_name(std::string_view declared) {
  const std::string dashed = dashed_name(declared);
  const bool taken = std::ranges::any_of(table(), [&](const OptionRow& row) {
    return row.name == dashed || (declared.size() == 1 && row.short_name == declared.front());
  });
  return taken ? "parameter-" + std::string(declared) : std::string(declared);
}

std::vector<OptionRow> all_options(const ProgramInfo& info) {
  std::vector<OptionRow> rows;
  for (const ParameterInfo& parameter : info.parameters)
    rows.push_back({option_name(parameter.name), 0, placeholder(parameter.kind, parameter.is_list),
                    parameter.default_text.empty()
                        ? "required"
                        : "default: " + std::string(parameter.default_text),
                    OptionGroup::Program});
  for (const VertexInputInfo& input : info.vertex_inputs)
    rows.push_back(
        {option_name(input.name), 0, "FILE",
         "lines `vertex value`, values " + std::string(kind_name(input.kind)) +
             (input.default_text.empty() ? "; without FILE the program's initial value"
                                         : "; others have " + std::string(input.default_text)),
         OptionGroup::Program});
  rows.insert(rows.end(), table().begin(), table().end());
  return rows;
}

std::string help_text(const ProgramInfo& info, std::string_view binary) {
  std::string text = "usage: " + printable(binary) + " GRAPH [options]\n\nRuns " +
                     std::string(info.name) + " (" + printable(info.source_file) +
                     ") on GRAPH: a file of any known format, or\ngenerate:NAME:SIZE such as "
                     "generate:kron:18:16 or generate:road:1000x1000; names are\n" +
                     alternatives(graph::generator_names()) + ".\n";
  const std::vector<OptionRow> rows = all_options(info);
  for (std::size_t group = 0; group < kGroupTitles.size(); ++group) {
    std::vector<std::vector<std::string>> lines;
    for (const OptionRow& row : rows)
      if (row.group == static_cast<OptionGroup>(group)) append_lines(lines, row);
    if (!lines.empty())
      text += std::string("\n") + kGroupTitles[group] + ":\n" + format_table(lines, {false, false});
  }
  text +=
      "\nExit codes: 0 done, 2 usage, 3 graph or parameter refused, 4 device unusable, 5 out of "
      "memory,\n6 not converged, 7 output not written, 8 check failed, 1 anything else.\n";
  return text;
}

}  // namespace vertigo::host
