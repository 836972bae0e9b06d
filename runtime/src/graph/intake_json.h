#pragma once
// The way back from the JSON of an intake report, which entries of the cache hold.

#include <nlohmann/json.hpp>

#include "vertigo/graph/intake.h"

namespace vertigo::graph {

/// What to_json() made; paths and the cache's part are left out, as they are of a run. Throws
/// nlohmann::json::exception where it is not of that form.
IntakeReport intake_of(const nlohmann::json& json);

}  // namespace vertigo::graph
