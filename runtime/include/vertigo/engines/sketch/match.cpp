// Engine `sketch`. Take a phase that is proved to reach one result in any order.
//
// Improvement: what an activation sends is a function of the inbox that it takes, monotone, and of
// what the phase does not change. So the inboxes alone have a fixed point: each holds the best of
// what was started there and of what its neighbours' inboxes send along the edges. It is reached by
// delivering along single edges, in any order and as often as one likes, as long as inboxes that
// the guard lets pass change. Afterwards every vertex runs its body once, on the inbox that it
// ended with: what the body leaves is a function of the last improvement.
//
// Accumulation: what is sent is linear in the inbox, without a constant term, and states
// accumulate. So an activation may deliver to its neighbours one after the other, as paths come by:
// each gets what follows from the inbox that was taken, once. A vertex takes again in a later step,
// when all of them have it.

#include <llvm/ADT/StringRef.h>

#include "compiler/passes/program/SymbolicUpdate.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"
#include "compiler/passes/toplan/VertexImportance.h"
#include "compiler/passes/toplan/engines/Beginning.h"
#include "compiler/passes/toplan/engines/Engines.h"
#include "compiler/passes/toplan/engines/MessageOperators.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

plan::Operator operator_of(std::string name, ir::Type type, const ir::Location& location) {
  plan::Operator made;
  made.name = std::move(name);
  made.type = std::move(type);
  made.location = location;
  return made;
}

/// Bindings of an operator over a vertex and the inbox that it takes.
Bindings bindings(PhaseKernels& kernels, const std::string& v, const std::string& inbox) {
  Bindings bound = kernels.bindings(v);
  bound.count_edges = false;
  bound.snapshots.clear();
  bound.vertices[kernels.phase().variable] = v;
  bound.replace = [inbox](const Expr& e) -> ExprPtr {
    return e.op == Op::Inbox ? local(inbox, e.type) : nullptr;
  };
  return bound;
}

plan::Operator guard_holds(PhaseKernels& kernels, const std::string& message) {
  const ir::Phase& phase = kernels.phase();
  const ir::Type& type = kernels.message(message).type;
  LocalNames names(kernels.context());
  const std::string v = names.fresh(phase.variable), inbox = names.fresh(message);
  plan::Operator made =
      operator_of("guard_holds", ir::Type(ir::ScalarKind::Bool), phase.guard->location);
  made.parameters = {{v, ir::Type(ir::ScalarKind::Vertex)}, {inbox, type}};
  ExprLowering lowering(kernels.context(), names, bindings(kernels, v, inbox));
  made.value = lowering.lower(*phase.guard, made.body);
  return made;
}

plan::Operator settle(PhaseKernels& kernels, const std::string& message) {
  const ir::Phase& phase = kernels.phase();
  LocalNames names(kernels.context());
  const std::string v = names.fresh(phase.variable), inbox = names.fresh(message);
  plan::Operator made =
      operator_of("settle", ir::Type(ir::ScalarKind::Bool), phase.body.front()->location);
  made.parameters = {{v, ir::Type(ir::ScalarKind::Vertex)}, {inbox, kernels.message(message).type}};
  ExprLowering lowering(kernels.context(), names, bindings(kernels, v, inbox));
  kernels.lower_body(phase.body, lowering, made.body,
                     [](const ir::Stmt&, ExprLowering&, plan::Block&) {});
  made.value = boolean(true);
  return made;
}

/// All sends together, along one edge.
plan::Operator sent_along(PhaseKernels& kernels, const std::string& message,
                          const passes::SymbolicUpdate& update) {
  const ir::Program& program = kernels.context().program();
  const ir::Type& type = kernels.message(message).type;
  const ir::Type vertex_type(ir::ScalarKind::Vertex);
  LocalNames names(kernels.context());
  const std::string v = names.fresh(kernels.phase().variable), u = names.fresh("receiver");
  const std::string inbox = names.fresh(message), sent = names.fresh("sent");
  plan::Operator made = operator_of("sent_along", type, update.sends.front().stmt->location);
  made.parameters = {{v, vertex_type}, {u, vertex_type}, {inbox, type}};
  if (program.edge) made.parameters.push_back({program.edge->name, ir::Type(program.edge->kind)});
  add(made.body, accumulator(sent, kernels.identity(message)));
  for (const passes::SymbolicSend& send : update.sends) {
    Bindings bound = bindings(kernels, v, inbox);
    if (!send.stmt->neighbour.empty()) bound.vertices[send.stmt->neighbour] = u;
    ExprLowering lowering(kernels.context(), names, std::move(bound));
    plan::Block* block = &made.body;
    for (const ExprPtr* const condition : {&send.condition, &send.filter})
      if (*condition) {
        ExprPtr holds = lowering.lower(**condition, *block);
        block = &add(*block, when(std::move(holds))).body;
      }
    ExprPtr value = lowering.lower(*send.value, *block);
    add(*block, kernels.accumulate_message(message, sent, std::move(value))).location =
        send.stmt->location;
  }
  made.value = local(sent, type);
  return made;
}

/// `hub_share() = 0.005`, where the user pins it; else 0.
plan::Operator pinned_number(PhaseKernels& kernels, const std::string& name,
                             const std::string& key) {
  plan::Operator made =
      operator_of(name, ir::Type(ir::ScalarKind::Float64), kernels.phase().location);
  const plan::Decision* const decision =
      kernels.context().plan().find_decision(kernels.phase().name, key);
  double number = 0;
  if (decision != nullptr && llvm::StringRef(decision->value).getAsDouble(number)) number = 0;
  made.value = std::make_unique<Expr>();
  made.value->op = Op::Literal;
  made.value->type = made.type;
  made.value->value = number;
  return made;
}

/// The one direction of all sends, or why there is none.
std::string problem_of_directions(const passes::SymbolicUpdate& update) {
  if (update.sends.empty()) return "nothing is sent";
  for (const passes::SymbolicSend& send : update.sends)
    if (send.receiver) return "a message goes to one vertex, along no edge";
  for (const passes::SymbolicSend& send : update.sends)
    if (send.stmt->direction != update.sends.front().stmt->direction)
      return "messages travel along different directions of edges";
  return "";
}

std::string problem_of(const plan::Plan& plan, const ir::Phase& phase) {
  if (phase.kind != ir::PhaseKind::Fixpoint) return "an update of all vertices is one step";
  const ir::Algebra& algebra = ir::algebra_of(phase);
  if (algebra.order.value == ir::Order::Asserted)
    return "that the order is free is asserted, not proved, and by which rule is not known";
  if (algebra.order.value != ir::Order::Free || algebra.form == ir::Form::None)
    return "the phase is step-ordered: " + algebra.order.reason;
  if (algebra.form == ir::Form::Union)
    return "sets of bits grow, and what is sent may be what is new in them: it does not follow "
           "from "
           "the inbox alone";
  const PhaseAnalysis analysis = analyse(plan, phase, true);
  if (analysis.read.size() != 1 || analysis.sent != analysis.read)
    return "the phase does not send the one message that it reads";
  const ir::Message& message = *plan.program.find_message(analysis.read.front());
  if (!message.type.is_scalar()) return "the message is a tuple";
  if (algebra.cycles.value == ir::Cycles::Any)
    return "values may improve round a cycle, for ever: " + algebra.cycles.reason;
  const auto update = passes::evaluate_update(plan.program, phase);
  if (!update || !update->guard) return "the body is too large to look at";
  const std::string problem = problem_of_directions(*update);
  return problem.empty() ? problem_of_inboxes(plan, phase, message.name) : problem;
}

}  // namespace

Judgement judge_sketch(const plan::Plan& plan, const ir::Phase& phase) {
  const std::string problem = problem_of(plan, phase);
  if (!problem.empty()) return {false, problem};
  Judgement judgement = legal(sketch_contract);
  // For whoever reads a summary or a trace.
  const plan::PhasePlan* const planned = plan.find_phase(phase.name);
  if (planned != nullptr && planned->importance)
    judgement.reason +=
        "; hubs are those of the greatest " + plan.find_decision(phase.name, "importance")->value;
  const ir::Algebra& algebra = ir::algebra_of(phase);
  judgement.non_negative = algebra.cycles.value == ir::Cycles::OverNegativeWeights;
  judgement.deterministic = !shows_order(*plan.program.find_message(algebra.inbox));
  return judgement;
}

void build_sketch(PhaseKernels& kernels, plan::Variant& variant) {
  const ir::Program& program = kernels.context().program();
  const std::string& message = kernels.analysis().read.front();
  const auto update = passes::evaluate_update(program, kernels.phase());
  const ir::EdgeDirection direction = update->sends.front().stmt->direction;
  variant.prepare = kernels.starts(false);
  // The flag is for steps over all vertices.
  std::erase_if(variant.prepare, [](const plan::Action& action) {
    return action.kind == plan::ActionKind::RaiseFlag;
  });
  const std::optional<plan::Operator>& importance =
      kernels.context().plan().find_phase(kernels.phase().name)->importance;
  plan::Engine& engine = *variant.engine;
  engine.constants = {{"adds_up", ir::algebra_of(kernels.phase()).form == ir::Form::Accumulation},
                      {"sent_reads_edge", program.edge.has_value()},
                      {"travels_back", direction == ir::EdgeDirection::In},
                      {"travels_both", direction == ir::EdgeDirection::Both},
                      {"weighs_vertices", importance.has_value()}};
  add_message_operators(kernels, message, engine);
  engine.operators.push_back(guard_holds(kernels, message));
  engine.operators.push_back(sent_along(kernels, message, *update));
  engine.operators.push_back(settle(kernels, message));
  if (importance) {
    engine.operators.push_back(copy_of(*importance));
    engine.inputs = inputs_of(*importance);
  }
  engine.operators.push_back(pinned_number(kernels, "hub_share", "hub-share"));
  engine.operators.push_back(pinned_number(kernels, "hub_sample", "hub-sample"));
  engine.operators.push_back(pinned_number(kernels, "hub_turns", "hub-turns"));
  engine.buffers = {kernels.context().inbox(message)};
  if (direction == ir::EdgeDirection::In) kernels.context().plan().needs_transpose = true;
}

}  // namespace vertigo::compiler::toplan
