#include <algorithm>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/SymbolicUpdate.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/engines/Engines.h"
#include "compiler/passes/toplan/engines/MessageOperators.h"
#include "compiler/passes/toplan/engines/Operators.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::Op;

namespace {

bool is_state(const Expr& e, const std::string& state, const std::string& vertex) {
  return ir::is_state_of(e, vertex, state);
}

bool is_one(const Expr& e) {
  if (e.op != Op::Literal) return false;
  if (const auto* number = std::get_if<std::int64_t>(&e.value)) return *number == 1;
  const auto* number = std::get_if<std::uint64_t>(&e.value);
  return number != nullptr && *number == 1;
}

/// The state that the guard compares with the loop's variable; null where it is another guard.
const Expr* compared_state(const ir::Phase& phase, const std::string& variable) {
  if (!phase.guard || phase.guard->op != Op::Equal) return nullptr;
  const Expr *a = phase.guard->operands[0].get(), *b = phase.guard->operands[1].get();
  if (a->op == Op::HostVariable) std::swap(a, b);
  if (b->op != Op::HostVariable || b->symbol != variable) return nullptr;
  return ir::is_state_of(*a, phase.variable) ? a : nullptr;
}

/// `u.state == v.state - 1` where the loop counts down, `+ 1` where it counts up, or the same seen
/// from u.
bool goes_to_next_level(const Expr& filter, const ir::Phase& phase, const ir::Stmt& send,
                        const std::string& state, bool downward) {
  if (filter.op != Op::Equal) return false;
  const auto matches = [&](const Expr& one, const Expr& other, const std::string& from,
                           const std::string& to, Op op) {
    return is_state(one, state, to) && other.op == op &&
           is_state(*other.operands[0], state, from) && is_one(*other.operands[1]);
  };
  const std::string &v = phase.variable, &u = send.neighbour;
  const Op towards = downward ? Op::Subtract : Op::Add, back = downward ? Op::Add : Op::Subtract;
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 0}}) {
    const Expr &one = *filter.operands[static_cast<std::size_t>(i)],
               &other = *filter.operands[static_cast<std::size_t>(j)];
    if (matches(one, other, v, u, towards) || matches(one, other, u, v, back)) return true;
  }
  return false;
}

/// The condition with the level of the sender for the loop's variable, which it is: the guard says
/// so. An engine that goes through the levels by itself does not count the variable.
ir::ExprPtr by_levels(const Expr& condition, const ir::Phase& phase, const std::string& variable,
                      const Expr& state) {
  return passes::replaced(condition, [&](const Expr& e) -> ir::ExprPtr {
    const bool is_level = e.op == Op::HostVariable && e.symbol == variable;
    return is_level && phase.guard && e.type == state.type ? state.clone() : nullptr;
  });
}

std::string problem_of(const plan::Plan& plan, const ir::Phase& phase) {
  if (phase.kind != ir::PhaseKind::Sweep) return "the phase runs until no vertex is active";
  const ir::Stmt* loop = plan.uses.loop_of(phase.name);
  if (loop == nullptr) return "the sweep is not all that a loop over levels does";
  const Expr* state = compared_state(phase, loop->symbol);
  if (state == nullptr) return "the sweep does not compare a state with the loop's variable";
  const ir::ScalarKind kind = state->type.scalar();
  if (kind != ir::ScalarKind::Int32 && kind != ir::ScalarKind::UInt32)
    return "the levels are neither int32 nor uint32";
  const PhaseAnalysis analysis = analyse(plan, phase, false);
  if (analysis.written.contains(state->symbol)) return "the loop changes the levels that it visits";
  std::string problem = body_problem(analysis);
  if (!problem.empty()) return problem;
  const ir::Stmt& send = *single_send(phase);
  if (!send.condition ||
      !goes_to_next_level(*by_levels(*send.condition, phase, loop->symbol, *state), phase, send,
                          state->symbol, loop->downward))
    return "messages do not go to the next level alone";
  return "";
}

/// Whether the inboxes may hold something when the loop begins, or are read when it has ended: what
/// the last level sends is for a level that has no turn.
bool keeps_inboxes(const plan::Plan& plan, const ir::Phase& phase) {
  return !plan.uses.loop_runs_once(phase.name) ||
         !plan.uses.belongs_to(phase.name, single_send(phase)->symbol);
}

}  // namespace

Judgement judge_sweeps(const plan::Plan& plan, const ir::Phase& phase) {
  Judgement judgement;
  judgement.reason = problem_of(plan, phase);
  judgement.legal = judgement.reason.empty();
  if (!judgement.legal) return judgement;
  const ir::Stmt& send = *single_send(phase);
  judgement.reason = "the loop changes no level, and messages go to the next one alone ('" +
                     ir::print(*send.condition) + "'): " + std::string(sweeps_contract.why);
  judgement.deterministic = !shows_order(*plan.program.find_message(send.symbol));
  return judgement;
}

void build_sweeps(PhaseKernels& kernels, plan::Variant& variant) {
  const std::string& message = kernels.analysis().read.front();
  const ir::Stmt& send = *single_send(kernels.phase());
  const ir::Stmt& loop = *kernels.context().plan().uses.loop_of(kernels.phase().name);
  const Expr& state = *compared_state(kernels.phase(), loop.symbol);
  plan::Engine& engine = *variant.engine;
  const bool keeps = keeps_inboxes(kernels.context().plan(), kernels.phase());
  engine.constants = {{"keeps_inboxes", keeps}};
  add_message_operators(kernels, message, engine);
  engine.operators.push_back(vertex_operator(kernels, "level_of", state));
  // The body may read the loop's variable, which at v is v's own level.
  engine.operators.push_back(own_operator(kernels));
  engine.operators.push_back(body_operator(kernels, "update", message, {loop.symbol, state.type}));
  plan::Operator along;
  along.name = "sends_out";
  along.type = ir::Type(ir::ScalarKind::Bool);
  along.value = boolean(send.direction == ir::EdgeDirection::Out);
  engine.operators.push_back(std::move(along));
  plan::Operator downward;
  downward.name = "downward";
  downward.type = ir::Type(ir::ScalarKind::Bool);
  downward.value = boolean(loop.downward);
  engine.operators.push_back(std::move(downward));
  if (keeps)
    engine.operators.push_back(
        edge_condition_operator(kernels, "hands_on", send,
                                *by_levels(*send.condition, kernels.phase(), loop.symbol, state)));
  engine.buffers = {kernels.context().inbox(message)};
  engine.loop = loop.symbol;
  kernels.context().plan().needs_transpose = true;
}

}  // namespace vertigo::compiler::toplan
