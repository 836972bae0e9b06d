#include "compiler/passes/toplan/ChooseTransfer.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan) {
  (void)plan;
  const char* why =
      "the runtime keeps the whole graph on the device, and refuses one that does not "
      "fit with exit code 5";
  return {{"resident", true, "the graph is copied once and stays on the device"},
          {"filter", false, why},
          {"compaction", false, why},
          {"zero-copy", false, why}};
}

}  // namespace

void choose_transfer(plan::Plan& plan, PassContext& context) {
  decide(plan, context, "choose-transfer", kWholeProgram, "transfer", candidates(plan));
}

}  // namespace vertigo::compiler::passes
