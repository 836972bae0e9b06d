// Writes the plan of a program or its code, without Clang, which vertigo has lay it out and read
// it, for all legal schedules: emit_program plan|cpu|cuda FILE.vg [OUTPUT [SCHEDULE]]
#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/driver/Frontend.h"
#include "compiler/driver/ScheduleExpr.h"
#include "compiler/emit/cpu/EmitCpu.h"
#include "compiler/emit/cuda/EmitCuda.h"
#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/passes/Pipeline.h"
#include "llvm/Support/raw_ostream.h"

using namespace vertigo;
using namespace vertigo::compiler;

namespace {

bool make_plan(std::uint32_t source, const char* pins, diag::DiagnosticEngine& diagnostics,
               plan::Plan& plan) {
  auto program = driver::front_end(source, diagnostics);
  if (!program) return false;
  passes::Schedule schedule;
  schedule.pin("", "schedules", "all");
  if (pins != nullptr)
    schedule.add(passes::Schedule::read(diagnostics.add_source("--schedule", pins), *program,
                                        diagnostics,
                                        driver::importance_reader(*program, diagnostics)));
  passes::PassContext context{diagnostics, schedule};
  passes::PassRunner runner(context, {});
  return !diagnostics.has_errors() && passes::make_plan(std::move(*program), runner, plan);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) return 2;
  const llvm::StringRef form = argv[1];
  diag::DiagnosticEngine diagnostics;
  plan::Plan plan;
  const auto source = driver::read_source(argv[2], driver::SourceKind::Program, diagnostics);
  const bool made = source && make_plan(*source, argc == 5 ? argv[4] : nullptr, diagnostics, plan);
  diagnostics.print(llvm::errs());
  if (!made) return 1;
  std::error_code error;
  llvm::raw_fd_ostream out(argc > 3 ? argv[3] : "-", error);
  if (error) return 1;
  const emit::EmitOptions options{
      .version = "test",
      .options = "",
      .source_name = plan.program.source_file,
      .output_name = plan.program.name + (form == "cuda" ? ".cu" : ".cpp"),
      .source_text = diagnostics.source(*source).str()};
  out << (form == "plan"   ? plan::print(plan)
          : form == "cuda" ? emit::emit_cuda(plan, options)
                           : emit::emit_cpu(plan, options));
  return 0;
}
