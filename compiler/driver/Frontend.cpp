#include "compiler/driver/Frontend.h"

#include "compiler/driver/InputText.h"
#include "compiler/lower/Lower.h"
#include "compiler/parse/Parse.h"

namespace vertigo::compiler::driver {

namespace {

// Plans repeat the program in many forms: the longest program's has 60 MiB.
constexpr std::size_t kMostIrBytes = std::size_t{1} << 28;

std::size_t most_bytes(SourceKind kind) {
  return kind == SourceKind::Ir ? kMostIrBytes : parse::kMaxSourceBytes;
}

}  // namespace

std::optional<std::uint32_t> read_source(const std::string& path, SourceKind kind,
                                         diag::DiagnosticEngine& diagnostics) {
  const std::size_t most = most_bytes(kind);
  std::string why;
  const std::optional<std::string> text = read_text(path, most, why);
  // What is too long for a program is said by the parser, like everything about programs.
  if (text && (text->size() <= most || kind == SourceKind::Program))
    return diagnostics.add_source(path, *text);
  if (text) why = "it is longer than " + std::to_string(most) + " bytes";
  diagnostics.report(diag::CannotRead, SourceRange{}, path, why);
  return std::nullopt;
}

std::unique_ptr<ast::Program> analyse(std::uint32_t file, diag::DiagnosticEngine& diagnostics,
                                      const HeaderReader& headers) {
  std::unique_ptr<ast::Program> program = parse::parse(file, diagnostics);
  if (!program) return nullptr;
  std::vector<check::ExternFunction> offered;
  if (headers && !program->uses.empty()) offered = headers(*program, diagnostics);
  // Without its header, every call of a function would be a mistake of its own.
  if (!diagnostics.has_errors()) check::check(*program, diagnostics, offered);
  return program;
}

std::optional<vertigo::ir::Program> front_end(std::uint32_t file,
                                              diag::DiagnosticEngine& diagnostics,
                                              const HeaderReader& headers) {
  std::unique_ptr<ast::Program> program = analyse(file, diagnostics, headers);
  if (!program || diagnostics.has_errors()) return std::nullopt;
  return lower::lower(*program, diagnostics);
}

}  // namespace vertigo::compiler::driver
