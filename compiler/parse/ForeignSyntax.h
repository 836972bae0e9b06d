#pragma once
// Private to this folder: what people write who come from Python, C and other languages for graphs.
// A parser that knows only this language would report the word behind it, or offer a fix that means
// something else. So these spellings are looked for among the tokens before the parser sees them.

#include <vector>

#include "antlr4-runtime.h"
#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::parse {

enum class Foreign : std::uint8_t {
  None,     ///< nothing was found
  Mended,   ///< reported; the tokens now say what was meant, so that the parser can go on
  Unclear,  ///< reported; what follows cannot be read
};

/// Reports each foreign spelling once, with the right one. `lexer` knows the types of tokens.
Foreign find_foreign_syntax(const std::vector<antlr4::Token*>& tokens, antlr4::Lexer& lexer,
                            std::uint32_t file, diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::parse
