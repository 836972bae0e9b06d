#include "compiler/passes/program/Leftovers.h"

#include <algorithm>

#include "compiler/passes/program/ExprProperties.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::Op;
using ir::StmtKind;

namespace {

void add_inboxes(const ir::ExprPtr& expr, std::set<std::string>& names) {
  if (!expr) return;
  ir::walk(*expr, [&](const Expr& node) {
    if (node.op == Op::Inbox) names.insert(node.symbol);
  });
}

void add_read(const std::vector<ir::StmtPtr>& body, std::set<std::string>& names) {
  for (const ir::StmtPtr& stmt : body) {
    add_inboxes(stmt->value, names);
    add_inboxes(stmt->condition, names);
    add_read(stmt->body, names);
    add_read(stmt->otherwise, names);
  }
}

void add_filled(const std::vector<ir::StmtPtr>& body, std::set<std::string>& names) {
  for (const ir::StmtPtr& stmt : body) {
    if (stmt->kind == StmtKind::Send || stmt->kind == StmtKind::AssignInbox)
      names.insert(stmt->symbol);
    add_filled(stmt->body, names);
    add_filled(stmt->otherwise, names);
  }
}

bool is_loop(const ir::Stmt& stmt) {
  return stmt.kind == StmtKind::Repeat || stmt.kind == StmtKind::For ||
         stmt.kind == StmtKind::While;
}

}  // namespace

std::set<std::string> messages_read(const ir::Phase& phase) {
  std::set<std::string> names;
  add_inboxes(phase.guard, names);
  add_read(phase.body, names);
  return names;
}

std::set<std::string> messages_of(const ir::Phase& phase) {
  std::set<std::string> names = messages_read(phase);
  add_filled(phase.body, names);
  for (const ir::Start& start : phase.starts) add_filled(start.body, names);
  return names;
}

MessageUses::MessageUses(const ir::Program& program) {
  for (const ir::Phase& phase : program.phases)
    for (const std::string& message : messages_of(phase)) users_[message].insert(phase.name);
  Place next = 0;
  number(program.body, next);
}

void MessageUses::number(const std::vector<ir::StmtPtr>& body, Place& next) {
  for (const ir::StmtPtr& stmt : body) {
    if (stmt->kind == StmtKind::Phase) {
      last_run_[stmt->symbol] = next++;
      first_after_.emplace(stmt->symbol, next);
    }
    const Place first = next;
    number(stmt->body, next);
    number(stmt->otherwise, next);
    if (is_loop(*stmt)) run_again(stmt->body, first);
  }
}

// Whatever stands in a loop may run after whatever stands in it.
void MessageUses::run_again(const std::vector<ir::StmtPtr>& loop, Place from) {
  for (const ir::StmtPtr& stmt : loop) {
    if (stmt->kind == StmtKind::Phase) {
      Place& first = first_after_[stmt->symbol];
      first = std::min(first, from);
    }
    // What stands in an inner loop, too; blocks nest no deeper than the language lets them.
    run_again(stmt->body, from);
    run_again(stmt->otherwise, from);
  }
}

bool MessageUses::met_after(const std::string& phase, const std::string& message) const {
  const auto first = first_after_.find(phase);
  const auto users = users_.find(message);
  if (first == first_after_.end() || users == users_.end()) return false;
  return std::any_of(users->second.begin(), users->second.end(), [&](const std::string& user) {
    const auto run = last_run_.find(user);
    return run != last_run_.end() && run->second >= first->second;
  });
}

bool MessageUses::belongs_to(const std::string& phase, const std::string& message) const {
  const auto users = users_.find(message);
  return users == users_.end() || (users->second.size() == 1 && users->second.contains(phase));
}

bool takes_all(const ir::Program& program, const ir::Phase& phase, const MessageUses& uses,
               const std::string& name) {
  if (!phase.guard || !uses.belongs_to(phase.name, name)) return false;
  const ir::Message& message = *program.find_message(name);
  const Expr& guard = *phase.guard;
  if (message.combine == Combine::Or) return is_inbox(guard, name);
  if (message.combine == Combine::And)
    return guard.op == Op::Not && is_inbox(*guard.operands[0], name);
  if (guard.op != Op::NotEqual && guard.op != Op::Less && guard.op != Op::Greater) return false;
  const std::size_t side = is_inbox(*guard.operands[0], name) ? 0 : 1;
  if (!is_inbox(*guard.operands[side], name) ||
      !ir::same(*guard.operands[1 - side], *message.identity))
    return false;
  if (guard.op == Op::NotEqual) return true;
  // The identity is the largest or the least value there is; floating numbers have NaN besides.
  if (!message.type.is_scalar() || ir::is_float(message.type.scalar())) return false;
  const bool below = (guard.op == Op::Less) == (side == 0);
  if (below) return message.combine == Combine::Min;
  const bool is_unsigned = message.type == ir::Type(ir::ScalarKind::UInt32) ||
                           message.type == ir::Type(ir::ScalarKind::UInt64);
  return message.combine == Combine::Max || (message.combine == Combine::Sum && is_unsigned);
}

}  // namespace vertigo::compiler::passes
