#pragma once
// A compiler ended without a result: whose fault is it?

#include <string>

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/driver/Process.h"

namespace vertigo::compiler::driver {

struct ToolFailure {
  std::string tool;  ///< "g++"
  std::string log;   ///< file with what it said
  int status = 0;    ///< as Process::wait gives it
};

/// Tells a full disk and a lack of memory from code that was refused, which is a defect of ours:
/// the folder is kept then, with everything needed to see it again.
void report_failure(const ToolFailure& failure, PrivateFolder& folder,
                    diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::driver
