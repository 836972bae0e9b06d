#include "compiler/passes/toplan/ChooseSenders.h"

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/SendSites.h"
#include "compiler/passes/toplan/SenderValues.h"

namespace vertigo::compiler::passes {

namespace {

std::string listed(const toplan::SenderValues& found) {
  std::string text;
  for (const toplan::SenderValue& value : found.values)
    text += (text.empty() ? "" : ", ") + quoted(*toplan::expression_of(value));
  return text;
}

/// Of the kernel that assigns a vertex, for the next update.
Candidate carried(const toplan::SenderValues& found) {
  return {"carried", true,
          listed(found) +
              " of the next update: nothing lies between two of them that could change what a "
              "neighbour reads, so the kernel that assigns a vertex computes it as well, into a "
              "second array"};
}

std::vector<Candidate> candidates(const plan::Plan& plan, const ir::Phase& phase,
                                  const toplan::SenderValues& found) {
  if (phase.serializable)
    return {{"per-edge", true, "what is read is what neighbours have just assigned"}};
  const toplan::SenderValues next = toplan::find_carried_values(plan, phase);
  const Candidate per_edge{"per-edge", true,
                           "every edge computes what it reads: no array, and nothing is computed "
                           "of vertices whose neighbours do not ask"};
  if (found.values.empty()) {
    const Candidate once{"once", false, found.problem};
    if (!next.values.empty()) return {carried(next), per_edge, once};
    return {{"per-edge", true, "there is nothing to save: " + found.problem}, once};
  }
  const Candidate once{"once", true,
                       listed(found) + (found.values.size() == 1 ? " depends" : " depend") +
                           " on the neighbour alone: computed once a vertex, into an array, of "
                           "which an edge reads one element"};
  if (phase.guard)
    return {
        {"per-edge", true, per_edge.reason + "; the condition of the update may leave few that do"},
        once};
  const std::string problem = toplan::problem_of_carrying(plan, phase, next.values);
  if (!problem.empty()) return {once, per_edge, {"carried", false, problem}};
  return {carried(next), once, per_edge};
}

/// Of messages that receivers gather, one payload an edge.
std::vector<Candidate> of_messages(const plan::Plan& plan, const ir::Phase& phase) {
  std::string text;
  for (const ir::Expr* value : toplan::values_worth_saving(plan.program, phase))
    text += (text.empty() ? "" : ", ") + quoted(*value);
  if (text.empty())
    return {{"per-edge", true, "what is sent is one plain read, or differs from edge to edge"},
            {"once", false, "what is sent is one plain read, or differs from edge to edge"}};
  return {{"once", true,
           "a sender computes " + text +
               " once, into an array, of which a receiver reads one element an edge"},
          {"per-edge", true, "every edge computes what it brings: no array"}};
}

}  // namespace

void choose_senders(plan::Plan& plan, PassContext& context) {
  for (const ir::Phase& phase : plan.program.phases) {
    if (phase.kind != ir::PhaseKind::Sweep) continue;
    const toplan::SenderValues found = toplan::find_sender_values(phase);
    if (found.values.empty() && toplan::pulls_messages(plan, phase))
      decide(plan, context, "choose-senders", phase.name, "senders", of_messages(plan, phase));
    else if (found.gathers)
      decide(plan, context, "choose-senders", phase.name, "senders",
             candidates(plan, phase, found));
  }
}

}  // namespace vertigo::compiler::passes
