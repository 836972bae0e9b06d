#pragma once
// Types that are called after phases.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// "single_source" as "SingleSource", such that no other phase of the plan gets it.
std::string type_of_phase(const plan::Plan& plan, const std::string& phase);

}  // namespace vertigo::compiler::emit
