#include "compiler/passes/toplan/PlanLayout.h"

#include <algorithm>
#include <set>

#include "compiler/passes/toplan/BuildMessageBuffer.h"
#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

// What a slot holds: "8 bytes", or several sizes where there are several messages.
std::string slot_sizes(const plan::Plan& plan) {
  std::string text;
  for (const ir::Message& message : plan.program.messages)
    text += (text.empty() ? "" : ", ") + message.name + " " +
            std::to_string(ir::bytes_of(message.type)) + " bytes";
  return text;
}

// Legal where every phase that sends has a variant that can use it; others keep theirs.
Candidate message_buffer(const plan::Plan& plan) {
  Candidate buffer{"message-buffer", true, ""};
  bool any = false;
  for (const plan::PhasePlan& phase : plan.phases) {
    if (!sends(plan, phase.phase)) continue;
    any = true;
    if (ir::sends_to_one(*plan.program.find_phase(phase.phase)))
      return {
          "message-buffer", false,
          "phase '" + phase.phase + "' sends to a vertex that is a value, and slots are of edges"};
    if (std::any_of(phase.variants.begin(), phase.variants.end(), toplan::is_buffered)) continue;
    buffer.legal = false;
    buffer.reason = "phase '" + phase.phase +
                    "' has no synchronous push over all vertices, the one variant that fills every "
                    "slot in every step";
    return buffer;
  }
  if (!any) return {"message-buffer", false, "nothing is sent"};
  buffer.reason =
      "the message of every edge waits in a slot of its own, for synchronous pushes over all "
      "vertices: no atomics, sums in the order of the edges, and on a GPU the slots of 32 "
      "receivers are read column by column; takes a slot per edge (" +
      slot_sizes(plan) +
      "), some more to fill groups up, 8 bytes per edge for its place and 20 per vertex, and a "
      "sort "
      "of the edges once per graph and process";
  return buffer;
}

bool follows_edges_backwards(const ir::Phase& phase, const plan::PhasePlan& plan) {
  const auto is_backwards = [](ir::EdgeDirection direction) {
    return direction != ir::EdgeDirection::Out;
  };
  const std::set<ir::EdgeDirection> sent = ir::sent_along(phase);
  return std::ranges::any_of(sent, is_backwards) ||
         std::ranges::any_of(ir::gathered_along(phase), is_backwards) ||
         std::ranges::any_of(plan.variants, [&](const plan::Variant& variant) {
           return variant.engine || (variant.path.direction == Direction::Pull && !sent.empty());
         });
}

std::vector<Candidate> candidates(const plan::Plan& plan) {
  const bool backwards = std::ranges::any_of(plan.program.phases, [&](const ir::Phase& phase) {
    return follows_edges_backwards(phase, *plan.find_phase(phase.name));
  });
  return {{"arrays", true,
           std::string("one array per state and inbox, 64-bit edge offsets; the transpose of the "
                       "graph is ") +
               (backwards ? "needed: some variant follows edges backwards" : "not needed")},
          {"packed", false,
           "records of state and inbox pay where one access reads both; kernels read them apart"},
          message_buffer(plan)};
}

}  // namespace

void plan_layout(plan::Plan& plan, PassContext& context) {
  decide(plan, context, "plan-layout", kWholeProgram, "layout", candidates(plan));
}

}  // namespace vertigo::compiler::passes
