#include "host/execution.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "host/agreement.h"
#include "host/schedule.h"
#include "vertigo/core/error.h"
#include "vertigo/reference/reference.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::host {
namespace {

// Three phases of eight variants have 512 combinations; nobody waits for these.
constexpr std::size_t kMostCombinations = 64;

// A schedule that takes so many times the fastest one is told by one run as well as by many.
constexpr double kNotRepeated = 5;

/// What is wrong with a result that may be right although it differs from others; "" where nothing
/// is.
std::string fault(const ProgramInfo& info, const RunRequest& request, const RunResult& result) {
  const reference::CheckReport report = reference::check_text(info.program_ir, request, result);
  return report.passed ? "" : report.failures.front();
}

}  // namespace

RunResult run_repeatedly(const LawfulRuns* lawful,
                         const std::function<RunResult(const RunRequest&)>& run, bool repeats,
                         const RunRequest& request, unsigned runs, Summary& summary) {
  RunResult result;
  summary.runs.clear();
  RunRequest each = request;
  each.runs = repeats ? runs : 1;
  for (unsigned i = 0; i < runs; i += each.runs) {
    if (request.trace != nullptr) *request.trace = trace::Recorder();
    result = RunResult();  // the memory of the last result is free before the next run
    const Stopwatch watch;
    const double begin = trace::process_seconds();
    result = lawful == nullptr ? run(each) : (*lawful)(run, each, summary.replaced);
    const double wall = watch.seconds();
    if (result.timing.stages.empty())
      result.timing.stages = {{"run", begin, trace::process_seconds()}};
    std::ranges::move(result.timing.stages, std::back_inserter(summary.stages));
    if (result.timing.runs.empty())
      result.timing.runs = {result.timing.run > 0 ? result.timing.run : wall};
    summary.runs.insert(summary.runs.end(), result.timing.runs.begin(), result.timing.runs.end());
    if (summary.runs.back() > request.longest_repeated) break;
  }
  summary.preprocess += result.timing.preprocess;
  summary.preparation = result.timing.preparation;
  summary.transfer = result.timing.transfer;
  summary.run = median(summary.runs);
  summary.phases = result.phases;
  summary.balance = result.balance;
  summary.colours = result.colours;
  summary.paths = result.paths;
  summary.placement = result.placement;
  summary.moved = result.moved;
  summary.link = result.link;
  summary.converged = result.converged;
  return result;
}

RunResult compare_schedules(const Target& target, const RunRequest& request, unsigned runs,
                            Console& console, Summary& summary) {
  const ProgramInfo& info = *target.info;
  const std::map<std::string, reference::PhaseBytes> bytes =
      reference::bytes_of_phases(info.program_ir);
  const LawfulRuns lawful(info, request);
  const reference::OpenResults open = reference::open_results(info.program_ir);
  RunResult expected;
  std::optional<Summary> first;
  double fastest = std::numeric_limits<double>::infinity();
  for (const Schedule& schedule :
       schedules_to_compare(info, kMostCombinations, request, summary.compared_all)) {
    RunRequest pinned = request;
    pinned.schedule = schedule;
    pinned.longest_repeated = kNotRepeated * fastest;
    Comparison row{
        .schedule = schedule_text(info, schedule), .difference = "", .replaced = {}, .refused = ""};
    console.stage("running " + row.schedule);
    Summary times;
    RunResult result;
    try {
      result = run_repeatedly(&lawful, target.run, target.repeats, pinned, runs, times);
    } catch (const Error& error) {
      if (error.code() == ExitCode::OutOfMemory) {
        // Another schedule may do with less.
        row.refused = error.message();
        summary.comparisons.push_back(std::move(row));
        continue;
      }
      throw Error(error.code(), "with schedule " + row.schedule + ": " + error.message(),
                  error.place());
    }
    for (const PhaseSummary& phase : times.phases) {
      row.steps += phase.steps;
      row.edges += phase.edges;
      const auto width = bytes.find(phase.phase);
      if (width != bytes.end())
        row.bytes += phase.edges * width->second.per_edge +
                     phase.active_vertices * width->second.per_activation;
    }
    row.seconds = times.run;
    row.runs = times.runs.size();
    fastest = std::min(fastest, row.seconds);
    row.converged = times.converged;
    row.replaced = times.replaced;
    if (!open.empty() && row.converged) row.difference = fault(info, pinned, result);
    if (!first) {
      expected = std::move(result);
      first = std::move(times);
    } else if (row.difference.empty() && row.converged && first->converged) {
      row.difference = difference(info, request.graph, expected, result, open);
    }
    if (summary.balance.empty()) summary.balance = times.balance;
    if (summary.colours.empty()) summary.colours = times.colours;
    if (summary.paths.empty()) summary.paths = times.paths;
    if (summary.placement.empty()) summary.placement = times.placement;
    summary.comparisons.push_back(std::move(row));
  }
  if (!first)
    throw Error(ExitCode::OutOfMemory,
                "no schedule fits; the preferred one: " + summary.comparisons.front().refused);
  summary.runs = first->runs;
  summary.preprocess += first->preprocess;
  summary.preparation = first->preparation;
  summary.transfer = first->transfer;
  summary.run = first->run;
  std::ranges::move(first->stages, std::back_inserter(summary.stages));
  summary.phases = first->phases;
  for (PhaseSummary& phase : summary.phases) phase.reason = "the first that was compared";
  summary.replaced = first->replaced;
  summary.open = open;
  summary.converged = first->converged;
  return expected;
}

}  // namespace vertigo::host
