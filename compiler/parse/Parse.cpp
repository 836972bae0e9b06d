#include "compiler/parse/Parse.h"

#include "VertigoLexer.h"
#include "compiler/parse/Builder.h"

namespace vertigo::compiler::parse {
namespace {

using Lexer = vertigo_grammar::VertigoLexer;

bool is_prefix_or_infix(std::size_t type, llvm::StringRef text) {
  if (type == Lexer::ELSE) return true;
  static constexpr llvm::StringLiteral kOperators[] = {
      "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "!", "?", "."};
  return llvm::is_contained(kOperators, text);
}

// The source with every byte above ASCII replaced by one that no rule but UNKNOWN takes. ANTLR
// counts code points and throws on malformed UTF-8; this way one character is one byte, and names
// and messages are cut from the real source.
std::string one_byte_a_character(llvm::StringRef source) {
  std::string text = source.str();
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80) c = '\x01';
  return text;
}

// Reports what is wrong with single tokens, and nesting that would overflow the parser's stack.
// False: do not parse.
bool tokens_are_sound(const std::vector<antlr4::Token*>& tokens, std::uint32_t file,
                      diag::DiagnosticEngine& diagnostics) {
  unsigned depth = 0;
  unsigned operators = 0;
  bool sound = true;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    SourceRange where = range_of(*tokens[i], file);
    llvm::StringRef text = diagnostics.text(where);
    std::size_t type = tokens[i]->getType();
    if (type == Lexer::UNKNOWN) {
      // A run of such bytes, or one character of several bytes, is one mistake.
      while (i + 1 < tokens.size() && tokens[i + 1]->getType() == Lexer::UNKNOWN &&
             range_of(*tokens[i + 1], file).begin == where.end)
        where = where.joined(range_of(*tokens[++i], file));
      diagnostics.report(diag::UnknownCharacter, where, diagnostics.text(where));
      sound = false;
    } else if (type == Lexer::UNCLOSED_COMMENT) {
      diagnostics.report(diag::UnterminatedComment, {where.begin, where.begin + 2, file});
      sound = false;
    } else if (type == Lexer::UNCLOSED_STRING) {
      diagnostics.report(diag::UnterminatedString, where).fix({where.end, where.end, file}, "\"");
      sound = false;
    } else if (text == "(" || text == "{" || text == "[") {
      if (text == "{") operators = 0;
      if (++depth > kMaxNesting) {
        diagnostics.report(diag::NestedTooDeep, where, kMaxNesting);
        return false;
      }
    } else if (text == ")" || text == "}" || text == "]") {
      if (depth > 0) --depth;
    } else if (text == ";") {
      operators = 0;
    } else if (is_prefix_or_infix(type, text) && ++operators > kMaxOperators) {
      diagnostics.report(diag::TooManyOperators, where, kMaxOperators);
      return false;
    }
  }
  return sound;
}

// Turns what ANTLR expects and found into the words of the language.
class SyntaxErrors : public antlr4::BaseErrorListener {
 public:
  SyntaxErrors(std::uint32_t file, diag::DiagnosticEngine& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  void syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* offending, std::size_t,
                   std::size_t, const std::string&, std::exception_ptr) override {
    auto* parser = static_cast<Grammar*>(recognizer);
    antlr4::Token* previous = parser->getTokenStream()->LT(-1);
    SourceRange where = range_of(*offending, file_);
    std::string found = describe(*offending);
    antlr4::misc::IntervalSet expected = parser->getExpectedTokens();
    if (expected.size() == 1 && expected.contains(static_cast<ssize_t>(antlr4::Token::EOF))) {
      diagnostics_.report(diag::TextAfterProgram, where, found);
      return;
    }
    std::string words = describe(*parser, expected);
    auto closing = missing_closer(*parser, expected);
    if (!closing.empty() && previous != nullptr) {
      SourceRange behind = range_of(*previous, file_);
      diagnostics_
          .report(diag::MissingToken, {behind.end, behind.end, file_}, "'" + closing + "'", found)
          .fix({behind.end, behind.end, file_}, closing);
      return;
    }
    diagnostics_.report(diag::UnexpectedInput, where, words, found);
  }

 private:
  std::string describe(const antlr4::Token& token) const {
    if (token.getType() == antlr4::Token::EOF) return "the end of the file";
    return "'" + diagnostics_.text(range_of(token, file_)).str() + "'";
  }

  // Where a statement could end and does not: almost always a forgotten ';' (or the other token
  // that alone may follow).
  static std::string missing_closer(const Grammar& parser,
                                    const antlr4::misc::IntervalSet& expected) {
    static constexpr llvm::StringLiteral kClosers[] = {";", ")", "}"};
    for (llvm::StringRef closer : kClosers)
      for (std::size_t type : types(expected))
        if (parser.getVocabulary().getLiteralName(type) == "'" + closer.str() + "'")
          return closer.str();
    return "";
  }

  static std::vector<std::size_t> types(const antlr4::misc::IntervalSet& set) {
    std::vector<std::size_t> result;
    for (ssize_t type : set.toList())
      if (type > 0) result.push_back(static_cast<std::size_t>(type));
    return result;
  }

  static std::string describe(const Grammar& parser, const antlr4::misc::IntervalSet& expected) {
    if (expected.contains(static_cast<ssize_t>(Grammar::INTEGER)) &&
        expected.contains(static_cast<ssize_t>(Grammar::IDENTIFIER)))
      return expected.contains(static_cast<ssize_t>(Grammar::UPDATE)) ? "a statement"
                                                                      : "an expression";
    if (expected.contains(static_cast<ssize_t>(Grammar::UPDATE)))
      return "a declaration or a statement";
    std::vector<std::string> words;
    bool name = expected.contains(static_cast<ssize_t>(Grammar::IDENTIFIER));
    if (name && expected.contains(static_cast<ssize_t>(Grammar::VERTEX))) return "a type";
    if (name) words.push_back("a name");
    for (std::size_t type : types(expected)) {
      bool word = type >= Grammar::IDENTITY && type <= Grammar::IDENTIFIER;
      if (name && word) continue;
      std::string literal = parser.getVocabulary().getLiteralName(type);
      words.push_back(
          literal.empty()
              ? "a " + llvm::StringRef(parser.getVocabulary().getSymbolicName(type)).lower()
              : literal);
    }
    if (words.empty()) return "something else";
    if (words.size() > 6) words.resize(6);
    std::string text = words.front();
    for (std::size_t i = 1; i < words.size(); ++i)
      text += (i + 1 == words.size() ? " or " : ", ") + words[i];
    return text;
  }

  std::uint32_t file_;
  diag::DiagnosticEngine& diagnostics_;
};

}  // namespace

std::unique_ptr<ast::Program> parse(std::uint32_t file, diag::DiagnosticEngine& diagnostics) {
  llvm::StringRef source = diagnostics.source(file);
  if (source.size() > kMaxSourceBytes) {
    diagnostics.report(diag::SourceTooLarge, {0, 0, file}, kMaxSourceBytes);
    return nullptr;
  }
  unsigned errors_before = diagnostics.error_count();
  antlr4::ANTLRInputStream input(one_byte_a_character(source));
  Lexer lexer(&input);
  lexer.removeErrorListeners();  // UNKNOWN takes every character, so the lexer itself has nothing
                                 // to say
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  if (!tokens_are_sound(tokens.getTokens(), file, diagnostics)) return nullptr;

  Grammar parser(&tokens);
  SyntaxErrors errors(file, diagnostics);
  parser.removeErrorListeners();
  parser.addErrorListener(&errors);
  Grammar::ProgramContext* tree = parser.program();
  if (parser.getNumberOfSyntaxErrors() != 0) return nullptr;
  std::unique_ptr<ast::Program> program = Builder(file, diagnostics).program(tree);
  return diagnostics.error_count() == errors_before ? std::move(program) : nullptr;
}

}  // namespace vertigo::compiler::parse
