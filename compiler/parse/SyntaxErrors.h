#pragma once
// Private to this folder: turns what ANTLR expected and found into the words of the language.

#include <string>
#include <vector>

#include "VertigoParser.h"
#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::parse {

/// Throws ParseCancellationException where going on is of no use.
class SyntaxErrors : public antlr4::BaseErrorListener {
 public:
  SyntaxErrors(std::uint32_t file, diag::DiagnosticEngine& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  void syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* offending, std::size_t line,
                   std::size_t column, const std::string& message,
                   std::exception_ptr exception) override;

 private:
  using Parser = vertigo_grammar::VertigoParser;
  using Expected = antlr4::misc::IntervalSet;

  bool follows_from_earlier(antlr4::TokenStream& tokens, const antlr4::Token& offending,
                            const Expected& expected);
  struct Statement {
    bool is_condition = false;
    bool assigns = false;
    bool lists = false;                         ///< names with commas between them
    const antlr4::Token* comparison = nullptr;  ///< its last `==`
  };

  bool word_as_name(antlr4::TokenStream& tokens, const antlr4::Token& offending,
                    const Expected& expected);
  /// What stands between the begin of the statement and `offending`.
  Statement statement_before(antlr4::TokenStream& tokens, const antlr4::Token& offending) const;
  /// `=` where `==` is meant, and the other way round.
  bool equals_sign(antlr4::TokenStream& tokens, const antlr4::Token& offending,
                   const Expected& expected, Parser& parser);
  bool misplaced(antlr4::TokenStream& tokens, const antlr4::Token& offending,
                 const Expected& expected, Parser& parser);
  bool is_open(antlr4::TokenStream& tokens, std::size_t index, llvm::StringRef opener,
               llvm::StringRef closer) const;
  bool division_of_python(SourceRange where) const;
  bool misspelt_keyword(antlr4::TokenStream& tokens, const Expected& expected);
  /// The token that is missing before `offending`: a bracket left open, or what alone may end here.
  std::string missing_token(Parser& parser, const antlr4::Token& offending,
                            const Expected& expected) const;
  std::string describe(const antlr4::Token& token) const;
  std::string describe(const Parser& parser, const Expected& expected) const;
  llvm::StringRef text(const antlr4::Token& token) const;

  std::uint32_t file_;
  diag::DiagnosticEngine& diagnostics_;
  unsigned errors_ = 0;  ///< consequences of others among them
  bool reported_ = false;
  bool silent_ = false;   ///< what follows is known to be a consequence
  std::size_t last_ = 0;  ///< index of the token that was last reported
};

}  // namespace vertigo::compiler::parse
