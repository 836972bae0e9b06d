#pragma once
// IR text in: reads and verifies, and reports what is wrong where it stands.

#include <optional>

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/ir/plan/Plan.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::driver {

/// The Program IR or Plan IR that source `file` spells, verified; one of the two is there, or
/// neither, and then an error was reported.
struct IrText {
  std::optional<ir::Program> program;
  std::optional<plan::Plan> plan;

  bool empty() const { return !program && !plan; }
};
IrText read_ir(std::uint32_t file, diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::driver
