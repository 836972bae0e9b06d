#include "compiler/passes/program/NormaliseUpdates.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "compiler/passes/program/BodyGuards.h"
#include "compiler/passes/program/FirstArrival.h"
#include "compiler/passes/program/FirstVisit.h"
#include "compiler/passes/program/FirstWitness.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/LaterWrites.h"
#include "compiler/passes/program/LevelMessages.h"
#include "compiler/passes/program/LoopGuards.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/RepeatingMessages.h"
#include "compiler/passes/program/SymbolicUpdate.h"
#include "compiler/passes/program/TellLevels.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::StmtKind;

namespace {

/// What an argument may have that is written more than once, and a call that is written out.
constexpr std::size_t kFewNodes = 8, kMostNodes = 200;

std::size_t size_of(const Expr& expr) {
  std::size_t nodes = 0;
  ir::walk(expr, [&](const Expr&) { ++nodes; });
  return nodes;
}

bool is_cheap(const Expr& expr) {
  bool cheap = size_of(expr) <= kFewNodes;
  ir::walk(expr, [&](const Expr& node) {
    switch (node.op) {
      case Op::ReduceNeighbours:
      case Op::CommonNeighbours:
      case Op::Random:
      case Op::Call:
      case Op::ExternCall:
      case Op::Sqrt:
      case Op::Exp:
      case Op::Log:
      case Op::Divide:
      case Op::Modulo:
        cheap = false;
        break;
      default:
        break;
    }
  });
  return cheap;
}

/// Calls written out, as long as that stays small: functions that call each other twice double with
/// every call. Each expression is looked at once.
class Calls {
 public:
  explicit Calls(const ir::Program& program) : program_(program) {}

  ExprPtr without(const Expr& expr) {
    return replaced(expr, [&](const Expr& node) -> ExprPtr {
      return node.op == Op::Call ? without_call(node) : nullptr;
    });
  }

 private:
  // The call itself, of arguments without calls, where it cannot be written out.
  ExprPtr without_call(const Expr& call) {
    ExprPtr kept = call.clone_without_operands();
    for (const ExprPtr& argument : call.operands) kept->operands.push_back(without(*argument));
    ExprPtr made = written_out(*kept);
    return made ? std::move(made) : std::move(kept);
  }

  ExprPtr written_out(const Expr& call) {
    const ir::Function* function = program_.find_function(call.symbol);
    if (function == nullptr || !function->body) return nullptr;
    const Expr& body = body_of(*function);
    std::size_t nodes = size_of(body);
    std::map<std::string, const Expr*> arguments;
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
      const std::string& name = function->parameters[i].name;
      const Expr& argument = *call.operands[i];
      const std::size_t used = uses(body, name);
      if (used > 1 && !is_cheap(argument)) return nullptr;
      nodes += used * size_of(argument);
      arguments.emplace(name, &argument);
    }
    if (nodes > kMostNodes) return nullptr;
    return folded_expr(*replaced(body, [&](const Expr& node) -> ExprPtr {
      if (node.op != Op::Local) return nullptr;
      const auto argument = arguments.find(node.symbol);
      return argument == arguments.end() ? nullptr : argument->second->clone();
    }));
  }

  // Its own calls written out, once for all who call it.
  const Expr& body_of(const ir::Function& function) {
    const auto known = bodies_.find(function.name);
    if (known != bodies_.end()) return *known->second;
    return *bodies_.emplace(function.name, without(*function.body)).first->second;
  }

  static std::size_t uses(const Expr& body, const std::string& parameter) {
    std::size_t found = 0;
    ir::walk(body,
             [&](const Expr& node) { found += node.op == Op::Local && node.symbol == parameter; });
    return found;
  }

  const ir::Program& program_;
  std::map<std::string, ExprPtr> bodies_;
};

/// Lets written out: of what no activation changes, and of the inbox, which stays as it was taken.
class Lets {
 public:
  explicit Lets(ir::Phase& phase) : phase_(phase) {}

  void run() {
    if (phase_.kind == ir::PhaseKind::Fixpoint) write_out(phase_.body, {});
  }

 private:
  using Values = std::map<std::string, ExprPtr>;

  void write_out(std::vector<ir::StmtPtr>& body, const Values& outer) const {
    Values known;
    for (const auto& [name, value] : outer) known.emplace(name, value->clone());
    std::erase_if(body, [&](const ir::StmtPtr& stmt) {
      for (ExprPtr* expr : {&stmt->value, &stmt->condition, &stmt->receiver})
        if (*expr) *expr = applied(**expr, known);
      write_out(stmt->body, known);
      write_out(stmt->otherwise, known);
      if (stmt->kind != StmtKind::Let || !stays(*stmt->value)) return false;
      known[stmt->symbol] = std::move(stmt->value);
      return true;
    });
  }
  static ExprPtr applied(const Expr& expr, const Values& known) {
    return replaced(expr, [&](const Expr& e) -> ExprPtr {
      const auto let = e.op == Op::Local ? known.find(e.symbol) : known.end();
      return let == known.end() ? nullptr : let->second->clone();
    });
  }
  static bool stays(const Expr& value) {
    return is_cheap(value) &&
           !has_node(value, [](const Expr& e) { return e.op == Op::State || e.op == Op::Local; });
  }

  ir::Phase& phase_;
};

/// That an inbox is less than a state, or greater. Once the state is another one, what stays known
/// is that the inbox is not at the end of its type.
struct Order {
  ExprPtr less, more;
  std::string state;
  bool is_less = true;  ///< of the inbox
  bool holds = true;

  const Expr& inbox() const { return is_less ? *less : *more; }

  /// -1: the operands of `node` stand as in the order; 1: the other way round; 0: they are others.
  int compared(const Expr& node) const {
    if (ir::same(*node.operands[0], *less) && ir::same(*node.operands[1], *more)) return -1;
    if (ir::same(*node.operands[0], *more) && ir::same(*node.operands[1], *less)) return 1;
    return 0;
  }
};

/// Applies what is known.
class Known {
 public:
  explicit Known(const std::vector<Order>& orders) : orders_(orders) {}

  ExprPtr applied(const Expr& expr) const {
    ExprPtr made = replaced(expr, [&](const Expr& node) { return decided(node); });
    return folded_expr(*made);
  }

 private:
  ExprPtr decided(const Expr& node) const {
    const bool chooses = node.op == Op::Min || node.op == Op::Max;
    if (!chooses && !ir::info(node.op).is_comparison()) return nullptr;
    for (const Order& order : orders_) {
      if (const int way = order.holds ? order.compared(node) : 0) {
        if (!chooses) return ir::boolean(ir::holds(node.op, way), node.location);
        return (node.op == Op::Min ? order.less : order.more)->clone();
      }
      if (!chooses && is_beyond(node, order))
        return ir::boolean(node.op == Op::NotEqual, node.location);
    }
    return nullptr;
  }

  // What is less than something is not the largest value of its type.
  static bool is_beyond(const Expr& node, const Order& order) {
    if (node.op != Op::Equal && node.op != Op::NotEqual) return false;
    return std::ranges::any_of(std::array{0, 1}, [&](const int side) {
      return ir::same(*node.operands[side], order.inbox()) &&
             is_extreme(*node.operands[1 - side], order.is_less);
    });
  }

  const std::vector<Order>& orders_;
};

bool is_true(const Expr& expr) { return ir::boolean_of(expr) == true; }

/// One phase whose guard compares an inbox with states.
class UnderGuard {
 public:
  explicit UnderGuard(ir::Phase& phase) : phase_(phase) {}

  void run() {
    if (phase_.kind != ir::PhaseKind::Fixpoint || !phase_.guard) return;
    find_orders(*phase_.guard);
    if (orders_.empty()) return;
    simplify_guard();
    simplify(phase_.body);
  }

 private:
  void find_orders(const Expr& guard) {
    for (const Expr* part : conjuncts(guard)) {
      if (part->op != Op::Less && part->op != Op::Greater) continue;
      const bool less_first = part->op == Op::Less;
      const Expr& less = *part->operands[less_first ? 0 : 1];
      const Expr& more = *part->operands[less_first ? 1 : 0];
      const Expr* const state = is_own_state(less) ? &less : is_own_state(more) ? &more : nullptr;
      if (state == nullptr || (state == &less ? more : less).op != Op::Inbox) continue;
      orders_.push_back({less.clone(), more.clone(), state->symbol, state == &more});
    }
  }
  bool is_own_state(const Expr& expr) const { return ir::is_state_of(expr, phase_.variable); }

  Known known() const { return Known(orders_); }

  // The comparisons themselves stay.
  void simplify_guard() {
    ExprPtr rest;
    for (const Expr* part : conjuncts(*phase_.guard)) {
      const bool stays = std::ranges::any_of(orders_, [&](const Order& order) {
        return (part->op == Op::Less || part->op == Op::Greater) && order.compared(*part) != 0;
      });
      ExprPtr left = stays ? part->clone() : known().applied(*part);
      if (!is_true(*left)) rest = ir::both(std::move(rest), std::move(left));
    }
    phase_.guard = std::move(rest);
  }

  void simplify(std::vector<ir::StmtPtr>& body) {
    for (const ir::StmtPtr& stmt : body) {
      for (ExprPtr* expr : {&stmt->value, &stmt->condition, &stmt->receiver})
        if (*expr) *expr = known().applied(**expr);
      if (stmt->kind == StmtKind::Send && stmt->condition && is_true(*stmt->condition))
        stmt->condition = nullptr;
      simplify(stmt->body);
      simplify(stmt->otherwise);
      if (stmt->kind == StmtKind::AssignState)
        for (Order& order : orders_) order.holds = order.holds && order.state != stmt->symbol;
    }
  }

  ir::Phase& phase_;
  std::vector<Order> orders_;
};

}  // namespace

void normalise_updates(ir::Program& program, PassContext&) {
  // Who writes what, and sends to whom, stays as it is whatever is rewritten.
  const SearchFacts facts(program);
  Calls calls(program);
  for (ir::Phase& phase : program.phases) {
    const auto write_out = [&](ExprPtr& expr) {
      if (reads(*expr, Op::Call)) expr = folded_expr(*calls.without(*expr));
      if (ExprPtr asked = ask_for_witnesses(*expr)) expr = std::move(asked);
    };
    if (phase.guard) write_out(phase.guard);
    for_each_expr(phase.body, [&](const ir::Stmt&, ExprPtr& expr) { write_out(expr); });
    Lets(phase).run();
    guard_by_body(program, phase, [&] {
      return guard_by_improvement(program, facts.beginnings, phase) != nullptr ||
             find_plain_search(program, facts, phase) || rewrite_first_visit(program, phase);
    });
    leave_out_levels(program, facts.beginnings, phase);
    rewrite_first_visit(program, phase);
    if (ExprPtr guard = guard_by_improvement(program, facts.beginnings, phase))
      phase.guard = std::move(guard);
    rewrite_repeating_messages(program, facts, phase);
    UnderGuard(phase).run();
    leave_out_improvements(program, phase);
  }
  guard_by_loops(program);
  // Sweeps are added behind the phases that there are.
  const std::size_t phases = program.phases.size();
  for (std::size_t which = 0; which < phases; ++which)
    if (!write_later(program, facts, which) && !tell_levels(program, facts, which))
      guard_by_body(program, program.phases[which],
                    [&] { return tell_levels(program, facts, which); });
}

}  // namespace vertigo::compiler::passes
