#include "compiler/passes/program/ShrinkingDomain.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Proofs.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

/// What keeps an expression from being a function of the vertex's own states and of what never
/// changes; "" where it is one.
std::string problem_of_reading(const Expr& expr) {
  std::string problem;
  ir::walk(expr, [&](const Expr& node) {
    if (!problem.empty()) return;
    switch (node.op) {
      case Op::Inbox:
        problem = "reads an inbox, which any message fills again";
        return;
      case Op::HostVariable:
        problem = "reads " + quoted(node.symbol) + ", which is another one in another round";
        return;
      case Op::Step:
        problem = "reads the number of the step";
        return;
      case Op::State:
        if (!node.operands.empty()) problem = "reads a state of another vertex";
        return;
      case Op::ReduceNeighbours:
      case Op::ReduceCommon:
        problem = "reads neighbours, which change in rounds of their own";
        return;
      case Op::Local:
      case Op::EdgeAttribute:
      case Op::ReduceVertices:
      case Op::ExternCall:
      case Op::Random:
        problem = "reads more than states of its vertex";
        return;
      default:
        return;
    }
  });
  return problem;
}

/// Whether the answer differs from vertex to vertex.
bool tells_vertices_apart(const Expr& expr) {
  bool found = false;
  ir::walk(expr, [&](const Expr& node) {
    found = found || node.op == Op::State || node.op == Op::OutDegree || node.op == Op::InDegree ||
            node.op == Op::Degree || node.op == Op::BoundVertex || node.op == Op::Inbox;
  });
  return found;
}

bool is_state(const Expr& expr, const std::string& state) {
  return expr.op == Op::State && expr.symbol == state && expr.operands.empty();
}

/// The literal as a number; nothing where it is none.
std::optional<double> number_of(const Expr& expr) {
  if (expr.op != Op::Literal) return std::nullopt;
  return std::visit([](const auto& value) { return static_cast<double>(value); }, expr.value);
}

/// Of what is folded. A number that any type has room for is not infinite.
bool is_false(const Expr& expr) {
  if (expr.op == Op::Literal)
    return expr.type == ir::Type(ir::ScalarKind::Bool) && !std::get<bool>(expr.value);
  if (expr.op != Op::Equal) return false;
  const auto differ = [](const Expr& a, const Expr& b) {
    const std::optional<double> number = number_of(a);
    return b.op == Op::Infinity && number && *number < std::numeric_limits<std::int32_t>::max();
  };
  return differ(*expr.operands[0], *expr.operands[1]) ||
         differ(*expr.operands[1], *expr.operands[0]);
}

/// One conjunct, and one phase that writes states which it reads.
class Assignment {
 public:
  Assignment(const Expr& condition, const SymbolicUpdate& update)
      : condition_(condition), update_(update) {
    ir::walk(condition, [&](const Expr& node) {
      if (node.op == Op::State && update.states.contains(node.symbol)) written_.insert(node.symbol);
    });
  }

  /// The condition does not come to hold where it does not.
  bool leaves_false() const {
    if (update_.guard && is_part_of(*update_.guard)) return true;
    if (written_.size() != 1) return is_false(*folded_expr(*afterwards(nullptr)));
    const std::string& state = *written_.begin();
    return leaves_false(*update_.states.at(state), state);
  }

 private:
  bool is_part_of(const Expr& guard) const {
    const std::vector<const Expr*> parts = conjuncts(guard);
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Expr* part) { return ir::same(*part, condition_); });
  }

  /// `value` is what `state` becomes.
  bool leaves_false(const Expr& value, const std::string& state) const {
    if (is_state(value, state)) return true;
    if (value.op == Op::Select)
      return (is_part_of(*value.operands[0]) || leaves_false(*value.operands[1], state)) &&
             leaves_false(*value.operands[2], state);
    return is_false(*folded_expr(*afterwards(&value))) || moves_away(value, state);
  }

  /// The condition with the states as they are afterwards; `value`: of the one that is written.
  ExprPtr afterwards(const Expr* value) const {
    return replaced(condition_, [&](const Expr& node) -> ExprPtr {
      if (node.op != Op::State || !written_.contains(node.symbol)) return nullptr;
      return (value != nullptr ? *value : *update_.states.at(node.symbol)).clone();
    });
  }

  /// The state moves one way, and the condition holds at the other end.
  bool moves_away(const Expr& value, const std::string& state) const {
    if (is_state(condition_, state)) return is_connected(value, state, Op::And);
    if (condition_.op == Op::Not && is_state(*condition_.operands[0], state))
      return is_connected(value, state, Op::Or);
    if (condition_.operands.size() != 2) return false;
    const bool first = is_state(*condition_.operands[0], state);
    const Expr& bound = *condition_.operands[first ? 1 : 0];
    bool reads_written = false;
    ir::walk(bound, [&](const Expr& node) { reads_written |= is_state(node, state); });
    if (reads_written ||
        is_state(*condition_.operands[0], state) == is_state(*condition_.operands[1], state))
      return false;
    const bool below = condition_.op == Op::Less || condition_.op == Op::LessEqual;
    const bool above = condition_.op == Op::Greater || condition_.op == Op::GreaterEqual;
    if (!below && !above) return false;
    return below == first ? grows(value, state) : falls(value, state);
  }

  static bool is_connected(const Expr& value, const std::string& state, Op op) {
    return value.op == op &&
           (is_state(*value.operands[0], state) || is_state(*value.operands[1], state) ||
            is_connected(*value.operands[0], state, op) ||
            is_connected(*value.operands[1], state, op));
  }

  static bool grows(const Expr& value, const std::string& state) {
    return moves(value, state, Op::Max, Op::Min, 1);
  }
  static bool falls(const Expr& value, const std::string& state) {
    return moves(value, state, Op::Min, Op::Max, -1);
  }
  /// The value is the state or lies in the direction of `sign`. Of integers, which saturate; of
  /// floating numbers one that stands in no order could be followed by any.
  static bool moves(const Expr& value, const std::string& state, Op best, Op worst, int sign) {
    if (is_state(value, state)) return true;
    if (value.operands.size() != 2 || !value.type.is_scalar() ||
        ir::is_float(value.type.scalar()) || value.type.scalar() == ir::ScalarKind::Bool)
      return false;
    const Expr& a = *value.operands[0];
    const Expr& b = *value.operands[1];
    const auto part_moves = [&](const Expr& part) { return moves(part, state, best, worst, sign); };
    if (value.op == best) return part_moves(a) || part_moves(b);
    if (value.op == worst) return part_moves(a) && part_moves(b);
    const auto by = [&](const Expr& part, int direction) {
      const std::optional<double> number = number_of(part);
      return number && *number * direction >= 0;
    };
    if (value.op == Op::Add)
      return (part_moves(a) && by(b, sign)) || (part_moves(b) && by(a, sign));
    return value.op == Op::Subtract && part_moves(a) && by(b, -sign);
  }

  const Expr& condition_;
  const SymbolicUpdate& update_;
  std::set<std::string> written_;
};

ExprPtr renamed(const Expr& expr, const std::string& from, const std::string& to) {
  ExprPtr copy = expr.clone();
  ir::walk(*copy, [&](Expr& node) {
    if (node.vertex == from) node.vertex = to;
  });
  return copy;
}

bool reads_written(const Expr& condition, const ir::Phase& phase) {
  bool found = false;
  ir::walk(condition, [&](const Expr& node) {
    found = found || (node.op == Op::State && ir::writes(phase, node.symbol));
  });
  return found;
}

void connect(ExprPtr& all, const Expr& part) {
  if (!all) {
    all = part.clone();
    return;
  }
  auto both = std::make_unique<Expr>();
  both->op = Op::And;
  both->type = ir::ScalarKind::Bool;
  both->operands.push_back(std::move(all));
  both->operands.push_back(part.clone());
  all = std::move(both);
}

}  // namespace

std::string problem_of_lasting(const ir::Program& program, const ir::Phase& phase,
                               const Expr& condition) {
  if (std::string problem = problem_of_reading(condition); !problem.empty()) return problem;
  for (const ir::Phase& other : program.phases) {
    if (!reads_written(condition, other)) continue;
    const auto update = evaluate_update(program, other);
    if (!update)
      return "is written by phase " + quoted(other.name) + ", which is too large to analyse";
    const ExprPtr there = renamed(condition, phase.variable, other.variable);
    if (!Assignment(*there, *update).leaves_false())
      return "may hold again where it did not: phase " + quoted(other.name) +
             " assigns what it reads";
  }
  return "";
}

bool ends_by_update(const ir::Program& program, const ir::Phase& phase, const Expr& condition) {
  const auto update = evaluate_update(program, phase);
  if (!update) return false;
  const ExprPtr afterwards = replaced(condition, [&](const Expr& node) -> ExprPtr {
    const auto written =
        node.op == Op::State ? update->states.find(node.symbol) : update->states.end();
    return written != update->states.end() ? written->second->clone() : nullptr;
  });
  return is_false(*folded_expr(*afterwards));
}

ShrinkingDomain find_shrinking_domain(const ir::Program& program, const ir::Phase& phase) {
  ShrinkingDomain result;
  if (!phase.guard) return result;
  const ExprPtr guard = inline_calls(program, *phase.guard);
  if (!guard) {
    result.reason = "the guard is too large to analyse";
    return result;
  }
  for (const Expr* part : conjuncts(*guard)) {
    const std::string problem = tells_vertices_apart(*part)
                                    ? problem_of_lasting(program, phase, *part)
                                    : "is the same for all vertices";
    if (!problem.empty() && result.reason.empty()) result.reason = quoted(*part) + " " + problem;
    connect(problem.empty() ? result.lasting : result.rest, *part);
  }
  if (result.lasting)
    result.reason = quoted(*result.lasting) +
                    " never holds again where it does not hold, so that the vertices for which it "
                    "does become fewer";
  if (result.lasting) result.lasting->location = phase.guard->location;
  if (result.rest) result.rest->location = phase.guard->location;
  return result;
}

bool rules_out_few(const ir::Program& program, const ir::Uses& uses, const Expr& lasting) {
  if (std::ranges::any_of(program.phases, [&](const ir::Phase& phase) {
        return reads_written(lasting, phase) && !uses.runs_once(phase.name);
      }))
    return false;
  const ExprPtr at_first = replaced(lasting, [&](const Expr& node) -> ExprPtr {
    if (node.op == Op::State) return program.find_state(node.symbol)->initial->clone();
    if (node.op == Op::OutDegree || node.op == Op::InDegree || node.op == Op::Degree)
      return literal(2, node.type);
    return nullptr;
  });
  const ExprPtr known = folded_expr(*at_first);
  return known->op == Op::Literal && std::get<bool>(known->value);
}

bool is_within(const ir::Program& program, const Expr& condition, const std::string& variable,
               const ShrinkingDomain& domain, const ir::Phase& phase) {
  const ExprPtr known = inline_calls(program, condition);
  if (!known || !domain.lasting) return false;
  const ExprPtr wanted = renamed(*domain.lasting, phase.variable, variable);
  return includes(*known, *wanted);
}

}  // namespace vertigo::compiler::passes
