#pragma once
// The front half of the pipeline, one function a step: file → source → AST → checked AST → Program
// IR.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "compiler/ast/Program.h"
#include "compiler/check/Check.h"
#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::driver {

/// What a text is that a user hands in; each kind has a length that no honest one exceeds.
enum class SourceKind : std::uint8_t { Program, Schedule, Ir };

/// Reads a text ("-" is standard input) into `diagnostics`. Nothing where it cannot be read or is
/// too long; then that was reported.
std::optional<std::uint32_t> read_source(const std::string& path, SourceKind kind,
                                         diag::DiagnosticEngine& diagnostics);

/// Gives the functions of the headers that a program names; what is wrong with them it reports.
using HeaderReader =
    std::function<std::vector<check::ExternFunction>(ast::Program&, diag::DiagnosticEngine&)>;

/// Parses and checks. Without a reader, headers are not opened. The tree is there as soon as the
/// text parses, even when the check reported errors: ask `diagnostics.has_errors()` before using it
/// further.
std::unique_ptr<ast::Program> analyse(std::uint32_t file, diag::DiagnosticEngine& diagnostics,
                                      const HeaderReader& headers = {});

/// All of it: Program IR, or nothing where an error was reported.
std::optional<vertigo::ir::Program> front_end(std::uint32_t file,
                                              diag::DiagnosticEngine& diagnostics,
                                              const HeaderReader& headers = {});

}  // namespace vertigo::compiler::driver
