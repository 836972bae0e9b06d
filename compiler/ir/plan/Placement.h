#pragma once
// Where the values of vertices have to be if the graph runs in parts, each part's kernels with the
// vertices of the part alone. It follows from what kernels touch, so that it can be checked.

#include <map>
#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::plan {

struct Placed {
  Placement placement = Placement::Owned;
  std::string kernel;  ///< the first that asks for no less; "": an engine does, or nobody
};

/// Of each buffer that holds one value for each vertex, by its name.
std::map<std::string, Placed> placements_of(const Plan& plan);

}  // namespace vertigo::plan
