#include "compiler/passes/toplan/ChoosePreparation.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan) {
  (void)plan;
  const char* why = "pays only over many runs on one graph, and a generated program knows of one";
  return {{"none", true, "the graph is used as it was read: nothing to pay back"},
          {"degree-order", false, why},
          {"weight-order", false, why}};
}

}  // namespace

void choose_preparation(plan::Plan& plan, PassContext& context) {
  decide(plan, context, "choose-preparation", kWholeProgram, "preparation", candidates(plan));
}

}  // namespace vertigo::compiler::passes
