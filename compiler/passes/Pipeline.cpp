#include "compiler/passes/Pipeline.h"

namespace vertigo::compiler::passes {

const std::vector<PipelineStep>& program_pipeline() {
  static const std::vector<PipelineStep> steps = {
      {"fold-constants", "the proofs see 'inbox + 1' however it was written"},
      {"rewrite-relaxations",
       "what it makes is an update like any other; reductions stand as written"},
      {"normalise-updates", "proofs and engines see one spelling of an update"},
      {"number-edges", "calls are written out, and what it makes is an update like any other"},
      {"tell-neighbours", "what it makes is an update like any other"},
      {"derive-requirements", "the sign of weights is an argument of infer-algebra"},
      {"pack-pairs", "the sign of weights is one of its arguments, and what it makes has proofs"},
      {"infer-algebra", "every decision below reads what it proved"},
  };
  return steps;
}

const std::vector<PipelineStep>& plan_pipeline() {
  static const std::vector<PipelineStep> steps = {
      {"rewrite-label-propagation", "a phase that becomes union-find has no schedule to choose"},
      {"accelerate-linear-fixpoint", "another iteration would have other messages to schedule"},
      {"choose-consistency", "it narrows the directions: only states can be pulled asynchronously"},
      {"choose-direction", "after the timing, which decides what a pull may read"},
      {"choose-activation", ""},
      {"choose-priority", "an engine that works on values in their order is one of the variants"},
      {"choose-transfer", "engines that need the whole graph on the device are variants, too"},
      {"order-paths", "paths are a variant of their own, for which the whole graph is there"},
      {"list-variants", "the choices before it are its axes"},
      {"choose-controller", "it picks among the variants"},
      {"choose-schedules",
       "a controller says what it changes between; what follows is for what stays"},
      {"choose-domain", "engines are among the variants, and keep no lists"},
      {"choose-balance", ""},
      {"choose-senders", ""},
      {"choose-delivery", ""},
      {"choose-snapshots", ""},
      {"fuse-iterations", ""},
      {"plan-layout", "the variants say which directions of edges are read"},
      {"choose-preparation", "after all it would serve: it pays only for what they leave"},
      {"choose-counts", ""},
      {"build-kernels", "it turns all decisions about phases into code"},
      {"choose-hubs", "which values can lie so depends on that code"},
      {"choose-rounds", "what a loop of the host level can run in one launch depends on that code"},
  };
  return steps;
}

const std::vector<PipelineStep>& arrangement_pipeline() {
  static const std::vector<PipelineStep> steps = {
      {"share-lists", "first: the others read bodies as they will be printed"},
      {"list-arguments", ""},
      {"place-buffers", "with bodies as they will be printed"},
      {"cut-launches", ""},
      {"place-barriers", "one launch takes what all its parts take"},
      {"donate-lists", "only blocks of one launch wait for each other"},
      {"arrange-host", "last: it sums up what kernels and variants need"},
  };
  return steps;
}

plan::Plan begin_plan(ir::Program program) {
  plan::Plan plan;
  plan.program = std::move(program);
  plan.uses = ir::Uses(plan.program);
  plan.beginnings = ir::Beginnings(plan.program);
  for (const ir::Phase& phase : plan.program.phases) {
    plan::PhasePlan made;
    made.phase = phase.name;
    plan.phases.push_back(std::move(made));
  }
  return plan;
}

bool analyse_program(ir::Program& program, PassRunner& runner) {
  for (const PipelineStep& step : program_pipeline())
    if (!runner.run(*find_program_pass(step.pass), program)) return false;
  return runner.end(program);
}

bool make_plan(ir::Program program, PassRunner& runner, plan::Plan& plan) {
  if (!analyse_program(program, runner)) return false;
  plan = begin_plan(std::move(program));
  for (const PipelineStep& step : plan_pipeline())
    if (!runner.run(*find_plan_pass(step.pass), plan)) return false;
  return arrange_plan(runner, plan);
}

bool arrange_plan(PassRunner& runner, plan::Plan& plan) {
  for (const PipelineStep& step : arrangement_pipeline())
    if (!runner.run(*find_plan_pass(step.pass), plan)) return false;
  return runner.end(plan);
}

void list_passes(llvm::raw_ostream& out) {
  const auto entry = [&](const char* name, const char* summary, const char* because) {
    out << "  " << name << "\n      " << summary << "\n";
    if (*because != '\0') out << "      here because: " << because << "\n";
  };
  out << "Program IR:\n";
  for (const PipelineStep& step : program_pipeline())
    entry(step.pass, find_program_pass(step.pass)->summary, step.because);
  out << "Plan IR:\n";
  for (const auto* pipeline : {&plan_pipeline(), &arrangement_pipeline()})
    for (const PipelineStep& step : *pipeline)
      entry(step.pass, find_plan_pass(step.pass)->summary, step.because);
}

}  // namespace vertigo::compiler::passes
