#pragma once
// A message of true or false that settles its inbox, `or` with true, `and` with false, is stored
// where nobody asks whether it changed something: all who store store the same. That saves a read
// and an atomic operation for each message.

#include "compiler/ir/plan/Kernel.h"

namespace vertigo::compiler::toplan {

/// Puts stores in the place of such combinations in the kernel.
void store_settling(plan::Kernel& kernel);

}  // namespace vertigo::compiler::toplan
