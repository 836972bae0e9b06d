#pragma once
// Numbers of common neighbours that are kept for every edge: made when the states have their
// initial values, and lowered behind each update that lets edges fall out of the choice. An edge's
// number lies at the entry of its end that comes first.

#include <vector>

#include "compiler/passes/toplan/KernelContext.h"

namespace vertigo::compiler::toplan {

/// Counts for every edge, once the edges have their initial states.
plan::Action count_common(KernelContext& context);

/// What stands behind an update that changes the choice. One kernel looks for the edges that no
/// longer count and takes their triangles out of the numbers; only then another one notes that
/// they do not, because the first asks what counted before.
std::vector<plan::Action> uncount_fallen(KernelContext& context);

}  // namespace vertigo::compiler::toplan
