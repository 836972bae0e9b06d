#pragma once
// What --schedule means for this binary: one variant per phase that it speaks of.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/host/program.h"

namespace vertigo::host {

/// Phase name -> variant name; a phase that is missing is left to the controller.
using Schedule = std::map<std::string, std::string>;

/// Resolves "variant=async-push-data", "main.variant=...", "timing=async,direction=pull" (keys as
/// the compiler's --schedule has them). A key without a phase speaks of every phase. Where several
/// variants remain, the one nearest to the phase's preferred one is taken. Throws Error(Usage) that
/// names the legal choices where something cannot be had.
Schedule resolve_schedule(const ProgramInfo& info, std::string_view text);

/// Throws Error(Usage) where the schedule of `request` names a variant that is not for its graph.
void refuse_unfit(const ProgramInfo& info, const RunRequest& request);

/// Schedules that --compare-schedules runs: all combinations, or, where these are more than
/// `limit`, every variant of one phase with the others at their preferred ones. The preferred
/// combination comes first. Without the variants that are not for the graph of `request`.
/// `complete` says whether these are all combinations.
std::vector<Schedule> schedules_to_compare(const ProgramInfo& info, std::size_t limit,
                                           const RunRequest& request, bool& complete);

/// "async-push-data"; with several phases "forward=..., backward=..."; "auto" for none.
std::string schedule_text(const ProgramInfo& info, const Schedule& schedule);

/// The text of --list-schedules.
std::string list_schedules(const ProgramInfo& info);
/// A line that says so where legal schedules were left out of the binary; else nothing.
std::string note_on_schedules(const ProgramInfo& info);

}  // namespace vertigo::host
