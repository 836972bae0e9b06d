#include "compiler/passes/toplan/engines/MessageOperators.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "compiler/passes/toplan/KernelTerms.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using plan::Block;

namespace {

plan::Operator operator_of(std::string name, ir::Type type) {
  plan::Operator made;
  made.name = std::move(name);
  made.type = std::move(type);
  return made;
}

plan::Operator combine_operator(PhaseKernels& kernels, const std::string& message) {
  const ir::Type& type = kernels.message(message).type;
  LocalNames names(kernels.context());
  const std::string a = names.fresh("a"), b = names.fresh("b"), both = names.fresh("both");
  plan::Operator made = operator_of("combine", type);
  made.parameters = {{a, type}, {b, type}};
  add(made.body, accumulator(both, local(a, type)));
  add(made.body, kernels.accumulate_message(message, both, local(b, type)));
  made.value = local(both, type);
  return made;
}

plan::Operator deliver_operator(PhaseKernels& kernels, const std::string& message) {
  const ir::Type& type = kernels.message(message).type;
  LocalNames names(kernels.context());
  const std::string u = names.fresh("u"), value = names.fresh(message);
  plan::Operator made = operator_of("deliver", type);
  made.parameters = {{u, ir::Type(ir::ScalarKind::Vertex)}, {value, type}};
  add(made.body, kernels.combine_into(message, u, local(value, type), true));
  made.value = local(value, type);
  return made;
}

/// The scalar states of its own vertex that the body of the phase reads and never writes, by name.
std::vector<const Expr*> own_states(const PhaseKernels& kernels) {
  const ir::Phase& phase = kernels.phase();
  std::map<std::string, const Expr*> found;
  for_each_stmt(phase.body, [&](const ir::Stmt& stmt) {
    if (!stmt.value) return;
    ir::walk(*stmt.value, [&](const Expr& e) {
      if (ir::is_state_of(e, phase.variable) && e.type.is_scalar() &&
          !kernels.analysis().written.contains(e.symbol))
        found.emplace(e.symbol, &e);
    });
  });
  std::vector<const Expr*> states;
  for (const auto& [name, state] : found) states.push_back(state);
  return states;
}

/// All of them in one value; `false` where there are none.
ExprPtr own_value(const std::vector<const Expr*>& states) {
  if (states.empty()) return boolean(false);
  if (states.size() == 1) return states.front()->clone();
  auto tuple = std::make_unique<Expr>();
  tuple->op = Op::MakeTuple;
  for (const Expr* state : states) {
    tuple->type.elements.push_back(state->type.scalar());
    tuple->operands.push_back(state->clone());
  }
  return tuple;
}

ExprPtr element(ExprPtr own, unsigned index) {
  if (!own->type.is_tuple()) return own;
  auto made = std::make_unique<Expr>();
  made->op = Op::TupleElement;
  made->type = own->type.elements[index];
  made->index = index;
  made->operands.push_back(std::move(own));
  return made;
}

/// Reads of the state of its own vertex become reads of a local; true where there are any.
bool read_local(ExprPtr& expr, const ir::Phase& phase, const std::string& state,
                const std::string& name) {
  if (!expr) return false;
  const bool here = ir::is_state_of(*expr, phase.variable, state);
  if (here) expr = local(name, expr->type);
  bool found = here;
  for (ExprPtr& operand : expr->operands) found |= read_local(operand, phase, state, name);
  return found;
}
bool read_local(ir::Stmt& stmt, const ir::Phase& phase, const std::string& state,
                const std::string& name) {
  bool found = read_local(stmt.value, phase, state, name);
  for (const ir::StmtPtr& inner : stmt.body) found |= read_local(*inner, phase, state, name);
  for (const ir::StmtPtr& inner : stmt.otherwise) found |= read_local(*inner, phase, state, name);
  return found;
}

/// The body of the phase, in which what it assigns to `state` is a `let`, where that is read; "":
/// as it is.
std::vector<ir::StmtPtr> body_without(const ir::Phase& phase, const std::string& state) {
  std::set<std::string> taken;
  for_each_stmt(phase.body, [&](const ir::Stmt& stmt) { taken.insert(stmt.symbol); });
  std::string name = state;
  while (taken.contains(name)) name += "_now";
  std::vector<ir::StmtPtr> body;
  std::optional<std::size_t> assignment;
  bool is_read = false;
  for (const ir::StmtPtr& stmt : phase.body) {
    ir::Stmt& copy = *body.emplace_back(stmt->clone());
    if (assignment && read_local(copy, phase, state, name)) is_read = true;
    if (copy.kind != ir::StmtKind::AssignState || copy.symbol != state) continue;
    copy.kind = ir::StmtKind::Let;
    copy.symbol = name;
    assignment = body.size() - 1;
  }
  if (assignment && !is_read) body.erase(body.begin() + static_cast<std::ptrdiff_t>(*assignment));
  return body;
}

}  // namespace

void add_message_operators(PhaseKernels& kernels, const std::string& message,
                           plan::Engine& engine) {
  plan::Operator identity = operator_of("identity", kernels.message(message).type);
  identity.value = kernels.identity(message);
  engine.operators.push_back(std::move(identity));
  engine.operators.push_back(combine_operator(kernels, message));
  plan::Operator sums = operator_of("sums", ir::Type(ir::ScalarKind::Bool));
  sums.value = boolean(kernels.message(message).combine == ir::Combine::Sum);
  engine.operators.push_back(std::move(sums));
  engine.operators.push_back(deliver_operator(kernels, message));
}

plan::Operator body_operator(PhaseKernels& kernels, const std::string& name,
                             const std::string& message, const ir::FunctionParameter& turn,
                             const std::string& kept_outside) {
  const ir::Phase& phase = kernels.phase();
  const ir::Type& type = kernels.message(message).type;
  LocalNames names(kernels.context());
  const std::string v = names.fresh(phase.variable), inbox = names.fresh(message);
  const std::string turn_name = names.fresh(turn.name), sent = names.fresh("sent");
  const std::vector<const Expr*> states = own_states(kernels);
  const ir::Type own_type = own_value(states)->type;
  const std::string own = names.fresh("own");

  plan::Operator made = operator_of(name, type);
  made.location = phase.body.empty() ? phase.location : phase.body.front()->location;
  made.parameters = {{v, ir::Type(ir::ScalarKind::Vertex)}, {own, own_type}};
  const std::string before = kept_outside.empty() ? "" : names.fresh(kept_outside);
  if (!before.empty())
    made.parameters.push_back({before, kernels.context().program().find_state(kept_outside)->type});
  made.parameters.push_back({inbox, type});
  made.parameters.push_back({turn_name, turn.type});

  Bindings bound = kernels.bindings(v);
  bound.count_edges = false;
  bound.vertices[phase.variable] = v;
  bound.replace = [&](const Expr& e) -> ExprPtr {
    if (e.op == Op::Inbox) return local(inbox, e.type);
    if (ir::is_state_of(e, phase.variable)) {
      if (!before.empty() && e.symbol == kept_outside) return local(before, e.type);
      const auto state = std::ranges::find(states, e.symbol, &Expr::symbol);
      if (state == states.end()) return nullptr;
      return element(local(own, own_type), static_cast<unsigned>(state - states.begin()));
    }
    const bool is_turn = e.op == Op::Step || (e.op == Op::HostVariable && e.symbol == turn.name);
    return is_turn ? local(turn_name, e.type) : nullptr;
  };
  ExprLowering lowering(kernels.context(), names, std::move(bound));
  add(made.body, accumulator(sent, kernels.identity(message)));
  const std::vector<ir::StmtPtr> body = body_without(phase, kept_outside);
  kernels.lower_body(
      body, lowering, made.body, [&](const ir::Stmt& send, ExprLowering& here, Block& at) {
        ExprPtr value = here.lower(*send.value, at);
        add(at, kernels.accumulate_message(message, sent, std::move(value))).location =
            send.location;
      });
  made.value = local(sent, type);
  return made;
}

plan::Operator own_operator(PhaseKernels& kernels) {
  return vertex_operator(kernels, "own", *own_value(own_states(kernels)));
}

plan::Operator vertex_operator(PhaseKernels& kernels, const std::string& name, const Expr& value) {
  const ir::Phase& phase = kernels.phase();
  LocalNames names(kernels.context());
  const std::string v = names.fresh(phase.variable);
  plan::Operator made = operator_of(name, value.type);
  made.location = value.location;
  made.parameters = {{v, ir::Type(ir::ScalarKind::Vertex)}};
  Bindings bound = kernels.bindings(v);
  bound.count_edges = false;
  bound.vertices[phase.variable] = v;
  ExprLowering lowering(kernels.context(), names, std::move(bound));
  made.value = lowering.lower(value, made.body);
  return made;
}

const ir::Stmt* single_send(const ir::Phase& phase) {
  const ir::Stmt* found = nullptr;
  bool more = false;
  for_each_stmt(phase.body, [&](const ir::Stmt& stmt) {
    if (stmt.kind != ir::StmtKind::Send) return;
    more = more || found != nullptr;
    found = &stmt;
  });
  return more ? nullptr : found;
}

std::string message_problem(const PhaseAnalysis& phase) {
  if (phase.sent.empty()) return "nothing is sent";
  if (phase.read.empty()) return "the phase reads no message";
  if (phase.read.size() > 1) return "the phase reads more than one message";
  if (phase.sent != phase.read) return "the phase sends another message than it reads";
  if (!phase.program->find_message(phase.read.front())->type.is_scalar())
    return "the message is a tuple";
  return "";
}

std::string visit_problem(const PhaseAnalysis& phase) {
  const ir::Stmt* send = single_send(*phase.phase);
  if (send == nullptr) return "the phase does not send exactly once";
  std::string problem;
  const auto look = [&](const ExprPtr& expr) {
    if (!expr) return;
    ir::walk(*expr, [&](const Expr& e) {
      if (!problem.empty()) return;
      if (e.op == Op::EdgeAttribute) problem = "what is sent depends on the edge";
      if (e.op == Op::ReduceNeighbours || e.op == Op::ReduceCommon)
        problem = "the body looks at the neighbours";
      if (e.op == Op::Random) problem = "the body draws random numbers";
    });
  };
  look(phase.phase->guard);
  for_each_stmt(phase.phase->body, [&](const ir::Stmt& stmt) { look(stmt.value); });
  if (!send->neighbour.empty())
    ir::walk(*send->value, [&](const Expr& e) {
      if (e.vertex == send->neighbour) problem = "what is sent depends on the receiver";
    });
  return problem;
}

std::string body_problem(const PhaseAnalysis& phase) {
  const std::string problem = message_problem(phase);
  if (!problem.empty()) return problem;
  const ir::Message& message = *phase.program->find_message(phase.read.front());
  if (message.combine == ir::Combine::Function || message.combine == ir::Combine::Any)
    return "messages are not combined by min, max, sum, or, and";
  if (ir::combines_bits(message)) return "messages are combined bit by bit";
  const ir::Stmt* send = single_send(*phase.phase);
  if (send != nullptr && send->direction == ir::EdgeDirection::Both)
    return "the message goes along both directions of every edge";
  return visit_problem(phase);
}

bool shows_order(const ir::Message& message) {
  return message.combine == ir::Combine::Sum && ir::is_float(message.type.scalar());
}

}  // namespace vertigo::compiler::toplan
