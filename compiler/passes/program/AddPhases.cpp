#include "compiler/passes/program/AddPhases.h"

#include <utility>

namespace vertigo::compiler::passes {

std::string unused_name(const ir::Program& program, std::string wanted) {
  while (program.states.find(wanted) || program.messages.find(wanted) ||
         program.phases.find(wanted) || program.parameters.find(wanted) ||
         program.functions.find(wanted) || program.find_edge_state(wanted) != nullptr ||
         program.find_edge_attribute(wanted) != nullptr)
    wanted += "_";
  return wanted;
}

void run_beside(std::vector<ir::StmtPtr>& body, const std::string& phase, const ir::Stmt& stmt,
                bool after) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    run_beside(body[i]->body, phase, stmt, after);
    run_beside(body[i]->otherwise, phase, stmt, after);
    if (body[i]->kind != ir::StmtKind::Phase || body[i]->symbol != phase) continue;
    ir::StmtPtr copy = stmt.clone();
    copy->location = body[i]->location;
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(i + (after ? 1 : 0)), std::move(copy));
    ++i;
  }
}

ir::StmtPtr run_of(const std::string& phase) {
  auto made = std::make_unique<ir::Stmt>();
  made->kind = ir::StmtKind::Phase;
  made->symbol = phase;
  return made;
}

std::string add_sweep(ir::Program& program, const std::string& wanted, const std::string& variable,
                      ir::ExprPtr guard, std::vector<ir::StmtPtr> body, ir::Location at) {
  ir::Phase sweep;
  sweep.name = unused_name(program, wanted);
  sweep.kind = ir::PhaseKind::Sweep;
  sweep.variable = variable;
  sweep.guard = std::move(guard);
  sweep.body = std::move(body);
  sweep.location = at;
  program.phases.push_back(std::move(sweep));
  return program.phases.back().name;
}

}  // namespace vertigo::compiler::passes
