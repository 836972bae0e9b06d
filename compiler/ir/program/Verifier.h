#pragma once
// What must hold of Program IR whatever made it. The runner checks it after every pass; the readers
// of untrusted text check it before anything else looks at the program.

#include <string>
#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::ir {

/// One message per violation, each naming the place; empty where the program is well-formed. Checks
/// names, types, operand counts, and what may be read and written where (docs/semantics.md).
std::vector<std::string> verify(const Program& program);

}  // namespace vertigo::ir
