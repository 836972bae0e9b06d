#pragma once
// Pure functions of a program as C++.

#include <string>

#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// `qualifier`: "inline" or with more.
void print_functions(Writer& out, const plan::Plan& plan, const std::string& qualifier);

}  // namespace vertigo::compiler::emit
