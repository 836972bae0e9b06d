#pragma once
// What a program needs of its graph, piece by piece, for those who know more of the graph than a
// request says: where an edge stands in its file, what the user could do about it.

#include "vertigo/core/error.h"
#include "vertigo/graph/reader.h"
#include "vertigo/host/program.h"

namespace vertigo::host {

graph::Requirements requirements_of(const RequirementInfo& requirement);
/// The violation, with the program's reason for what it breaks.
Error with_reason(const RequirementInfo& requirement, const Error& violation);
/// Throws Error(InputRefused) where the program needs weights and the graph has none.
void check_weights(const ProgramInfo& info, const graph::Graph& graph);

}  // namespace vertigo::host
