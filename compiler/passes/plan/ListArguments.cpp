#include "compiler/passes/plan/ListArguments.h"

#include "compiler/ir/plan/Arguments.h"

namespace vertigo::compiler::passes {

void list_arguments(plan::Plan& plan, PassContext&) {
  for (plan::Kernel& kernel : plan.kernels) kernel.takes = plan::arguments_of(plan, kernel);
}

}  // namespace vertigo::compiler::passes
