#include "compiler/passes/toplan/engines/AlwaysSends.h"

#include <algorithm>

#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::Op;

namespace {

class AlwaysSends {
 public:
  AlwaysSends(const ir::Program& program, const ir::Phase& phase, const ir::Message& message)
      : program_(program), phase_(phase), message_(message) {}

  bool holds() {
    const auto update = passes::evaluate_update(program_, phase_);
    if (!update || update->sends.size() != 1 || update->sends.front().condition) return false;
    const Expr& sent = *update->sends.front().value;
    return is_something(sent) || (starts_with_something() && keeps_something(sent));
  }

 private:
  /// Not the identity, whatever the inbox holds.
  bool is_something(const Expr& e) const {
    if (e.op == Op::BoundVertex) return e.vertex == phase_.variable;
    return e.op == Op::Literal && !ir::same(e, *message_.identity) && !is_negative_zero(e);
  }
  // It equals 0, which it is not the same as.
  static bool is_negative_zero(const Expr& e) {
    const auto* const number = std::get_if<double>(&e.value);
    return number != nullptr && *number == 0;
  }

  /// Not the identity where the inbox is not. A minimum, a maximum and one of any are what somebody
  /// sent. Floating sums of what is above 0 are; integers may wrap around to 0, and a product of
  /// small numbers is 0.
  bool keeps_something(const Expr& e) const {
    if (is_sum()) return ir::is_float(message_.type.scalar()) && is_positive(e);
    const bool is_one_of = message_.combine == ir::Combine::Min ||
                           message_.combine == ir::Combine::Max ||
                           message_.combine == ir::Combine::Any;
    return is_one_of && e.op == Op::Inbox;
  }
  static bool is_positive(const Expr& e) {
    const auto operand = [&](std::size_t i) { return is_positive(*e.operands[i]); };
    switch (e.op) {
      case Op::Literal: {
        const auto* const number = std::get_if<double>(&e.value);
        return number != nullptr && static_cast<float>(*number) > 0;  // float32 may round to 0
      }
      case Op::Inbox:
        return true;
      case Op::Add:
      case Op::Min:
      case Op::Max:
        return operand(0) && operand(1);
      case Op::Select:
        return operand(1) && operand(2);
      default:
        return false;
    }
  }

  /// Each start puts something into the inbox of everyone whom it starts.
  bool starts_with_something() const {
    return std::ranges::all_of(phase_.starts, [&](const ir::Start& start) {
      bool all = true, any = false;
      for_each_stmt(start.body, [&](const ir::Stmt& stmt) {
        if (stmt.kind == ir::StmtKind::AssignInbox) all = all && is_started(*stmt.value, start);
      });
      for (const ir::StmtPtr& stmt : start.body)
        any = any || stmt->kind == ir::StmtKind::AssignInbox;
      return all && any;
    });
  }
  bool is_started(const Expr& e, const ir::Start& start) const {
    if (is_sum()) return e.op == Op::Literal && is_positive(e);
    return e.op == Op::BoundVertex ? e.vertex == start.variable : is_something(e);
  }

  bool is_sum() const { return message_.combine == ir::Combine::Sum; }

  const ir::Program& program_;
  const ir::Phase& phase_;
  const ir::Message& message_;
};

}  // namespace

bool always_sends(const ir::Program& program, const ir::Phase& phase, const ir::Message& message) {
  return AlwaysSends(program, phase, message).holds();
}

}  // namespace vertigo::compiler::toplan
