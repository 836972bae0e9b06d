#include "compiler/emit/common/ProgramInfoText.h"

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/LineDirectives.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/common/PackedText.h"
#include "compiler/ir/plan/EdgeParts.h"
#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Tolerance.h"

namespace vertigo::compiler::emit {

namespace {

std::string requirement_name(ir::RequirementKind kind) {
  switch (kind) {
    case ir::RequirementKind::Symmetric:
      return "Symmetric";
    case ir::RequirementKind::NonNegativeWeights:
      return "NonNegativeWeights";
    case ir::RequirementKind::NoDuplicates:
      return "NoDuplicates";
  }
  return "";
}

template <class Visit>
void for_each_report(const std::vector<ir::StmtPtr>& body, const Visit& visit) {
  for (const ir::StmtPtr& stmt : body) {
    if (stmt->kind == ir::StmtKind::Report) visit(*stmt);
    for_each_report(stmt->body, visit);
    for_each_report(stmt->otherwise, visit);
  }
}

/// `.name = "source", .kind = ScalarKind::Vertex`
std::string named_kind(const std::string& name, ir::ScalarKind kind) {
  return ".name = " + quoted(name) + ", .kind = " + kind_name(kind);
}

std::string default_field(const ir::ExprPtr& initial) {
  return ", .default_text = " + quoted(default_text(initial.get()));
}

}  // namespace

void ProgramInfoPrinter::print() {
  out_.blank();
  out_.comment("The program's IR and plan, compressed (vertigo/core/packed_text.h).");
  print_text("kProgramIr", ir::print(program_, {.locations = true}));
  print_text("kPlan", plan::print(plan_, {.locations = false}));
  out_.blank();
  open_info();
  field("name", quoted(program_.name));
  field("source_file", quoted(program_.source_file));
  field("compiler_version", quoted(options_.version));
  field("options", quoted(options_.options));
  field("program_ir", text_field("kProgramIr"));
  field("plan", text_field("kPlan"));
  print_parameters();
  print_inputs();
  field("edge", program_.edge ? edge_text(named_kind(program_.edge->name, program_.edge->kind) +
                                          default_field(program_.edge->initial))
                              : "{}");
  if (!program_.edge_columns.empty()) print_edge_columns();
  print_outputs();
  print_reports();
  print_requirements();
  print_phases();
  field("needs_transpose", plan_.needs_transpose ? "true" : "false");
  if (plan_.host->all_schedules) field("all_schedules", "true");
  print_last_fields();
  close_info();
}

void ProgramInfoPrinter::print_text(const std::string& name, const std::string& value) {
  out_.verbatim("constexpr " + text_type() + " " + name + " =\n" + raw_literal(packed(value)) +
                ";\n");
}

std::string ProgramInfoPrinter::colours_field(const plan::Variant& variant) const {
  const std::string colours = plan::colours_of(plan_, variant);
  return colours.empty() ? "" : ", .colours = " + quoted(colours);
}

void ProgramInfoPrinter::field(const std::string& name, const std::string& value) {
  out_.line("." + name + " = " + value + ",");
}

void ProgramInfoPrinter::list(const std::string& name, const std::vector<std::string>& items) {
  if (items.empty()) return field(name, "{}");
  out_.open("." + name + " =");
  for (const std::string& item : items) out_.line(item + ",");
  out_.close(",");
}

void ProgramInfoPrinter::print_parameters() {
  std::vector<std::string> items;
  for (const ir::Parameter& each : program_.parameters)
    items.push_back("{" + named_kind(each.name, each.kind) + ", .is_list = " +
                    (each.is_list ? "true" : "false") + default_field(each.initial) + "}");
  list("parameters", items);
}

void ProgramInfoPrinter::print_inputs() {
  std::vector<std::string> items;
  for (const ir::State& state : program_.states)
    if (state.is_input)
      items.push_back("{" + named_kind(state.name, state.type.scalar()) +
                      default_field(state.initial) + "}");
  list("vertex_inputs", items);
}

void ProgramInfoPrinter::print_edge_columns() {
  std::vector<std::string> items;
  for (const ir::EdgeAttribute& column : program_.edge_columns)
    items.push_back("{" + named_kind(column.name, column.kind) + default_field(column.initial) +
                    "}");
  list("edge_columns", items);
}

void ProgramInfoPrinter::print_outputs() {
  std::vector<std::string> items;
  for (const ir::Output& output : program_.outputs) {
    std::string kinds;
    for (const ir::ScalarKind kind : program_.find_state(output.state)->type.elements)
      kinds += (kinds.empty() ? "" : ", ") + kind_name(kind);
    items.push_back("{.state = " + quoted(output.state) + ", .kinds = {" + kinds +
                    "}, .tolerance = " + double_text(tolerance_of(program_, output)) + "}");
  }
  list("outputs", items);
}

void ProgramInfoPrinter::print_reports() {
  std::vector<std::string> items;
  for_each_report(plan_.body, [&](const ir::Stmt& stmt) {
    items.push_back("{" + named_kind(stmt.symbol, stmt.value->type.scalar()) + "}");
  });
  list("reports", items);
}

void ProgramInfoPrinter::print_requirements() {
  std::vector<std::string> items;
  for (const ir::Requirement& each : program_.requirements)
    items.push_back(
        "{.kind = " + scope() + "RequirementInfo::Kind::" + requirement_name(each.kind) +
        ", .reason = " + quoted(each.reason) +
        (each.attribute.empty() ? "" : ", .attribute = " + quoted(each.attribute)) + "}");
  list("requirements", items);
}

void print_header(Writer& out, const plan::Plan& plan, const EmitOptions& options,
                  const std::string& target) {
  if (options.says_output_name) out.verbatim(line_directive(2, options.output_name));
  out.comment("Program '" + plan.program.name + "' of " + plan.program.source_file + " for " +
              target + ", generated by vertigo " + options.version + ".");
  if (!options.options.empty()) out.comment("Options: " + options.options);
  out.line("//");
  out.comment("Plan (vertigo --explain says more):");
  for (const std::string& choice : plan::choices(plan)) out.line("//   " + in_comment(choice));
}

}  // namespace vertigo::compiler::emit
