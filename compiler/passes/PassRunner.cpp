#include "compiler/passes/PassRunner.h"

#include <algorithm>
#include <chrono>

#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/ir/plan/PlanVerifier.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Verifier.h"
#include "llvm/Support/Format.h"

namespace vertigo::compiler::passes {

template <class Pass, class Data>
bool PassRunner::run_pass(const Pass& pass, Data& data) {
  const unsigned errors = context_.diagnostics.error_count();
  const auto begin = std::chrono::steady_clock::now();
  pass.run(data, context_);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  times_.push_back({pass.name, time.count()});

  const auto wanted = [&](const std::string& name) { return name == "all" || name == pass.name; };
  if (std::any_of(options_.print_after.begin(), options_.print_after.end(), wanted)) {
    llvm::raw_ostream& out = options_.dump != nullptr ? *options_.dump : llvm::errs();
    out << "// after " << pass.name << "\n" << print(data, ir::PrintOptions{options_.locations});
  }
  if (context_.diagnostics.error_count() != errors) return false;
  return !options_.verify_each ||
         is_well_formed(data, std::string("after pass '") + pass.name + "'");
}

template <class Data>
bool PassRunner::is_well_formed(const Data& data, const std::string& when) {
  const std::vector<std::string> problems = verify(data);
  for (const std::string& problem : problems)
    context_.diagnostics.report(diag::MalformedIr, SourceRange{}, when, problem);
  return problems.empty();
}

bool PassRunner::run(const ProgramPass& pass, ir::Program& program) {
  return run_pass(pass, program);
}
bool PassRunner::run(const PlanPass& pass, plan::Plan& plan) { return run_pass(pass, plan); }

bool PassRunner::end(const ir::Program& program) {
  return options_.verify_each || is_well_formed(program, "after all passes of the Program IR");
}
bool PassRunner::end(const plan::Plan& plan) {
  return options_.verify_each || is_well_formed(plan, "after all passes of the Plan IR");
}

void PassRunner::print_times(llvm::raw_ostream& out) const {
  double total = 0;
  for (const Time& time : times_) {
    out << llvm::format("%10.3f ms  ", time.milliseconds) << time.pass << "\n";
    total += time.milliseconds;
  }
  out << llvm::format("%10.3f ms  ", total) << "all passes\n";
}

}  // namespace vertigo::compiler::passes
