#pragma once
// Whether two results of the same program on the same graph agree (vertigo/core/agreement.h).

#include <string>

#include "vertigo/graph/graph.h"
#include "vertigo/host/program.h"
#include "vertigo/reference/reference.h"

namespace vertigo::host {

/// "" where the results agree, else the first difference by input ids: "distance of vertex 7: 3
/// instead of 2". Leaves out what the contract leaves `open`: reference::check is asked for that.
std::string difference(const ProgramInfo& info, const graph::Graph& graph,
                       const RunResult& expected, const RunResult& actual,
                       const reference::OpenResults& open);

}  // namespace vertigo::host
