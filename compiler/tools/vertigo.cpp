// The compiler's command line.

#include "compiler/ast/Print.h"
#include "compiler/driver/Frontend.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/lower/Lower.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

namespace {

using namespace vertigo::compiler;
namespace cl = llvm::cl;

enum class Emit { Ast, Ir };

cl::OptionCategory category("vertigo options");
cl::opt<std::string> input(cl::Positional, cl::desc("<program.vg>"), cl::cat(category));
cl::opt<Emit> emit("emit", cl::desc("print a form of the program"), cl::cat(category),
                   cl::values(clEnumValN(Emit::Ast, "ast", "the checked syntax tree"),
                              clEnumValN(Emit::Ir, "ir", "Program IR")));
cl::opt<std::string> explain_code("explain", cl::desc("explain a diagnostic, such as VG0101"),
                                  cl::value_desc("code"), cl::cat(category));

int explain() {
  diag::DiagnosticEngine diagnostics;
  if (auto code = diag::parse_code(explain_code)) {
    if (auto page = diag::explain(*code)) {
      llvm::outs() << *page;
      return 0;
    }
  }
  diagnostics.report(diag::UnknownCode, SourceRange{}, explain_code);
  diagnostics.print(llvm::errs());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "compiles vertex programs\n");
  if (explain_code.getNumOccurrences() != 0) return explain();
  if (input.empty()) {
    llvm::errs() << "vertigo: no program given\n";
    return 2;
  }
  diag::DiagnosticEngine diagnostics;
  auto file = driver::read_source(input, diagnostics);
  auto program = file ? driver::analyse(*file, diagnostics) : nullptr;
  diagnostics.print(llvm::errs());
  if (diagnostics.has_errors()) return 1;
  if (emit == Emit::Ir)
    llvm::outs() << vertigo::ir::print(lower::lower(*program, diagnostics));
  else
    ast::print(*program, llvm::outs());
  return 0;
}
