#pragma once
// A path of a controller in emitted code.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// `{.variant = 3, .pull = true, .data_driven = false}` of the phase's variant that is called
/// `name`.
std::string path_text(const plan::PhasePlan& phase, const std::string& name);

}  // namespace vertigo::compiler::emit
