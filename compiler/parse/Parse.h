#pragma once
// Source text to syntax tree. The only header of this folder that others include; it shows nothing
// of ANTLR.

#include <memory>

#include "compiler/ast/Program.h"
#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::parse {

/// How deep brackets may nest. The parser recurses with them, and ANTLR's runtime overflows the
/// stack near 15,000.
inline constexpr unsigned kMaxNesting = 200;
/// Operators in one statement; the tree of `a + b + c …` is as deep as it has operators.
inline constexpr unsigned kMaxOperators = 1000;
/// Depth of the tree of one expression, and of blocks in blocks. Later steps recurse with them, and
/// the readers of the IR (which may meet hostile text) stop at a depth that these stay below.
inline constexpr unsigned kMaxExpressionDepth = 100;
inline constexpr unsigned kMaxBlockDepth = 50;
/// Branches of one `if … else if …`; each lies inside the one before it in the IR.
inline constexpr unsigned kMaxBranches = 50;
/// Bytes of one program. Nobody writes that by hand; it bounds time and memory on garbage.
inline constexpr std::uint32_t kMaxSourceBytes = 1u << 18;

/// Parses the program in source `file` of `diagnostics`. Null where the text is no program; then an
/// error was reported.
std::unique_ptr<ast::Program> parse(std::uint32_t file, diag::DiagnosticEngine& diagnostics);

/// Parses the expression that stands at `place` of a source. Null where it is none; then an error
/// was reported.
ast::ExprPtr parse_expression(SourceRange place, diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::parse
