#include "compiler/parse/SyntaxErrors.h"

#include "compiler/parse/Builder.h"
#include "compiler/support/NearMiss.h"

namespace vertigo::compiler::parse {
namespace {

using Parser = vertigo_grammar::VertigoParser;

// Tokens that must pass between two reports: what comes sooner is mostly the parser finding its way
// back.
constexpr std::size_t kQuietTokens = 4;

bool holds(const antlr4::misc::IntervalSet& set, std::size_t type) {
  return set.contains(static_cast<ssize_t>(type));
}

std::vector<std::size_t> types(const antlr4::misc::IntervalSet& set) {
  std::vector<std::size_t> result;
  for (ssize_t type : set.toList())
    if (type > 0) result.push_back(static_cast<std::size_t>(type));
  return result;
}

std::string literal(const Parser& parser, std::size_t type) {
  return parser.getVocabulary().getLiteralName(type);
}

}  // namespace

llvm::StringRef SyntaxErrors::text(const antlr4::Token& token) const {
  return diagnostics_.text(range_of(token, file_));
}

std::string SyntaxErrors::describe(const antlr4::Token& token) const {
  if (token.getType() == antlr4::Token::EOF) return "the end of the file";
  return ("'" + text(token) + "'").str();
}

std::string SyntaxErrors::describe(const Parser& parser, const Expected& expected) const {
  bool name = holds(expected, Parser::IDENTIFIER);
  bool statement = holds(expected, Parser::UPDATE);
  if (name && holds(expected, Parser::INTEGER)) return statement ? "a statement" : "an expression";
  if (statement) return "a declaration or a statement";
  if (name && holds(expected, Parser::VERTEX)) return "a type";
  std::vector<std::string> words;
  if (name) words.push_back("a name");
  for (std::size_t type : types(expected)) {
    // Words that may also be names are covered by "a name".
    if (name && type >= Parser::IDENTITY && type <= Parser::IDENTIFIER) continue;
    std::string word = literal(parser, type);
    if (word.empty())
      word = "a " + llvm::StringRef(parser.getVocabulary().getSymbolicName(type)).lower();
    words.push_back(word);
  }
  if (words.empty()) return "something else";
  if (words.size() > 6) words.resize(6);
  std::string result = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) {
    result += i + 1 == words.size() ? " or " : ", ";
    result += words[i];
  }
  return result;
}

bool SyntaxErrors::follows_from_earlier(const antlr4::Token& offending, const Expected& expected) {
  std::size_t index = offending.getTokenIndex();
  bool end = holds(expected, antlr4::Token::EOF) || offending.getType() == antlr4::Token::EOF;
  bool follows = reported_ && (end || index < last_ + kQuietTokens);
  reported_ = true;
  last_ = index;
  return follows;
}

// `vertx x: …` and `snd best;` parse as the beginning of an assignment.
bool SyntaxErrors::misspelt_keyword(antlr4::TokenStream& tokens, const Expected& expected) {
  antlr4::Token* word = tokens.LT(-1);
  antlr4::Token* before = tokens.LT(-2);
  if (word == nullptr || word->getType() != Parser::IDENTIFIER) return false;
  bool begins =
      before == nullptr || text(*before) == ";" || text(*before) == "{" || text(*before) == "}";
  bool next = tokens.LA(1) == Parser::IDENTIFIER || tokens.LA(1) == Parser::INTEGER ||
              tokens.LA(1) == Parser::ALL || tokens.LA(1) == Parser::VERTEX;
  bool assignment = holds(expected, Parser::IDENTIFIER) == false && expected.size() >= 5;
  if (!begins || !next || !assignment) return false;
  SourceRange where = range_of(*word, file_);
  auto& report = diagnostics_.report(diag::UnknownStatement, where, text(*word));
  auto near =
      near_miss(text(*word), {"edge",     "vertex",      "input",  "message", "fn",     "use",
                              "requires", "output",      "let",    "if",      "else",   "send",
                              "start",    "update",      "phase",  "for",     "repeat", "while",
                              "report",   "consistency", "assume", "limit"});
  if (near) report.note("did you mean '" + *near + "'?").fix(where, *near);
  return true;
}

std::string SyntaxErrors::missing_token(Parser& parser, const antlr4::Token& offending,
                                        const Expected& expected) const {
  llvm::StringRef found = text(offending);
  if (found == "{" || found == "}" || found == ";") {
    std::vector<llvm::StringRef> open;
    antlr4::TokenStream& tokens = *parser.getTokenStream();
    for (std::size_t i = 0; i < offending.getTokenIndex(); ++i) {
      llvm::StringRef word = text(*tokens.get(i));
      if (word == "(" || word == "{" || word == "[") open.push_back(word);
      if (!open.empty() && (word == ")" || word == "}" || word == "]")) open.pop_back();
    }
    if (!open.empty() && open.back() == "(") return ")";
    if (!open.empty() && open.back() == "[") return "]";
  }
  for (const char* closer : {";", ")", "}"})
    for (std::size_t type : types(expected))
      if (literal(parser, type) == std::string("'").append(closer).append("'")) return closer;
  return "";
}

void SyntaxErrors::syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* offending,
                               std::size_t, std::size_t, const std::string&, std::exception_ptr) {
  if (diagnostics_.full()) return;
  auto& parser = *static_cast<Parser*>(recognizer);
  antlr4::TokenStream& tokens = *parser.getTokenStream();
  Expected expected = parser.getExpectedTokens();
  bool follows = follows_from_earlier(*offending, expected);
  if (misspelt_keyword(tokens, expected) || follows) return;
  SourceRange where = range_of(*offending, file_);
  std::string found = describe(*offending);
  if (expected.size() == 1 && holds(expected, antlr4::Token::EOF)) {
    diagnostics_.report(diag::TextAfterProgram, where, found);
    return;
  }
  if (text(*offending) == "=") {
    diagnostics_.report(diag::UnexpectedInput, where, describe(parser, expected), found)
        .note("values are compared with '=='")
        .fix(where, "==");
    return;
  }
  std::string missing = missing_token(parser, *offending, expected);
  if (!missing.empty() && offending->getTokenIndex() > 0) {
    SourceRange behind = range_of(*tokens.get(offending->getTokenIndex() - 1), file_);
    behind.begin = behind.end;
    diagnostics_.report(diag::MissingToken, behind, "'" + missing + "'", found)
        .fix(behind, missing);
    return;
  }
  diagnostics_.report(diag::UnexpectedInput, where, describe(parser, expected), found);
}

}  // namespace vertigo::compiler::parse
