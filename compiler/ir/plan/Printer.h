#pragma once
// Plan IR as text: what `--emit=plan` writes and `--plan` reads back (Reader.h).

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::plan {

/// The whole plan, the program that it belongs to included.
std::string print(const Plan& plan);

/// One kernel.
std::string print(const Kernel& kernel);

}  // namespace vertigo::plan
