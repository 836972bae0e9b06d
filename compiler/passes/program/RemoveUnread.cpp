#include "compiler/passes/program/RemoveUnread.h"

#include <utility>

#include "compiler/ir/program/Uses.h"
#include "compiler/ir/program/Walk.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

namespace {

struct Reads {
  std::set<std::string> states, variables;

  void expr(const Expr& node, const ir::Scope&) {
    if (node.op == Op::State) states.insert(node.symbol);
    if (node.op == Op::HostVariable) variables.insert(node.symbol);
  }
  void stmt(const Stmt&, const ir::Scope&) {}
  void phase(const ir::Phase&) {}
};

Reads reads_of(const ir::Program& program) {
  Reads reads;
  ir::ProgramWalk<const ir::Program, Reads>(program, reads).run();
  return reads;
}

void remove_variables(std::vector<ir::StmtPtr>& body, const std::set<std::string>& unread) {
  std::erase_if(body, [&](const ir::StmtPtr& stmt) {
    return (stmt->kind == StmtKind::HostLet || stmt->kind == StmtKind::HostAssign) &&
           unread.contains(stmt->symbol);
  });
  for (const ir::StmtPtr& stmt : body) {
    remove_variables(stmt->body, unread);
    remove_variables(stmt->otherwise, unread);
  }
}

}  // namespace

void remove_unread(ir::Program& program, const std::set<std::string>& states,
                   const std::set<std::string>& variables) {
  std::set<std::string> unread;
  const Reads reads = reads_of(program);
  for (const std::string& name : variables)
    if (!reads.variables.contains(name)) unread.insert(name);
  remove_variables(program.body, unread);
  // What was assigned to a variable may have been the last to read a state.
  std::set<std::string> used = reads_of(program).states;
  for (const ir::Output& output : program.outputs) used.insert(output.state);
  for (const ir::Phase& phase : program.phases) used.merge(ir::states_written(phase));
  ir::NamedList<ir::State> kept;
  for (ir::State& state : program.states)
    if (used.contains(state.name) || !states.contains(state.name)) kept.push_back(std::move(state));
  program.states = std::move(kept);
}

}  // namespace vertigo::compiler::passes
