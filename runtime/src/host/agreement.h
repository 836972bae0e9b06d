#pragma once
// Whether two results of the same program on the same graph agree: bit-identical for exact kinds,
// within the tolerance that the program states for floating ones.

#include <string>

#include "vertigo/graph/graph.h"
#include "vertigo/host/program.h"

namespace vertigo::host {

/// "" where the results agree, else the first difference by input ids: "distance of vertex 7: 3
/// instead of 2". Floating values agree where they differ by at most tolerance times the larger of
/// both magnitudes and the column's mean magnitude: values near zero in a column of large ones
/// carry the rounding of the large ones.
std::string difference(const ProgramInfo& info, const graph::Graph& graph,
                       const RunResult& expected, const RunResult& actual);

}  // namespace vertigo::host
