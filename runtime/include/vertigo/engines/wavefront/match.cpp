// wavefront
//
// Runs: a phase in which each vertex is active at most once, in the step after its first message,
// in one launch that pushes from the front or pulls to the vertices that wait, whichever is
// cheaper. Legal: the guard is a condition on the vertex's own states, and no longer holds on the
// states as the body leaves them; the phase has its message to itself. Then a vertex
// that waits has an empty inbox, so that its messages are exactly those of the step before, from
// whichever side they are looked at; what reaches a vertex later is never read.

#include <algorithm>
#include <limits>
#include <optional>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/SymbolicUpdate.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/engines/AlwaysSends.h"
#include "compiler/passes/toplan/engines/Beginning.h"
#include "compiler/passes/toplan/engines/Engines.h"
#include "compiler/passes/toplan/engines/MessageOperators.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::Op;

namespace {

// `step` counts from 0 and never gets to the largest int32.
bool is_step(const Expr& e) { return e.op == Op::Step; }

// Below what `step`, an inbox that is never negative, or one of them and a number that is not
// negative, never is.
std::optional<std::int64_t> least(const Expr& e) {
  if (is_step(e) || e.op == Op::Inbox) return 0;  // may_activate_again() leaves no other inboxes
  if (e.op != Op::Add) return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const auto steps = least(*e.operands[side]);
    const auto number = ir::integer_of(*e.operands[1 - side]);
    if (steps && number && *number >= 0 && *number <= std::numeric_limits<std::int32_t>::max())
      return *steps + *number;
  }
  return std::nullopt;
}
bool is_above(const Expr& steps, const Expr& number) {
  return least(steps) && ir::integer_of(number) && *least(steps) > *ir::integer_of(number);
}
bool is_at_least(const Expr& steps, const Expr& number) {
  return least(steps) && ir::integer_of(number) && *least(steps) >= *ir::integer_of(number);
}

bool never_equal(const Expr& a, const Expr& b) {
  return is_above(a, b) || is_above(b, a) || (is_step(a) && b.op == Op::Infinity) ||
         (is_step(b) && a.op == Op::Infinity);
}
bool never_less(const Expr& a, const Expr& b) {
  return is_at_least(a, b) || (a.op == Op::Infinity && is_step(b));
}
bool never_at_most(const Expr& a, const Expr& b) {
  return is_above(a, b) || (a.op == Op::Infinity && is_step(b));
}

bool always(const Expr& e);

bool never(const Expr& e) {
  const auto operand = [&](std::size_t i) -> const Expr& { return *e.operands[i]; };
  switch (e.op) {
    case Op::Literal: {
      const auto* flag = std::get_if<bool>(&e.value);
      return flag != nullptr && !*flag;
    }
    case Op::Not:
      return always(operand(0));
    case Op::And:
      return never(operand(0)) || never(operand(1));
    case Op::Or:
      return never(operand(0)) && never(operand(1));
    case Op::Equal:
      return never_equal(operand(0), operand(1));
    case Op::Less:
      return never_less(operand(0), operand(1));
    case Op::Greater:
      return never_less(operand(1), operand(0));
    case Op::LessEqual:
      return never_at_most(operand(0), operand(1));
    case Op::GreaterEqual:
      return never_at_most(operand(1), operand(0));
    default:
      return false;
  }
}

bool always(const Expr& e) {
  const auto operand = [&](std::size_t i) -> const Expr& { return *e.operands[i]; };
  switch (e.op) {
    case Op::Literal: {
      const auto* flag = std::get_if<bool>(&e.value);
      return flag != nullptr && *flag;
    }
    case Op::Not:
      return never(operand(0));
    case Op::And:
      return always(operand(0)) && always(operand(1));
    case Op::Or:
      return always(operand(0)) || always(operand(1));
    case Op::NotEqual:
      return never_equal(operand(0), operand(1));
    case Op::Less:
      return never_at_most(operand(1), operand(0));
    case Op::Greater:
      return never_at_most(operand(0), operand(1));
    case Op::LessEqual:
      return never_less(operand(1), operand(0));
    case Op::GreaterEqual:
      return never_less(operand(0), operand(1));
    default:
      return false;
  }
}

/// What the guard asks besides the vertex's own states; "" where nothing.
std::string guard_problem(const ir::Phase& phase) {
  std::string problem;
  ir::walk(*phase.guard, [&](const Expr& e) {
    if (!problem.empty()) return;
    if (e.op == Op::Inbox) problem = "the guard depends on the message '" + e.symbol + "'";
    if (e.op == Op::Step) problem = "the guard depends on 'step'";
    if (e.op == Op::ReduceNeighbours) problem = "the guard looks at the neighbours";
  });
  return problem;
}

/// Of a minimum of integers: nothing below zero starts, and nothing is sent that makes less of
/// inboxes that are not. The phase has the message to itself (problem_of_inboxes()).
bool inbox_is_nonnegative(const ir::Program& program, const ir::Phase& phase,
                          const passes::SymbolicUpdate& update, const std::string& name) {
  const ir::Message& message = *program.find_message(name);
  if (message.combine != ir::Combine::Min || !message.type.is_scalar() ||
      !ir::is_integer(message.type.scalar()))
    return false;
  const passes::Surroundings around{program, phase, name, true};
  bool holds = passes::nonnegative(*message.identity, around);
  for (const ir::Start& start : phase.starts)
    for_each_stmt(start.body, [&](const ir::Stmt& stmt) {
      if (stmt.kind == ir::StmtKind::AssignInbox)
        holds = holds && passes::nonnegative(*stmt.value, around);
    });
  return holds && std::ranges::all_of(update.sends, [&](const passes::SymbolicSend& send) {
           return send.stmt->symbol != name || passes::nonnegative(*send.value, around);
         });
}

/// Why a vertex may be active more than once; "" where it is proved that it is not.
std::string may_activate_again(const ir::Program& program, const ir::Phase& phase) {
  const auto update = passes::evaluate_update(program, phase);
  if (!update || !update->guard) return "the body is too large to look at";
  const ir::ExprPtr after = passes::replaced(*update->guard, [&](const Expr& e) -> ir::ExprPtr {
    if (e.op != Op::State || e.vertex != phase.variable) return nullptr;
    const auto written = update->states.find(e.symbol);
    return written == update->states.end() ? nullptr : written->second->clone();
  });
  const ir::ExprPtr known = passes::replaced(*after, [&](const Expr& e) -> ir::ExprPtr {
    if (e.op != Op::Inbox || inbox_is_nonnegative(program, phase, *update, e.symbol))
      return nullptr;
    ir::ExprPtr unknown = e.clone_without_operands();
    unknown->op = Op::Parameter;
    return unknown;
  });
  if (never(*passes::folded_expr(*known))) return "";
  return "a vertex may be active more than once: after its body the guard is '" +
         ir::print(*after) + "'";
}

std::string problem_of(const plan::Plan& plan, const ir::Phase& phase) {
  if (phase.kind != ir::PhaseKind::Fixpoint) return "the phase is one step";
  std::string problem = guard_problem(phase);
  if (!problem.empty()) return problem;
  const PhaseAnalysis analysis = analyse(plan, phase, false);
  problem = may_activate_again(plan.program, phase);
  if (!problem.empty()) return problem;
  problem = body_problem(analysis);
  if (!problem.empty()) return problem;
  if (single_send(phase)->condition) return "receivers are chosen by a condition";
  return problem_of_inboxes(plan, phase, analysis.read.front());
}

plan::Operator constant_operator(const std::string& name, bool value) {
  plan::Operator made;
  made.name = name;
  made.type = ir::Type(ir::ScalarKind::Bool);
  made.value = boolean(value);
  return made;
}

}  // namespace

Judgement judge_wavefront(const plan::Plan& plan, const ir::Phase& phase) {
  Judgement judgement;
  judgement.reason = problem_of(plan, phase);
  judgement.legal = judgement.reason.empty();
  if (!judgement.legal) return judgement;
  const ir::Message& message = *plan.program.find_message(single_send(phase)->symbol);
  judgement.reason = "after its body the guard '" + ir::print(*phase.guard) +
                     "' never holds again: " + std::string(wavefront_contract.why);
  judgement.deterministic = !shows_order(message);
  return judgement;
}

void build_wavefront(PhaseKernels& kernels, plan::Variant& variant) {
  const std::string& message = kernels.analysis().read.front();
  const ir::Stmt& send = *single_send(kernels.phase());
  variant.prepare = kernels.starts(true);
  plan::Engine& engine = *variant.engine;
  add_message_operators(kernels, message, engine);
  engine.operators.push_back(vertex_operator(kernels, "waits", *kernels.phase().guard));
  engine.operators.push_back(own_operator(kernels));
  engine.operators.push_back(
      body_operator(kernels, "activate", message, {"step", ir::Type(ir::ScalarKind::Int32)}));
  engine.operators.push_back(
      constant_operator("sends_out", send.direction == ir::EdgeDirection::Out));
  const ir::Program& program = kernels.context().program();
  engine.operators.push_back(constant_operator(
      "always_sends", always_sends(program, kernels.phase(), *program.find_message(message))));
  engine.buffers = {kernels.asked(), kernels.context().inbox(message)};
  kernels.context().plan().needs_transpose = true;
}

}  // namespace vertigo::compiler::toplan
