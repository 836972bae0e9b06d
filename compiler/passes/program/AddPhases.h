#pragma once
// Phases that passes add to a program, beside those that they take something from.

#include <string>
#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// `wanted`, or a name like it that nothing in the program has.
std::string unused_name(const ir::Program& program, std::string wanted);

/// Puts a copy of `stmt` behind every statement that runs `phase`, or in front of it.
void run_beside(std::vector<ir::StmtPtr>& body, const std::string& phase, const ir::Stmt& stmt,
                bool after);

/// The statement that runs `phase`.
ir::StmtPtr run_of(const std::string& phase);

/// Adds an update of the vertices for which `guard` holds, of all where it is null; what runs it is
/// not added. Returns its name. References to phases are lost.
std::string add_sweep(ir::Program& program, const std::string& wanted, const std::string& variable,
                      ir::ExprPtr guard, std::vector<ir::StmtPtr> body, ir::Location at);

}  // namespace vertigo::compiler::passes
