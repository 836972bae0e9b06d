#include "compiler/passes/program/StatesBefore.h"

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

template <class Visit>
void for_each_stmt(const std::vector<ir::StmtPtr>& body, const Visit& visit) {
  for (const ir::StmtPtr& stmt : body) {
    visit(*stmt);
    for_each_stmt(stmt->body, visit);
    for_each_stmt(stmt->otherwise, visit);
  }
}

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

/// Follows the values of one state through the statements between the phases.
class StateBefore {
 public:
  StateBefore(const ir::Program& program, const Phase& phase, const std::string& state)
      : program_(program), phase_(phase), state_(state) {}

  const Expr* run() {
    const ir::State& state = *program_.find_state(state_);
    Value value = nullptr;
    if (!state.is_input && is_literal(*state.initial)) value = state.initial.get();
    follow(program_.body, value);
    return found_.value_or(nullptr);
  }

 private:
  using Value = const Expr*;  // null: not known

  static Value joined(Value a, Value b) {
    return a != nullptr && b != nullptr && ir::same(*a, *b) ? a : nullptr;
  }

  void follow(const std::vector<ir::StmtPtr>& body, Value& value) {
    for (const ir::StmtPtr& stmt : body) follow(*stmt, value);
  }

  void follow(const Stmt& stmt, Value& value) {
    switch (stmt.kind) {
      case StmtKind::Phase:
        return follow_phase(*program_.find_phase(stmt.symbol), value);
      case StmtKind::If: {
        Value other = value;
        follow(stmt.body, value);
        follow(stmt.otherwise, other);
        value = joined(value, other);
        return;
      }
      case StmtKind::Repeat:
      case StmtKind::For:
      case StmtKind::While:
        // A round begins with what the last one left, and there may be none.
        if (writes(stmt.body)) value = nullptr;
        follow(stmt.body, value);
        if (writes(stmt.body)) value = nullptr;
        return;
      default:
        return;
    }
  }

  void follow_phase(const Phase& phase, Value& value) {
    if (&phase == &phase_) found_ = found_ ? joined(*found_, value) : value;
    if (!ir::states_written(phase).contains(state_)) return;
    value = given_to_all(phase);
  }

  /// The literal that an update of all vertices gives the state, whatever else it does.
  Value given_to_all(const Phase& phase) const {
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

  bool writes(const std::vector<ir::StmtPtr>& body) const {
    bool found = false;
    for_each_stmt(body, [&](const Stmt& stmt) {
      found = found || (stmt.kind == StmtKind::Phase &&
                        ir::states_written(*program_.find_phase(stmt.symbol)).contains(state_));
    });
    return found;
  }

  const ir::Program& program_;
  const Phase& phase_;
  const std::string& state_;
  std::optional<Value> found_;
};

}  // namespace

const Expr* state_before(const ir::Program& program, const Phase& phase, const std::string& state) {
  return StateBefore(program, phase, state).run();
}

}  // namespace vertigo::compiler::passes
