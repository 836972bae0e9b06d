#include "compiler/driver/Run.h"

#include <unistd.h>

#include "compiler/driver/Compile.h"
#include "compiler/driver/ExitCodes.h"
#include "compiler/driver/Process.h"

namespace vertigo::compiler::driver {

namespace {

int start(Command command, diag::DiagnosticEngine& diagnostics) {
  std::string error;
  const auto status = run(command, error);
  if (status) return *status;
  diagnostics.report(diag::ToolMissing, SourceRange{}, command.program, error);
  diagnostics.print(llvm::errs());
  return exit_code(diagnostics);
}

/// What the user typed, without the arguments of the program. The program's help and errors name it
/// in place of the temporary file.
std::string typed(const RunOptions& options) {
  Command command;
  command.program = options.vertigo;
  command.arguments.push_back("run");
  if (options.interpret) command.arguments.push_back("--interpret");
  command.arguments.push_back(options.input);
  return quoted_for_display(command);
}

}  // namespace

int run_program(const RunOptions& options, const Prefix& prefix,
                diag::DiagnosticEngine& diagnostics) {
  const PrivateFolder folder;
  CompileOptions compilation;
  compilation.input = options.input;
  compilation.emit = options.interpret ? Emit::Ir : Emit::Binary;
  compilation.locations = true;
  if (options.interpret) compilation.header_library = folder / "functions.so";
  compilation.output = folder / (options.interpret ? "program.vir" : "program");
  if (folder.path().empty())
    diagnostics.report(diag::NoTemporaryFiles, SourceRange{}, folder.problem());
  const bool made = !folder.path().empty() && compile(compilation, prefix, diagnostics);
  diagnostics.print(llvm::errs());
  if (!made) return exit_code(diagnostics);

  Command command;
  command.is_tool = false;
  command.program = options.interpret ? prefix.bin("vertigo-interpret") : compilation.output;
  if (options.interpret) command.arguments.push_back(compilation.output);
  if (options.interpret && access(compilation.header_library.c_str(), F_OK) == 0)
    command.arguments.insert(command.arguments.end(), {"--functions", compilation.header_library});
  command.arguments.insert(command.arguments.end(), options.arguments.begin(),
                           options.arguments.end());
  command.name = typed(options);
  return start(std::move(command), diagnostics);
}

}  // namespace vertigo::compiler::driver
