#pragma once
// pack-pairs
//
// Does: has searches for the least pair of numbers, `(m.dist + weight, m.hops + 1)`, look for one
// number of 64 bits: the first element times 2^32, plus the second. Of triples, the first two
// elements. The second may be a vertex, as its number, that travels along. A sweep writes the pairs
// afterwards.
// Needs: what the graph must satisfy; inboxes are empty and all vertices begin with one literal,
// whose first element is inf, whenever the phase runs; the first element grows by what is never
// negative, the second by between 0 and a known number, and both by what the phase leaves alone;
// what else the guard and the sends ask for stays as it is, or is true of the first element and of
// every smaller one, such as a bound.
// Guarantees: the same values. As long as no sum comes to inf, a smaller pair sends a smaller one,
// so there is one fixed point, which every order of activations comes to; and pairs are ordered as
// their numbers are. A sum that comes to inf forgets how far beyond it was, and pairs that differed
// are then told apart by their second element, in the order in which they came. So the phase is
// kept: it runs instead where a number says that some sum did, and where the graph has more
// vertices than a second element can count.
// Why here: behind derive-requirements, as the sign of weights is an argument; before
// infer-algebra, for which the sum of a number and something is monotone.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct PassContext;

void pack_pairs(ir::Program& program, PassContext& context);

}  // namespace vertigo::compiler::passes
