#include "compiler/passes/toplan/EmptyInboxes.h"

#include <algorithm>

namespace vertigo::compiler::toplan {

namespace {

/// What has to be dropped when the phase ends. After a limit of steps, there may be something where
/// else there is nothing.
enum class Leftover : std::uint8_t { Nothing, IfStopped, Always };

Leftover leftover(PhaseKernels& kernels, const std::string& message, bool by_engine) {
  const ir::Uses& uses = kernels.context().plan().uses;
  const PhaseAnalysis& analysis = kernels.analysis();
  const ir::Phase& phase = kernels.phase();
  if (kernels.message(message).keep || !uses.met_after(phase.name, message))
    return Leftover::Nothing;
  // Engines leave start values where they were put.
  if (by_engine) return Leftover::Always;
  // What does not improve the state is as good as nothing to a phase that has both to itself.
  if (analysis.absorbs || passes::takes_all(*analysis.program, phase, uses, message))
    return Leftover::IfStopped;
  return Leftover::Always;
}

plan::Kernel empty(PhaseKernels& kernels, const std::vector<std::string>& messages) {
  plan::Kernel made = kernels.frame("Drops what the phase has left in the inboxes that it reads.",
                                    plan::Domain::AllVertices);
  made.balance = plan::Balance::Thread;
  LocalNames names(kernels.context());
  made.vertex = names.fresh(made.vertex);
  for (const std::string& message : messages)
    add(made.body, store(kernels.context().inbox(message), made.vertex, kernels.identity(message)));
  return made;
}

}  // namespace

void empty_inboxes(PhaseKernels& kernels, plan::PhasePlan& plan) {
  if (kernels.is_sweep()) return;
  const bool by_engine = std::ranges::any_of(
      plan.variants, [](const plan::Variant& variant) { return variant.engine.has_value(); });
  Leftover most = Leftover::Nothing;
  std::vector<std::string> messages;
  for (const std::string& message : kernels.analysis().read) {
    const Leftover left = leftover(kernels, message, by_engine);
    if (left != Leftover::Nothing) messages.push_back(message);
    most = std::max(most, left);
  }
  if (messages.empty()) return;
  plan.finish_if_stopped = most == Leftover::IfStopped;
  plan.finish = {launch(kernels.kernel("empty_inboxes", [&] { return empty(kernels, messages); }))};
}

}  // namespace vertigo::compiler::toplan
