#include "compiler/passes/plan/DonateLists.h"

namespace vertigo::compiler::passes {

void donate_lists(plan::Plan& plan, PassContext&) {
  for (plan::Kernel& kernel : plan.kernels) {
    if (kernel.called_by == plan::Caller::Host || kernel.domain != plan::Domain::Worklist) continue;
    plan::walk_statements(kernel.body, [](plan::KernelStmt& stmt) {
      if (stmt.shared && stmt.shared->way == plan::Sharing::Auto && !stmt.shared->leaves &&
          !stmt.shared->votes)
        stmt.shared->way = plan::Sharing::Grid;
    });
  }
}

}  // namespace vertigo::compiler::passes
