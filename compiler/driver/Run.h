#pragma once
// `vertigo run [--interpret] FILE.vg GRAPH ...`: compiles or interprets, and runs at once.

#include <string>
#include <vector>

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/driver/Toolchain.h"

namespace vertigo::compiler::driver {

struct RunOptions {
  std::string vertigo;  ///< as the user called it
  std::string input;
  bool interpret = false;
  std::vector<std::string> arguments;  ///< of the generated program: graph, parameters, options
};

/// The exit status of the run, or that of the error that was reported to `diagnostics`, which it
/// prints before anything runs.
int run_program(const RunOptions& options, const Prefix& prefix,
                diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::driver
