#include "compiler/passes/plan/CutLaunches.h"

#include "compiler/ir/plan/EdgeParts.h"
#include "compiler/passes/toplan/ChooseTransfer.h"

namespace vertigo::compiler::passes {

void cut_launches(plan::Plan& plan, PassContext&) {
  if (!may_bring_parts(plan)) return;
  for (plan::PhasePlan& phase : plan.phases)
    for (plan::Variant& variant : phase.variants) {
      if (variant.whole_graph || !variant.is_path()) continue;
      for (plan::Action& action : variant.step) {
        if (action.kind != plan::ActionKind::Launch) continue;
        const plan::EdgeReads reads = edge_reads_of(plan, *plan.find_kernel(action.symbol));
        if (reads.problem.empty()) action.parts = reads.along;
      }
    }
}

}  // namespace vertigo::compiler::passes
