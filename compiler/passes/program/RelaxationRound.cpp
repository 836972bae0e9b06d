#include "compiler/passes/program/RelaxationRound.h"

#include <algorithm>
#include <utility>

#include "compiler/ir/program/Ops.h"
#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/KnownValues.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Reduction;
using ir::Stmt;
using ir::StmtKind;

namespace {

/// Rounds of the kind that this is for stay below a few dozen nodes.
constexpr std::size_t kMostNodes = 2000;

/// `c ? true : b` and its like.
ExprPtr spelt_choice(const Expr& choice) {
  const Expr &condition = *choice.operands[0], &yes = *choice.operands[1],
             &no = *choice.operands[2];
  if (ir::same(yes, no)) return yes.clone();
  if (!is_bool(choice)) return nullptr;
  const auto always = ir::boolean_of(yes), otherwise = ir::boolean_of(no);
  if (always && otherwise) return *always ? condition.clone() : negation(condition.clone());
  if (always)
    return *always ? operation(Op::Or, choice.type, condition.clone(), no.clone())
                   : operation(Op::And, choice.type, negation(condition.clone()), no.clone());
  if (otherwise)
    return *otherwise ? operation(Op::Or, choice.type, negation(condition.clone()), yes.clone())
                      : operation(Op::And, choice.type, condition.clone(), yes.clone());
  return nullptr;
}

/// A comparison of values that the program shows; else as it is.
ExprPtr decided(const Expr& comparison) {
  const Expr &a = *comparison.operands[0], &b = *comparison.operands[1];
  const bool asks_equal = comparison.op == Op::Equal || comparison.op == Op::NotEqual;
  if (const auto less = is_less(a, b), more = is_less(b, a); less && more)
    return ir::boolean(ir::holds(comparison.op, *less ? -1 : *more ? 1 : 0), comparison.location);
  if (const auto equal = is_equal(a, b); equal && asks_equal)
    return ir::boolean(*equal == (comparison.op == Op::Equal), comparison.location);
  return comparison.clone();
}

/// `(c ? 1 : 0) > 0` is `c`, and so is `int32(c) > 0`.
ExprPtr compared_choice(const Expr& expr) {
  for (const std::size_t side : {0U, 1U}) {
    const Expr& choice = *expr.operands[side];
    const Expr& other = *expr.operands[1 - side];
    if (!is_known(other)) continue;
    const auto compared = [&](const Expr& value) {
      ExprPtr made = expr.clone_without_operands();
      made->operands.push_back(side == 0 ? value.clone() : other.clone());
      made->operands.push_back(side == 0 ? other.clone() : value.clone());
      return decided(*made);
    };
    if (choice.op == Op::Select && is_known(*choice.operands[1]) && is_known(*choice.operands[2]))
      return spelt_choice(*selection(choice.operands[0]->clone(), compared(*choice.operands[1]),
                                     compared(*choice.operands[2])));
    if (choice.op != Op::Cast || !is_bool(*choice.operands[0]) || !choice.type.is_scalar() ||
        !ir::is_signed_integer(choice.type.scalar()))
      continue;
    const auto number = [&](std::int64_t value) {
      ExprPtr made = leaf(Op::Literal, choice.type, choice.location);
      made->value = value;
      return made;
    };
    return spelt_choice(
        *selection(choice.operands[0]->clone(), compared(*number(1)), compared(*number(0))));
  }
  return decided(expr);
}

/// `!any(c)` is `all(!c)`, and the other way round.
ExprPtr turned_reduction(const Expr& expr) {
  const Expr& inner = *expr.operands[0];
  const bool reduces = inner.op == Op::ReduceNeighbours || inner.op == Op::ReduceVertices;
  if (!reduces || (inner.reduction != Reduction::Any && inner.reduction != Reduction::All))
    return nullptr;
  ExprPtr made = inner.clone();
  made->reduction = inner.reduction == Reduction::Any ? Reduction::All : Reduction::Any;
  made->operands[0] = folded_expr(*negation(std::move(made->operands[0])));
  return made;
}

ExprPtr respelt(const Expr& expr) {
  ExprPtr made = expr.clone_without_operands();
  for (const ExprPtr& operand : expr.operands)
    made->operands.push_back(operand ? respelt(*operand) : nullptr);
  ExprPtr other;
  if (made->op == Op::Select) other = spelt_choice(*made);
  if (made->op == Op::Not) other = turned_reduction(*made);
  if (ir::info(made->op).is_comparison()) other = compared_choice(*made);
  return other ? std::move(other) : std::move(made);
}

}  // namespace

ExprPtr simplified(const Expr& expr) {
  ExprPtr made = folded_expr(expr);
  // What is spelt anew may have another spelling, once.
  for (int i = 0; i < 2; ++i) made = folded_expr(*respelt(*made));
  return made;
}

ExprPtr renamed_vertex(const Expr& expr, const std::string& from, const std::string& to) {
  ExprPtr copy = expr.clone();
  ir::walk(*copy, [&](Expr& node) {
    if (node.vertex == from) node.vertex = to;
  });
  return copy;
}

namespace {

bool reduces(const Expr& expr) {
  return has_node(expr, [](const Expr& node) { return ir::is_reduction(node.op); });
}

class Evaluation {
 public:
  Evaluation(const ir::Program& program, const Stmt& loop) : program_(program), loop_(loop) {}

  std::optional<RelaxationRound> run() {
    if (loop_.kind == StmtKind::For && !begin_for()) return std::nullopt;
    if (!run(loop_.body)) return std::nullopt;
    if (counter_) assign(loop_.symbol, std::move(counter_));
    if (loop_.kind == StmtKind::While) round_.condition = of_host(*loop_.value);
    if (loop_.kind == StmtKind::Repeat) round_.limit = loop_.value->clone();
    return std::move(round_);
  }

 private:
  /// Its variable counts the rounds, from a literal on.
  bool begin_for() {
    const Expr& first = *loop_.value;
    const auto number = ir::integer_of(first);
    if (loop_.downward || !number) return false;
    ExprPtr one = literal(1, first.type);
    ExprPtr variable = leaf(Op::HostVariable, first.type);
    variable->symbol = loop_.symbol;
    round_.limit = loop_.limit->clone();
    if (*number != 1) {
      ExprPtr more = one->clone();
      more->value = 1 - *number;
      round_.limit =
          simplified(*operation(Op::Add, first.type, std::move(round_.limit), std::move(more)));
    }
    counter_ = operation(Op::Add, first.type, std::move(variable), std::move(one));
    return true;
  }

  bool run(const std::vector<ir::StmtPtr>& body) {
    for (const ir::StmtPtr& stmt : body)
      if (!run(*stmt)) return false;
    return true;
  }

  bool run(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::HostLet:
        round_.declared.insert(stmt.symbol);
        [[fallthrough]];
      case StmtKind::HostAssign:
        assign(stmt.symbol, of_host(*stmt.value));
        return true;
      case StmtKind::If:
        return run_if(stmt);
      case StmtKind::Report:
        note("a report of each round may differ from the next one's");
        return true;
      case StmtKind::Phase:
        return run_phase(*program_.find_phase(stmt.symbol));
      default:
        return false;
    }
  }

  void note(const std::string& problem) {
    if (round_.problem.empty()) round_.problem = problem;
  }

  void assign(const std::string& variable, ExprPtr value) {
    round_.assigned.insert(variable);
    round_.host.erase(variable);
    if (value) round_.host[variable] = std::move(value);
  }

  /// A choice among values of variables.
  bool run_if(const Stmt& stmt) {
    const auto assigns = [](const std::vector<ir::StmtPtr>& body) {
      return std::ranges::all_of(
          body, [](const ir::StmtPtr& each) { return each->kind == StmtKind::HostAssign; });
    };
    if (!assigns(stmt.body) || !assigns(stmt.otherwise)) return false;
    const ExprPtr condition = of_host(*stmt.value);
    std::map<std::string, ir::Type> touched;
    for (const auto* branch : {&stmt.body, &stmt.otherwise})
      for (const ir::StmtPtr& each : *branch) touched.emplace(each->symbol, each->value->type);
    const auto values = [&] {
      std::map<std::string, ExprPtr> found;
      for (const auto& [name, type] : touched) found[name] = host_value(name, type);
      return found;
    };
    const auto before = values();
    run(stmt.body);
    auto yes = values();
    for (const auto& [name, value] : before) assign(name, value ? value->clone() : nullptr);
    run(stmt.otherwise);
    auto no = values();
    for (const auto& [name, type] : touched) {
      const bool known = condition && yes[name] && no[name];
      assign(name, !known ? nullptr
                          : simplified(*selection(condition->clone(), std::move(yes[name]),
                                                  std::move(no[name]))));
    }
    return true;
  }
  /// Null where a round assigned something that is not known.
  ExprPtr host_value(const std::string& variable, const ir::Type& type) const {
    const auto known = round_.host.find(variable);
    if (known != round_.host.end()) return known->second->clone();
    if (round_.assigned.contains(variable)) return nullptr;
    ExprPtr made = leaf(Op::HostVariable, type);
    made->symbol = variable;
    return made;
  }

  bool run_phase(const ir::Phase& phase) {
    if (phase.kind != ir::PhaseKind::Sweep) return false;
    bool updates_edges = false;
    ir::for_each_stmt(phase.body, [&](const Stmt& stmt) {
      updates_edges = updates_edges || stmt.kind == StmtKind::UpdateEdges;
    });
    const auto update = evaluate_update(program_, phase);
    if (updates_edges || !update) return false;
    if (!update->sends.empty()) note("phase '" + phase.name + "' sends messages");
    if (!ir::messages_read(phase).empty()) note("phase '" + phase.name + "' takes messages");
    if (phase.serializable) note("phase '" + phase.name + "' is serializable");
    round_.phases.push_back(&phase);
    std::map<std::string, ExprPtr> made;
    for (const auto& [state, value] : update->states)
      made[state] = after(phase, *update, state, *value);
    for (auto& [state, value] : made) {
      round_.written.insert(state);
      round_.states.erase(state);
      if (value) round_.states[state] = std::move(value);
    }
    return true;
  }

  ExprPtr after(const ir::Phase& phase, const SymbolicUpdate& update, const std::string& state,
                const Expr& value) {
    ExprPtr made = in_round(value, phase.variable);
    if (made && update.guard) {
      ExprPtr asks = in_round(*update.guard, phase.variable);
      ExprPtr before =
          in_round(*state_of(*program_.find_state(state), phase.variable), phase.variable);
      made =
          asks && before ? selection(std::move(asks), std::move(made), std::move(before)) : nullptr;
    }
    if (!made) return nullptr;
    made = simplified(*made);
    std::size_t nodes = 0;
    ir::walk(*made, [&](const Expr&) { ++nodes; });
    return nodes > kMostNodes ? nullptr : std::move(made);
  }

  bool is_lost(const std::string& state) const {
    return round_.written.contains(state) && !round_.states.contains(state);
  }

  /// What `expr` is when its phase runs, with `variable` for the vertex; null where it reads what
  /// is not known, or what neighbours gathered from theirs.
  ExprPtr in_round(const Expr& expr, const std::string& variable) const {
    bool known = true;
    ExprPtr made = replaced(expr, [&](const Expr& node) -> ExprPtr {
      if (node.op == Op::HostVariable) {
        ExprPtr variable = host_value(node.symbol, node.type);
        known = known && variable && !reduces(*variable);
        return variable;
      }
      if (node.op != Op::State) return nullptr;
      known = known && !is_lost(node.symbol) && (node.operands.empty() || !is_new(node.symbol));
      const auto value = round_.states.find(node.symbol);
      if (!known || value == round_.states.end()) return nullptr;
      if (node.vertex == variable) return value->second->clone();
      known = !reduces(*value->second);
      return renamed_vertex(*value->second, kOwn, node.vertex);
    });
    if (!known) return nullptr;
    made = renamed_vertex(*made, variable, kOwn);
    return has_node(*made,
                    [](const Expr& node) {
                      return ir::is_reduction(node.op) &&
                             std::ranges::any_of(node.operands, [](const ExprPtr& part) {
                               return part && reduces(*part);
                             });
                    })
               ? nullptr
               : std::move(made);
  }
  bool is_new(const std::string& state) const { return round_.written.contains(state); }

  ExprPtr of_host(const Expr& expr) const {
    bool known = true;
    ExprPtr made = replaced(expr, [&](const Expr& node) -> ExprPtr {
      if (node.op == Op::HostVariable) {
        ExprPtr value = host_value(node.symbol, node.type);
        known = known && value;
        return value;
      }
      if (node.op == Op::State) known = known && !is_new(node.symbol);
      if (node.op != Op::ReduceVertices) return nullptr;
      ExprPtr reduction = node.clone_without_operands();
      reduction->symbol = kOwn;
      for (const ExprPtr& operand : node.operands) {
        ExprPtr part = operand ? in_round(*operand, node.symbol) : nullptr;
        known = known && (part || !operand);
        reduction->operands.push_back(std::move(part));
      }
      return reduction;
    });
    return known ? simplified(*made) : nullptr;
  }

  const ir::Program& program_;
  const Stmt& loop_;
  ExprPtr counter_;  ///< what a `for` leaves in its variable
  RelaxationRound round_;
};

}  // namespace

const ir::Phase& gathering_phase(const RelaxationRound& round) {
  for (const ir::Phase* phase : round.phases)
    if (!ir::gathered_along(*phase).empty()) return *phase;
  return *round.phases.front();
}

std::optional<RelaxationRound> evaluate_round(const ir::Program& program, const Stmt& loop) {
  return Evaluation(program, loop).run();
}

}  // namespace vertigo::compiler::passes
