#include "compiler/passes/toplan/engines/Beginning.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::Phase;

std::string problem_of_inboxes(const plan::Plan& plan, const Phase& phase,
                               const std::string& message) {
  if (plan.program.find_message(message)->keep && plan.uses.met_after(phase.name, message))
    return "'" + message + "' keeps what the phase left in it when it ran before";
  return plan.beginnings.empty(phase.name, message)
             ? ""
             : "'" + message + "' may hold what another phase sent when the phase begins";
}

ir::ExprPtr known_state(const plan::Plan& plan, const Phase& phase, const std::string& state) {
  const Expr* const value = plan.beginnings.literal(phase.name, state);
  return value == nullptr ? nullptr : value->clone();
}

std::string problem_of_states(const plan::Plan& plan, const Phase& phase,
                              const std::string& state) {
  return known_state(plan, phase, state) != nullptr
             ? ""
             : "'" + state + "' does not begin with the same value everywhere";
}

}  // namespace vertigo::compiler::toplan
