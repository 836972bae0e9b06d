// The text of both IRs says everything: what is printed and read back prints the same and is as
// valid.

#include <gtest/gtest.h>
// rapidcheck's header of GoogleTest's names needs those of GoogleTest before it.
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/driver/Frontend.h"
#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/ir/plan/PlanReader.h"
#include "compiler/ir/plan/PlanVerifier.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Reader.h"
#include "compiler/ir/program/Verifier.h"
#include "compiler/passes/Pipeline.h"
#include "program_text.h"

namespace vertigo::compiler {
namespace {

/// Fails with the messages where the text does not compile: what is made is well typed.
ir::Program compiled(const std::string& text, diag::DiagnosticEngine& diagnostics) {
  auto program = driver::front_end(diagnostics.add_source("made.vg", text), diagnostics);
  std::string messages;
  llvm::raw_string_ostream out(messages);
  if (!program) diagnostics.print(out);
  if (!program) RC_FAIL(messages + text);
  return std::move(*program);
}

RC_GTEST_PROP(IrText, OfAProgramIsReadBack, ()) {
  diag::DiagnosticEngine diagnostics;
  const ir::Program program = compiled(*test::program_text(), diagnostics);
  for (const bool locations : {false, true}) {
    const std::string text = ir::print(program, {locations});
    const ir::Program back = ir::read_program(text);
    RC_ASSERT(ir::verify(back).empty());
    RC_ASSERT(ir::print(back, {locations}) == text);
  }
}

RC_GTEST_PROP(IrText, OfAPlanIsReadBack, ()) {
  diag::DiagnosticEngine diagnostics;
  ir::Program program = compiled(*test::program_text(), diagnostics);
  passes::Schedule schedule;
  passes::PassContext context{diagnostics, schedule};
  passes::PassRunner runner(context, {});
  plan::Plan plan;
  RC_ASSERT(passes::make_plan(std::move(program), runner, plan));
  const std::string text = plan::print(plan);
  const plan::Plan back = plan::read_plan(text);
  RC_ASSERT(plan::verify(back).empty());
  RC_ASSERT(plan::print(back) == text);
}

}  // namespace
}  // namespace vertigo::compiler
