#include "compiler/passes/toplan/ChooseCounts.h"

#include "compiler/passes/program/FallingChoice.h"
#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kKey = "counts";

}  // namespace

void choose_counts(plan::Plan& plan, PassContext& context) {
  const FallingChoice choice = find_falling_choice(plan.program);
  if (!choice.is_asked) {
    if (const Pin* const pin = context.schedule.find(kWholeProgram, kKey))
      context.diagnostics.report(diag::IllegalSchedule, pin->range,
                                 std::string(kKey) + "=" + pin->value, "this program",
                                 "no update of edges that runs again asks for chosen neighbours "
                                 "of its two ends");
    return;
  }
  const bool falls = choice.condition != nullptr;
  decide(plan, context, "choose-counts", kWholeProgram, kKey,
         {{"kept", falls,
           falls ? choice.reason + ": a number for every edge is kept, and lowered along the "
                                   "triangles of edges that fell"
                 : choice.reason},
          {"anew", true, "whoever asks goes through the lists of both ends"}});
}

bool keeps_counts(const plan::Plan& plan) {
  const plan::Decision* const decision = plan.find_decision(kWholeProgram, kKey);
  return decision != nullptr && decision->value == "kept";
}

}  // namespace vertigo::compiler::passes
