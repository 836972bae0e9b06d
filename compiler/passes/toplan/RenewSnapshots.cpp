#include "compiler/passes/toplan/RenewSnapshots.h"

#include "compiler/passes/toplan/KeptSnapshots.h"

namespace vertigo::compiler::toplan {

using plan::Domain;

namespace {

void renew_each(PhaseKernels& kernels, const std::set<std::string>& states, plan::Kernel& kernel) {
  LocalNames names(kernels.context());
  kernel.vertex = names.fresh(kernel.vertex);
  renew_snapshots(kernels, states, kernel.body, kernel.vertex);
}

}  // namespace

void renew_snapshots(PhaseKernels& kernels, const std::set<std::string>& states, plan::Block& block,
                     const std::string& v) {
  KernelContext& context = kernels.context();
  for (const std::string& state : states)
    add(block, store(context.snapshot(state), v,
                     load(state, context.program().find_state(state)->type, v)));
}

void keep_for_others(PhaseKernels& kernels, plan::Block& block, const std::string& v) {
  renew_snapshots(kernels, kept_by(kernels.context().plan(), kernels.phase()), block, v);
}

plan::Kernel renew_active(PhaseKernels& kernels, const std::set<std::string>& states) {
  plan::Kernel kernel =
      kernels.frame("Lets neighbours of active vertices read in the next step what became of them.",
                    Domain::Worklist, kernels.active());
  renew_each(kernels, states, kernel);
  return kernel;
}

plan::Kernel keep_slice(PhaseKernels& kernels, const std::set<std::string>& states) {
  plan::Kernel kernel = kernels.frame(
      "Keeps what neighbours may read of vertices that are about to change.", Domain::AllVertices);
  kernels.run_over_slice(kernel);
  kernel.at_ends = kernels.reads_other_slices();
  if (kernel.at_ends)
    kernel.comment += " They are of another value, except at the ends of its type.";
  renew_each(kernels, states, kernel);
  return kernel;
}

}  // namespace vertigo::compiler::toplan
