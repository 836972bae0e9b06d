#pragma once
// Functions of headers that a program names by `use`, in emitted code: includes, a function of ours
// for each, and the table by which the interpreter calls them.

#include <string>

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/emit/common/Writer.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::emit {

bool uses_headers(const ir::Program& program);

/// Below the runtime's own includes, whose text no macro of a user reaches; the macros end here.
void print_header_includes(Writer& out, const ir::Program& program, const EmitOptions& options);

/// `namespace {` with the runtime's names in sight. `target`: "cpu" or "gpu".
void open_program(Writer& out, const ir::Program& program, const std::string& target);
void close_program(Writer& out, const ir::Program& program);

/// `shade` of a header, under the name and with the types that the program gives it.
void print_header_function(Writer& out, const ir::Function& function, const std::string& qualifier);

/// What `--check` and `--interpret` call.
void print_header_table(Writer& out, const ir::Program& program);

/// A file of nothing but these functions: a library for an interpreter that runs without emitted
/// code, and what tells whether a compiler refuses a header or emitted code. `target` as above.
std::string emit_header_library(const ir::Program& program, const EmitOptions& options,
                                const std::string& target);

}  // namespace vertigo::compiler::emit
