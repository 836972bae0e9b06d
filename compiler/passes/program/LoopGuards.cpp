#include "compiler/passes/program/LoopGuards.h"

#include "compiler/passes/program/RelaxationRound.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

namespace {

bool is_assigned(const Stmt& stmt, const std::string& vertex, const Expr& state,
                 const Expr& value) {
  return ir::is_state_of(state, vertex, stmt.symbol) && ir::same(*stmt.value, value);
}

/// Of `while any(v.s != e)`, whether the update is `v.s = e` at all vertices.
bool changes_what_is_asked(const ir::Phase& phase, const Expr& condition) {
  if (phase.kind != ir::PhaseKind::Sweep || phase.guard || phase.body.size() != 1) return false;
  const Stmt& stmt = *phase.body.front();
  return stmt.kind == StmtKind::AssignState && condition.op == Op::NotEqual &&
         (is_assigned(stmt, phase.variable, *condition.operands[0], *condition.operands[1]) ||
          is_assigned(stmt, phase.variable, *condition.operands[1], *condition.operands[0]));
}

}  // namespace

void guard_by_loops(ir::Program& program) {
  ir::for_each_stmt(program.body, [&](const Stmt& loop) {
    if (loop.kind != StmtKind::While || loop.value->op != Op::ReduceVertices ||
        loop.value->reduction != ir::Reduction::Any ||
        (loop.value->operands.size() > 1 && loop.value->operands[1]) || loop.body.size() != 1 ||
        loop.body.front()->kind != StmtKind::Phase)
      return;
    ir::Phase& phase = *program.phases.find(loop.body.front()->symbol);
    ExprPtr condition = inline_calls(
        program, *renamed_vertex(*loop.value->operands[0], loop.value->symbol, phase.variable));
    if (condition && changes_what_is_asked(phase, *condition)) phase.guard = std::move(condition);
  });
}

}  // namespace vertigo::compiler::passes
