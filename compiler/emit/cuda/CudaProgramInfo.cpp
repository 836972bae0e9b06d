#include "compiler/emit/cuda/CudaProgramInfo.h"

#include "compiler/emit/common/ProgramInfoText.h"
#include "compiler/ir/plan/EdgeParts.h"

namespace vertigo::compiler::emit {

namespace {

class CudaProgramInfo : public ProgramInfoPrinter {
 public:
  using ProgramInfoPrinter::ProgramInfoPrinter;

 private:
  std::string text_type() const override { return "const char*"; }
  std::string text_field(const std::string& name) const override { return name; }
  std::string scope() const override { return ""; }

  void open_info() override { out_.open("const ProgramTables kInfo ="); }
  void close_info() override { out_.close(";"); }

  std::string edge_text(const std::string& fields) const override { return "{{" + fields + "}}"; }

  void print_phases() override {
    std::vector<std::string> phases;
    std::vector<std::string> variants;
    for (const plan::PhasePlan& phase : plan_.phases) {
      phases.push_back("{.name = " + quoted(phase.phase) +
                       ", .first_variant = " + std::to_string(variants.size()) +
                       ", .variant_count = " + std::to_string(phase.variants.size()) +
                       ", .preferred = " + std::to_string(phase.preferred) + "}");
      for (const plan::Variant& variant : phase.variants) variants.push_back(text_of(variant));
    }
    list("phases", phases);
    list("variants", variants);
  }

  std::string text_of(const plan::Variant& variant) const {
    const std::string parts = plan::edge_parts_of(plan_, variant);
    return "{.name = " + quoted(variant.name()) + ", .reason = " + quoted(variant.reason) +
           ", .deterministic = " + (variant.deterministic ? "true" : "false") +
           (variant.prepares ? ", .prepares = true" : "") +
           (variant.by_graph ? ", .balanced_by_graph = true" : "") +
           (variant.non_negative ? ", .non_negative = true" : "") +
           (variant.symmetric ? ", .symmetric = true" : "") +
           (variant.no_duplicates ? ", .no_duplicates = true" : "") +
           (parts == "whole" ? "" : ", .parts = " + quoted(parts)) + colours_field(variant) + "}";
  }

  void print_last_fields() override {
    const std::string& order = plan_.host->graph_order;
    if (!order.empty()) field("prepare", quoted(order));
    const std::string& transfer = plan_.host->transfer;
    if (!transfer.empty()) field("transfer", quoted(transfer));
  }
};

}  // namespace

void print_cuda_program_info(Writer& out, const plan::Plan& plan, const EmitOptions& options) {
  CudaProgramInfo(out, plan, options).print();
}

}  // namespace vertigo::compiler::emit
