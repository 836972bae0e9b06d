#include <algorithm>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Spelling.h"
#include "compiler/passes/program/Proofs.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::Op;

namespace {

// True where a smaller value is the better one (false is better than true for `and`).
bool improves_downwards(Combine combine) {
  return combine == Combine::Min || combine == Combine::And;
}

class Improvement {
 public:
  Improvement(const Surroundings& around, const SymbolicUpdate& update)
      : around_(around), update_(update), message_(*around.program.find_message(around.inbox)) {}

  Proof run() {
    combine();
    guard();
    state();
    sends();
    return std::move(proof_);
  }

 private:
  void add(const char* name, std::string problem, std::string held_reason) {
    const bool held = problem.empty();
    proof_.obligations.push_back({name, held, held ? std::move(held_reason) : std::move(problem)});
  }

  void combine() {
    const std::string spelling(to_string(message_.combine));
    std::string problem;
    switch (message_.combine) {
      case Combine::Min:
      case Combine::Max:
      case Combine::Or:
      case Combine::And:
        break;
      case Combine::Xor:
        problem = "combine xor takes back a message that comes twice";
        break;
      case Combine::Any:
        problem = "combine any keeps whichever message came first, so the order shows";
        break;
      case Combine::Function:
        problem = "combine by '" + message_.function +
                  "': that combining a message twice changes nothing is not proved";
        break;
      case Combine::Sum:
        problem = "combine sum counts a message each time that it is sent";
        break;
    }
    add("combine", problem,
        "combine " + spelling + " ignores repeated messages and the order of their arrival");
  }

  // The state that `expr` reads at the updated vertex, or one state per element of a tuple.
  std::vector<std::string> states_of(const Expr& expr) const {
    if (ir::is_state_of(expr, around_.phase.variable)) return {expr.symbol};
    if (expr.op != Op::MakeTuple) return {};
    std::vector<std::string> names;
    for (const ir::ExprPtr& operand : expr.operands) {
      if (operand->op != Op::State || operand->vertex != around_.phase.variable) return {};
      names.push_back(operand->symbol);
    }
    return names;
  }

  // `m.0 < v.cost`, of a message that is a tuple.
  bool compares_first_elements(const std::vector<const Expr*>& parts) const {
    return std::ranges::any_of(parts, [&](const Expr* part) {
      return ir::info(part->op).is_comparison() &&
             std::ranges::any_of(part->operands, [&](const ir::ExprPtr& side) {
               return side->op == Op::TupleElement && side->index == 0 &&
                      is_inbox(*side->operands[0], message_.name);
             });
    });
  }
  // inbox < state, state > inbox (min); the other way round (max).
  std::vector<std::string> compared_states(const Expr& expr) const {
    const bool down = improves_downwards(message_.combine);
    const Op inbox_left = down ? Op::Less : Op::Greater;
    const Op inbox_right = down ? Op::Greater : Op::Less;
    if (expr.op == inbox_left && is_inbox(*expr.operands[0], around_.inbox))
      return states_of(*expr.operands[1]);
    if (expr.op == inbox_right && is_inbox(*expr.operands[1], around_.inbox))
      return states_of(*expr.operands[0]);
    return {};
  }

  bool is_not_of(const Expr& expr, bool (*what)(const Expr&, const Improvement&)) const {
    return expr.op == Op::Not && what(*expr.operands[0], *this);
  }

  static bool is_own_inbox(const Expr& expr, const Improvement& self) {
    return is_inbox(expr, self.around_.inbox);
  }
  static bool is_own_state(const Expr& expr, const Improvement& self) {
    return ir::is_state_of(expr, self.around_.phase.variable);
  }

  static bool is_written(const Expr& expr, const Improvement& self) {
    return is_own_state(expr, self) && self.update_.states.contains(expr.symbol);
  }

  // `inbox && !state` for or, `!inbox && state` for and: two conjuncts that belong together.
  std::vector<std::string> flag_states(const std::vector<const Expr*>& parts,
                                       std::vector<const Expr*>& used) const {
    if (message_.type != ir::Type(ir::ScalarKind::Bool)) return {};
    const bool down = improves_downwards(message_.combine);
    const Expr* inbox = nullptr;
    const Expr* state = nullptr;
    for (const Expr* part : parts) {
      if (down ? is_not_of(*part, is_own_inbox) : is_own_inbox(*part, *this)) inbox = part;
      if (down ? is_written(*part, *this) : is_not_of(*part, is_written)) state = part;
    }
    if (inbox == nullptr || state == nullptr) return {};
    used = {inbox, state};
    return {down ? state->symbol : state->operands[0]->symbol};
  }

  void guard() {
    const std::vector<const Expr*> parts = conjuncts(*update_.guard);
    std::vector<const Expr*> used;
    for (const Expr* part : parts) {
      if (!proof_.targets.empty()) break;
      proof_.targets = compared_states(*part);
      if (!proof_.targets.empty()) used = {part};
    }
    if (proof_.targets.empty()) proof_.targets = flag_states(parts, used);
    const std::string text = quoted(*update_.guard);
    if (proof_.targets.empty()) {
      const std::string mark = improves_downwards(message_.combine) ? " < " : " > ";
      return add(
          "guard",
          "the guard " + text + " is not strict improvement of a state (inbox" + mark + "state)" +
              (compares_first_elements(parts)
                   ? "; of tuples with equal first elements it keeps the one that came first: an "
                     "improvement compares all elements"
                   : ""),
          "");
    }
    for (const Expr* part : parts) {
      if (std::find(used.begin(), used.end(), part) != used.end()) continue;
      const std::string read = other_changing_read(*part);
      if (!read.empty())
        return add("guard", "the guard also depends on " + read + ", which changes with the order",
                   "");
      if (!stays_true(*part))
        return add("guard",
                   "the guard also asks for " + quoted(*part) +
                       ", which is not shown to stay true as the inbox improves",
                   "");
    }
    add("guard", "", "the guard " + text + " is strict improvement of " + target_names());
  }

  // A condition that holds of a value holds of every better one.
  bool stays_true(const Expr& condition) const {
    const Trend moves = trend(condition, around_);
    return moves == Trend::Constant ||
           moves == (improves_downwards(message_.combine) ? Trend::Decreasing : Trend::Increasing);
  }

  std::string target_names() const {
    std::string names;
    for (const std::string& target : proof_.targets)
      names += (names.empty() ? "'" : ", '") + target + "'";
    return names;
  }

  // Is `value` what the inbox brings to target `which`?
  bool assigns_inbox(const Expr& value, std::size_t which) const {
    const auto brings = [&](const Expr& expr) {
      if (proof_.targets.size() == 1) return is_inbox(expr, around_.inbox);
      return expr.op == Op::TupleElement && expr.index == which &&
             is_inbox(*expr.operands[0], around_.inbox);
    };
    if (brings(value)) return true;
    if (proof_.targets.size() > 1) return false;
    const auto own = [&](const Expr& expr) {
      return is_own_state(expr, *this) && expr.symbol == proof_.targets[which];
    };
    const Op combining = message_.combine == Combine::Min   ? Op::Min
                         : message_.combine == Combine::Max ? Op::Max
                         : message_.combine == Combine::Or  ? Op::Or
                                                            : Op::And;
    if (value.op == combining)
      return (brings(*value.operands[0]) && own(*value.operands[1])) ||
             (brings(*value.operands[1]) && own(*value.operands[0]));
    // Where the guard holds, an improved flag can have one value only.
    const auto* flag = std::get_if<bool>(&value.value);
    return value.op == Op::Literal && flag != nullptr &&
           ((message_.combine == Combine::Or && *flag) ||
            (message_.combine == Combine::And && !*flag));
  }

  void state() {
    if (proof_.targets.empty())
      return add("state", "no state is compared with the inbox in the guard", "");
    for (std::size_t i = 0; i < proof_.targets.size(); ++i) {
      const auto written = update_.states.find(proof_.targets[i]);
      if (written == update_.states.end() || !assigns_inbox(*written->second, i))
        return add("state",
                   "'" + proof_.targets[i] + "' is compared with the inbox but not given it", "");
    }
    for (const auto& [name, value] : update_.states) {
      if (std::find(proof_.targets.begin(), proof_.targets.end(), name) != proof_.targets.end())
        continue;
      const std::string read = other_changing_read(*value);
      if (!read.empty())
        return add("state",
                   "'" + name + "' is given a value that depends on " + read +
                       ", so an earlier activation leaves a trace",
                   "");
    }
    add("state", "", target_names() + " is given the inbox, so the last improvement decides");
  }

  // As changing_read, the proof's own inbox aside.
  std::string other_changing_read(const Expr& expr) const {
    const ir::ExprPtr rest = replaced(expr, [&](const Expr& node) -> ir::ExprPtr {
      return is_inbox(node, around_.inbox) ? message_.identity->clone() : nullptr;
    });
    return changing_read(*rest, around_);
  }

  void sends() {
    for (const SymbolicSend& send : update_.sends) {
      const std::string text = quoted(*send.value);
      const std::string read = other_changing_read(*send.value);
      if (!read.empty()) return add("sends", "sent value " + text + " depends on " + read, "");
      const Trend value = trend(*send.value, around_);
      if (value != Trend::Increasing && value != Trend::Constant)
        return add("sends", "sent value " + text + " is not shown to be monotone in the inbox", "");
      for (const Expr* condition : {send.condition.get(), send.filter.get()}) {
        if (condition != nullptr && !stays_true(*condition))
          return add("sends",
                     "whether " + text + " is sent depends on " + quoted(*condition) +
                         ", which is not shown to stay true as the inbox improves",
                     "");
      }
    }
    add("sends", "",
        update_.sends.empty() ? "nothing is sent" : "every sent value is monotone in the inbox");
  }

  const Surroundings& around_;
  const SymbolicUpdate& update_;
  const ir::Message& message_;
  Proof proof_;
};

}  // namespace

std::vector<const Expr*> conjuncts(const Expr& expr) {
  if (expr.op != Op::And) return {&expr};
  std::vector<const Expr*> parts = conjuncts(*expr.operands[0]);
  for (const Expr* part : conjuncts(*expr.operands[1])) parts.push_back(part);
  return parts;
}

bool includes(const Expr& whole, const Expr& part) {
  const std::vector<const Expr*> given = conjuncts(whole);
  return std::ranges::all_of(conjuncts(part), [&](const Expr* wanted) {
    return std::ranges::any_of(given, [&](const Expr* one) { return ir::same(*one, *wanted); });
  });
}

Proof prove_improvement(const Surroundings& around, const SymbolicUpdate& update) {
  return Improvement(around, update).run();
}

}  // namespace vertigo::compiler::passes
