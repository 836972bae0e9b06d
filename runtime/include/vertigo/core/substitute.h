#pragma once
// Which variant takes the place of the one that the plan prefers, where a run cannot have that.

#include <variant>

#include "vertigo/core/variant.h"

namespace vertigo {

/// Smaller is better. A controller that is compiled beside an engine is there to stand in for it.
inline int rank_as_substitute(const VariantKind& kind) {
  if (std::holds_alternative<Hybrid>(kind)) return -1;
  const auto* const path = std::get_if<ExecutionPath>(&kind);
  if (path == nullptr || path->timing != Timing::Asynchronous || path->direction != Direction::Push)
    return 2;
  return path->activation == Activation::DataDriven ? 0 : 1;
}

}  // namespace vertigo
