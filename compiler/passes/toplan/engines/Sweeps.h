#pragma once
// sweeps
//
// Runs: a whole loop of sweeps, `for level in a .. b { update v where v.state == level { … } }`, in
// one launch in which each vertex has its turn once.
// Legal: the loop does nothing else, the compared state is not written in it, and messages go to
// neighbours whose turn is the next one, which their sends say (`to u where u.state == v.state -
// 1`). Then a vertex's messages are those of the neighbours of the level before, which it may
// collect when its turn comes; the message belongs to the phase alone, and the loop runs once.

#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::toplan {

/// The loop whose body is nothing but the phase, outside of other loops; null where there is none.
const ir::Stmt* loop_of(const ir::Program& program, const std::string& phase);

}  // namespace vertigo::compiler::toplan
