#pragma once
// rewrite-relaxations
//
// Does: finds loops of the host level whose rounds relax a state (`x := min(x, min over neighbours
// of f(x))`, max, or, and alike) until nothing changes, or search (SearchRounds.h), and puts a
// phase in their place that sends what a round would gather. What else the rounds wrote is written
// once, behind the phase, or left out where nobody reads it. A fact of the phase says so; one of
// the phase that gathers says why a loop stays as it is. `--schedule loop=rounds` keeps all as they
// are. Needs: folded Program IR. Guarantees: the same states, variables and results behind the
// loop, of every graph on which the loop ends before its numbers reach the end of their type
// (docs/semantics.md, rule 13). Why here: before normalise-updates, which asks many reductions by
// `any`. Source: chaotic relaxation reaches the fixed point of synchronous rounds where they are
// monotone (Cousot and Cousot, Asynchronous iterative methods, 1977).

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct PassContext;

void rewrite_relaxations(ir::Program& program, PassContext& context);

}  // namespace vertigo::compiler::passes
