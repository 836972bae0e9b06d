#include "compiler/passes/plan/DonateLists.h"

namespace vertigo::compiler::passes {

namespace {

/// Few vertices may be all that there is for the blocks of a launch, which run at the same time.
bool runs_at_once(const plan::Kernel& kernel) {
  switch (kernel.domain) {
    case plan::Domain::Worklist:
      return kernel.called_by != plan::Caller::Host;
    case plan::Domain::Part:
    case plan::Domain::Rest:
      return true;
    default:
      return false;
  }
}

}  // namespace

void donate_lists(plan::Plan& plan, PassContext&) {
  for (plan::Kernel& kernel : plan.kernels) {
    if (!runs_at_once(kernel)) continue;
    plan::walk_statements(kernel.body, [](plan::KernelStmt& stmt) {
      if (stmt.shared && stmt.shared->way == plan::Sharing::Auto && !stmt.shared->leaves &&
          !stmt.shared->ballots)
        stmt.shared->way = plan::Sharing::Grid;
    });
  }
}

}  // namespace vertigo::compiler::passes
