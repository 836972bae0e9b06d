#pragma once
// What must hold of a plan once the passes of passes/plan have arranged it. Of what they have not
// filled in yet it says nothing.

#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::plan {

/// One message per problem; the plan's names have been checked before.
std::vector<std::string> verify_arrangement(const Plan& plan);

}  // namespace vertigo::plan
