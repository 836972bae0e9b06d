#include "vertigo/reference/interpreted_program.h"

#include <optional>

#include "context.h"
#include "read_verified.h"
#include "vertigo/core/error.h"
#include "walk.h"

namespace vertigo::reference {
namespace {

/// Default values are constants, so a graph without vertices is enough to evaluate them.
class Constants {
 public:
  explicit Constants(const ir::Program& program)
      : view_(graph_, std::nullopt), resolver_(program, view_) {}

  std::string text(const ir::ExprPtr& expr, ScalarKind kind) {
    if (!expr) return "";
    const Node* node = resolver_.resolve_as(*expr, kind).front();
    Frame frame = resolver_.make_frame();
    const Word word = evaluate(node, frame);
    return describe_number(kind, word);
  }

 private:
  graph::Graph graph_;
  GraphView view_;
  Resolver resolver_;
};

bool is_constant(const ir::Expr& expr) {
  bool constant = true;
  ir::walk(expr, [&](const ir::Expr& e) {
    constant &= e.op == ir::Op::Literal || e.op == ir::Op::Infinity || e.op == ir::Op::NoVertex ||
                (e.op >= ir::Op::Negate && e.op <= ir::Op::Cast);
  });
  return constant;
}

host::RequirementInfo::Kind requirement_kind(ir::RequirementKind kind) {
  switch (kind) {
    case ir::RequirementKind::Symmetric:
      return host::RequirementInfo::Kind::Symmetric;
    case ir::RequirementKind::NonNegativeWeights:
      return host::RequirementInfo::Kind::NonNegativeWeights;
    case ir::RequirementKind::NoDuplicates:
      break;
  }
  return host::RequirementInfo::Kind::NoDuplicates;
}

host::RunResult refuse_to_run(const host::RunRequest&) {
  throw Error(ExitCode::Usage, "this program is interpreted; give --interpret");
}

}  // namespace

std::string_view InterpretedProgram::keep(std::string text) {
  return texts_.emplace_back(std::move(text));
}

InterpretedProgram::InterpretedProgram(std::string program_ir) {
  const ir::Program program = read_verified(program_ir);
  Constants constants(program);
  info_.program_ir = keep(std::move(program_ir));
  info_.name = keep(program.name);
  info_.source_file = keep(program.source_file);
  for (const ir::Parameter& parameter : program.parameters)
    info_.parameters.push_back({keep(parameter.name), parameter.kind, parameter.is_list,
                                keep(constants.text(parameter.initial, parameter.kind))});
  for (const ir::State& state : program.states)
    if (state.is_input)
      info_.vertex_inputs.push_back(
          {keep(state.name), state.type.scalar(),
           keep(is_constant(*state.initial) ? constants.text(state.initial, state.type.scalar())
                                            : "")});
  if (program.edge)
    info_.edge = {keep(program.edge->name), program.edge->kind,
                  keep(constants.text(program.edge->initial, program.edge->kind))};
  for (const ir::EdgeAttribute& column : program.edge_columns)
    info_.edge_columns.push_back(
        {keep(column.name), column.kind, keep(constants.text(column.initial, column.kind))});
  for (const ir::Output& output : program.outputs)
    info_.outputs.push_back({keep(output.state), program.find_state(output.state)->type.elements,
                             output.tolerance.value_or(0)});
  walk_statements(
      program.body,
      [&](const ir::Stmt& s) {
        if (s.kind == ir::StmtKind::Report)
          info_.reports.push_back({keep(s.symbol), s.value->type.scalar()});
      },
      [](const ir::Expr&) {});
  for (const ir::Requirement& requirement : program.requirements)
    info_.requirements.push_back({requirement_kind(requirement.kind), keep(requirement.reason),
                                  keep(requirement.attribute)});
  for (const ir::Phase& phase : program.phases)
    info_.phases.push_back({keep(phase.name), {{"interpreter", "the program is interpreted"}}, 0});
  info_.needs_transpose = reads_in_neighbours(program);
}

host::Target InterpretedProgram::target() const {
  return {
      .kind = host::TargetKind::Cpu, .info = &info_, .run = refuse_to_run, .emitted_source = ""};
}

}  // namespace vertigo::reference
