#include "compiler/driver/IrText.h"

#include "compiler/ir/plan/PlanReader.h"
#include "compiler/ir/plan/PlanVerifier.h"
#include "compiler/ir/program/Reader.h"
#include "compiler/ir/program/Verifier.h"
#include "llvm/ADT/StringExtras.h"

namespace vertigo::compiler::driver {

namespace {

// The byte at which a line and column stand, as the lexer counts them.
std::size_t offset_of(llvm::StringRef text, unsigned line, unsigned column) {
  std::size_t offset = 0;
  for (unsigned at = 1; at < line; ++at) {
    const std::size_t end = text.find('\n', offset);
    if (end == llvm::StringRef::npos) break;
    offset = end + 1;
  }
  return std::min<std::size_t>(offset + (column > 0 ? column - 1 : 0), text.size());
}

SourceRange range_of(std::uint32_t file, llvm::StringRef text, const ir::ReadError& error) {
  const std::size_t begin = offset_of(text, error.line, error.column);
  std::size_t end = begin;
  while (end < text.size() && (llvm::isAlnum(text[end]) || text[end] == '_')) ++end;
  if (end == begin && end < text.size() && text[end] != '\n') ++end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), file};
}

}  // namespace

IrText read_ir(std::uint32_t file, diag::DiagnosticEngine& diagnostics) {
  const llvm::StringRef text = diagnostics.source(file);
  IrText ir;
  std::vector<std::string> problems;
  try {
    if (plan::is_plan(text)) {
      ir.plan = plan::read_plan(text);
      problems = plan::verify(*ir.plan);
    } else {
      ir.program = ir::read_program(text);
      problems = ir::verify(*ir.program);
    }
  } catch (const ir::ReadError& error) {
    diagnostics.report(diag::UnreadableIr, range_of(file, text, error), error.message);
    return {};
  }
  const std::string where = ("in '" + diagnostics.source_name(file) + "'").str();
  for (const std::string& problem : problems)
    diagnostics.report(diag::MalformedIr, SourceRange{}, where, problem);
  return problems.empty() ? std::move(ir) : IrText{};
}

}  // namespace vertigo::compiler::driver
