#pragma once
// Phases that passes add to a program, beside those that they take something from.

#include <string>
#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// `wanted`, or with a number where something that the program declares has that name.
std::string unused_name(const ir::Program& program, const std::string& wanted);

/// Puts a copy of `stmt` behind every statement that runs `phase`, or in front of it.
void run_beside(std::vector<ir::StmtPtr>& body, const std::string& phase, const ir::Stmt& stmt,
                bool after);

/// The statement that runs `phase`.
ir::StmtPtr run_of(const std::string& phase);

/// An update of the vertices for which `guard` holds, of all where it is null, under a name that
/// the program does not use.
ir::Phase sweep_of(const ir::Program& program, const std::string& wanted,
                   const std::string& variable, ir::ExprPtr guard, std::vector<ir::StmtPtr> body,
                   ir::Location at);
/// Adds such an update; what runs it is not added. Returns its name. References to phases are lost.
std::string add_sweep(ir::Program& program, const std::string& wanted, const std::string& variable,
                      ir::ExprPtr guard, std::vector<ir::StmtPtr> body, ir::Location at);

}  // namespace vertigo::compiler::passes
