#include "compiler/passes/program/BeforePhase.h"

#include <algorithm>
#include <optional>

#include "compiler/ir/program/Uses.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;
using ir::Phase;
using ir::Stmt;
using ir::StmtKind;

namespace {

/// The same in every run of the program, and at every vertex.
bool is_literal(const Expr& e) {
  switch (e.op) {
    case Op::Literal:
    case Op::Infinity:
    case Op::NoVertex:
      return true;
    case Op::Negate:
    case Op::MakeTuple:
      return std::ranges::all_of(e.operands,
                                 [](const ir::ExprPtr& part) { return is_literal(*part); });
    default:
      return false;
  }
}

/// Follows what is known before a phase through the statements between the phases. `Value{}`:
/// nothing is known.
template <class Value>
class Before {
 public:
  Before(const ir::Program& program, const Phase& phase) : program_(program), phase_(phase) {}
  virtual ~Before() = default;

  /// What holds wherever the phase begins, if `value` does when the program begins.
  Value when_it_begins(Value value) {
    follow(program_.body, value);
    return found_.value_or(Value{});
  }

 protected:
  virtual Value joined(Value a, Value b) const = 0;
  virtual Value after(const Phase& phase, Value before) const = 0;
  /// Whether something that was known may not be known behind the phase.
  virtual bool spoils(const Phase& phase) const = 0;

  const ir::Program& program_;

 private:
  void follow(const std::vector<ir::StmtPtr>& body, Value& value) {
    for (const ir::StmtPtr& stmt : body) follow(*stmt, value);
  }

  void follow(const Stmt& stmt, Value& value) {
    switch (stmt.kind) {
      case StmtKind::Phase: {
        const Phase& phase = *program_.find_phase(stmt.symbol);
        if (&phase == &phase_) found_ = found_ ? joined(*found_, value) : value;
        value = after(phase, value);
        return;
      }
      case StmtKind::If: {
        Value other = value;
        follow(stmt.body, value);
        follow(stmt.otherwise, other);
        value = joined(value, other);
        return;
      }
      case StmtKind::Repeat:
      case StmtKind::For:
      case StmtKind::While: {
        // A round begins with what the last one left, and there may be none.
        if (is_spoilt_in(stmt.body)) value = Value{};
        const Value before = value;
        follow(stmt.body, value);
        value = joined(before, value);
        return;
      }
      default:
        return;
    }
  }

  bool is_spoilt_in(const std::vector<ir::StmtPtr>& body) const {
    bool found = false;
    for_each_stmt(body, [&](const Stmt& stmt) {
      found = found || (stmt.kind == StmtKind::Phase && spoils(*program_.find_phase(stmt.symbol)));
    });
    return found;
  }

  const Phase& phase_;
  std::optional<Value> found_;
};

/// The literal that a state has at every vertex; null: not known.
class StateBefore : public Before<const Expr*> {
 public:
  StateBefore(const ir::Program& program, const Phase& phase, const std::string& state)
      : Before(program, phase), state_(state) {}

  const Expr* run() {
    const ir::State& state = *program_.find_state(state_);
    const bool known = !state.is_input && is_literal(*state.initial);
    return when_it_begins(known ? state.initial.get() : nullptr);
  }

 private:
  const Expr* joined(const Expr* a, const Expr* b) const override {
    return a != nullptr && b != nullptr && ir::same(*a, *b) ? a : nullptr;
  }
  const Expr* after(const Phase& phase, const Expr* before) const override {
    return spoils(phase) ? given_to_all(phase) : before;
  }
  bool spoils(const Phase& phase) const override {
    return ir::states_written(phase).contains(state_);
  }

  /// The literal that an update of all vertices gives the state, whatever else it does.
  const Expr* given_to_all(const Phase& phase) const {
    if (phase.kind != ir::PhaseKind::Sweep || phase.guard) return nullptr;
    unsigned assigned = 0;
    for_each_stmt(phase.body, [&](const Stmt& stmt) { assigned += is_assignment(stmt); });
    if (assigned != 1) return nullptr;
    for (const ir::StmtPtr& stmt : phase.body)
      if (is_assignment(*stmt) && is_literal(*stmt->value)) return stmt->value.get();
    return nullptr;
  }
  bool is_assignment(const Stmt& stmt) const {
    return stmt.kind == StmtKind::AssignState && stmt.symbol == state_;
  }

  const std::string& state_;
};

/// Whether the inboxes of a message are empty.
class EmptyBefore : public Before<bool> {
 public:
  EmptyBefore(const ir::Program& program, const Phase& phase, const std::string& message)
      : Before(program, phase), message_(message) {}

  bool run() { return when_it_begins(true); }

 private:
  bool joined(bool a, bool b) const override { return a && b; }
  bool after(const Phase& phase, bool before) const override {
    return empties(phase) || (before && !spoils(phase));
  }
  bool spoils(const Phase& phase) const override {
    if (!ir::messages_of(phase).contains(message_) || empties(phase)) return false;
    // An update of all vertices has no start; one that does not send only takes.
    return phase.kind != ir::PhaseKind::Sweep || ir::messages_sent(phase).contains(message_);
  }
  /// An `update … when` empties what it reads when it ends, and an update of all vertices takes it.
  bool empties(const Phase& phase) const {
    if (!ir::messages_read(phase).contains(message_)) return false;
    if (phase.kind != ir::PhaseKind::Sweep) return !program_.find_message(message_)->keep;
    return !phase.guard && !ir::messages_sent(phase).contains(message_);
  }

  const std::string& message_;
};

}  // namespace

const Expr* state_before(const ir::Program& program, const Phase& phase, const std::string& state) {
  return StateBefore(program, phase, state).run();
}

bool empty_before(const ir::Program& program, const Phase& phase, const std::string& message) {
  return EmptyBefore(program, phase, message).run();
}

}  // namespace vertigo::compiler::passes
