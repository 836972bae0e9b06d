#pragma once
// Reads the textual form of Program IR (Printer.h).

#include <string_view>

#include "compiler/ir/program/Lexer.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::ir {

/// The program that `text` spells, every expression typed. Throws ReadError, and nothing else, for
/// text that is not IR; nesting is limited, so hostile text cannot overflow the stack. What it
/// returns need not be valid otherwise: see Verifier.h.
Program read_program(std::string_view text);

class ExprReader;

/// Reads a block of host statements `{ ... }`; their expressions are not typed yet.
std::vector<StmtPtr> read_host_block(TokenStream& tokens, ExprReader& exprs);

/// Reads `program ... { ... }` from a stream that may go on after it (Plan IR does).
Program read_program(TokenStream& tokens);

}  // namespace vertigo::ir
