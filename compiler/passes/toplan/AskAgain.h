#pragma once
// Conditions about all neighbours that rounds ask again and again. Who is still left failed the
// condition because of some neighbour, who most often is in the way in the next round, too. So that
// neighbour is remembered and asked first, and the list of neighbours is gone through only where it
// is in the way no longer. What neighbour is remembered makes no difference to the answer.

#include <optional>
#include <string>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

struct AskedAgain {
  const ir::Expr* reduction = nullptr;  ///< `all(…)`, or the `any(…)` of `!any(…)`
  ir::ExprPtr others;                   ///< the other conjuncts; null: none
};

/// Of the conjuncts of a condition, the first that a single neighbour makes false and that reads
/// vertices alone, no edges.
std::optional<AskedAgain> find_asked_again(const ir::Expr& condition);

/// Asks it of vertex `v`; the block for vertices at which nobody is in the way.
plan::Block& ask_again(PhaseKernels& kernels, const ir::Expr& reduction, ExprLowering& lowering,
                       const std::string& v, plan::Block& block);

}  // namespace vertigo::compiler::toplan
