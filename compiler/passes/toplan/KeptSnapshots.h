#pragma once
// Snapshots that are kept by a phase in front: where nobody changes but vertices on a list, the
// phase that makes the list anew meets all who have changed, and notes what neighbours will read.

#include <set>
#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::toplan {

/// States that the update assigns and reads of others.
std::set<std::string> read_and_assigned(const ir::Phase& phase);

/// The phase that can note `states` for neighbours in front of every run of `phase`. Null where
/// there is none: vertices that are on no list, or on another, are assigned one of the states;
/// somebody else makes the list anew, too; or somebody assigns one of the states between the two.
const ir::Phase* find_keeper(const plan::Plan& plan, const ir::Phase& phase,
                             const std::set<std::string>& states);

/// States that the phase notes for updates behind it, as choose-snapshots decided.
std::set<std::string> kept_by(const plan::Plan& plan, const ir::Phase& phase);

}  // namespace vertigo::compiler::toplan
