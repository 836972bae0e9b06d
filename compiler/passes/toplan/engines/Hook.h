#pragma once
// When label propagation may run as disjoint sets; the pass rewrite-label-propagation decides by
// it, and the engine `hook` is listed by it.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::toplan {

/// Why the phase is not the same as combining started labels per connected component; empty where
/// it is.
std::string problem_of_hooking(const plan::Plan& plan, const ir::Phase& phase);

/// The argument, in words.
inline constexpr const char* kWhyHooking =
    "a vertex passes the best label that it has seen on to all its neighbours, unchanged, and none "
    "begins with a better one: all vertices of a connected component end with the best label that "
    "was started in it, so components are found by union-find and labels combined once for each";

}  // namespace vertigo::compiler::toplan
