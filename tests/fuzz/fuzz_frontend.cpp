// Whatever the text, the front end ends with a program or with errors, and a program that it gives
// is sound Program IR that prints and reads back to itself.

#include <cstdio>
#include <cstdlib>

#include "compiler/driver/Frontend.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Reader.h"
#include "compiler/ir/program/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace {

[[noreturn]] void broken(const char* what, const std::string& detail, const std::string& program) {
  std::fprintf(stderr, "%s: %s\n%s\n", what, detail.c_str(), program.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace vertigo;
  compiler::diag::DiagnosticEngine diagnostics;
  std::uint32_t file =
      diagnostics.add_source("fuzz.vg", llvm::StringRef(reinterpret_cast<const char*>(data), size));
  auto program = compiler::driver::front_end(file, diagnostics);
  std::string said;
  llvm::raw_string_ostream out(said);
  diagnostics.print(out);
  if (!program) {
    if (!diagnostics.has_errors()) broken("no program and no error", "", "");
    return 0;
  }
  std::string text = ir::print(*program);
  for (const std::string& problem : ir::verify(*program)) broken("unsound IR", problem, text);
  try {
    if (ir::print(ir::read_program(text)) != text)
      broken("the IR changes when read back", "", text);
  } catch (const ir::ReadError& error) {
    broken("the printed IR does not read back", error.message, text);
  }
  return 0;
}
