#pragma once
// Results of the compiler reach their place whole or not at all.

#include <string>

#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::driver {

/// Writes `text` beside `path`, then renames it; "-" is stdout. A folder, device or link as target
/// is refused. False where an error was reported; nothing is left behind then.
bool write_output(const std::string& path, llvm::StringRef text,
                  diag::DiagnosticEngine& diagnostics);

/// As write_output, from a file, which becomes executable.
bool place_executable(const std::string& from, const std::string& path,
                      diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::driver
