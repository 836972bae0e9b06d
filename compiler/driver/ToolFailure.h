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

/// The line in which it says what was wrong first.
std::string first_error(const ToolFailure& failure);
/// The line in which a linker misses something; empty where it misses nothing.
std::string undefined_reference(const ToolFailure& failure);

/// Where the system had no room or no memory left, says so and is true.
bool report_lack(const ToolFailure& failure, const PrivateFolder& folder,
                 diag::DiagnosticEngine& diagnostics);

/// What it refused is a defect of ours: the folder is kept, with everything needed to see it again.
void report_defect(const ToolFailure& failure, PrivateFolder& folder,
                   diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::driver
