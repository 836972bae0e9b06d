// The list of all diagnostics and their pages. Pages.inc is made from pages/*.md when the project
// is configured.

#include "compiler/diag/Diagnostic.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace vertigo::compiler::diag {
namespace {

constexpr Entry kRegistry[] = {
#define VG_DIAGNOSTIC(code, name, severity, text, ...) {code, Severity::severity, #name, text},
#include "compiler/diag/Diagnostics.def"
};

struct Page {
  unsigned code;
  const char* text;
};

constexpr Page kPages[] = {
#include "compiler/diag/Pages.inc"
};

}  // namespace

llvm::ArrayRef<Entry> registry() { return kRegistry; }

std::string code_name(unsigned code) {
  std::string name;
  llvm::raw_string_ostream(name) << llvm::format("VG%04u", code);
  return name;
}

std::optional<unsigned> parse_code(llvm::StringRef word) {
  word.consume_front_insensitive("vg");
  unsigned code = 0;
  if (word.empty() || word.getAsInteger(10, code)) return std::nullopt;
  return code;
}

std::optional<llvm::StringRef> explain(unsigned code) {
  for (const Page& page : kPages)
    if (page.code == code) return llvm::StringRef(page.text);
  return std::nullopt;
}

}  // namespace vertigo::compiler::diag
