// A check follows a result where the contract leaves something open: the interpreter takes what the
// result shows, once that has proved to be one of the right values, and goes on from there. All
// that depends on it is then the same in both.
#include <algorithm>
#include <set>

#include "certify.h"
#include "interpreter.h"
#include "open_results.h"
#include "walk.h"

namespace vertigo::reference {
namespace {

/// Whether the phase runs exactly once, and nothing changes the state afterwards.
bool ends_with(const ir::Program& program, const ir::Phase& phase, const std::string& state) {
  bool has_run = false, changes = false;
  for (const ir::StmtPtr& statement : program.body) {
    if (statement->kind == ir::StmtKind::Phase && statement->symbol == phase.name && !has_run) {
      has_run = true;
      continue;
    }
    const std::vector<ir::StmtPtr>* const inner[] = {&statement->body, &statement->otherwise};
    const auto visit = [&](const ir::Stmt& s) {
      if (s.kind != ir::StmtKind::Phase) return;
      const ir::Phase* const other = program.find_phase(s.symbol);
      changes |= other == &phase || (has_run && states_written(other->body).contains(state));
    };
    visit(*statement);
    for (const auto* const statements : inner)
      walk_statements(*statements, visit, [](const ir::Expr&) {});
  }
  return has_run && !changes;
}

}  // namespace

void Interpreter::follow(const host::RunResult& result) {
  follow_choices_of(result);
  follow_accumulations_of(result);
}

void Interpreter::follow_choices_of(const host::RunResult& result) {
  // An `any` inbox is assigned to a state as it is; that state's result shows which was chosen,
  // where nothing else is ever assigned to it.
  const ir::Program& program = context_.program;
  std::map<std::string, int> assignments;
  walk_program(
      program,
      [&](const ir::Stmt& s) {
        if (s.kind == ir::StmtKind::AssignState) ++assignments[s.symbol];
      },
      [](const ir::Expr&) {});
  std::map<std::string, int> readers;
  for (const ir::Phase& phase : program.phases) {
    std::set<std::string> read;
    walk_phase(
        phase, [](const ir::Stmt&) {},
        [&](const ir::Expr& e) {
          if (e.op == ir::Op::Inbox) read.insert(e.symbol);
        });
    for (const std::string& message : read) ++readers[message];
  }
  for (const ir::Phase& phase : program.phases)
    for (const ir::StmtPtr& statement : phase.body) {
      if (statement->kind != ir::StmtKind::AssignState || statement->value->op != ir::Op::Inbox ||
          assignments[statement->symbol] != 1)
        continue;
      const ir::Message* message = program.find_message(statement->value->symbol);
      const ir::State* state = program.find_state(statement->symbol);
      if (message->combine != ir::Combine::Any || message->type != state->type ||
          readers[message->name] != 1)
        continue;
      std::vector<ColumnRef> columns = columns_of(result.states, *state, context_.vertex_count());
      if (columns.size() != state->type.elements.size()) continue;
      messages_.prefer(message->name, std::move(columns));
      followed_[message->name].assign(context_.vertex_count(), 0);
    }
}

void Interpreter::follow_accumulations_of(const host::RunResult& result) {
  for (const ir::Phase& phase : context_.program.phases) {
    if (!keeps_back(context_.program, phase)) continue;
    std::optional<LinearPhase> linear = recognise_linear_run(context_.program, phase);
    if (!linear || linear->message->keep ||
        !ends_with(context_.program, phase, linear->state->name))
      continue;
    std::vector<ColumnRef> shown =
        columns_of(result.states, *linear->state, context_.vertex_count());
    if (shown.size() != 1) continue;
    accumulations_.emplace(phase.name, FollowedPhase{std::move(*linear), std::move(shown)});
  }
}

bool Interpreter::take_result(const PhaseCode& phase) {
  const auto found = accumulations_.find(phase.source->name);
  if (found == accumulations_.end()) return false;
  const LinearPhase& linear = found->second.phase;
  const std::vector<ColumnRef> current = context_.resolver.state(linear.state->name).current;
  const CheckedState state{linear.state->type, current, found->second.shown};
  // The certificate knows what starts and vertices send, not what was left in an inbox before.
  const MessageTable& message = messages_.table(linear.message->name);
  bool is_clean = true;
  for (Vertex v = 0; is_clean && v < context_.vertex_count(); ++v) is_clean = is_empty(message, v);
  if (!is_clean || !certify_linear(context_, state, linear, followed_report_)) {
    accumulations_.erase(found);
    return false;
  }
  for (Vertex v = 0; v < context_.vertex_count(); ++v)
    current.front().store(v, state.after.front().load(v));
  return true;
}

void Interpreter::note_choice(const MessageTable& message, Vertex v) {
  const auto found = followed_.find(message.source->name);
  if (found == followed_.end() || is_empty(message, v)) return;
  // The state shows the last choice alone.
  if (found->second[v] != 0)
    followed_.erase(found);
  else
    found->second[v] = 1;
}

}  // namespace vertigo::reference
