#pragma once
// Runs: one, several of the same, or one per legal schedule.

#include <functional>

#include "host/console.h"
#include "host/lawful.h"
#include "host/summary.h"
#include "host/target_choice.h"
#include "vertigo/host/program.h"

namespace vertigo::host {

/// Runs `runs` times and returns the last result; fills the summary's times, phases and runs. The
/// recorder, where there is one, holds the last run alone. `repeats`: one call does it all.
/// `lawful`: may give a phase another schedule; null for the interpreter.
RunResult run_repeatedly(const LawfulRuns* lawful,
                         const std::function<RunResult(const RunRequest&)>& run, bool repeats,
                         const RunRequest& request, unsigned runs, Summary& summary);

/// Runs every legal schedule (schedules_to_compare) and fills the summary's comparisons; returns
/// the result of the preferred schedule, or of the first one that fits into memory, with which the
/// others are compared. Throws Error(OutOfMemory) where none fits.
RunResult compare_schedules(const Target& target, const RunRequest& request, unsigned runs,
                            Console& console, Summary& summary);

}  // namespace vertigo::host
