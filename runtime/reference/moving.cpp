#include "moving.h"

#include <algorithm>
#include <map>
#include <set>

#include "walk.h"

namespace vertigo::reference {
namespace {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::StmtKind;

/// Element `which` of the inbox, moved by what does not depend on it.
class Movement {
 public:
  Movement(MovingPhase& phase, std::size_t which) : phase_(phase), which_(which) {}

  bool moves(const Expr& e) {
    const auto operand = [&](std::size_t i) -> const Expr& { return *e.operands.at(i); };
    const auto fixed = [&](std::size_t i) { return !reads_inbox(operand(i)); };
    switch (e.op) {
      case Op::Inbox:
        return phase_.message->type.is_scalar();
      case Op::TupleElement:
        return e.index == which_ && operand(0).op == Op::Inbox;
      case Op::Add:
        return (moves(operand(0)) && fixed(1)) || (fixed(0) && moves(operand(1)));
      case Op::Subtract:
        return moves(operand(0)) && fixed(1);
      case Op::Select:
        return fixed(0) && moves(operand(1)) && moves(operand(2));
      case Op::Min:
      case Op::Max:
        return extremum(e);
      default:
        return false;
    }
  }

 private:
  bool extremum(const Expr& e) {
    const Expr &a = *e.operands.at(0), &b = *e.operands.at(1);
    if (reads_inbox(a) && reads_inbox(b)) {
      const bool was_pure = phase_.is_pure;
      const bool both = moves(a) && moves(b);
      return both && phase_.is_pure == was_pure;
    }
    // A bound on the side of what is better stops the movement; one on the other side does not.
    if ((e.op == Op::Min) != phase_.is_min) return false;
    phase_.is_pure = false;
    return moves(reads_inbox(a) ? a : b);
  }

  MovingPhase& phase_;
  std::size_t which_;
};

class MovingReader {
 public:
  MovingReader(const ir::Program& program, const ir::Phase& phase, bool host_is_known)
      : program_(program), phase_(phase), host_is_known_(host_is_known) {
    walk_statements(
        phase.body,
        [&](const ir::Stmt& s) {
          if (s.kind == StmtKind::AssignState) written_.insert(s.symbol);
        },
        [](const Expr&) {});
  }

  std::optional<MovingPhase> read() {
    if (phase_.kind != ir::PhaseKind::Fixpoint || phase_.serializable || !phase_.guard ||
        phase_.step_limit)
      return std::nullopt;
    moving_.source = &phase_;
    if (!read_guard(*phase_.guard) || moving_.state == nullptr) return std::nullopt;
    const ScalarKind first = moving_.message->type.elements.front();
    // What falls in an unsigned type is soon at 0.
    if (moving_.message->type != moving_.state->type || !ir::is_numeric(first) ||
        (moving_.is_min && ir::is_unsigned_integer(first)))
      return std::nullopt;
    moving_.moved = moving_.message->type.elements.size();
    read_statements(phase_.body, nullptr);
    if (!takes_inbox_ || moving_.sends.empty()) return std::nullopt;
    return std::move(moving_);
  }

 private:
  /// `inbox < state`, and what does not change while the phase runs.
  bool read_guard(const Expr& e) {
    if (e.op == Op::And) return read_guard(*e.operands.at(0)) && read_guard(*e.operands.at(1));
    const bool compares = e.op == Op::Less || e.op == Op::Greater;
    if (!compares || !reads_inbox(e)) return !changes(e);
    const Expr &left = *e.operands.at(0), &right = *e.operands.at(1);
    const bool is_left = left.op == Op::Inbox;
    const Expr& inbox = is_left ? left : right;
    const Expr& state = is_left ? right : left;
    if (inbox.op != Op::Inbox || state.op != Op::State || state.vertex != phase_.variable ||
        moving_.state != nullptr)
      return false;
    moving_.message = program_.find_message(inbox.symbol);
    moving_.state = program_.find_state(state.symbol);
    moving_.is_min = (e.op == Op::Less) == is_left;
    return moving_.message != nullptr &&
           moving_.message->combine == (moving_.is_min ? ir::Combine::Min : ir::Combine::Max);
  }

  /// Reads what an activation changes, or what is not known.
  bool changes(const Expr& expr) const {
    bool found = false;
    ir::walk(expr, [&](const Expr& e) {
      found |= e.op == Op::Inbox || e.op == Op::Step || e.op == Op::ExternCall ||
               (e.op == Op::State && written_.contains(e.symbol)) ||
               (e.op == Op::HostVariable && !host_is_known_);
    });
    return found;
  }

  void read_statements(const std::vector<ir::StmtPtr>& body, const Expr* condition) {
    for (const ir::StmtPtr& statement : body) {
      switch (statement->kind) {
        case StmtKind::Let:
          lets_[statement->symbol] = written_out(*statement->value, 0);
          break;
        case StmtKind::AssignState:
          read_assignment(*statement, condition);
          break;
        case StmtKind::Send:
          read_send(*statement, condition);
          break;
        case StmtKind::If:
          read_branches(*statement, condition);
          break;
        default:
          break;
      }
    }
  }

  void read_assignment(const ir::Stmt& statement, const Expr* condition) {
    if (statement.symbol != moving_.state->name) return;
    const ExprPtr value = written_out(*statement.value, 0);
    takes_inbox_ = condition == nullptr && value && value->op == Op::Inbox &&
                   value->symbol == moving_.message->name;
  }

  void read_branches(const ir::Stmt& statement, const Expr* outer) {
    const ExprPtr condition = written_out(*statement.value, 0);
    if (!condition) return;
    const auto branch = [&](bool holds, const std::vector<ir::StmtPtr>& body) {
      ExprPtr here = condition->clone();
      if (!holds) here = combined(Op::Not, std::move(here), nullptr);
      if (outer != nullptr) here = combined(Op::And, outer->clone(), std::move(here));
      read_statements(body, here.get());
    };
    branch(true, statement.body);
    branch(false, statement.otherwise);
  }

  static ExprPtr combined(Op op, ExprPtr a, ExprPtr b) {
    auto made = std::make_unique<Expr>();
    made->op = op;
    made->type = ScalarKind::Bool;
    made->operands.push_back(std::move(a));
    if (b) made->operands.push_back(std::move(b));
    return made;
  }

  /// Leaves the send out where it does not fit.
  void read_send(const ir::Stmt& statement, const Expr* outer) {
    if (statement.symbol != moving_.message->name || !takes_inbox_ || statement.receiver) return;
    PlainSend send;
    send.direction = statement.direction;
    send.neighbour = statement.neighbour;
    send.value = written_out(*statement.value, 0);
    if (outer != nullptr) send.condition = outer->clone();
    if (statement.condition) {
      ExprPtr filter = written_out(*statement.condition, 0);
      if (!filter) return;
      send.condition = send.condition
                           ? combined(Op::And, std::move(send.condition), std::move(filter))
                           : std::move(filter);
    }
    if (!send.value || (send.condition && changes(*send.condition))) return;
    const std::size_t moved = moved_elements(*send.value);
    if (moved == 0) return;
    moving_.moved = std::min(moving_.moved, moved);
    moving_.sends.push_back(std::move(send));
  }

  std::size_t moved_elements(const Expr& value) {
    const std::size_t size = moving_.message->type.elements.size();
    if (value.op == Op::Inbox) return size;
    const auto moves = [&](const Expr& element, std::size_t which) {
      const bool was_pure = moving_.is_pure;
      const bool found = !reads_change(element) && Movement(moving_, which).moves(element);
      if (!found) moving_.is_pure = was_pure;
      return found;
    };
    if (size == 1) return moves(value, 0) ? 1 : 0;
    if (value.op != Op::MakeTuple) return 0;
    std::size_t moved = 0;
    while (moved < size && moves(*value.operands[moved], moved)) ++moved;
    // What follows may be anything, but must not make the phase unreadable.
    for (const ExprPtr& operand : value.operands)
      if (reads_change(*operand)) return 0;
    return moved;
  }

  /// As changes(), the phase's own inbox aside.
  bool reads_change(const Expr& expr) const {
    bool found = false;
    ir::walk(expr, [&](const Expr& e) {
      found |= (e.op == Op::Inbox && e.symbol != moving_.message->name) || e.op == Op::Step ||
               e.op == Op::ExternCall || (e.op == Op::State && written_.contains(e.symbol)) ||
               (e.op == Op::HostVariable && !host_is_known_);
    });
    return found;
  }

  /// A copy without locals and calls. The state that was given the inbox is read as the inbox. Null
  /// where something is not known.
  ExprPtr written_out(const Expr& expr, int depth) {
    if (depth > 32) return nullptr;
    if (expr.op == Op::Local) {
      const auto found = lets_.find(expr.symbol);
      return found == lets_.end() || !found->second ? nullptr : found->second->clone();
    }
    if (expr.op == Op::Call) return written_out_call(expr, depth);
    ExprPtr copy = expr.clone();
    if (takes_inbox_ && expr.op == Op::State && expr.symbol == moving_.state->name &&
        expr.vertex == phase_.variable) {
      copy->op = Op::Inbox;
      copy->symbol = moving_.message->name;
      copy->vertex.clear();
    }
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      if (!expr.operands[i]) continue;
      copy->operands[i] = written_out(*expr.operands[i], depth + 1);
      if (!copy->operands[i]) return nullptr;
    }
    return copy;
  }

  ExprPtr written_out_call(const Expr& expr, int depth) {
    const ir::Function* function = program_.find_function(expr.symbol);
    if (function == nullptr || !function->body) return nullptr;
    std::map<std::string, ExprPtr> arguments;
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
      ExprPtr argument = written_out(*expr.operands.at(i), depth + 1);
      if (!argument) return nullptr;
      arguments[function->parameters[i].name] = std::move(argument);
    }
    lets_.swap(arguments);
    ExprPtr body = written_out(*function->body, depth + 1);
    lets_.swap(arguments);
    return body;
  }

  const ir::Program& program_;
  const ir::Phase& phase_;
  bool host_is_known_;
  std::set<std::string> written_;
  std::map<std::string, ExprPtr> lets_;
  MovingPhase moving_;
  bool takes_inbox_ = false;
};

}  // namespace

std::optional<MovingPhase> recognise_moving(const ir::Program& program, const ir::Phase& phase,
                                            bool host_is_known) {
  return MovingReader(program, phase, host_is_known).read();
}

}  // namespace vertigo::reference
