#pragma once
// What the runtime's tables say of a variant: which launches may be cut into several, each for some
// of the kernel's vertices, so that the edges of the others need not be on the device meanwhile;
// and how many colour classes stand before a rest.

#include <optional>
#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::plan {

struct EdgeReads {
  /// The lists of its own vertices that a kernel reads; nothing where it reads none.
  std::optional<ir::EdgeDirection> along;
  /// Why a launch of it cannot be cut; "": it can.
  std::string problem;
};

EdgeReads edge_reads_of(const Plan& plan, const Kernel& kernel);

/// As the runtime's tables spell it: "out", "in", "both" where every launch of the variant that
/// reads edges may be cut along these, "none" where none reads any, else "whole".
std::string edge_parts_of(const Plan& plan, const Variant& variant);

/// Of a variant that runs colour classes and a rest: how many classes, as the schedule says it;
/// else
/// "". What the variant needs must be known.
std::string colours_of(const Plan& plan, const Variant& variant);

}  // namespace vertigo::plan
