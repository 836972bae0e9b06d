#include "compiler/passes/program/Ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;
using ir::ScalarKind;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

bool is_number(const ir::Type& type) { return type.is_scalar() && ir::is_numeric(type.scalar()); }

Range joined(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
Range common(Range a, Range b) {
  const Range both{std::max(a.low, b.low), std::min(a.high, b.high)};
  return both.low <= both.high ? both : a;  // else what follows is never computed
}

class RangeOf {
 public:
  /// `follows_messages`: what is sent is asked for, too, where an inbox is read.
  RangeOf(const Surroundings& around, bool follows_messages)
      : around_(around), follows_messages_(follows_messages) {}

  Range of(const Expr& expr) {
    if (!is_number(expr.type)) return ir::range_of(expr.type);
    Range range = common(ir::range_of(expr.type), computed(expr));
    for (const Known& known : known_)
      if (ir::same(*known.expr, expr)) range = common(range, known.range);
    return range;
  }

 private:
  /// What a condition says of an expression, in the branch where it holds.
  struct Known {
    const Expr* expr;
    Range range;
  };

  Range operand(const Expr& expr, std::size_t i) { return of(*expr.operands[i]); }

  Range computed(const Expr& e) {
    switch (e.op) {
      case Op::Literal:
        return std::visit(
            [](auto number) -> Range {
              const auto value = static_cast<double>(number);
              return {value, value};
            },
            e.value);
      case Op::Infinity: {
        const double end = ir::range_of(e.type).high;
        return {end, end};
      }
      case Op::OutDegree:
      case Op::InDegree:
      case Op::Degree:
      case Op::VertexCount:
      case Op::EdgeCount:
      case Op::Step:
      case Op::Random:
      case Op::CommonNeighbours:
        return {0, kInf};
      case Op::Inbox:
        return (e.symbol == around_.inbox && around_.inbox_nonnegative) ||
                       (follows_messages_ && is_nonnegative_message(e.symbol))
                   ? Range{0, kInf}
                   : ir::any_number();
      case Op::EdgeAttribute:
        return edge_attribute(e);
      case Op::State:
        return is_nonnegative(e.symbol) ? Range{0, kInf} : ir::any_number();
      case Op::ReduceNeighbours:
      case Op::ReduceCommon:
        return e.reduction == ir::Reduction::Count ? Range{0, kInf} : ir::any_number();
      case Op::Cast:
        return cast(e);
      case Op::Select:
        return select(e);
      default:
        return e.operands.empty() ? ir::any_number() : operation(e);
    }
  }

  // What the program writes may be anything.
  Range edge_attribute(const Expr& e) const {
    if (around_.program.find_edge_state(e.symbol) != nullptr) return ir::any_number();
    const bool nonnegative =
        around_.weights_nonnegative || (!around_.program.edge_columns.empty() &&
                                        ir::requires_nonnegative(around_.program, e.symbol));
    return nonnegative ? Range{0, kInf} : ir::any_number();
  }

  /// Of a state that begins with no negative number and is given none, if states that are asked for
  /// on the way are not negative: so none of them ever becomes the first one that is.
  bool is_nonnegative(const std::string& name) {
    const ir::State* const state = around_.program.find_state(name);
    if (state == nullptr || !is_number(state->type)) return false;
    if (state->is_input && !around_.inputs_nonnegative) return false;
    return never_negative(name, [&] {
      return of(*state->initial).low >= 0 &&
             std::ranges::all_of(around_.program.phases, [&](const ir::Phase& phase) {
               known_.clear();
               if (phase.guard) learn_of_inboxes(phase);
               return gives_nonnegative(phase.body, ir::StmtKind::AssignState, name);
             });
    });
  }
  /// The same of a message: its inboxes are empty, which is no negative number, or hold what is
  /// made of what was put into them.
  bool is_nonnegative_message(const std::string& name) {
    const ir::Message* const message = around_.program.find_message(name);
    if (message == nullptr || !is_number(message->type) ||
        message->combine == ir::Combine::Function || !message->identity)
      return false;
    return never_negative("message " + name, [&] {
      return of(*message->identity).low >= 0 &&
             std::ranges::all_of(around_.program.phases, [&](const ir::Phase& phase) {
               known_.clear();
               return gives_nonnegative(phase.body, ir::StmtKind::AssignInbox, name) &&
                      gives_nonnegative(phase.body, ir::StmtKind::Send, name) &&
                      std::ranges::all_of(phase.starts, [&](const ir::Start& start) {
                        return gives_nonnegative(start.body, ir::StmtKind::AssignInbox, name);
                      });
             });
    });
  }

  /// Whether `holds()`, while the state or message `name` is taken to have no negative value.
  template <class Holds>
  bool never_negative(const std::string& name, const Holds& holds) {
    if (asked_.contains(name)) return true;
    if (refuted_.contains(name)) return false;
    asked_.insert(name);
    std::vector<Known> known;
    std::swap(known, known_);
    const bool found = holds();
    std::swap(known, known_);
    asked_.erase(name);
    // What does not hold although others were taken to, never does.
    if (!found) refuted_.insert(name);
    return found;
  }
  /// No statement of that kind gives `name` a negative number.
  bool gives_nonnegative(const std::vector<ir::StmtPtr>& body, ir::StmtKind kind,
                         const std::string& name) {
    return std::ranges::all_of(body, [&](const ir::StmtPtr& stmt) {
      const bool gives = stmt->kind == kind && stmt->symbol == name;
      return (!gives || (stmt->value && of(*stmt->value).low >= 0)) &&
             gives_nonnegative(stmt->body, kind, name) &&
             gives_nonnegative(stmt->otherwise, kind, name);
    });
  }

  /// What the guard says of inboxes, which hold the same until the update is over. Of states it
  /// says what they were before.
  void learn_of_inboxes(const ir::Phase& phase) {
    learn(*phase.guard, true);
    bool changes = false;
    ir::for_each_stmt(phase.body, [&](const ir::Stmt& stmt) {
      changes = changes || stmt.kind == ir::StmtKind::AssignInbox;
    });
    std::erase_if(known_,
                  [&](const Known& known) { return changes || known.expr->op != Op::Inbox; });
  }

  Range operation(const Expr& e) {
    for (const ir::ExprPtr& each : e.operands)
      if (!each || !is_number(each->type)) return ir::any_number();
    const Range a = operand(e, 0);
    return ir::range_of(e, a, e.operands.size() > 1 ? operand(e, 1) : a);
  }

  Range cast(const Expr& e) {
    const Expr& from = *e.operands[0];
    if (from.type == ir::Type(ScalarKind::Bool)) return {0, 1};
    if (!is_number(from.type)) return ir::any_number();
    Range range = of(from);
    const bool cut_off = ir::is_float(from.type.scalar()) && !ir::is_float(e.type.scalar());
    // What is no number becomes 0, and the rest is cut off towards it.
    if (cut_off)
      range = {std::min(0.0, std::ceil(range.low)), std::max(0.0, std::floor(range.high))};
    return ir::rounded(range, e.type);
  }

  Range select(const Expr& e) {
    const std::size_t before = known_.size();
    learn(*e.operands[0], true);
    const Range yes = of(*e.operands[1]);
    known_.resize(before);
    learn(*e.operands[0], false);
    const Range no = of(*e.operands[2]);
    known_.resize(before);
    return joined(yes, no);
  }

  void learn(const Expr& condition, bool holds) {
    switch (condition.op) {
      case Op::Not:
        return learn(*condition.operands[0], !holds);
      case Op::And:
      case Op::Or:
        if (holds != (condition.op == Op::And)) return;
        learn(*condition.operands[0], holds);
        return learn(*condition.operands[1], holds);
      case Op::Less:
      case Op::LessEqual:
        return holds ? learn_order(condition, 0, 1, true) : learn_order(condition, 1, 0, false);
      case Op::Greater:
      case Op::GreaterEqual:
        return holds ? learn_order(condition, 1, 0, true) : learn_order(condition, 0, 1, false);
      case Op::Equal:
        if (!holds) return;
        learn_order(condition, 0, 1, true);
        return learn_order(condition, 1, 0, true);
      default:
        return;
    }
  }

  // Operand `lower` is at most operand `upper`, or one of them is no number; `compared`: both are.
  void learn_order(const Expr& condition, std::size_t lower, std::size_t upper, bool compared) {
    const Expr& a = *condition.operands[lower];
    const Expr& b = *condition.operands[upper];
    if (!is_number(a.type) || !is_number(b.type)) return;
    const Range low = of(a), high = of(b);
    // Of floating numbers nothing is learnt by what might be none: the comparison is false then.
    if (compared || b.op == Op::Literal || !ir::is_float(b.type.scalar()))
      known_.push_back({&a, {-kInf, high.high}});
    if (compared || a.op == Op::Literal || !ir::is_float(a.type.scalar()))
      known_.push_back({&b, {low.low, kInf}});
  }

  const Surroundings& around_;
  bool follows_messages_;
  std::vector<Known> known_;
  std::set<std::string> asked_;    ///< states and messages whose range is being found
  std::set<std::string> refuted_;  ///< and those that may be negative
};

}  // namespace

Range range_of(const Expr& expr, const Surroundings& around) {
  return RangeOf(around, false).of(expr);
}
Range range_of_values(const Expr& expr, const Surroundings& around) {
  return RangeOf(around, true).of(expr);
}

}  // namespace vertigo::compiler::passes
