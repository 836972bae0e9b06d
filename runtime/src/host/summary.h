#pragma once
// What a run was and took: collected while it goes on, printed once at its end for people or for
// machines.

#include <optional>
#include <string>
#include <vector>

#include "host/lawful.h"
#include "host/output.h"
#include "vertigo/graph/intake.h"
#include "vertigo/host/program.h"
#include "vertigo/reference/reference.h"
#include "vertigo/trace/stage.h"

namespace vertigo::host {

/// One row of --compare-schedules.
struct Comparison {
  std::string schedule;
  std::uint64_t steps = 0;
  std::uint64_t edges = 0;
  std::uint64_t bytes = 0;  ///< that the visits move at least, see reference::bytes_of_phases
  double seconds = 0;       ///< median of the runs
  std::size_t runs = 0;     ///< one where the first was slow
  bool converged = true;
  std::string difference;  ///< empty: agrees with the first row that ran
  Replaced replaced;       ///< phases that ran step by step instead
  std::string refused;     ///< why it did not run: it does not fit into memory; else empty
};

/// The values of one output column.
struct ColumnFacts {
  std::string name;
  ScalarKind kind = ScalarKind::Int32;
  std::uint64_t finite = 0;     ///< neither inf, -inf nor none; of bool: true
  std::string least, greatest;  ///< of the finite ones, as printed; empty where there are none
};

struct Summary {
  std::string program;
  std::optional<graph::IntakeReport> intake;
  std::string target;  ///< "cpu", "gpu", "interpreter"
  std::string target_reason;
  std::string device;
  std::string schedule;  ///< as asked for
  double load = 0, preprocess = 0, preparation = 0, transfer = 0, run = 0, check = 0, output = 0;
  std::vector<double> runs;          ///< seconds of the main loop of every run
  std::vector<trace::Stage> stages;  ///< in order at the end; until then as they come
  double wall = 0;                   ///< seconds since the process began
  std::vector<PhaseSummary> phases;
  Replaced replaced;      ///< phases that ran step by step, against what was asked for
  std::string balance;    ///< RunResult::balance
  std::string colours;    ///< RunResult::colours
  std::string paths;      ///< RunResult::paths
  std::string placement;  ///< RunResult::placement
  std::string moved;      ///< RunResult::moved
  std::string link;       ///< RunResult::link
  std::vector<std::pair<std::string, std::optional<Value>>> reports;  ///< none: not reached
  std::vector<ColumnFacts> columns;
  bool converged = true;
  std::optional<reference::CheckReport> checked;
  std::vector<Comparison> comparisons;
  reference::OpenResults open;  ///< what the comparison checked instead of comparing it
  bool compared_all = true;     ///< the comparison covers all combinations
  std::string output_path;
};

ColumnFacts column_facts(const Column& column, const graph::IdMap& ids);

double median(std::vector<double> values);

/// Several lines, without a final newline.
std::string summary_text(const Summary& summary, const graph::IdMap& ids);
std::string comparison_table(const Summary& summary);

/// One JSON object on one line, with a final newline.
std::string summary_json(const Summary& summary, const graph::IdMap& ids, int exit_code);
/// The same for a run that ended in an error.
std::string error_json(const std::string& program, const std::string& message,
                       const std::string& place, int exit_code);
/// The legal schedules as JSON.
std::string schedules_json(const ProgramInfo& info);

}  // namespace vertigo::host
