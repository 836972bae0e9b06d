#pragma once
// Private to this folder: tokens that are changed to what a foreign spelling means, so that the
// parser goes on behind it.

#include "compiler/parse/TokenText.h"

namespace vertigo::compiler::parse {

class MendedTokens : public TokenText {
 public:
  MendedTokens(const std::vector<antlr4::Token*>& tokens, antlr4::Lexer& lexer, std::uint32_t file,
               diag::DiagnosticEngine& diagnostics)
      : TokenText(tokens, file, diagnostics),
        tokens_(tokens),
        lexer_(lexer),
        diagnostics_(diagnostics) {}

  diag::DiagnosticEngine& diagnostics() { return diagnostics_; }
  bool changed() const { return changed_; }
  bool is_hidden(std::size_t i) const {
    return tokens_[i]->getChannel() != antlr4::Token::DEFAULT_CHANNEL;
  }

  /// "'and' is written '&&'", the words at `where` being the foreign ones.
  diag::Report& report(SourceRange where, const std::string& ours) {
    return report(where, where, ours);
  }
  diag::Report& report(SourceRange where, SourceRange foreign, const std::string& ours) {
    changed_ = true;
    return diagnostics_.report(diag::ForeignSpelling, where, diagnostics_.text(foreign), ours);
  }
  template <class... Args>
  diag::Report& report(const diag::Diagnostic<Args...>& what, SourceRange where,
                       std::type_identity_t<Args>... args) {
    changed_ = true;
    return diagnostics_.report(what, where, args...);
  }

  void become(std::size_t i, std::size_t type) {
    dynamic_cast<antlr4::WritableToken&>(*tokens_[i]).setType(type);
  }
  void become(std::size_t i, const std::string& sign) {
    become(i, lexer_.getTokenType("'" + sign + "'"));
  }
  void hide(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last && i + 1 < size(); ++i)
      dynamic_cast<antlr4::WritableToken&>(*tokens_[i]).setChannel(antlr4::Token::HIDDEN_CHANNEL);
  }

  /// The bracket at `close` ends the parameters of an `fn`.
  bool names_function(std::size_t close) const {
    std::size_t depth = 0;
    for (std::size_t i = close; i > 1; --i) {
      if (closes(i)) ++depth;
      if (opens(i) && --depth == 0) return type(i - 2) == Lexer::FN;
    }
    return false;
  }

 private:
  const std::vector<antlr4::Token*>& tokens_;
  antlr4::Lexer& lexer_;
  diag::DiagnosticEngine& diagnostics_;
  bool changed_ = false;
};

}  // namespace vertigo::compiler::parse
