#include "compiler/driver/ScheduleExpr.h"

#include "compiler/check/Check.h"
#include "compiler/lower/Lower.h"
#include "compiler/parse/Parse.h"

namespace vertigo::compiler::driver {

namespace {

using ast::Builtin;
using ast::Decl;
using ast::ExprKind;

// What names of the program mean. Parameters and states are there so that a message can say why
// they may not be read.
ast::Program declarations_of(const ir::Program& program) {
  ast::Program made;
  const auto add = [](auto& into, Decl::Kind kind, const std::string& name, ast::Type type) {
    auto decl = std::make_unique<ast::ProgramDecl>(kind);
    decl->name.text = name;
    decl->type = std::move(type);
    into.push_back(std::move(decl));
  };
  for (const ir::Parameter& each : program.parameters)
    add(made.parameters, Decl::Kind::Parameter, each.name,
        each.is_list ? ast::Type(ast::Type::Form::VertexList) : ast::Type(each.kind));
  for (const ir::State& each : program.states) {
    ast::Type type(ast::Type::Form::Value);
    type.elements = each.type.elements;
    add(made.states, each.is_input ? Decl::Kind::Input : Decl::Kind::State, each.name,
        std::move(type));
  }
  return made;
}

// Why paths cannot be made by what this node reads; "" where they can.
std::string problem_of(const ast::Expr& node) {
  if (node.decl != nullptr && node.decl->kind == Decl::Kind::Parameter)
    return "paths are made once for all runs, and a parameter is given to one";
  if (node.decl != nullptr && node.decl->kind == Decl::Kind::State)
    return "paths are made before the first run, when there are no states; degrees and inputs of "
           "vertices are known";
  if (node.kind == ExprKind::Reduction || ast::calls(node, ir::Op::CommonNeighbours))
    return "it is found from the vertex alone, without its neighbours";
  if (ast::calls(node, ir::Op::Random)) return "it is found from degrees and inputs alone";
  if (node.builtin == Builtin::Vertices || node.builtin == Builtin::Edges)
    return "it is the same for all vertices";
  if (node.kind == ExprKind::Member && node.operands[0]->builtin != Builtin::Self)
    return "of 'self' alone is it known";
  return "";
}

bool is_importance(const ast::Expr& value, diag::DiagnosticEngine& diagnostics) {
  bool found = false;
  const auto refuse = [&](const ast::Expr& node, const std::string& why) {
    found = true;
    diagnostics.report(diag::NoImportance, node.range, diagnostics.text(node.range).str(), why);
  };
  const auto look = [&](const ast::Expr& node, const auto& self) -> void {
    if (found) return;
    if (const std::string why = problem_of(node); !why.empty()) return refuse(node, why);
    for (const ast::ExprPtr& operand : node.operands) {
      const bool is_base = node.kind == ExprKind::Member && operand->builtin == Builtin::Self;
      if (!is_base && operand->builtin == Builtin::Self)
        return refuse(*operand, "a name is no number; 'self.degree' is one");
      if (!is_base) self(*operand, self);
    }
  };
  look(value, look);
  return !found;
}

}  // namespace

std::function<ir::ExprPtr(SourceRange)> importance_reader(const ir::Program& program,
                                                          diag::DiagnosticEngine& diagnostics) {
  return [&program, &diagnostics](SourceRange place) -> ir::ExprPtr {
    const unsigned errors_before = diagnostics.error_count();
    ast::ExprPtr value = parse::parse_expression(place, diagnostics);
    if (!value) return nullptr;
    ast::Program declarations = declarations_of(program);
    check::check_of_vertex(declarations, value, ir::ScalarKind::Float64, diagnostics);
    if (diagnostics.error_count() != errors_before || !is_importance(*value, diagnostics))
      return nullptr;
    // The check of the program did not see the schedule.
    for (const auto& each : declarations.states)
      if (each->read)
        diagnostics.take_back(diag::Unused, ast::describe(each->kind), each->name.text);
    return lower::lower_of_vertex(*value, diagnostics);
  };
}

}  // namespace vertigo::compiler::driver
