#include "compiler/passes/program/RelaxationStart.h"

#include <algorithm>
#include <utility>

#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/ImprovingCycles.h"
#include "compiler/passes/program/KnownValues.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/RelaxationRound.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

bool falls(const ir::Message& message) {
  return message.combine == ir::Combine::Min || message.combine == ir::Combine::And;
}

/// What is no number is no better than anything, so `inf - inf` may pass.
class Identity {
 public:
  explicit Identity(const ir::Message& message) : message_(message) {}

  bool kept_by(const Expr& expr) const {
    if (is_inbox(expr, message_.name) || is_extreme(expr, falls(message_))) return true;
    const auto part = [&](std::size_t i) { return kept_by(*expr.operands[i]); };
    switch (expr.op) {
      case Op::Add:
        return absorbs(expr) && (part(0) || part(1));
      case Op::Subtract:
        return (absorbs(expr) || is_nonnegative(*expr.operands[1])) && part(0);
      case Op::Min:
      case Op::And:
        return falls(message_) ? part(0) && part(1) : part(0) || part(1);
      case Op::Max:
      case Op::Or:
        return falls(message_) ? part(0) || part(1) : part(0) && part(1);
      case Op::Select:
        return part(1) && part(2);
      default:
        return false;
    }
  }

 private:
  static bool is_nonnegative(const Expr& expr) {
    const auto number = ir::integer_of(expr);
    return number && *number >= 0;
  }
  /// The largest integer absorbs what is added to it, as infinities do. The smallest one does not,
  /// but nothing is below it.
  bool absorbs(const Expr& expr) const {
    return falls(message_) || ir::is_float(expr.type.scalar());
  }

  const ir::Message& message_;
};

/// The values that a choice chooses from.
void add_leaves(const Expr& value, std::vector<const Expr*>& leaves) {
  if (value.op != Op::Select) return leaves.push_back(&value);
  add_leaves(*value.operands[1], leaves);
  add_leaves(*value.operands[2], leaves);
}

/// Of floating numbers: whether it is one.
bool is_number(const Expr& expr) {
  return is_known(expr) || (expr.op == Op::Cast && expr.operands[0]->type.is_scalar() &&
                            ir::is_integer(expr.operands[0]->type.scalar()));
}

/// The worst of values that are known; null where some is not.
const Expr* worst_of(const std::vector<const Expr*>& leaves, bool falls) {
  const Expr* worst = leaves.front();
  for (const Expr* each : leaves) {
    if (!is_known(*each)) return nullptr;
    const auto better = falls ? is_less(*worst, *each) : is_less(*each, *worst);
    if (!better) return nullptr;
    if (*better) worst = each;
  }
  return worst;
}

}  // namespace

ExprPtr begins_better(const Expr& value, const Expr& worst) {
  if (ir::same(value, worst)) return ir::boolean(false, value.location);
  if (is_bool(value))
    return ir::boolean_of(worst) == true ? negation(value.clone()) : value.clone();
  if (value.op == Op::Select) {
    const Expr& condition = *value.operands[0];
    ExprPtr yes = ir::both(condition.clone(), begins_better(*value.operands[1], worst));
    ExprPtr no = ir::both(negation(condition.clone()), begins_better(*value.operands[2], worst));
    return simplified(*operation(Op::Or, ir::ScalarKind::Bool, simplified(*yes), simplified(*no)));
  }
  if (value.op == Op::BoundVertex || is_known(value)) return ir::boolean(true, value.location);
  return comparison(Op::NotEqual, value, worst);
}

const Expr* given_vertex(const Expr& condition, const ir::Program& program) {
  if (condition.op != Op::Equal) return nullptr;
  for (const std::size_t side : {0U, 1U}) {
    const Expr& given = *condition.operands[1 - side];
    if (condition.operands[side]->op == Op::BoundVertex && given.op == Op::Parameter &&
        !program.parameters.find(given.symbol)->initial)
      return &given;
  }
  return nullptr;
}

bool keeps_identity(const Expr& expr, const ir::Message& message) {
  return Identity(message).kept_by(expr);
}

bool RelaxationStart::may_stay(const Expr& worst) const {
  const bool is_identity = is_extreme(worst, falls_);
  return std::ranges::all_of(sends_, [&](const Sent& sent) {
    const Expr& value = *sent.send->value;
    return (is_identity && (sent.of_present || keeps_identity(value, message_))) ||
           never_better(value, around_, falls_,
                        [&](const Expr& e) { return is_inbox(e, message_.name); });
  });
}

ir::Start RelaxationStart::start(const Expr& value, const Expr& worst) const {
  const std::string& variable = around_.phase.variable;
  ir::Start made;
  made.location = around_.phase.location;
  ExprPtr chosen = simplified(*begins_better(value, worst));
  ExprPtr given = is_bool(value) ? ir::boolean(!*ir::boolean_of(worst)) : value.clone();
  if (value.op == Op::Select)
    for (const std::size_t side : {1U, 2U})
      if (ir::same(*value.operands[side], worst)) given = value.operands[3 - side]->clone();
  const bool names_vertex = has_node(*given, [](const Expr& e) { return e.vertex == kOwn; });
  const Expr* const vertex = names_vertex ? nullptr : given_vertex(*chosen, around_.program);
  if (vertex != nullptr) {
    made.set = ir::StartSet::Vertex;
    made.vertex = vertex->clone();
  } else if (ir::boolean_of(*chosen) != true) {
    made.set = ir::StartSet::Where;
    made.condition = renamed_vertex(*chosen, kOwn, variable);
    made.variable = variable;
  } else {
    made.set = ir::StartSet::All;
    made.variable = variable;
  }
  auto filled = std::make_unique<ir::Stmt>();
  filled->kind = ir::StmtKind::AssignInbox;
  filled->symbol = message_.name;
  filled->location = made.location;
  filled->value = renamed_vertex(*given, kOwn, variable);
  made.body.push_back(std::move(filled));
  return made;
}

std::optional<RelaxationStart::Found> RelaxationStart::find(const KnownBeginning& beginning) const {
  if (!beginning.value) return std::nullopt;
  const Expr& value = *beginning.value;
  std::vector<const Expr*> leaves;
  add_leaves(value, leaves);
  const ir::ScalarKind kind = message_.type.scalar();
  const Expr* const known = worst_of(leaves, falls_);
  const bool are_numbers =
      std::ranges::all_of(leaves, [](const Expr* each) { return is_number(*each); });
  if (ir::is_float(kind) && !are_numbers) return std::nullopt;
  const Expr* const identity = message_.identity.get();
  for (const Expr* worst : {known, identity})
    if (worst != nullptr && may_stay(*worst)) return Found{worst->clone(), start(value, *worst)};
  return std::nullopt;
}

}  // namespace vertigo::compiler::passes
