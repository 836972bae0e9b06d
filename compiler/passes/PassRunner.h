#pragma once
// Runs passes and does the chores around them: times, dumps, verifies, stops. A pass holds only its
// decision.

#include <optional>
#include <string>
#include <vector>

#include "compiler/passes/PassContext.h"
#include "compiler/passes/Passes.h"

namespace vertigo::compiler::passes {

struct RunnerOptions {
  /// After every pass; else at the end of each pipeline alone, because a look at the whole plan
  /// takes longer than most passes.
  bool verify_each = true;
  std::vector<std::string> print_after;  ///< names of passes, or "all"
  llvm::raw_ostream* dump = nullptr;     ///< where the dumps go; null: stderr
  bool locations = false;                ///< print places in the source with the IR
};

class PassRunner {
 public:
  PassRunner(PassContext& context, RunnerOptions options)
      : context_(context), options_(std::move(options)) {}

  /// False where the pass reported an error or left the IR malformed (which is reported as a defect
  /// of the compiler).
  bool run(const ProgramPass& pass, ir::Program& program);
  bool run(const PlanPass& pass, plan::Plan& plan);

  /// At the end of a pipeline. False where the IR is malformed, which is reported as a defect of
  /// the compiler.
  bool end(const ir::Program& program);
  bool end(const plan::Plan& plan);

  PassContext& context() { return context_; }
  /// One line per pass that ran, in milliseconds.
  void print_times(llvm::raw_ostream& out) const;

 private:
  template <class Pass, class Data>
  bool run_pass(const Pass& pass, Data& data);
  template <class Data>
  bool is_well_formed(const Data& data, const std::string& when);

  struct Time {
    std::string pass;
    double milliseconds;
  };

  PassContext& context_;
  RunnerOptions options_;
  std::vector<Time> times_;
};

}  // namespace vertigo::compiler::passes
