#include "compiler/driver/EditedPlan.h"

#include <algorithm>

#include "compiler/driver/Frontend.h"
#include "compiler/driver/IrText.h"
#include "compiler/driver/ScheduleExpr.h"
#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/ir/plan/PlanReader.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Reader.h"
#include "compiler/passes/Pipeline.h"

namespace vertigo::compiler::driver {

namespace {

ir::Program copy_of(const ir::Program& program) {
  return ir::read_program(ir::print(program, {.locations = true}));
}

// What runs: the plan's text without the program and the decisions.
std::string code_of(const plan::Plan& plan) {
  const std::string text = plan::print(plan);
  plan::Plan bare = plan::read_plan(text);
  bare.decisions.clear();
  return plan::print(bare);
}

// A value that is an expression is a source of its own: it is read as that of a schedule.
void add_pin(const plan::Decision& decision, const ir::Program& program,
             diag::DiagnosticEngine& diagnostics, passes::Schedule& pins) {
  const std::string phase = decision.subject == "program" ? "" : decision.subject;
  const passes::ScheduleKey* const key = passes::find_schedule_key(decision.key);
  const bool is_word = key == nullptr || !key->expression ||
                       std::ranges::find(key->values, decision.value) != key->values.end();
  if (is_word) return pins.pin(phase, decision.key, decision.value);
  const std::uint32_t file = diagnostics.add_source(name_of(decision), decision.value);
  const SourceRange place{0, static_cast<std::uint32_t>(decision.value.size()), file};
  if (ir::ExprPtr read = importance_reader(program, diagnostics)(place))
    pins.pin(passes::Pin{phase, decision.key, decision.value, place, std::move(read)});
}

// Decisions that the file pins: what it was made with, unless they were edited.
passes::Schedule pins_of(const plan::Plan& edited, diag::DiagnosticEngine& diagnostics) {
  passes::Schedule pins;
  for (const plan::Decision& decision : edited.decisions)
    if (decision.pinned) add_pin(decision, edited.program, diagnostics, pins);
  return pins;
}

// Decisions that the file pins or has changed; a variant also stands for what it is made of.
passes::Schedule pins_of(const plan::Plan& edited, const plan::Plan& made,
                         diag::DiagnosticEngine& diagnostics) {
  passes::Schedule pins;
  for (const plan::Decision& decision : edited.decisions) {
    const plan::Decision* before = made.find_decision(decision.subject, decision.key);
    if (before != nullptr && before->value == decision.value && !decision.pinned) continue;
    add_pin(decision, edited.program, diagnostics, pins);
  }
  return pins;
}

}  // namespace

bool take_edited_plan(const std::string& path, ir::Program program, passes::PassRunner& runner,
                      plan::Plan& plan) {
  diag::DiagnosticEngine& diagnostics = runner.context().diagnostics;
  const auto file = read_source(path, SourceKind::Ir, diagnostics);
  if (!file) return false;
  const IrText text = read_ir(*file, diagnostics);
  if (!text.plan) {
    if (text.program)
      diagnostics.report(diag::UnreadableIr, SourceRange{0, 7, *file},
                         "expected a plan, found a program");
    return false;
  }
  const plan::Plan& edited = *text.plan;
  ir::Program again = copy_of(program);
  runner.context().schedule.add(pins_of(edited, diagnostics));
  if (diagnostics.has_errors()) return false;
  if (!passes::make_plan(std::move(program), runner, plan)) return false;
  if (ir::print(plan.program) != ir::print(edited.program)) {
    diagnostics.report(diag::PlanOfOtherProgram, SourceRange{}, plan.program.name);
    return false;
  }
  const std::string code = code_of(edited);
  const bool as_made = code == code_of(plan);
  const passes::Schedule pins = pins_of(edited, plan, diagnostics);
  if (diagnostics.has_errors()) return false;
  if (!pins.empty()) {
    runner.context().schedule.add(pins);
    if (!passes::make_plan(std::move(again), runner, plan)) return false;
  }
  if (as_made || code == code_of(plan)) return true;

  // The program keeps its places in the source, which the text of a plan need not have.
  ir::NamedList<plan::Decision> decisions = std::move(plan.decisions);
  ir::Program placed = std::move(plan.program);
  plan = plan::read_plan(diagnostics.source(*file));
  plan.program = std::move(placed);
  plan.decisions = std::move(decisions);
  return passes::arrange_plan(runner, plan);
}

}  // namespace vertigo::compiler::driver
