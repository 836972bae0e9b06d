#pragma once
// build-kernels: spells every variant of every phase out as buffers, kernels and actions.
//
// before: a plan whose phases list the legal variants (timing, direction, activation, reason)
// after:  the same plan with buffers, kernels, initialize, reductions, body, and the actions of
//         every variant; a variant that the phase's text does not permit is dropped, and its
//         decision says why
// needs:  what infer-algebra found; nothing of the targets
// here:   last of the toplan passes, because it turns decisions into code that nobody decides on
//
// Where each design stands, with the argument why it has no race: BuildSynchronous.h,
// BuildAsynchronous.h.

#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::toplan {

/// Something of the language that no target has code for yet.
struct Refusal {
  ir::Location location;
  std::string construct;  ///< "'mode'", "a tuple message of 96 bits"
  std::string reason;
};

/// What was refused; empty where the plan is complete.
std::vector<Refusal> build_kernels(plan::Plan& plan);

}  // namespace vertigo::compiler::toplan

namespace vertigo::compiler::passes {

struct PassContext;

/// The pass: reports refusals as VG0601.
void build_kernels(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
