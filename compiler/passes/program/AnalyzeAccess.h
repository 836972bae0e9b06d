#pragma once
// analyze-access
//
// Does: says, per phase, what an activation reads and writes and where: the facts below.
// Needs: verified Program IR.
// Guarantees: facts name every state, inbox and edge attribute that the phase touches.
// Why here: choose-direction, plan-layout and build-kernels decide buffers and snapshots by it.
//
// Facts of a phase (lists are separated by ", "; "none" where empty):
//   access.reads, access.writes        states of the updated vertex
//   access.reads_neighbours            states read at neighbours (reductions and filters of sends)
//   access.snapshot                    states read at a neighbour and written in the same phase: a
//                                      synchronous step reads their values before the step
//   access.inboxes                     messages whose inbox is read
//   access.sends                       "best out, label both": messages and directions
//   access.gathers                     directions of reductions over neighbours
//   access.edge                        the edge attribute read, or none

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct PassContext;

void analyze_access(ir::Program& program, PassContext& context);

}  // namespace vertigo::compiler::passes
