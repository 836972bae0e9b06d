#pragma once
// cut-launches
//
// Does: marks the launches of paths that may be cut into several, each for some of the kernel's
// vertices, with the directions of the edges that these need: where edges stay in host memory, the
// runtime brings them part by part.
// Needs: kernels as build-kernels has spelled them, fuse-iterations, choose-transfer.
// Guarantees: a kernel whose launch is marked reads the lists of its own vertices alone; the
// verifier asks again. Where all edges are on the device, a marked launch is one launch.
// Why here: before arrange-host, which sums up what variants need.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void cut_launches(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
