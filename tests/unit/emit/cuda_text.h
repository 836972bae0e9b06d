#pragma once
// The CUDA of a program, in every schedule, for tests that have it read.

#include <filesystem>
#include <string>

#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler {

inline const std::string kSource = VERTIGO_SOURCE_DIR;
inline const std::string kInclude = kSource + "/runtime/include";

/// The program's CUDA; "" where no target has code for it (`diagnostics` says why).
std::string emitted(const std::filesystem::path& path, const std::string& schedule_text,
                    diag::DiagnosticEngine& diagnostics);
std::string emitted(const std::filesystem::path& path, const std::string& schedule = "");

/// The example or program of tests/run that is called so.
std::filesystem::path example(const std::string& name);

}  // namespace vertigo::compiler
