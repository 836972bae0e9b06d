#pragma once
// Plan IR as text; read_plan(print(p)) gives p back. Decisions come first, with their reasons, so
// that the text reads as an explanation.

#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"
#include "compiler/ir/program/Printer.h"

namespace vertigo::plan {

std::string print(const Plan& plan, const ir::PrintOptions& options = {});
/// What was chosen, one line each: "main: direction = push (pinned)".
std::vector<std::string> choices(const Plan& plan);
std::string print(const Kernel& kernel, unsigned indent = 0, const ir::PrintOptions& options = {});

}  // namespace vertigo::plan
