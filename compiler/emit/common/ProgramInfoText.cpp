#include "compiler/emit/common/ProgramInfoText.h"

#include <functional>

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/LineDirectives.h"
#include "compiler/emit/common/Names.h"
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

class InfoPrinter {
 public:
  InfoPrinter(Writer& out, const plan::Plan& plan, const EmitOptions& options)
      : out_(out), plan_(plan), program_(plan.program), options_(options) {}

  void run() {
    text("kProgramIr", ir::print(program_, {.locations = true}));
    text("kPlan", plan::print(plan_, {.locations = false}));
    out_.blank();
    out_.open("const host::ProgramInfo& info()");
    out_.open("static const host::ProgramInfo info");
    line("name", quoted(program_.name));
    line("source_file", quoted(program_.source_file));
    line("compiler_version", quoted(options_.version));
    line("options", quoted(options_.options));
    line("program_ir", "kProgramIr");
    line("plan", "kPlan");
    parameters();
    inputs();
    edge();
    outputs();
    reports();
    requirements();
    phases();
    line("needs_transpose", plan_.needs_transpose ? "true" : "false");
    out_.close(";");
    out_.line("return info;");
    out_.close();
  }

 private:
  void text(const std::string& name, const std::string& value) {
    out_.blank();
    out_.verbatim("constexpr std::string_view " + name + " =\n" + raw_literal(value) + ";\n");
  }
  void line(const std::string& field, const std::string& value) {
    out_.line("." + field + " = " + value + ",");
  }
  template <class Items, class Print>
  void list(const std::string& field, const Items& items, const Print& print) {
    if (items.empty()) return line(field, "{}");
    out_.open("." + field + " =");
    for (const auto& item : items) print(item);
    out_.close(",");
  }

  void parameters() {
    list("parameters", program_.parameters, [&](const ir::Parameter& p) {
      out_.line("{.name = " + quoted(p.name) + ", .kind = " + kind_name(p.kind) +
                ", .is_list = " + (p.is_list ? "true" : "false") +
                ", .default_text = " + quoted(default_text(p.initial.get())) + "},");
    });
  }

  void inputs() {
    std::vector<const ir::State*> inputs;
    for (const ir::State& state : program_.states)
      if (state.is_input) inputs.push_back(&state);
    list("vertex_inputs", inputs, [&](const ir::State* s) {
      out_.line("{.name = " + quoted(s->name) + ", .kind = " + kind_name(s->type.scalar()) +
                ", .default_text = " + quoted(default_text(s->initial.get())) + "},");
    });
  }

  void edge() {
    if (!program_.edge) return line("edge", "{}");
    line("edge", "host::EdgeAttributeInfo{.name = " + quoted(program_.edge->name) +
                     ", .kind = " + kind_name(program_.edge->kind) + ", .default_text = " +
                     quoted(default_text(program_.edge->initial.get())) + "}");
  }

  void outputs() {
    list("outputs", program_.outputs, [&](const ir::Output& output) {
      std::string kinds;
      for (const ir::ScalarKind kind : program_.find_state(output.state)->type.elements)
        kinds += (kinds.empty() ? "" : ", ") + kind_name(kind);
      out_.line("{.state = " + quoted(output.state) + ", .kinds = {" + kinds +
                "}, .tolerance = " + double_text(tolerance_of(program_, output)) + "},");
    });
  }

  void reports() {
    std::vector<const ir::Stmt*> found;
    const std::function<void(const std::vector<ir::StmtPtr>&)> collect =
        [&](const std::vector<ir::StmtPtr>& body) {
          for (const ir::StmtPtr& stmt : body) {
            if (stmt->kind == ir::StmtKind::Report) found.push_back(stmt.get());
            collect(stmt->body);
            collect(stmt->otherwise);
          }
        };
    collect(plan_.body);
    list("reports", found, [&](const ir::Stmt* stmt) {
      out_.line("{.name = " + quoted(stmt->symbol) +
                ", .kind = " + kind_name(stmt->value->type.scalar()) + "},");
    });
  }

  void requirements() {
    list("requirements", program_.requirements, [&](const ir::Requirement& requirement) {
      out_.line("{.kind = host::RequirementInfo::Kind::" + requirement_name(requirement.kind) +
                ",");
      out_.line(" .reason = " + quoted(requirement.reason) + "},");
    });
  }

  void phases() {
    list("phases", plan_.phases, [&](const plan::PhasePlan& phase) {
      out_.line("{.name = " + quoted(phase.phase) + ",");
      out_.open(" .variants =");
      for (const plan::Variant& variant : phase.variants) {
        out_.line("{.name = " + quoted(variant.name()) + ",");
        out_.line(" .reason = " + quoted(variant.reason) +
                  (variant.non_negative ? ", .non_negative = true" : "") +
                  (variant.deterministic ? "" : ", .deterministic = false") + "},");
      }
      out_.close(",");
      out_.line(" .preferred = " + std::to_string(phase.preferred) + "},");
    });
  }

  Writer& out_;
  const plan::Plan& plan_;
  const ir::Program& program_;
  const EmitOptions& options_;
};

}  // namespace

void print_program_info(Writer& out, const plan::Plan& plan, const EmitOptions& options) {
  InfoPrinter(out, plan, options).run();
}

void print_header(Writer& out, const plan::Plan& plan, const EmitOptions& options,
                  const std::string& target) {
  if (options.says_output_name) out.verbatim(line_directive(2, options.output_name));
  out.comment("Program '" + plan.program.name + "' of " + plan.program.source_file + " for " +
              target + ", generated by vertigo " + options.version + ".");
  if (!options.options.empty()) out.comment("Options: " + options.options);
  out.line("//");
  out.comment("Plan (vertigo --explain says more):");
  for (const plan::Decision& decision : plan.decisions)
    out.line("//   " + in_comment(decision.subject + ": " + decision.key + " = " + decision.value +
                                  (decision.pinned ? " (pinned)" : "")));
}

}  // namespace vertigo::compiler::emit
