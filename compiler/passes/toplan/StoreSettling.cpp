#include "compiler/passes/toplan/StoreSettling.h"

#include <utility>

#include "compiler/passes/toplan/KernelTerms.h"

namespace vertigo::compiler::toplan {

using plan::KernelOp;
using plan::KernelStmt;

namespace {

bool settles(const KernelStmt& stmt) {
  return stmt.op == KernelOp::CombineInto && stmt.atomic && stmt.body.empty() &&
         stmt.type == ir::Type(ir::ScalarKind::Bool) &&
         (stmt.combine == ir::Combine::Or || stmt.combine == ir::Combine::And);
}

plan::KernelStmtPtr settling(KernelStmt& combine) {
  const bool settled = combine.combine == ir::Combine::Or;
  auto stored = std::make_unique<KernelStmt>();
  stored->op = KernelOp::Store;
  stored->buffer = combine.buffer;
  stored->index = std::move(combine.index);
  stored->value = boolean(settled);
  stored->atomic = true;
  stored->location = combine.location;
  if (combine.value->op == ir::Op::Literal) {
    if (std::get<bool>(combine.value->value) == settled) return stored;
    return nullptr;
  }
  plan::KernelStmtPtr branch =
      when(settled ? std::move(combine.value) : negated(std::move(combine.value)));
  branch->location = combine.location;
  branch->body.push_back(std::move(stored));
  return branch;
}

void store_settling(plan::Block& block) {
  for (auto& stmt : block) {
    store_settling(stmt->body);
    store_settling(stmt->otherwise);
    if (settles(*stmt)) stmt = settling(*stmt);
  }
  std::erase(block, nullptr);
}

}  // namespace

void store_settling(plan::Kernel& kernel) {
  // Kernels over parts store at their own vertices alone (PlanVerifier).
  if (kernel.domain == plan::Domain::Part || kernel.domain == plan::Domain::Rest) return;
  store_settling(kernel.body);
}

}  // namespace vertigo::compiler::toplan
