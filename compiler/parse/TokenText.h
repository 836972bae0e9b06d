#pragma once
// Private to this folder: a list of tokens as text, for looking around in it. Every question may be
// asked of every index; what lies outside is the end of the file.

#include <algorithm>
#include <string>
#include <vector>

#include "VertigoLexer.h"
#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/parse/Builder.h"
#include "llvm/ADT/STLExtras.h"

namespace vertigo::compiler::parse {

class TokenText {
 public:
  using Lexer = vertigo_grammar::VertigoLexer;

  TokenText(const std::vector<antlr4::Token*>& tokens, std::uint32_t file,
            const diag::DiagnosticEngine& diagnostics)
      : tokens_(tokens), file_(file), diagnostics_(diagnostics) {}

  std::size_t size() const { return tokens_.size(); }
  std::size_t type(std::size_t i) const {
    return i < size() ? tokens_[i]->getType() : static_cast<std::size_t>(antlr4::Token::EOF);
  }
  SourceRange range(std::size_t i) const {
    return range_of(*tokens_[std::min(i, size() - 1)], file_);
  }
  SourceRange range(std::size_t first, std::size_t last) const {
    return range(first).joined(range(last));
  }
  llvm::StringRef text(std::size_t i) const {
    return i < size() ? diagnostics_.text(range(i)) : llvm::StringRef();
  }
  bool is(std::size_t i, llvm::StringRef word) const { return text(i) == word; }
  bool is_one_of(std::size_t i, llvm::ArrayRef<llvm::StringRef> words) const {
    return llvm::is_contained(words, text(i));
  }
  /// A name: no reserved word.
  bool is_name(std::size_t i) const {
    return type(i) == Lexer::IDENTIFIER ||
           (type(i) >= Lexer::IDENTITY && type(i) < Lexer::IDENTIFIER);
  }
  bool is_number(std::size_t i) const {
    return type(i) == Lexer::INTEGER || type(i) == Lexer::FLOAT;
  }
  /// No blank between the token and the one behind it.
  bool touches_next(std::size_t i) const { return range(i).end == range(i + 1).begin; }
  bool ends_operand(std::size_t i) const {
    return is_name(i) || is_number(i) || type(i) == Lexer::TRUE || type(i) == Lexer::FALSE ||
           is(i, ")") || is(i, "]");
  }
  bool begins_operand(std::size_t i) const {
    return is_name(i) || is_number(i) || type(i) == Lexer::TRUE || type(i) == Lexer::FALSE ||
           type(i) == Lexer::ALL || is(i, "(") || is(i, "!") || is(i, "-");
  }
  bool begins_statement(std::size_t i) const {
    return i > 0 && (is(i - 1, ";") || is(i - 1, "{") || is(i - 1, "}"));
  }
  bool opens(std::size_t i) const { return is(i, "(") || is(i, "{") || is(i, "["); }
  bool closes(std::size_t i) const { return is(i, ")") || is(i, "}") || is(i, "]"); }

  /// The bracket that closes the one at `i`; the last token where none does.
  std::size_t closing(std::size_t i) const {
    std::size_t depth = 0;
    for (; i < size(); ++i) {
      if (opens(i)) ++depth;
      if (closes(i) && --depth == 0) return i;
    }
    return size() - 1;
  }
  /// Looking further than this is no use: statements end sooner. It bounds the work on hostile
  /// text.
  static constexpr std::size_t kFar = 400;

  /// The first token from `i` on, outside of brackets that open there, that is one of `words`, that
  /// closes a bracket around, that is the last, or kFar tokens away.
  std::size_t find(std::size_t i, llvm::ArrayRef<llvm::StringRef> words) const {
    std::size_t left = kFar;
    while (i + 1 < size() && left-- > 0 && !is_one_of(i, words) && !closes(i))
      i = opens(i) ? closing(i) + 1 : i + 1;
    return std::min(i, size() - 1);
  }
  /// The end of the statement at `i`: its `;`, or the bracket that closes its block.
  std::size_t end_of_statement(std::size_t i) const {
    const std::size_t end = find(i, {";", "{"});
    return is(end, "{") ? closing(end) : end;
  }

 private:
  const std::vector<antlr4::Token*>& tokens_;
  std::uint32_t file_;
  const diag::DiagnosticEngine& diagnostics_;
};

}  // namespace vertigo::compiler::parse
