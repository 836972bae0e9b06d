#include "compiler/ir/program/Reader.h"
#include "compiler/ir/program/Verifier.h"
#include "interpreter.h"
#include "read_verified.h"
#include "vertigo/core/error.h"
#include "vertigo/reference/reference.h"

namespace vertigo::reference {

host::RunResult interpret(const ir::Program& program, const host::RunRequest& request) {
  return Interpreter(program, request).run();
}

ir::Program read_verified(std::string_view text) {
  try {
    ir::Program program = ir::read_program(text);
    const std::vector<std::string> problems = ir::verify(program);
    if (!problems.empty()) throw Error(ExitCode::Other, "damaged Program IR: " + problems.front());
    return program;
  } catch (const ir::ReadError& error) {
    throw Error(ExitCode::Other, "damaged Program IR: " + error.message,
                "line " + std::to_string(error.line));
  }
}

host::RunResult interpret_text(std::string_view program_ir, const host::RunRequest& request) {
  return interpret(read_verified(program_ir), request);
}

CheckReport check_text(std::string_view program_ir, const host::RunRequest& request,
                       const host::RunResult& result) {
  return check(read_verified(program_ir), request, result);
}

}  // namespace vertigo::reference
