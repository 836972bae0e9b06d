#pragma once
// The text of --dry-run: bytes per array, free memory, and the strategy that follows.

#include <string>

#include "host/target_choice.h"
#include "vertigo/host/program.h"

namespace vertigo::host {

/// The arrays of the loaded graph, and those of the run: as the target states them, or the results
/// alone where it states nothing.
Footprint footprint_of(const Target& target, const RunRequest& request);

std::string footprint_text(const Target& target, const RunRequest& request);
std::string footprint_json(const Target& target, const RunRequest& request);

}  // namespace vertigo::host
