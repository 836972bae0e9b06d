#pragma once
// Results as files: which columns a program prints, and the forms they are written in.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/command_line.h"
#include "vertigo/core/value.h"
#include "vertigo/graph/graph.h"
#include "vertigo/host/program.h"

namespace vertigo::host {

/// One column of the output; state and tolerance as its OutputInfo states them.
struct OutputColumn {
  const Column* column;
  double tolerance;
  std::string_view state;
};

/// The value of a report; null where no run of its statement was reached.
const Value* find_report(const RunResult& result, std::string_view name);

/// The columns of the program's outputs, in their order. Throws Error(Other) where the target did
/// not deliver what ProgramInfo announces.
std::vector<OutputColumn> output_columns(const ProgramInfo& info, const RunResult& result,
                                         Vertex vertex_count);

/// Throws Error(Other) naming state and vertex where a result or report is not a number: a result
/// with a NaN in it is never printed.
void refuse_nan(std::span<const OutputColumn> columns, const ProgramInfo& info,
                const RunResult& result, const graph::IdMap& ids);

/// Takes the next piece of the output.
using Sink = std::function<void(std::string_view)>;

/// Writes the result by ascending input id. Text: `vertex value [value ...]` per line, with a first
/// line `# vertex NAME ...` where there are several columns. Csv: a header and comma-separated
/// lines. Json: one object with one array per column. Npy, Bin: host/output_records.h. A program
/// without outputs writes its reports, one `name value` per line. Formats in parallel; hands the
/// sink pieces of a few megabytes.
void write_result(const ProgramInfo& info, const RunResult& result, const graph::Graph& graph,
                  OutputFormat format, const Sink& sink);

}  // namespace vertigo::host
