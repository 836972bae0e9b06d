#pragma once
// Which phases run step by step (in_step.cpp says when), of a program that was read already.

#include <map>
#include <string>

#include "compiler/ir/program/Program.h"
#include "vertigo/host/program.h"

namespace vertigo::reference {

/// By name, with the reason.
std::map<std::string, std::string> phases_in_step(const ir::Program& program,
                                                  const host::RunRequest& request);

}  // namespace vertigo::reference
