#include "compiler/emit/cpu/CpuProgramInfo.h"

#include "compiler/emit/common/ProgramInfoText.h"

namespace vertigo::compiler::emit {

namespace {

class CpuProgramInfo : public ProgramInfoPrinter {
 public:
  using ProgramInfoPrinter::ProgramInfoPrinter;

 private:
  std::string text_type() const override { return "std::string_view"; }
  std::string text_field(const std::string& name) const override {
    return "unpacked(" + name + ")";
  }
  std::string scope() const override { return "host::"; }

  void open_info() override {
    out_.open("const host::ProgramInfo& info()");
    out_.open("static const host::ProgramInfo info");
  }
  void close_info() override {
    out_.close(";");
    out_.line("return info;");
    out_.close();
  }

  std::string edge_text(const std::string& fields) const override {
    return "host::EdgeAttributeInfo{" + fields + "}";
  }

  void print_phases() override {
    if (plan_.phases.empty()) return field("phases", "{}");
    out_.open(".phases =");
    for (const plan::PhasePlan& phase : plan_.phases) {
      out_.line("{.name = " + quoted(phase.phase) + ",");
      out_.open(" .variants =");
      for (const plan::Variant& variant : phase.variants) print_variant(variant);
      out_.close(",");
      out_.line(" .preferred = " + std::to_string(phase.preferred) + "},");
    }
    out_.close(",");
  }

  void print_variant(const plan::Variant& variant) {
    out_.line("{.name = " + quoted(variant.name()) + ",");
    out_.line(" .reason = " + quoted(variant.reason) +
              (variant.non_negative ? ", .non_negative = true" : "") +
              (variant.symmetric ? ", .symmetric = true" : "") +
              (variant.no_duplicates ? ", .no_duplicates = true" : "") +
              (variant.deterministic ? "" : ", .deterministic = false") + colours_field(variant) +
              "},");
  }
};

}  // namespace

void print_cpu_program_info(Writer& out, const plan::Plan& plan, const EmitOptions& options) {
  CpuProgramInfo(out, plan, options).print();
}

}  // namespace vertigo::compiler::emit
