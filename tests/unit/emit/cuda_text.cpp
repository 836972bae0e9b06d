#include "cuda_text.h"

#include "compiler/driver/Frontend.h"
#include "compiler/driver/ScheduleExpr.h"
#include "compiler/emit/cuda/EmitCuda.h"
#include "compiler/passes/Pipeline.h"
#include "compiler/passes/Schedule.h"

namespace vertigo::compiler {

namespace fs = std::filesystem;

std::string emitted(const fs::path& path, const std::string& schedule_text,
                    diag::DiagnosticEngine& diagnostics) {
  const auto file = driver::read_source(path.string(), driver::SourceKind::Program, diagnostics);
  auto program = file ? driver::front_end(*file, diagnostics) : std::nullopt;
  if (!program) return "";
  passes::Schedule schedule;
  schedule.pin("", "schedules", "all");
  if (!schedule_text.empty())
    schedule.add(passes::Schedule::read(diagnostics.add_source("--schedule", schedule_text),
                                        *program, diagnostics,
                                        driver::importance_reader(*program, diagnostics)));
  passes::PassContext context{diagnostics, schedule};
  passes::PassRunner runner(context, {});
  plan::Plan plan;
  if (!passes::make_plan(std::move(*program), runner, plan)) return "";
  return emit::emit_cuda(plan, {.version = "test",
                                .options = "",
                                .source_name = "program.vg",
                                .output_name = "program.cu",
                                .source_text = diagnostics.source(*file).str()});
}

std::string emitted(const fs::path& path, const std::string& schedule) {
  diag::DiagnosticEngine diagnostics;
  return emitted(path, schedule, diagnostics);
}

fs::path example(const std::string& name) {
  for (const char* folder : {"/dsl-examples", "/tests/run/programs"})
    for (const auto& entry : fs::recursive_directory_iterator(kSource + folder))
      if (entry.path().filename() == name + ".vg") return entry.path();
  return {};
}

}  // namespace vertigo::compiler
