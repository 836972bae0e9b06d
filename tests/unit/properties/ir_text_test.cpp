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
#include "compiler/ir/program/SourceText.h"
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

// In messages, expressions read as the source has them: brackets stay where a point or a sign would
// tear them apart.
TEST(IrText, OfAnExpressionReadsAsTheSource) {
  const ir::Program program = ir::read_program(
      "program p {\n"
      "  state x: int32 = 0;\n"
      "  phase main: sweep v {\n"
      "    update { v.x = neg(-3) - (select(v.x > 0, v.x, 2) * 7); }\n"
      "  }\n"
      "  body { run main; }\n"
      "  output x;\n"
      "}\n");
  EXPECT_EQ(ir::source_text(*program.phases.front().body.front()->value),
            "-(-3) - (v.x > 0 ? v.x : 2) * 7");
}

}  // namespace
}  // namespace vertigo::compiler
