#pragma once
// derive-requirements
//
// Does: adds to the program what its graph must satisfy for the program to have an answer: weights
// that are not negative where they are factors of what is minimised or maximised, and where sums of
// them are minimised by a phase that would not notice a cycle of negative weight. The runtime
// checks it while loading. Needs: verified Program IR. Guarantees: nothing that the user stated is
// repeated or dropped; each derived requirement carries its reason. Why here: before infer-algebra,
// which may use the sign of weights in its proofs.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct PassContext;

void derive_requirements(ir::Program& program, PassContext& context);

}  // namespace vertigo::compiler::passes
