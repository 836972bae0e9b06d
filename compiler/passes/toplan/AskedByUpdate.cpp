#include "compiler/passes/toplan/AskedByUpdate.h"

#include <algorithm>
#include <vector>

#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/RelaxationRound.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

/// What a vertex must satisfy for the reduction to hold; null where that grows too large.
ExprPtr condition_of(const ir::Program& program, const Expr& reduction,
                     const std::string& variable) {
  ExprPtr all;
  for (const ExprPtr& part : reduction.operands)
    if (part)
      all = ir::both(std::move(all), passes::renamed_vertex(*part, reduction.symbol, variable));
  return all ? passes::inline_calls(program, *all) : nullptr;
}

}  // namespace

const ir::Phase* find_asking_update(const plan::Plan& plan, const Expr& value,
                                    const ir::Stmt& next) {
  if (value.op != Op::ReduceVertices || value.reduction != ir::Reduction::Any ||
      next.kind != ir::StmtKind::Phase)
    return nullptr;
  const ir::Phase& phase = *plan.program.find_phase(next.symbol);
  const plan::PhasePlan& made = *plan.find_phase(phase.name);
  if (phase.kind != ir::PhaseKind::Sweep || phase.serializable || !phase.guard ||
      !std::ranges::all_of(made.variants, &plan::Variant::is_path))
    return nullptr;
  const ExprPtr asked = condition_of(plan.program, value, phase.variable);
  const ExprPtr guard = passes::inline_calls(plan.program, *phase.guard);
  const bool same =
      asked && guard && passes::includes(*asked, *guard) && passes::includes(*guard, *asked);
  return same ? &phase : nullptr;
}

}  // namespace vertigo::compiler::toplan
