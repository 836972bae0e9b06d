#include "compiler/parse/Parse.h"

#include "VertigoLexer.h"
#include "compiler/parse/Builder.h"
#include "compiler/parse/ForeignSyntax.h"
#include "compiler/parse/SourceStream.h"
#include "compiler/parse/SyntaxErrors.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

namespace vertigo::compiler::parse {
namespace {

using Lexer = vertigo_grammar::VertigoLexer;

bool is_prefix_or_infix(std::size_t type, llvm::StringRef text) {
  if (type == Lexer::ELSE) return true;
  static constexpr llvm::StringLiteral kOperators[] = {"+",  "-",  "*",  "/",  "%",  "<",
                                                       "<=", ">",  ">=", "==", "!=", "&&",
                                                       "||", "<<", ">>", "&",  "^",  "|",
                                                       "~",  "!",  "?",  "."};
  return llvm::is_contained(kOperators, text);
}

// The source with every byte above ASCII replaced by one that no rule but UNKNOWN takes. ANTLR
// counts code points and throws on malformed UTF-8; this way one character is one byte, and names
// and messages are cut from the real source. A byte order mark, which some editors put in front of
// the first line, becomes blanks.
std::string one_byte_a_character(llvm::StringRef source) {
  std::string text = source.str();
  if (source.starts_with("\xEF\xBB\xBF")) text.replace(0, 3, 3, ' ');
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80) c = '\x01';
  return text;
}

// The text itself where a terminal can show it, else its first byte.
std::string printable(llvm::StringRef text) {
  constexpr std::size_t kLongest = 24;
  if (text.size() <= kLongest && llvm::sys::unicode::columnWidthUTF8(text) > 0) return text.str();
  std::string byte;
  llvm::raw_string_ostream(byte) << llvm::format("\\x%02x", static_cast<unsigned char>(text[0]));
  return byte;
}

// Signs that mean something elsewhere are answered with what it is called here.
void report_character(SourceRange where, diag::DiagnosticEngine& diagnostics) {
  llvm::StringRef found = diagnostics.text(where);
  diag::Report& report = diagnostics.report(diag::UnknownCharacter, where, printable(found));
  const llvm::StringRef behind = diagnostics.source(where.file).substr(where.end);
  if (found == "#" && behind.starts_with("include"))
    report.note("device functions of a header are had by 'use \"file.cuh\";'");
  else if (found == "#")
    report.note("a comment begins with '//'").fix(where, "//");
  if (found == "'") report.note("strings stand in double quotes, and only name headers");
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
      report_character(where, diagnostics);
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

/// What both ways of reading a text have in common: sound tokens, and a parser over them.
class Reading {
 public:
  /// `text`: one byte a character.
  Reading(std::string text, std::uint32_t file, diag::DiagnosticEngine& diagnostics)
      : file_(file),
        diagnostics_(diagnostics),
        errors_before_(diagnostics.error_count()),
        input_(std::move(text)),
        lexer_(&input_),
        tokens_(&lexer_),
        parser_(&tokens_),
        errors_(file, diagnostics) {
    lexer_.removeErrorListeners();  // UNKNOWN takes every character, so the lexer itself has
                                    // nothing to say
    parser_.removeErrorListeners();
    parser_.addErrorListener(&errors_);
  }

  /// False: do not parse.
  bool read_tokens() {
    tokens_.fill();
    if (!tokens_are_sound(tokens_.getTokens(), file_, diagnostics_)) return false;
    foreign_ = find_foreign_syntax(tokens_.getTokens(), lexer_, file_, diagnostics_);
    tokens_.seek(0);  // past what is hidden now
    return foreign_ != Foreign::Unclear;
  }

  /// Null where the text does not follow `rule`.
  template <class Tree>
  Tree* parse(Tree* (Grammar::*rule)()) {
    Tree* tree = nullptr;
    try {
      tree = (parser_.*rule)();
    } catch (const antlr4::ParseCancellationException&) {
      return nullptr;
    }
    const bool follows = parser_.getNumberOfSyntaxErrors() == 0 && foreign_ == Foreign::None;
    return follows ? tree : nullptr;
  }

  bool has_errors() const { return diagnostics_.error_count() != errors_before_; }

 private:
  std::uint32_t file_;
  diag::DiagnosticEngine& diagnostics_;
  unsigned errors_before_;
  SourceStream input_;
  Lexer lexer_;
  antlr4::CommonTokenStream tokens_;
  Grammar parser_;
  SyntaxErrors errors_;
  Foreign foreign_ = Foreign::None;
};

}  // namespace

std::unique_ptr<ast::Program> parse(std::uint32_t file, diag::DiagnosticEngine& diagnostics) {
  llvm::StringRef source = diagnostics.source(file);
  if (source.size() > kMaxSourceBytes) {
    diagnostics.report(diag::SourceTooLarge, {0, 0, file}, kMaxSourceBytes);
    return nullptr;
  }
  Reading reading(one_byte_a_character(source), file, diagnostics);
  if (!reading.read_tokens()) return nullptr;
  Grammar::ProgramContext* const tree = reading.parse(&Grammar::program);
  if (tree == nullptr) return nullptr;
  std::unique_ptr<ast::Program> program = Builder(file, diagnostics).program(tree);
  return reading.has_errors() ? nullptr : std::move(program);
}

ast::ExprPtr parse_expression(SourceRange place, diag::DiagnosticEngine& diagnostics) {
  // Blanks in front keep the places of the tokens.
  std::string text = one_byte_a_character(diagnostics.source(place.file).take_front(place.end));
  text.replace(0, place.begin, place.begin, ' ');
  Reading reading(std::move(text), place.file, diagnostics);
  if (!reading.read_tokens()) return nullptr;
  Grammar::LoneExprContext* const tree = reading.parse(&Grammar::loneExpr);
  if (tree == nullptr) return nullptr;
  ast::ExprPtr made = Builder(place.file, diagnostics).lone_expression(tree);
  return reading.has_errors() ? nullptr : std::move(made);
}

}  // namespace vertigo::compiler::parse
