#include "compiler/ir/program/Uses.h"

#include <algorithm>

namespace vertigo::ir {

namespace {

void add_inboxes(const ExprPtr& expr, std::set<std::string>& names) {
  if (!expr) return;
  walk(*expr, [&](const Expr& node) {
    if (node.op == Op::Inbox) names.insert(node.symbol);
  });
}

void add_read(const std::vector<StmtPtr>& body, std::set<std::string>& names) {
  for (const StmtPtr& stmt : body) {
    add_inboxes(stmt->value, names);
    add_inboxes(stmt->condition, names);
    add_inboxes(stmt->receiver, names);
    add_read(stmt->body, names);
    add_read(stmt->otherwise, names);
  }
}

void add_filled(const std::vector<StmtPtr>& body, std::set<std::string>& names) {
  for (const StmtPtr& stmt : body) {
    if (stmt->kind == StmtKind::Send || stmt->kind == StmtKind::AssignInbox)
      names.insert(stmt->symbol);
    add_filled(stmt->body, names);
    add_filled(stmt->otherwise, names);
  }
}

template <class Visit>
void for_each_send(const std::vector<StmtPtr>& body, const Visit& visit) {
  for (const StmtPtr& stmt : body) {
    if (stmt->kind == StmtKind::Send) visit(*stmt);
    for_each_send(stmt->body, visit);
    for_each_send(stmt->otherwise, visit);
  }
}

void add_gathered(const ExprPtr& expr, std::set<EdgeDirection>& directions) {
  if (!expr) return;
  walk(*expr, [&](const Expr& node) {
    if (node.op == Op::ReduceNeighbours) directions.insert(node.direction);
  });
}

void add_gathered(const std::vector<StmtPtr>& body, std::set<EdgeDirection>& directions) {
  for (const StmtPtr& stmt : body) {
    add_gathered(stmt->value, directions);
    add_gathered(stmt->condition, directions);
    add_gathered(stmt->receiver, directions);
    add_gathered(stmt->body, directions);
    add_gathered(stmt->otherwise, directions);
  }
}

bool is_loop(const Stmt& stmt) {
  return stmt.kind == StmtKind::Repeat || stmt.kind == StmtKind::For ||
         stmt.kind == StmtKind::While;
}

void add_written(const std::vector<StmtPtr>& body, std::set<std::string>& names) {
  for (const StmtPtr& stmt : body) {
    if (stmt->kind == StmtKind::AssignState) names.insert(stmt->symbol);
    add_written(stmt->body, names);
    add_written(stmt->otherwise, names);
  }
}

bool assigns(const std::vector<StmtPtr>& body, const std::string& state) {
  return std::ranges::any_of(body, [&](const StmtPtr& stmt) {
    return (stmt->kind == StmtKind::AssignState && stmt->symbol == state) ||
           assigns(stmt->body, state) || assigns(stmt->otherwise, state);
  });
}

}  // namespace

std::set<std::string> messages_read(const Phase& phase) {
  std::set<std::string> names;
  add_inboxes(phase.guard, names);
  add_read(phase.body, names);
  return names;
}

std::set<std::string> messages_of(const Phase& phase) {
  std::set<std::string> names = messages_read(phase);
  add_filled(phase.body, names);
  for (const Start& start : phase.starts) add_filled(start.body, names);
  return names;
}

std::set<std::string> messages_sent(const Phase& phase) {
  std::set<std::string> names;
  for_each_send(phase.body, [&](const Stmt& send) { names.insert(send.symbol); });
  return names;
}

std::set<EdgeDirection> sent_along(const Phase& phase) {
  std::set<EdgeDirection> directions;
  for_each_send(phase.body, [&](const Stmt& send) {
    if (!send.receiver) directions.insert(send.direction);
  });
  return directions;
}

bool sends_to_one(const Phase& phase) {
  bool found = false;
  for_each_send(phase.body, [&](const Stmt& send) { found = found || send.receiver; });
  return found;
}

bool reads_of_values(const Phase& phase) {
  bool found = false;
  const auto look = [&](const ExprPtr& expr) {
    if (!expr) return;
    walk(*expr, [&](const Expr& node) {
      found = found || (node.op == Op::State && !node.operands.empty());
    });
  };
  const auto in_body = [&](const auto& self, const std::vector<StmtPtr>& body) -> void {
    for (const StmtPtr& stmt : body) {
      for (const ExprPtr* expr : {&stmt->value, &stmt->condition, &stmt->receiver}) look(*expr);
      self(self, stmt->body);
      self(self, stmt->otherwise);
    }
  };
  look(phase.guard);
  in_body(in_body, phase.body);
  for (const Start& start : phase.starts) {
    look(start.condition);
    in_body(in_body, start.body);
  }
  return found;
}

std::set<EdgeDirection> gathered_along(const Phase& phase) {
  std::set<EdgeDirection> directions;
  add_gathered(phase.guard, directions);
  add_gathered(phase.body, directions);
  return directions;
}

std::set<std::string> states_written(const Phase& phase) {
  std::set<std::string> names;
  add_written(phase.body, names);
  return names;
}

bool writes(const Phase& phase, const std::string& state) { return assigns(phase.body, state); }

Uses::Uses(const Program& program) {
  for (const Phase& phase : program.phases) {
    runs_.emplace(phase.name, Runs{});
    for (const std::string& message : messages_of(phase)) users_[message].insert(phase.name);
    for (const std::string& state : states_written(phase)) writers_[state].insert(phase.name);
  }
  Place next = 0;
  number(program.body, false, next);
  for (const auto& [message, phases] : users_)
    for (const std::string& phase : phases)
      if (const Runs& runs = runs_.at(phase); runs.statements > 0)
        last_use_[message] = std::max(last_use_[message], runs.last);
  find_loops(program.body, false);
}

void Uses::find_loops(const std::vector<StmtPtr>& body, bool in_loop) {
  for (const StmtPtr& stmt : body) {
    find_loops(stmt->body, in_loop || is_loop(*stmt));
    find_loops(stmt->otherwise, in_loop);
    if (stmt->kind != StmtKind::For || stmt->body.size() != 1) continue;
    const Stmt& only = *stmt->body.front();
    if (only.kind != StmtKind::Phase || runs_.at(only.symbol).statements != 1) continue;
    runs_.at(only.symbol).loop = stmt.get();
    runs_.at(only.symbol).loop_in_loop = in_loop;
  }
}

void Uses::number(const std::vector<StmtPtr>& body, bool in_loop, Place& next) {
  for (const StmtPtr& stmt : body) {
    if (stmt->kind == StmtKind::Phase) {
      Runs& runs = runs_[stmt->symbol];
      ++runs.statements;
      runs.last = next++;
      first_after_.emplace(stmt->symbol, next);
      runs.in_loop |= in_loop;
    }
    const Place first = next;
    const bool loops = in_loop || is_loop(*stmt);
    number(stmt->body, loops, next);
    number(stmt->otherwise, loops, next);
    if (is_loop(*stmt)) run_again(stmt->body, first);
  }
}

// Whatever stands in a loop may run after whatever stands in it.
void Uses::run_again(const std::vector<StmtPtr>& loop, Place from) {
  for (const StmtPtr& stmt : loop) {
    if (stmt->kind == StmtKind::Phase) {
      Place& first = first_after_[stmt->symbol];
      first = std::min(first, from);
    }
    // What stands in an inner loop, too; blocks nest no deeper than the language lets them.
    run_again(stmt->body, from);
    run_again(stmt->otherwise, from);
  }
}

bool Uses::met_after(const std::string& phase, const std::string& message) const {
  const auto first = first_after_.find(phase);
  const auto last = last_use_.find(message);
  return first != first_after_.end() && last != last_use_.end() && last->second >= first->second;
}

bool Uses::belongs_to(const std::string& phase, const std::string& message) const {
  const auto users = users_.find(message);
  return users == users_.end() || (users->second.size() == 1 && users->second.contains(phase));
}

bool Uses::runs_once(const std::string& phase) const {
  const Runs& runs = runs_.at(phase);
  return runs.statements <= 1 && !runs.in_loop;
}

const Stmt* Uses::loop_of(const std::string& phase) const { return runs_.at(phase).loop; }

bool Uses::loop_runs_once(const std::string& phase) const {
  const Runs& runs = runs_.at(phase);
  return runs.loop != nullptr && !runs.loop_in_loop;
}

std::string Uses::other_writer(const std::string& phase, const std::string& state) const {
  const auto writers = writers_.find(state);
  if (writers == writers_.end()) return "";
  const auto other =
      std::ranges::find_if(writers->second, [&](const std::string& name) { return name != phase; });
  return other == writers->second.end() ? "" : *other;
}

bool Uses::alone(const Phase& phase) const {
  const auto is_shared = [&](const std::string& state) {
    return !other_writer(phase.name, state).empty();
  };
  const auto is_own = [&](const std::string& message) { return belongs_to(phase.name, message); };
  return std::ranges::none_of(states_written(phase), is_shared) &&
         std::ranges::all_of(messages_of(phase), is_own);
}

}  // namespace vertigo::ir
