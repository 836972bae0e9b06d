#include "compiler/passes/program/FirstVisit.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::ScalarKind;
using ir::Stmt;
using ir::StmtKind;

namespace {

ExprPtr node(Op op, ir::Type type, ExprPtr a, ExprPtr b = nullptr) {
  auto made = std::make_unique<Expr>();
  made->op = op;
  made->type = std::move(type);
  made->location = a->location;
  made->operands.push_back(std::move(a));
  if (b) made->operands.push_back(std::move(b));
  return made;
}
ExprPtr comparison(Op op, const Expr& a, const Expr& b) {
  return node(op, ScalarKind::Bool, a.clone(), b.clone());
}
ExprPtr int32(std::int64_t value) {
  auto made = std::make_unique<Expr>();
  made->type = ScalarKind::Int32;
  made->value = value;
  return made;
}

ExprPtr infinity(const ir::Type& type) {
  auto made = std::make_unique<Expr>();
  made->op = Op::Infinity;
  made->type = type;
  return made;
}
ExprPtr lowest(const ir::Type& type) {
  auto made = std::make_unique<Expr>();
  made->type = type;
  if (type == ir::Type(ScalarKind::Int32))
    made->value = std::int64_t{std::numeric_limits<std::int32_t>::min()};
  else if (type == ir::Type(ScalarKind::Int64))
    made->value = std::numeric_limits<std::int64_t>::min();
  else
    made->value = std::uint64_t{0};
  return made;
}

class Visits {
 public:
  Visits(ir::Program& program, ir::Phase& phase) : program_(program), phase_(phase) {}

  bool run() {
    if (phase_.kind != ir::PhaseKind::Fixpoint || !phase_.guard || phase_.serializable ||
        phase_.assume_order_free || !finds_message() || !finds_values())
      return false;
    const bool is_visit = std::ranges::any_of(phase_.body, [&](const ir::StmtPtr& stmt) {
      return stmt->kind == StmtKind::AssignState && takes_mark(*stmt) && body_is_plain() &&
             splits_guard() && begins_alike() && finds_form();
    });
    if (is_visit) rewrite();
    return is_visit;
  }

 private:
  /// What messages say: the step, where the visit assigns it to the mark, which begins with inf or
  /// below 0, or to another state; or what the visit makes of the mark.
  enum class Form { Steps, StepsFromBelow, StepsBeside, Flag, Number };

  bool is_mark(const Expr& e) const { return ir::is_state_of(e, phase_.variable, state_->name); }

  /// The body assigns `step` or a literal to a state of integers or bool, the mark.
  bool takes_mark(Stmt& stmt) {
    marking_ = &stmt;
    state_ = program_.find_state(stmt.symbol);
    mark_ = stmt.value.get();
    unvisited_ = nullptr;
    rest_ = nullptr;
    if (state_ == nullptr || state_->is_input || !state_->type.is_scalar()) return false;
    const ScalarKind kind = state_->type.scalar();
    marks_step_ = mark_->op == Op::Step;
    return marks_step_ ? kind == ScalarKind::Int32
                       : mark_->op == Op::Literal && state_->initial->op == Op::Literal &&
                             (kind == ScalarKind::Bool || ir::is_integer(kind));
  }

  bool finds_message() {
    const std::set<std::string> messages = ir::messages_of(phase_);
    if (messages.size() != 1) return false;
    message_ = program_.messages.find(*messages.begin());
    if (message_->keep || !message_->type.is_scalar()) return false;
    switch (message_->combine) {
      case Combine::Min:
      case Combine::Max:
      case Combine::Or:
      case Combine::And:
      case Combine::Any:
      case Combine::Sum:
        return true;
      default:
        return false;
    }
  }

  /// What is put into inboxes, which are literals that an empty one does not hold.
  bool finds_values() {
    for (const ir::Start& start : phase_.starts) {
      if (start.body.empty()) {
        starts_empty_ = true;
        continue;
      }
      if (start.body.size() != 1 || start.body.front()->kind != StmtKind::AssignInbox ||
          !takes_value(*start.body.front()->value))
        return false;
    }
    bool literal = true, sends = false;
    for_each_stmt(phase_.body, [&](const Stmt& stmt) {
      if (stmt.kind != StmtKind::Send) return;
      sends = true;
      if (stmt.value->op != Op::Inbox) literal = literal && takes_value(*stmt.value);
      literal = literal && stmt.receiver == nullptr;
    });
    return literal && sends && !phase_.starts.empty();
  }
  bool takes_value(const Expr& value) {
    if (value.op != Op::Literal || ir::same(value, *message_->identity)) return false;
    // As many ones as there are edges do not wrap around 64 bits.
    if (message_->combine == Combine::Sum &&
        (ir::integer_of(value) != 1 || message_->type != ir::Type(ScalarKind::Int64)))
      return false;
    alike_ = alike_ && (value_ == nullptr || ir::same(*value_, value));
    if (value_ == nullptr) value_ = value.clone();
    return true;
  }

  /// Branches, sends, and in front of them what is written besides, which reads no state; what they
  /// ask of the inbox is known, and `step` is where messages say it.
  bool body_is_plain() {
    bool plain = true;
    says_step_ = marks_step_;
    for (const ir::StmtPtr& stmt : phase_.body)
      if (stmt->kind == StmtKind::AssignState) {
        plain = plain && (stmt.get() == marking_ || !reads(*stmt->value, Op::State));
        says_step_ = says_step_ || reads(*stmt->value, Op::Step);
      }
    for_each_stmt(phase_.body, [&](const Stmt& stmt) {
      plain = plain && (stmt.kind == StmtKind::If || stmt.kind == StmtKind::Send ||
                        stmt.kind == StmtKind::AssignState);
      for (const std::vector<ir::StmtPtr>* inner : {&stmt.body, &stmt.otherwise})
        for (const ir::StmtPtr& each : *inner) plain = plain && each->kind != StmtKind::AssignState;
    });
    for_each_expr(phase_.body, [&](const Stmt&, const ExprPtr& expr) {
      if (reads(*expr, Op::Inbox)) plain = plain && knows_inbox();
      if (reads(*expr, Op::Step)) plain = plain && says_step_;
      plain = plain && !reads(*expr, Op::ReduceNeighbours) && !reads(*expr, Op::ReduceCommon) &&
              !reads(*expr, Op::ExternCall);
    });
    return plain;
  }
  /// Every inbox that is not empty holds one literal.
  bool knows_inbox() const {
    return alike_ && value_ != nullptr && !starts_empty_ && message_->combine != Combine::Sum;
  }
  ExprPtr with_known_inbox(const Expr& expr) const {
    return passes::replaced(expr, [&](const Expr& e) -> ExprPtr {
      return e.op == Op::Inbox ? value_->clone() : nullptr;
    });
  }

  bool splits_guard() {
    for (const Expr* written : conjuncts(*phase_.guard)) {
      ExprPtr part = knows_inbox() ? folded_expr(*with_known_inbox(*written)) : written->clone();
      if (ir::boolean_of(*part) == true) continue;
      if (reads(*part, Op::Inbox)) {
        if (!holds_of_sums(*part)) return false;
      } else if (unvisited_ == nullptr && is_unvisited(*part)) {
        unvisited_ = std::move(part);
      } else if (is_step_bound(*part) || is_left_alone(*part)) {
        rest_ = ir::both(std::move(rest_), std::move(part));
      } else {
        return false;
      }
    }
    return unvisited_ != nullptr;
  }
  /// Of one message or more that are ones.
  bool holds_of_sums(const Expr& part) const {
    const bool positive = part.op == Op::Greater || part.op == Op::NotEqual;
    return !starts_empty_ && message_->combine == Combine::Sum && positive &&
           part.operands[0]->op == Op::Inbox && ir::integer_of(*part.operands[1]) == 0;
  }
  bool is_left_alone(const Expr& part) const {
    return !reads(part, Op::ReduceNeighbours) &&
           changing_read(part, {program_, phase_, ""}).empty();
  }
  bool is_step_bound(const Expr& part) const {
    if (!marks_step_ || (part.op != Op::Less && part.op != Op::LessEqual)) return false;
    const Op bound = part.operands[1]->op;
    return part.operands[0]->op == Op::Step &&
           (bound == Op::Literal || bound == Op::Parameter || bound == Op::HostVariable);
  }

  /// A condition on the mark that holds before the visit, and on no mark.
  bool is_unvisited(const Expr& part) const {
    if (!reads(part, Op::State) || reads(part, Op::Inbox) || reads(part, Op::Step)) return false;
    bool alone = true;
    ir::walk(part, [&](const Expr& e) {
      alone = alone && (is_mark(e) || e.op == Op::Literal || e.op == Op::Infinity ||
                        e.op == Op::Not || ir::info(e.op).is_comparison());
    });
    if (!alone) return false;
    const auto of = [&](const Expr& value) {
      const ExprPtr made = passes::replaced(
          part, [&](const Expr& e) -> ExprPtr { return is_mark(e) ? value.clone() : nullptr; });
      return ir::boolean_of(*folded_expr(*made));
    };
    if (of(*state_->initial) != true) return false;
    return marks_step_ ? is_of_no_step(part) : of(*mark_) == false;
  }
  /// `step` is 0 and more, and never gets to inf.
  bool is_of_no_step(const Expr& part) const {
    if (part.operands.size() != 2) return false;
    const bool left = is_mark(*part.operands[0]);
    if (!left && !is_mark(*part.operands[1])) return false;
    const Expr& other = *part.operands[left ? 1 : 0];
    const auto number = ir::integer_of(other);
    if (part.op == Op::Equal) return is_extreme(other, true) || (number && *number < 0);
    return part.op == (left ? Op::Less : Op::Greater) && number && *number <= 0;
  }

  bool begins_alike() const {
    const ir::Uses uses(program_);
    const bool alone = std::ranges::all_of(program_.phases, [&](const ir::Phase& other) {
      return &other == &phase_ || !ir::states_written(other).contains(state_->name);
    });
    return alone && uses.runs_once(phase_.name) && uses.belongs_to(phase_.name, message_->name);
  }

  bool finds_form() {
    if (marks_step_) {
      const auto number = ir::integer_of(*state_->initial);
      form_ = is_extreme(*state_->initial, true) ? Form::Steps : Form::StepsFromBelow;
      return form_ == Form::Steps || (number && *number < 0);
    }
    if (says_step_) {
      form_ = Form::StepsBeside;
      return true;
    }
    // What is written besides is written later by a search that counts levels alone.
    if (std::ranges::count_if(phase_.body, [](const ir::StmtPtr& stmt) {
          return stmt->kind == StmtKind::AssignState;
        }) > 1)
      return false;
    if (const auto flag = ir::boolean_of(*mark_)) {
      form_ = Form::Flag;
      return *flag && ir::boolean_of(*state_->initial) == false;
    }
    form_ = Form::Number;
    const auto before = ir::integer_of(*state_->initial), after = ir::integer_of(*mark_);
    if (!before || !after) return false;
    rises_ = *after > *before;
    return true;
  }

  // -- Rewriting

  ExprPtr inbox() const {
    auto made = std::make_unique<Expr>();
    made->op = Op::Inbox;
    made->type = message_->type;
    made->symbol = message_->name;
    made->location = phase_.guard->location;
    return made;
  }
  ExprPtr state() const {
    auto made = std::make_unique<Expr>();
    made->op = Op::State;
    made->type = state_->type;
    made->symbol = state_->name;
    made->vertex = phase_.variable;
    made->location = phase_.guard->location;
    return made;
  }
  bool counts() const { return form_ != Form::Flag && form_ != Form::Number; }

  void rewrite() {
    const ExprPtr mark = mark_->clone();
    for_each_expr(phase_.body, [&](const Stmt&, ExprPtr& expr) {
      if (reads(*expr, Op::Inbox)) expr = folded_expr(*with_known_inbox(*expr));
    });
    declare_message();
    const ExprPtr begin = counts() ? int32(0) : mark->clone();
    for (ir::Start& start : phase_.starts) fill(start, *begin);
    for_each_expr(phase_.body, [&](const Stmt& stmt, ExprPtr& expr) {
      if (stmt.kind == StmtKind::Send && &expr == &stmt.value)
        expr = counts()              ? node(Op::Add, message_->type, inbox(), int32(1))
               : form_ == Form::Flag ? mark->clone()
                                     : inbox();
      else
        expr = with_step_arrived(*expr);
    });
    if (form_ != Form::StepsBeside) marking_->value = form_ == Form::Flag ? mark->clone() : inbox();
    ExprPtr guard = guard_of();
    phase_.guard = rest_ ? ir::both(std::move(guard), with_step_arrived(*rest_)) : std::move(guard);
  }
  ExprPtr with_step_arrived(const Expr& expr) const {
    return passes::replaced(
        expr, [&](const Expr& e) -> ExprPtr { return e.op == Op::Step ? inbox() : nullptr; });
  }
  ExprPtr guard_of() const {
    switch (form_) {
      case Form::Steps:
        return comparison(Op::Less, *inbox(), *state());
      case Form::StepsFromBelow:
      case Form::StepsBeside:
        return unvisited_->clone();
      case Form::Flag:
        return ir::both(inbox(), node(Op::Not, ScalarKind::Bool, state()));
      case Form::Number:
        return comparison(rises_ ? Op::Greater : Op::Less, *inbox(), *state());
    }
    return nullptr;
  }
  void declare_message() const {
    message_->type = counts() ? ir::Type(ScalarKind::Int32) : state_->type;
    message_->function.clear();
    message_->combine = form_ == Form::Flag ? Combine::Or : rises_ ? Combine::Max : Combine::Min;
    message_->identity = form_ == Form::Flag ? ir::boolean(false)
                         : rises_            ? lowest(message_->type)
                                             : infinity(message_->type);
  }
  void fill(ir::Start& start, const Expr& value) const {
    if (start.body.empty()) {
      auto made = std::make_unique<Stmt>();
      made->kind = StmtKind::AssignInbox;
      made->symbol = message_->name;
      made->location = start.location;
      start.body.push_back(std::move(made));
    }
    start.body.front()->value = value.clone();
  }

  ir::Program& program_;
  ir::Phase& phase_;
  const ir::State* state_ = nullptr;
  ir::Message* message_ = nullptr;
  const Expr* mark_ = nullptr;  ///< what a visit assigns
  ExprPtr unvisited_;           ///< the part of the guard that asks for it
  ExprPtr rest_;                ///< the parts that stay
  ExprPtr value_;               ///< of the first message that was met
  Form form_ = Form::Steps;
  Stmt* marking_ = nullptr;  ///< the statement that does
  bool marks_step_ = false;
  bool says_step_ = false;     ///< messages are to say the step in which they arrive
  bool alike_ = true;          ///< all messages are that one
  bool starts_empty_ = false;  ///< someone is asked without a message
  bool rises_ = false;
};

}  // namespace

bool rewrite_first_visit(ir::Program& program, ir::Phase& phase) {
  return Visits(program, phase).run();
}

}  // namespace vertigo::compiler::passes
