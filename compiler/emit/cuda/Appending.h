#pragma once
// How a kernel's vertices come to a list: an addition to its length takes longer than all else
// where each of millions makes one.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// Each at once; some of a warp's turns together (Appender); or those of some of a block's together
/// (BlockAppender).
enum class Appending : std::uint8_t { AtOnce, ByWarp, ByBlock };

/// Of what the kernel takes; AtOnce for what is no list that it appends to.
Appending appending_of(const plan::Plan& plan, const plan::Kernel& kernel,
                       const plan::KernelArgument& argument);

}  // namespace vertigo::compiler::emit
