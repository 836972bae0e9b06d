#include "compiler/passes/toplan/engines/Operators.h"

#include "compiler/passes/toplan/KernelTerms.h"

namespace vertigo::compiler::toplan {

ir::FunctionParameter edge_parameter(const ir::Program& program, LocalNames& names) {
  if (program.edge) return {program.edge->name, ir::Type(program.edge->kind)};
  return {names.fresh("weight"), ir::Type(ir::ScalarKind::Int32)};
}

plan::Operator sent_operator(PhaseKernels& kernels, const std::string& name, const SendSite& site,
                             const OperatorInputs& inputs) {
  const PhaseAnalysis& phase = kernels.analysis();
  const ir::Program& program = kernels.context().program();
  const ir::Type& type = kernels.message(phase.message).type;
  const std::string& sender = kernels.phase().variable;

  plan::Operator made;
  made.name = name;
  made.location = site.send->location;
  made.type = type;
  made.parameters.push_back({phase.message, type});
  if (inputs.sender) made.parameters.push_back({sender, ir::Type(ir::ScalarKind::Vertex)});
  const std::string& neighbour = site.send->neighbour;
  if (inputs.receiver) made.parameters.push_back({neighbour, ir::Type(ir::ScalarKind::Vertex)});
  LocalNames names(kernels.context());
  if (inputs.edge) made.parameters.push_back(edge_parameter(program, names));

  Bindings bound;
  bound.own = sender;
  bound.vertices[sender] = sender;
  if (inputs.receiver) bound.vertices[neighbour] = neighbour;
  bound.replace = [&](const ir::Expr& e) -> ir::ExprPtr {
    return ir::is_state_of(e, sender, phase.state) ? local(phase.message, e.type) : nullptr;
  };
  ExprLowering lowering(kernels.context(), names, std::move(bound));
  plan::Block none;
  made.value = lowering.lower(*site.value, none);
  return made;
}

bool requires_symmetric(const ir::Program& program) {
  for (const ir::Requirement& requirement : program.requirements)
    if (requirement.kind == ir::RequirementKind::Symmetric) return true;
  return false;
}

plan::Operator edge_condition_operator(PhaseKernels& kernels, const std::string& name,
                                       const ir::Stmt& send, const ir::Expr& condition) {
  const ir::Program& program = kernels.context().program();
  const std::string& from = kernels.phase().variable;
  const ir::Type vertex(ir::ScalarKind::Vertex);
  LocalNames names(kernels.context());
  const std::string sender = names.fresh(from);
  const std::string receiver = names.fresh(send.neighbour.empty() ? "u" : send.neighbour);

  plan::Operator made;
  made.name = name;
  made.location = send.location;
  made.type = ir::Type(ir::ScalarKind::Bool);
  made.parameters = {{sender, vertex}, {receiver, vertex}};
  if (mentions(condition, ir::Op::EdgeAttribute))
    made.parameters.push_back({program.edge->name, ir::Type(program.edge->kind)});

  Bindings bound = kernels.bindings(sender);
  bound.count_edges = false;
  bound.vertices[from] = sender;
  if (!send.neighbour.empty()) bound.vertices[send.neighbour] = receiver;
  ExprLowering lowering(kernels.context(), names, std::move(bound));
  made.value = lowering.lower(condition, made.body);
  return made;
}

plan::Operator guard_operator(PhaseKernels& kernels, const std::string& name) {
  const PhaseAnalysis& phase = kernels.analysis();
  const ir::Phase& program_phase = kernels.phase();
  const std::string& vertex = program_phase.variable;
  const ir::Type& type = kernels.message(phase.message).type;

  plan::Operator made;
  made.name = name;
  made.location = program_phase.location;
  made.type = ir::Type(ir::ScalarKind::Bool);
  made.parameters = {{phase.message, type}, {phase.state, type}};

  LocalNames names(kernels.context());
  Bindings bound;
  bound.own = vertex;
  bound.vertices[vertex] = vertex;
  bound.replace = [&](const ir::Expr& e) -> ir::ExprPtr {
    const bool is_inbox = e.op == ir::Op::Inbox && e.symbol == phase.message;
    const bool is_state = ir::is_state_of(e, vertex, phase.state);
    return is_inbox || is_state ? local(e.symbol, e.type) : nullptr;
  };
  ExprLowering lowering(kernels.context(), names, std::move(bound));
  plan::Block none;
  made.value = lowering.lower(*program_phase.guard, none);
  return made;
}

}  // namespace vertigo::compiler::toplan
