// Engine `solve`. A phase whose inbox is summed, whose state accumulates the inbox and whose sent
// values are linear in it comes to rest at the least solution of x = b + A x: b is what the phase
// starts with, A what is sent along an edge per unit of inbox, x what the state gains. The guard's
// threshold bounds what is left of the equation at each vertex. So any iteration may find x. A
// vertex whose inbox never passes the guard has x = 0. What the states hold before has no part in
// the equation: it is kept, and x is added to it, in every run of the phase anew. A run finds in
// the inboxes what its starts put there, and weighs the edges by what holds then.

#include <algorithm>

#include "compiler/ir/program/Spelling.h"
#include "compiler/passes/program/SymbolicUpdate.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"
#include "compiler/passes/toplan/engines/Beginning.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

/// The right side of inbox > t, abs(inbox) > t, t < inbox, inbox != 0 where that is the whole
/// guard; null for anything else.
const Expr* threshold_of(const Expr& guard) {
  const bool right = guard.op == Op::Less || guard.op == Op::LessEqual;
  const bool left =
      guard.op == Op::Greater || guard.op == Op::GreaterEqual || guard.op == Op::NotEqual;
  if (!left && !right) return nullptr;
  const Expr& size = *guard.operands[left ? 0 : 1];
  const bool is_inbox =
      size.op == Op::Inbox || (size.op == Op::Abs && size.operands[0]->op == Op::Inbox);
  return is_inbox ? guard.operands[left ? 1 : 0].get() : nullptr;
}

bool is_one_sided(const Expr& guard) {
  return guard.op != Op::NotEqual && guard.operands[0]->op != Op::Abs &&
         guard.operands[1]->op != Op::Abs;
}

bool reads_vertex(const Expr& expr, const std::string& variable) {
  bool found = false;
  ir::walk(expr, [&](const Expr& e) { found = found || e.vertex == variable; });
  return found;
}

/// Whether what is sent differs from edge to edge of a sender.
bool depends_on_edge(const SendSite& site) {
  return site.filter != nullptr || mentions(*site.value, Op::EdgeAttribute) ||
         (!site.send->neighbour.empty() && reads_vertex(*site.value, site.send->neighbour));
}

bool is_constant(const Expr& expr) {
  bool constant = true;
  ir::walk(expr, [&](const Expr& e) {
    constant = constant && e.op != Op::State && e.op != Op::BoundVertex && e.op != Op::OutDegree &&
               e.op != Op::InDegree && e.op != Op::Degree && e.op != Op::Random;
  });
  return constant;
}

std::string problem_of(const plan::Plan& plan, const ir::Phase& phase,
                       const PhaseAnalysis& analysis) {
  if (analysis.written.size() > 1) return "the update writes more than one state";
  if (analysis.absorption != Absorption::Accumulated)
    return "the update does more than add the inbox to a state";
  const ir::Type& type = plan.program.find_message(analysis.message)->type;
  if (type != ir::Type(ir::ScalarKind::Float32) && type != ir::Type(ir::ScalarKind::Float64))
    return "integers are summed exactly, and iterations round";
  if (plan.program.find_state(analysis.state)->type != type)
    return "'" + analysis.state + "' and '" + analysis.message + "' differ in type";
  const std::string left = problem_of_inboxes(plan, phase, analysis.message);
  if (!left.empty()) return left;
  if (threshold_of(*phase.guard) == nullptr)
    return "the guard asks for more than a threshold of the inbox";
  std::string problem;
  const std::vector<SendSite> sites = send_sites_from_states(analysis, problem);
  if (!problem.empty()) return problem;
  if (sites.empty()) return "nothing is sent";
  for (const SendSite& site : sites)
    if (site.send->direction == ir::EdgeDirection::Both ||
        site.send->direction != sites.front().send->direction)
      return "messages travel along both directions of edges";
  return "";
}

/// In terms of what the state has gained, in place of the state: of states that the phase writes,
/// what is sent reads nothing else.
ExprPtr of_gain(const Expr& value, const PhaseAnalysis& phase) {
  return passes::replaced(value, [&](const Expr& e) -> ExprPtr {
    if (e.op != Op::Subtract) return nullptr;
    const Expr& state = *e.operands[0];
    const bool is_gain = ir::is_state_of(state, phase.phase->variable, phase.state);
    return is_gain ? state.clone() : nullptr;
  });
}

/// The inputs of an operator, and how its expressions are lowered.
class OperatorBuilder {
 public:
  OperatorBuilder(PhaseKernels& kernels, const std::string& name, const ir::Type& type)
      : kernels_(kernels), names_(kernels.context()) {
    made_.name = name;
    made_.type = type;
    bound_.own = kernels.phase().variable;
    bound_.vertices[bound_.own] = bound_.own;
  }

  void input(const std::string& name, const ir::Type& type) {
    made_.parameters.push_back({name, type});
  }
  Bindings& bound() { return bound_; }
  ExprPtr lower(const Expr& expr) {
    ExprLowering lowering(kernels_.context(), names_, bound_);
    plan::Block none;
    return lowering.lower(expr, none);
  }
  plan::Operator finish(ExprPtr value, const ir::Location& location) {
    made_.value = std::move(value);
    made_.location = location;
    return std::move(made_);
  }

 private:
  PhaseKernels& kernels_;
  LocalNames names_;
  Bindings bound_;
  plan::Operator made_;
};

/// What is sent in all, as a function of the inbox and of the sender or the edge.
plan::Operator sent(PhaseKernels& kernels, const std::vector<SendSite>& sites) {
  const PhaseAnalysis& phase = kernels.analysis();
  const ir::Program& program = kernels.context().program();
  const ir::Type& type = kernels.message(phase.message).type;
  const std::string& sender = kernels.phase().variable;
  const ir::Type vertex_type(ir::ScalarKind::Vertex);

  OperatorBuilder made(kernels, "sent", type);
  made.input(phase.message, type);
  made.input(sender, vertex_type);
  std::string receiver;
  if (std::ranges::any_of(sites, depends_on_edge)) {
    for (const SendSite& site : sites)
      if (receiver.empty()) receiver = site.send->neighbour;
    if (receiver.empty()) receiver = LocalNames(kernels.context()).fresh(sender + "_receiver");
    made.input(receiver, vertex_type);
    if (program.edge) made.input(program.edge->name, ir::Type(program.edge->kind));
  }
  made.bound().replace = [&](const Expr& e) -> ExprPtr {
    return ir::is_state_of(e, sender, phase.state) ? local(phase.message, e.type) : nullptr;
  };
  ExprPtr sum;
  for (const SendSite& site : sites) {
    if (!site.send->neighbour.empty()) made.bound().vertices[site.send->neighbour] = receiver;
    ExprPtr value = made.lower(*of_gain(*site.value, phase));
    for (const ExprPtr* const condition : {&site.filter, &site.condition}) {
      if (*condition == nullptr) continue;
      ExprPtr chosen = std::make_unique<Expr>();
      chosen->op = Op::Select;
      chosen->type = type;
      chosen->operands.push_back(made.lower(**condition));
      chosen->operands.push_back(std::move(value));
      chosen->operands.push_back(number(type.scalar(), 0));
      value = std::move(chosen);
    }
    sum =
        sum == nullptr ? std::move(value) : binary(Op::Add, std::move(sum), std::move(value), type);
  }
  return made.finish(std::move(sum), sites.front().send->location);
}

plan::Operator guard_threshold(PhaseKernels& kernels) {
  const Expr& guard = *kernels.phase().guard;
  const Expr& threshold = *threshold_of(guard);
  OperatorBuilder made(kernels, "guard_threshold", threshold.type);
  if (!is_constant(threshold))
    made.input(kernels.phase().variable, ir::Type(ir::ScalarKind::Vertex));
  return made.finish(made.lower(threshold), guard.location);
}

}  // namespace

Judgement judge_solve(const plan::Plan& plan, const ir::Phase& phase) {
  const PhaseAnalysis analysis = analyse(plan, phase, true);
  if (ir::algebra_of(phase).form != ir::Form::Accumulation) {
    if (analysis.read.size() == 1) {
      const ir::Combine combine = plan.program.find_message(analysis.read.front())->combine;
      if (combine != ir::Combine::Sum)
        return {false,
                "messages are combined by " + std::string(to_string(combine)) + ", not by sum"};
    }
    return {false, ir::algebra_of(phase).order.reason};
  }
  const std::string problem = problem_of(plan, phase, analysis);
  if (!problem.empty()) return {false, problem};
  return legal(solve_contract,
               "the phase comes to rest where x = b + A x, b being what it starts with and A what "
               "is sent per unit of inbox (" +
                   ir::algebra_of(phase).coefficients.front().value + "); ");
}

void build_solve(PhaseKernels& kernels, plan::Variant& variant) {
  const PhaseAnalysis& phase = kernels.analysis();
  variant.prepare = kernels.starts(false);
  std::string problem;
  const std::vector<SendSite> sites = send_sites_from_states(phase, problem);
  plan::Engine& engine = *variant.engine;
  const bool by_edge = std::ranges::any_of(sites, depends_on_edge);
  const bool has_attribute = kernels.context().program().edge.has_value();
  engine.constants = {
      {"sent_reads_receiver", by_edge},
      {"sent_reads_edge", by_edge && has_attribute},
      {"threshold_reads_vertex", !is_constant(*threshold_of(*kernels.phase().guard))}};
  engine.operators.push_back(sent(kernels, sites));
  engine.operators.push_back(guard_threshold(kernels));
  const Op comparison = kernels.phase().guard->op;
  engine.operators.push_back(
      OperatorBuilder(kernels, "inclusive", ir::Type(ir::ScalarKind::Bool))
          .finish(boolean(comparison == Op::GreaterEqual || comparison == Op::LessEqual),
                  kernels.phase().guard->location));
  engine.operators.push_back(
      OperatorBuilder(kernels, "one_sided", ir::Type(ir::ScalarKind::Bool))
          .finish(boolean(is_one_sided(*kernels.phase().guard)), kernels.phase().guard->location));
  engine.operators.push_back(
      OperatorBuilder(kernels, "sends_back", ir::Type(ir::ScalarKind::Bool))
          .finish(boolean(sites.front().send->direction == ir::EdgeDirection::In),
                  sites.front().send->location));
  engine.buffers = {kernels.context().state(phase.state), kernels.context().inbox(phase.message)};
  kernels.context().plan().needs_transpose = true;
}

}  // namespace vertigo::compiler::toplan
