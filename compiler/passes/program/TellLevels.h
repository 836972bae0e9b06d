#pragma once
// Searches whose messages say which vertex they come from and leave the level to `step`:
// `update v when v.parent == none { v.parent = from; v.depth = step; send v; }`. Where each vertex
// is visited once, a message may say both, `(level, from)`: the least pair is the one that the
// visit takes, and there are proofs and engines for least pairs.

#include "compiler/passes/program/LaterWrites.h"

namespace vertigo::compiler::passes {

/// Has the messages of phase number `which` say their level, and writes later what the phase
/// writes (LaterWrites.h); true where it did. That is where the phase is a search that visits each
/// vertex once when its messages do, and
///   - one message takes part, a vertex under min, or under any, which may take the least; no other
///     phase uses it;
///   - every start puts a vertex into the inbox, and every send says its sender, or passes on what
///     was taken: nothing is `none`, so whoever is sent a message is asked;
///   - an engine takes such pairs: what is passed on, or senders said along every edge, without a
///     limit.
/// `facts`: of the program before any sweep was added.
bool tell_levels(ir::Program& program, const SearchFacts& facts, std::size_t which);

}  // namespace vertigo::compiler::passes
