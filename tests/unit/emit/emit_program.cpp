// Writes the plan or the CPU code of a program: emit_program plan|cpu FILE.vg [OUTPUT]
#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/driver/Frontend.h"
#include "compiler/emit/cpu/EmitCpu.h"
#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/passes/Pipeline.h"
#include "llvm/Support/raw_ostream.h"

using namespace vertigo;
using namespace vertigo::compiler;

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  diag::DiagnosticEngine diagnostics;
  const auto file = driver::read_source(argv[2], diagnostics);
  auto program = file ? driver::front_end(*file, diagnostics) : std::nullopt;
  plan::Plan plan;
  bool made = false;
  if (program) {
    passes::Schedule schedule;
    passes::PassContext context{diagnostics, schedule};
    passes::PassRunner runner(context, {});
    made = passes::make_plan(std::move(*program), runner, plan);
  }
  diagnostics.print(llvm::errs());
  if (!made) return 1;
  std::error_code error;
  llvm::raw_fd_ostream out(argc == 4 ? argv[3] : "-", error);
  if (error) return 1;
  if (llvm::StringRef(argv[1]) == "plan")
    out << plan::print(plan);
  else
    out << emit::emit_cpu(plan, {.version = "test",
                                 .options = "",
                                 .output_name = plan.program.name + ".cpp",
                                 .source_text = diagnostics.source(*file).str(),
                                 .line_directives = true});
  return 0;
}
