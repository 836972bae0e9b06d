#include "compiler/driver/Frontend.h"

#include "compiler/check/Check.h"
#include "compiler/lower/Lower.h"
#include "compiler/parse/Parse.h"
#include "llvm/Support/MemoryBuffer.h"

namespace vertigo::compiler::driver {

std::optional<std::uint32_t> read_source(const std::string& path,
                                         diag::DiagnosticEngine& diagnostics) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer) {
    diagnostics.report(diag::CannotRead, SourceRange{}, path, buffer.getError().message());
    return std::nullopt;
  }
  return diagnostics.add_source(path, (*buffer)->getBuffer());
}

std::unique_ptr<ast::Program> analyse(std::uint32_t file, diag::DiagnosticEngine& diagnostics) {
  std::unique_ptr<ast::Program> program = parse::parse(file, diagnostics);
  if (program) check::check(*program, diagnostics);
  return program;
}

std::optional<vertigo::ir::Program> front_end(std::uint32_t file,
                                              diag::DiagnosticEngine& diagnostics) {
  std::unique_ptr<ast::Program> program = analyse(file, diagnostics);
  if (!program || diagnostics.has_errors()) return std::nullopt;
  return lower::lower(*program, diagnostics);
}

}  // namespace vertigo::compiler::driver
