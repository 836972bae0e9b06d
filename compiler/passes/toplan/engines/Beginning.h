#pragma once
// What an engine finds when its phase begins, in the first run as in every later one: inboxes that
// hold what the starts put in and nothing else, and states of which the text of the program shows
// the value. That an engine's own memory is as new each time is the engine's to see to.

#include <string>

#include "compiler/passes/toplan/PhaseAnalysis.h"

namespace vertigo::compiler::toplan {

/// Why an inbox of `message` may hold more, when the phase begins, than its starts put in; "" where
/// it does not. A phase empties what it reads when it ends (passes/toplan/EmptyInboxes.h); what
/// other phases send must have been emptied, too.
std::string problem_of_inboxes(const plan::Plan& plan, const ir::Phase& phase,
                               const std::string& message);

/// The constant that every vertex holds in `state` whenever the phase begins: the state's initial
/// value, or what an update of all vertices gave it since. Null where the text shows none.
ir::ExprPtr known_state(const plan::Plan& plan, const ir::Phase& phase, const std::string& state);

/// Why the states may differ from vertex to vertex when the phase begins; "" where they do not.
std::string problem_of_states(const plan::Plan& plan, const ir::Phase& phase,
                              const std::string& state);

}  // namespace vertigo::compiler::toplan
