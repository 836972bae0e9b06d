#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/Proofs.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

class Accumulation {
 public:
  Accumulation(const Surroundings& around, const SymbolicUpdate& update)
      : around_(around), update_(update), message_(*around.program.find_message(around.inbox)) {}

  Proof run() {
    add("combine", message_.combine == ir::Combine::Sum ? "" : "the combine operator is not sum",
        "combine sum does not show in which order messages came");
    guard();
    state();
    sends();
    if (message_.combine == ir::Combine::Sum && ir::is_integer(message_.type.scalar())) exactness();
    return std::move(proof_);
  }

 private:
  void add(const char* name, std::string problem, std::string held_reason) {
    const bool held = problem.empty();
    proof_.obligations.push_back({name, held, held ? std::move(held_reason) : std::move(problem)});
  }

  bool is_fixed(const Expr& expr) const { return changing_read(expr, around_).empty(); }
  bool is_size_of_inbox(const Expr& expr) const {
    return is_inbox(expr, around_.inbox) ||
           (expr.op == Op::Abs && is_inbox(*expr.operands[0], around_.inbox));
  }

  // The right side of inbox > t, abs(inbox) > t, t < inbox, inbox != t; null for anything else.
  const Expr* threshold_of(const Expr& expr) const {
    const bool right = expr.op == Op::Less || expr.op == Op::LessEqual;
    const bool left =
        expr.op == Op::Greater || expr.op == Op::GreaterEqual || expr.op == Op::NotEqual;
    if (!left && !right) return nullptr;
    const Expr& inbox = *expr.operands[left ? 0 : 1];
    const Expr& bound = *expr.operands[left ? 1 : 0];
    if (!is_size_of_inbox(inbox) || !is_fixed(bound)) return nullptr;
    if (expr.op == Op::NotEqual && !is_zero(bound)) return nullptr;
    return &bound;
  }

  void guard() {
    const std::string text = quoted(*update_.guard);
    for (const Expr* part : conjuncts(*update_.guard)) {
      const Expr* bound = threshold_of(*part);
      if (bound != nullptr && !proof_.threshold) {
        proof_.threshold = bound->clone();
        continue;
      }
      const std::string read = changing_read(*part, around_);
      if (!read.empty())
        return add(
            "guard",
            "the guard " + text + " depends on " + read + ", not on a threshold of the inbox alone",
            "");
    }
    if (!proof_.threshold)
      return add("guard", "the guard " + text + " sets no threshold for the inbox", "");
    add("guard", "",
        "the guard " + text +
            " is a threshold of the inbox alone: what may stay undelivered is "
            "bounded by it");
  }

  // Splits `value` into the state itself and the rest: true where value = state + rest.
  bool split(const Expr& value, const std::string& state, std::vector<const Expr*>& rest) const {
    if (ir::is_state_of(value, around_.phase.variable, state)) return true;
    if (value.op != Op::Add) return false;
    for (const std::size_t side : {0U, 1U}) {
      if (!split(*value.operands[side], state, rest)) continue;
      rest.push_back(value.operands[1 - side].get());
      return true;
    }
    return false;
  }

  std::string accumulates(const std::string& state, const Expr& value) {
    std::vector<const Expr*> rest;
    if (!split(value, state, rest) || rest.empty())
      return "'" + state + "' does not accumulate: it is given " + quoted(value);
    for (const Expr* part : rest) {
      const LinearForm form = linear_form(*part, around_);
      if (!form.coefficient || form.constant)
        return "'" + state + "' grows by " + quoted(*part) +
               ", which is not a multiple of the inbox";
      if (rest.size() == 1 && is_one(*form.coefficient) && proof_.targets.empty()) {
        proof_.targets = {state};
        proof_.exact_accumulation = true;
      }
    }
    return "";
  }

  void state() {
    if (update_.states.empty()) return add("state", "no state is written", "");
    for (const auto& [name, value] : update_.states) {
      const std::string problem = accumulates(name, *value);
      if (!problem.empty()) return add("state", problem, "");
    }
    if (proof_.targets.empty()) proof_.targets = {update_.states.begin()->first};
    add("state", "",
        "'" + proof_.targets.front() + "' accumulates the inbox, in whatever parts it comes");
  }

  void sends() {
    for (const SymbolicSend& send : update_.sends) {
      const std::string text = quoted(*send.value);
      LinearForm form = linear_form(*send.value, around_);
      if (!form.coefficient)
        return add("sends", "sent value " + text + " is not linear in the inbox", "");
      if (form.constant)
        return add("sends",
                   "sent value " + text + " has the constant term " + quoted(*form.constant) +
                       ", so the number of activations shows",
                   "");
      for (const Expr* condition : {send.condition.get(), send.filter.get()})
        if (condition != nullptr && !is_fixed(*condition))
          return add(
              "sends",
              "whether " + text + " is sent depends on " + changing_read(*condition, around_), "");
      proof_.coefficients.push_back(std::move(form.coefficient));
    }
    bool signs_known = true;
    for (const ExprPtr& coefficient : proof_.coefficients)
      signs_known = signs_known && nonnegative(*coefficient, around_);
    proof_.nonnegative = signs_known && starts_nonnegative();
    std::string reason = "every sent value is linear in the inbox, with constant term zero";
    if (!proof_.nonnegative)
      reason +=
          " (where something below zero is sent, a run may have to keep to steps: that shows from "
          "the values)";
    add("sends", "", std::move(reason));
  }

  bool starts_nonnegative() const {
    for (const ir::Start& start : around_.phase.starts)
      for (const ir::StmtPtr& stmt : start.body)
        if (stmt->kind != ir::StmtKind::AssignInbox || !nonnegative(*stmt->value, around_))
          return false;
    return true;
  }

  // Integers are exact, so nothing may stay undelivered, and saturation must not depend on the
  // order: sums of non-negative numbers stick at the largest value in any order.
  void exactness() {
    std::string problem;
    if (!proof_.threshold || !is_zero(*proof_.threshold))
      problem =
          "an integer below the threshold stays undelivered, and how much depends on the order";
    for (const ExprPtr& coefficient : proof_.coefficients)
      if (!nonnegative(*coefficient, around_))
        problem = "sums of integers of both signs saturate, so their order shows";
    if (!starts_nonnegative())
      problem =
          "the start is not shown to be non-negative, and sums of integers of both signs "
          "saturate, so their order shows";
    add("exactness", problem, "all integers are non-negative and every one is delivered");
  }

  const Surroundings& around_;
  const SymbolicUpdate& update_;
  const ir::Message& message_;
  Proof proof_;
};

}  // namespace

Proof prove_accumulation(const Surroundings& around, const SymbolicUpdate& update) {
  return Accumulation(around, update).run();
}

}  // namespace vertigo::compiler::passes
