#include "tests/fuzz/frontend_input.h"

#include <cstdio>
#include <cstdlib>

#include "compiler/driver/Frontend.h"
#include "compiler/emit/cpu/EmitCpu.h"
#include "compiler/emit/cuda/EmitCuda.h"
#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/ir/plan/PlanReader.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Reader.h"
#include "compiler/ir/program/Verifier.h"
#include "compiler/passes/Explain.h"
#include "compiler/passes/Pipeline.h"
#include "llvm/Support/raw_ostream.h"

namespace vertigo::fuzz {

namespace {

using namespace compiler;

[[noreturn]] void broken(const char* what, const std::string& detail, const std::string& program) {
  std::fprintf(stderr, "%s: %s\n%s\n", what, detail.c_str(), program.c_str());
  std::abort();
}

std::string said(diag::DiagnosticEngine& diagnostics) {
  std::string text;
  llvm::raw_string_ostream out(text);
  diagnostics.print(out);
  return text;
}

void try_program_text(const ir::Program& program) {
  const std::string text = ir::print(program);
  for (const std::string& problem : ir::verify(program)) broken("unsound IR", problem, text);
  try {
    if (ir::print(ir::read_program(text)) != text)
      broken("the IR changes when read back", "", text);
  } catch (const ir::ReadError& error) {
    broken("the printed IR does not read back", error.message, text);
  }
}

void try_plan(ir::Program program, diag::DiagnosticEngine& diagnostics) {
  const std::string text = ir::print(program);
  passes::Schedule schedule;
  passes::PassContext context{diagnostics, schedule};
  passes::PassRunner runner(context, {});
  plan::Plan plan;
  if (!passes::make_plan(std::move(program), runner, plan)) {
    if (!diagnostics.has_errors()) broken("no plan and no error", "", text);
    const std::string why = said(diagnostics);
    if (why.find("[VG0407]") != std::string::npos) broken("an unsound plan", why, text);
    return;
  }
  std::string explained;
  llvm::raw_string_ostream out(explained);
  passes::explain(plan, out);
  const std::string printed = plan::print(plan);
  try {
    if (plan::print(plan::read_plan(printed)) != printed)
      broken("the plan changes when read back", "", text);
  } catch (const ir::ReadError& error) {
    broken("the printed plan does not read back", error.message, text);
  }
  emit::EmitOptions options;
  options.source_name = "fuzz.vg";
  options.output_name = "fuzz";
  if (emit::emit_cpu(plan, options).empty() || emit::emit_cuda(plan, options).empty())
    broken("nothing was emitted", "", text);
}

}  // namespace

bool try_frontend(std::string_view text) {
  diag::DiagnosticEngine diagnostics;
  const std::uint32_t file = diagnostics.add_source("fuzz.vg", llvm::StringRef(text));
  auto program = driver::front_end(file, diagnostics);
  said(diagnostics);
  if (!program) {
    if (!diagnostics.has_errors()) broken("no program and no error", "", "");
    return false;
  }
  try_program_text(*program);
  try_plan(std::move(*program), diagnostics);
  return true;
}

}  // namespace vertigo::fuzz
