#pragma once
// Reads the textual form of Plan IR (PlanPrinter.h).

#include <string_view>

#include "compiler/ir/plan/Plan.h"
#include "compiler/ir/program/Lexer.h"

namespace vertigo::plan {

/// The plan that `text` spells, every expression typed. Throws ir::ReadError, and nothing else, for
/// text that is not a plan. What it returns need not be valid otherwise: see PlanVerifier.h.
Plan read_plan(std::string_view text);

/// True where the text begins as a plan does, and not as a program.
bool is_plan(std::string_view text);

}  // namespace vertigo::plan
