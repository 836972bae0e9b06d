#include "compiler/passes/toplan/ChooseDelivery.h"

#include <algorithm>

#include "compiler/passes/toplan/Decide.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kKey = "delivery";
constexpr const char* kAtOnce = "at-once";

bool is_push(const plan::Variant& variant) {
  return variant.is_path() && variant.path.direction == Direction::Push;
}

/// Why a message must not arrive before all bodies have run; "" where it may.
std::string problem_of_arriving(const ir::Phase& phase) {
  const std::set<std::string> read = ir::messages_read(phase);
  for (const std::string& message : ir::messages_sent(phase))
    if (read.contains(message))
      return "the update reads " + quoted(message) +
             " as well: what arrived early would be taken in the same step";
  return "";
}

std::vector<Candidate> candidates(const ir::Phase& phase) {
  const Candidate apart{"apart", true,
                        "the body marks who sends and keeps what depends on it; a second kernel "
                        "delivers"};
  const std::string problem = problem_of_arriving(phase);
  if (!problem.empty()) return {apart, {kAtOnce, false, problem}};
  return {{kAtOnce, true,
           "nobody reads these messages in this step: the body delivers them, and no marks, "
           "payloads or second kernel are needed"},
          apart};
}

}  // namespace

void choose_delivery(plan::Plan& plan, PassContext& context) {
  for (const ir::Phase& phase : plan.program.phases) {
    const plan::PhasePlan& made = *plan.find_phase(phase.name);
    if (phase.kind == ir::PhaseKind::Sweep && !ir::messages_sent(phase).empty() &&
        std::ranges::any_of(made.variants, is_push))
      decide(plan, context, "choose-delivery", phase.name, kKey, candidates(phase));
  }
}

bool sends_at_once(const plan::Plan& plan, const ir::Phase& phase) {
  const plan::Decision* const decision = plan.find_decision(phase.name, kKey);
  return decision != nullptr && decision->value == kAtOnce;
}

}  // namespace vertigo::compiler::passes
