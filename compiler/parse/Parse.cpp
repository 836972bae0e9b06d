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

}  // namespace

std::unique_ptr<ast::Program> parse(std::uint32_t file, diag::DiagnosticEngine& diagnostics) {
  llvm::StringRef source = diagnostics.source(file);
  if (source.size() > kMaxSourceBytes) {
    diagnostics.report(diag::SourceTooLarge, {0, 0, file}, kMaxSourceBytes);
    return nullptr;
  }
  unsigned errors_before = diagnostics.error_count();
  SourceStream input(one_byte_a_character(source));
  Lexer lexer(&input);
  lexer.removeErrorListeners();  // UNKNOWN takes every character, so the lexer itself has nothing
                                 // to say
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  if (!tokens_are_sound(tokens.getTokens(), file, diagnostics)) return nullptr;

  const Foreign foreign = find_foreign_syntax(tokens.getTokens(), lexer, file, diagnostics);
  if (foreign == Foreign::Unclear) return nullptr;
  tokens.seek(0);  // past what is hidden now

  Grammar parser(&tokens);
  SyntaxErrors errors(file, diagnostics);
  parser.removeErrorListeners();
  parser.addErrorListener(&errors);
  Grammar::ProgramContext* tree = nullptr;
  try {
    tree = parser.program();
  } catch (const antlr4::ParseCancellationException&) {
    return nullptr;
  }
  if (parser.getNumberOfSyntaxErrors() != 0 || foreign != Foreign::None) return nullptr;
  std::unique_ptr<ast::Program> program = Builder(file, diagnostics).program(tree);
  return diagnostics.error_count() == errors_before ? std::move(program) : nullptr;
}

}  // namespace vertigo::compiler::parse
