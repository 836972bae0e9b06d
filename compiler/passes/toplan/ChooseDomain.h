#pragma once
// choose-domain
//
// Does: decides for each `update … where` that runs again and again, and for each phase that asks
// all vertices each time it starts, which vertices it looks at: all of them, a list of those for
// which its condition held the last time, or the slice of those that have one value of a state.
// Needs: the variants, because an engine goes through vertices in ways of its own.
// Guarantees: a list is kept only where what it rules out is proved never to hold again
// (passes/program/ShrinkingDomain.h), and vertices are sorted only by a state that the loop leaves
// alone (SlicedDomain.h). Where neither is, that is a fact of the phase and no choice.
// Why here: after list-variants.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_domain(plan::Plan& plan, PassContext& context);

/// Whether it decided that the phase keeps a list.
bool has_listed_domain(const plan::Plan& plan, const std::string& phase);
/// Whether it decided that the phase looks at a slice of the vertices, sorted by a state.
bool has_sliced_domain(const plan::Plan& plan, const std::string& phase);

}  // namespace vertigo::compiler::passes
