#include "compiler/passes/program/AddPhases.h"

#include <utility>

namespace vertigo::compiler::passes {

namespace {

bool is_host_variable(const ir::Program& program, const std::string& name) {
  bool found = false;
  ir::for_each_stmt(program.body, [&](const ir::Stmt& stmt) {
    found = found || ((stmt.kind == ir::StmtKind::HostLet || stmt.kind == ir::StmtKind::For) &&
                      stmt.symbol == name);
  });
  return found;
}

bool is_declared(const ir::Program& program, const std::string& name) {
  return program.states.find(name) != nullptr || program.messages.find(name) != nullptr ||
         program.phases.find(name) != nullptr || program.parameters.find(name) != nullptr ||
         program.functions.find(name) != nullptr || program.find_edge_state(name) != nullptr ||
         program.find_edge_attribute(name) != nullptr || is_host_variable(program, name);
}

}  // namespace

std::string unused_name(const ir::Program& program, const std::string& wanted) {
  std::string name = wanted;
  for (unsigned number = 2; is_declared(program, name); ++number)
    name = wanted + "_" + std::to_string(number);
  return name;
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

ir::Phase sweep_of(const ir::Program& program, const std::string& wanted,
                   const std::string& variable, ir::ExprPtr guard, std::vector<ir::StmtPtr> body,
                   ir::Location at) {
  ir::Phase sweep;
  sweep.name = unused_name(program, wanted);
  sweep.kind = ir::PhaseKind::Sweep;
  sweep.variable = variable;
  sweep.guard = std::move(guard);
  sweep.body = std::move(body);
  sweep.location = at;
  return sweep;
}

std::string add_sweep(ir::Program& program, const std::string& wanted, const std::string& variable,
                      ir::ExprPtr guard, std::vector<ir::StmtPtr> body, ir::Location at) {
  program.phases.push_back(
      sweep_of(program, wanted, variable, std::move(guard), std::move(body), at));
  return program.phases.back().name;
}

}  // namespace vertigo::compiler::passes
