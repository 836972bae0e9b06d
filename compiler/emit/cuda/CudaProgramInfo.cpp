#include "compiler/emit/cuda/CudaProgramInfo.h"

#include <algorithm>
#include <functional>

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/cuda/BalancedLoops.h"
#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/ir/plan/PlanSpelling.h"
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
    out_.open("const ProgramInfo kInfo =");
    field("name", quoted(program_.name));
    field("source_file", quoted(program_.source_file));
    field("compiler_version", quoted(options_.version));
    field("options", quoted(options_.options));
    field("program_ir", "kProgramIr");
    field("plan", "kPlan");
    parameters();
    inputs();
    edge();
    outputs();
    reports();
    requirements();
    phases();
    variants();
    field("needs_transpose", plan_.needs_transpose ? "true" : "false");
    const plan::Decision* preparation = plan_.find_decision("program", "preparation");
    if (preparation != nullptr && preparation->pinned && preparation->value != "none")
      field("prepare", quoted(preparation->value));
    out_.close(";");
  }

 private:
  void text(const std::string& name, const std::string& value) {
    out_.blank();
    out_.verbatim("constexpr const char* " + name + " =\n" + raw_literal(value) + ";\n");
  }
  void field(const std::string& name, const std::string& value) {
    out_.line("." + name + " = " + value + ",");
  }
  template <class Items, class Print>
  void list(const std::string& name, const Items& items, const Print& print) {
    if (items.empty()) return field(name, "{}");
    out_.open("." + name + " =");
    for (const auto& item : items) out_.line(print(item) + ",");
    out_.close(",");
  }

  void parameters() {
    list("parameters", program_.parameters, [](const ir::Parameter& p) {
      return "{.name = " + quoted(p.name) + ", .kind = " + kind_name(p.kind) +
             ", .is_list = " + (p.is_list ? "true" : "false") +
             ", .default_text = " + quoted(default_text(p.initial.get())) + "}";
    });
  }

  void inputs() {
    std::vector<const ir::State*> found;
    for (const ir::State& state : program_.states)
      if (state.is_input) found.push_back(&state);
    list("vertex_inputs", found, [](const ir::State* s) {
      return "{.name = " + quoted(s->name) + ", .kind = " + kind_name(s->type.scalar()) +
             ", .default_text = " + quoted(default_text(s->initial.get())) + "}";
    });
  }

  void edge() {
    if (!program_.edge) return field("edge", "{}");
    field("edge", "{{.name = " + quoted(program_.edge->name) +
                      ", .kind = " + kind_name(program_.edge->kind) + ", .default_text = " +
                      quoted(default_text(program_.edge->initial.get())) + "}}");
  }

  void outputs() {
    list("outputs", program_.outputs, [&](const ir::Output& output) {
      std::string kinds;
      for (const ir::ScalarKind kind : program_.find_state(output.state)->type.elements)
        kinds += (kinds.empty() ? "" : ", ") + kind_name(kind);
      return "{.state = " + quoted(output.state) + ", .kinds = {" + kinds +
             "}, .tolerance = " + double_text(tolerance_of(program_, output)) + "}";
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
    list("reports", found, [](const ir::Stmt* stmt) {
      return "{.name = " + quoted(stmt->symbol) +
             ", .kind = " + kind_name(stmt->value->type.scalar()) + "}";
    });
  }

  void requirements() {
    list("requirements", program_.requirements, [](const ir::Requirement& requirement) {
      return "{.kind = RequirementInfo::Kind::" + requirement_name(requirement.kind) +
             ", .reason = " + quoted(requirement.reason) + "}";
    });
  }

  void phases() {
    std::size_t first = 0;
    list("phases", plan_.phases, [&](const plan::PhasePlan& phase) {
      const std::string text = "{.name = " + quoted(phase.phase) +
                               ", .first_variant = " + std::to_string(first) +
                               ", .variant_count = " + std::to_string(phase.variants.size()) +
                               ", .preferred = " + std::to_string(phase.preferred) + "}";
      first += phase.variants.size();
      return text;
    });
  }

  void variants() {
    std::vector<std::pair<const plan::PhasePlan*, const plan::Variant*>> all;
    for (const plan::PhasePlan& phase : plan_.phases)
      for (const plan::Variant& variant : phase.variants) all.emplace_back(&phase, &variant);
    list("variants", all, [&](const auto& each) {
      const auto& [phase, variant] = each;
      return "{.name = " + quoted(variant->name()) + ", .reason = " + quoted(variant->reason) +
             ", .deterministic = " + (variant->deterministic ? "true" : "false") +
             (prepares(*phase, *variant) ? ", .prepares = true" : "") +
             (is_balanced_by_graph(plan_, *phase, *variant) ? ", .balanced_by_graph = true" : "") +
             (variant->non_negative ? ", .non_negative = true" : "") + "}";
    });
  }

  bool prepares(const plan::PhasePlan& phase, const plan::Variant& variant) const {
    const std::set<std::string> used = buffers_of(plan_, phase, variant);
    return std::any_of(used.begin(), used.end(), [&](const std::string& name) {
      return plan::has_direction(plan_.find_buffer(name)->role);
    });
  }

  Writer& out_;
  const plan::Plan& plan_;
  const ir::Program& program_;
  const EmitOptions& options_;
};

}  // namespace

void print_cuda_program_info(Writer& out, const plan::Plan& plan, const EmitOptions& options) {
  InfoPrinter(out, plan, options).run();
}

}  // namespace vertigo::compiler::emit
