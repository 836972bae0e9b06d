#include "compiler/driver/ExitCodes.h"

#include "vertigo/core/error.h"

namespace vertigo::compiler::driver {

namespace {

ExitCode code_of(unsigned diagnostic) {
  switch (diagnostic) {
    case diag::UnknownScheduleKey.code:
    case diag::UnknownScheduleValue.code:
    case diag::UnknownSchedulePhase.code:
    case diag::ScheduleOfProgram.code:
    case diag::IllegalSchedule.code:
    case diag::ScheduleSyntax.code:
    case diag::UnknownCode.code:
    case diag::UnknownArchitecture.code:
      return ExitCode::Usage;
    case diag::CannotRead.code:
      return ExitCode::InputRefused;
    case diag::ToolMissing.code:
      return ExitCode::DeviceUnusable;
    case diag::ToolEnded.code:
      return ExitCode::OutOfMemory;
    case diag::CannotWrite.code:
    case diag::NoTemporaryFiles.code:
      return ExitCode::OutputFailed;
    default:
      return ExitCode::Other;
  }
}

}  // namespace

int exit_code(const diag::DiagnosticEngine& diagnostics) {
  for (const diag::Report& report : diagnostics.reports())
    if (report.severity == diag::Severity::Error) return static_cast<int>(code_of(report.code));
  return static_cast<int>(ExitCode::Done);
}

}  // namespace vertigo::compiler::driver
