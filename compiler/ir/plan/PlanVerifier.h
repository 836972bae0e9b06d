#pragma once
// What must hold of a plan whatever made it, a person with an editor included.

#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::plan {

/// One message per violation; empty where the plan is well-formed. Checks the program inside, that
/// every kernel, buffer, worklist and flag that is named exists and has the role that its use asks
/// for, types of all expressions, and that each phase has the preferred variant that it states.
std::vector<std::string> verify(const Plan& plan);

}  // namespace vertigo::plan
