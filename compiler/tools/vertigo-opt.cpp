// IR text in, chosen passes, IR text out: how a pass is tested and looked at.

#include "compiler/driver/ExitCodes.h"
#include "compiler/driver/Frontend.h"
#include "compiler/driver/IrText.h"
#include "compiler/driver/ScheduleExpr.h"
#include "compiler/driver/ToolMain.h"
#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/passes/Explain.h"
#include "compiler/passes/Pipeline.h"
#include "compiler/support/NearMiss.h"
#include "llvm/Support/CommandLine.h"

namespace {

using namespace vertigo::compiler;
namespace cl = llvm::cl;
namespace ir = vertigo::ir;
namespace plan = vertigo::plan;

// LLVM's library registers options of its own passes under the names that ours should have, so they
// are taken out before ours are made.
struct Options {
  // The reset forgets LLVM's own categories; an option without a living one is left out of --help.
  cl::OptionCategory category{"Options"};
  cl::opt<std::string> input{cl::Positional, cl::cat(category), cl::desc("<file.vir or file.plan>"),
                             cl::init("-")};
  cl::list<std::string> pass_names{"passes", cl::cat(category),
                                   cl::desc("passes to run, in this order"),
                                   cl::value_desc("a,b,c"), cl::CommaSeparated};
  cl::opt<std::string> schedule{"schedule", cl::cat(category), cl::desc("choices to pin"),
                                cl::value_desc("key=value,...")};
  cl::opt<bool> verify_only{"verify-only", cl::cat(category),
                            cl::desc("read and verify, print nothing")};
  cl::opt<bool> verify_each{"verify-each", cl::cat(category),
                            cl::desc("verify after every pass (default)"), cl::init(true)};
  cl::opt<bool> locations{"locations", cl::cat(category), cl::desc("print places in the source")};
  cl::opt<bool> explain{"explain", cl::cat(category),
                        cl::desc("print the decisions instead of the IR")};
  cl::list<std::string> print_after{"print-after", cl::cat(category),
                                    cl::desc("dump the IR to stderr after a pass"),
                                    cl::value_desc("pass|all")};
  cl::opt<bool> time_passes{"time-passes", cl::cat(category),
                            cl::desc("print the time of each pass to stderr")};
};

bool known_passes(const Options& options, diag::DiagnosticEngine& diagnostics) {
  std::vector<std::string> names;
  for (const passes::ProgramPass& pass : passes::program_passes()) names.emplace_back(pass.name);
  for (const passes::PlanPass& pass : passes::plan_passes()) names.emplace_back(pass.name);
  for (const std::string& name : options.pass_names) {
    if (llvm::is_contained(names, name)) continue;
    diag::Report& report = diagnostics.report(diag::UnknownPass, SourceRange{}, name);
    if (const auto near = near_miss(name, names)) report.note("did you mean '" + *near + "'?");
  }
  return !diagnostics.has_errors();
}

bool run_passes(const Options& options, driver::IrText& text, passes::PassRunner& runner,
                diag::DiagnosticEngine& diagnostics) {
  std::string planner = "the text";
  for (const std::string& name : options.pass_names) {
    if (const passes::ProgramPass* pass = passes::find_program_pass(name)) {
      if (text.plan) {
        diagnostics.report(diag::PassOrder, SourceRange{}, name, planner);
        return false;
      }
      if (!runner.run(*pass, *text.program)) return false;
      continue;
    }
    if (!text.plan) {
      text.plan = passes::begin_plan(std::move(*text.program));
      text.program.reset();
      planner = name;
    }
    if (!runner.run(*passes::find_plan_pass(name), *text.plan)) return false;
  }
  return true;
}

bool run(const Options& options, diag::DiagnosticEngine& diagnostics) {
  const auto file = driver::read_source(options.input, driver::SourceKind::Ir, diagnostics);
  if (!file || !known_passes(options, diagnostics)) return false;
  driver::IrText text = driver::read_ir(*file, diagnostics);
  if (text.empty()) return false;
  passes::Schedule schedule;
  if (!options.schedule.empty()) {
    const std::uint32_t source = diagnostics.add_source("--schedule", options.schedule);
    const ir::Program& program = text.program ? *text.program : text.plan->program;
    schedule = passes::Schedule::read(source, program, diagnostics,
                                      driver::importance_reader(program, diagnostics));
    if (diagnostics.has_errors()) return false;
  }
  passes::PassContext context{diagnostics, schedule};
  passes::RunnerOptions chores;
  chores.verify_each = options.verify_each;
  chores.print_after.assign(options.print_after.begin(), options.print_after.end());
  chores.locations = options.locations;
  passes::PassRunner runner(context, chores);
  if (!run_passes(options, text, runner, diagnostics)) return false;
  if (options.time_passes) runner.print_times(llvm::errs());
  if (options.verify_only) return true;
  const ir::PrintOptions print_options{options.locations};
  if (text.plan && options.explain)
    passes::explain(*text.plan, llvm::outs());
  else
    llvm::outs() << (text.plan ? plan::print(*text.plan, print_options)
                               : ir::print(*text.program, print_options));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const driver::ToolMain tool(argc, argv);
  return tool.run([&] {
    cl::ResetCommandLineParser();
    const Options options;
    if (!tool.parse_options("runs passes on the text of Program IR or Plan IR\n")) return 2;
    diag::DiagnosticEngine diagnostics;
    run(options, diagnostics);
    diagnostics.print(llvm::errs());
    return driver::exit_code(diagnostics);
  });
}
