#include "compiler/parse/SyntaxErrors.h"

#include "compiler/parse/Builder.h"
#include "compiler/support/NearMiss.h"
#include "vertigo/core/quoted.h"

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
  return quoted(text(token).str());
}

std::string SyntaxErrors::describe(const Parser& parser, const Expected& expected) const {
  bool name = holds(expected, Parser::IDENTIFIER);
  bool statement = holds(expected, Parser::UPDATE);
  if (name && holds(expected, Parser::INTEGER)) return statement ? "a statement" : "an expression";
  if (statement) return "a declaration or a statement";
  if (name && holds(expected, Parser::VERTEX)) return "a type";
  for (std::size_t type : types(expected))
    if (literal(parser, type) == "'+='") return "an assignment";
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

// One mistake is reported for each statement: behind it, the parser is finding its way back.
bool SyntaxErrors::follows_from_earlier(antlr4::TokenStream& tokens, const antlr4::Token& offending,
                                        const Expected& expected) {
  std::size_t index = offending.getTokenIndex();
  bool end = holds(expected, antlr4::Token::EOF) || offending.getType() == antlr4::Token::EOF;
  bool follows = reported_ && (end || index < last_ + kQuietTokens);
  reported_ = true;
  last_ = std::max(last_, index);
  while (!follows && last_ + 1 < tokens.size() && text(*tokens.get(last_)) != ";" &&
         text(*tokens.get(last_)) != "{" && text(*tokens.get(last_)) != "}")
    ++last_;
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

// `vertex in: int32`: what follows uses the word as a name again and again, so this is all that is
// said.
bool SyntaxErrors::word_as_name(antlr4::TokenStream& tokens, const antlr4::Token& offending,
                                const Expected& expected) {
  const std::size_t type = offending.getType(), index = offending.getTokenIndex();
  if (type < Parser::PROGRAM || type >= Parser::IDENTITY || index == 0 ||
      !holds(expected, Parser::IDENTIFIER))
    return false;
  const bool member = text(*tokens.get(index - 1)) == ".";
  const antlr4::Token& next = *tokens.get(std::min(index + 1, tokens.size() - 1));
  static constexpr llvm::StringLiteral kBehindNames[] = {":",  "=",   "(",     ")",    "{",
                                                         "}",  ";",   ",",     "when", "where",
                                                         "in", "for", "limit", "to",   "combine"};
  const bool named =
      !holds(expected, Parser::INTEGER) && llvm::is_contained(kBehindNames, text(next));
  if (!member && !named) return false;
  diagnostics_.report(diag::WordOfLanguage, range_of(offending, file_), text(offending));
  silent_ = true;
  return true;
}

SyntaxErrors::Statement SyntaxErrors::statement_before(antlr4::TokenStream& tokens,
                                                       const antlr4::Token& offending) const {
  Statement found;
  for (std::size_t i = offending.getTokenIndex(); i-- > 0;) {
    const antlr4::Token& token = *tokens.get(i);
    const llvm::StringRef word = text(token);
    if (word == ";" || word == "{" || word == "}") break;
    if (word == "if" || word == "while" || word == "when" || word == "where" || word == "update")
      found.is_condition = true;
    if (word == "=") found.assigns = true;
    if (word == "output" || word == "requires") found.lists = true;
    if (word == "==") found.comparison = &token;
  }
  return found;
}

// Tokens before which a missing `;` would lead astray.
bool SyntaxErrors::misplaced(antlr4::TokenStream& tokens, const antlr4::Token& offending,
                             const Expected& expected, Parser& parser) {
  const std::size_t index = offending.getTokenIndex();
  const SourceRange where = range_of(offending, file_);
  const llvm::StringRef found = text(offending);
  const auto report = [&](const std::string& wanted) -> diag::Report& {
    return diagnostics_.report(diag::UnexpectedInput, where, wanted, describe(offending));
  };
  if (index == 0) {
    report(describe(parser, expected)).note("a file holds 'program name(…) { … }'");
  } else if (text(*tokens.get(index - 1)) == "over") {
    report("'in', 'out', 'both' or 'common_neighbours'")
        .note("the neighbours are 'over in u', 'over out u' or 'over both u'");
  } else if ((found == ")" && !is_open(tokens, index, "(", ")")) ||
             (found == "]" && !is_open(tokens, index, "[", "]"))) {
    report(describe(parser, expected)).note("no bracket is open here").fix(where, "");
  } else if (found == "(" && tokens.get(index - 1)->getType() == Parser::IDENTIFIER &&
             !holds(expected, Parser::INTEGER)) {
    report(describe(parser, expected)).note("functions are called as 'abs(x)'");
  } else if (found == ";" && holds(expected, parser.getTokenType("'+='"))) {
    report(describe(parser, expected)).note("a value by itself does nothing");
  } else if (found == "{" && text(*tokens.get(index - 1)) == "all" && index > 1 &&
             text(*tokens.get(index - 2)) == "update") {
    report("a name").note("the vertex is named: 'update all v { … }'");
  } else if (found == ")" && index > 1 && text(*tokens.get(index - 2)) == "over") {
    report("a name").note("the neighbour is named: 'sum(u.x over out u)'");
  } else {
    return false;
  }
  return true;
}

bool SyntaxErrors::is_open(antlr4::TokenStream& tokens, std::size_t index, llvm::StringRef opener,
                           llvm::StringRef closer) const {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < index; ++i) {
    const llvm::StringRef word = text(*tokens.get(i));
    if (word == opener) ++depth;
    if (word == closer && depth > 0) --depth;
  }
  return depth > 0;
}

bool SyntaxErrors::equals_sign(antlr4::TokenStream& tokens, const antlr4::Token& offending,
                               const Expected& expected, Parser& parser) {
  const Statement statement = statement_before(tokens, offending);
  const SourceRange where = range_of(offending, file_);
  if (text(offending) == "=") {
    diag::Report& report = diagnostics_.report(diag::UnexpectedInput, where,
                                               describe(parser, expected), describe(offending));
    if (statement.is_condition)
      report.note("values are compared with '=='").fix(where, "==");
    else if (statement.assigns)
      report.note("a statement assigns once; values are compared with '=='");
    return true;
  }
  if (text(offending) != ";" || statement.comparison == nullptr || statement.is_condition ||
      statement.assigns || !holds(expected, parser.getTokenType("'+='")))
    return false;
  const SourceRange sign = range_of(*statement.comparison, file_);
  diagnostics_.report(diag::UnexpectedInput, sign, "'='", "'=='")
      .note("a value is assigned with '='")
      .fix(sign, "=");
  return true;
}

// What the line says behind `where`, if that is a comment which looks like the rest of the
// statement.
bool SyntaxErrors::division_of_python(SourceRange where) const {
  const llvm::StringRef rest = diagnostics_.source(file_).substr(where.end);
  const llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; }).trim();
  return line.starts_with("//") && line.ends_with(";");
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
  const Statement statement = statement_before(*parser.getTokenStream(), offending);
  if (statement.lists && offending.getType() == Parser::IDENTIFIER) return ",";
  for (const char* closer : {";", ")", "}"})
    for (std::size_t type : types(expected))
      if (literal(parser, type) == std::string("'").append(closer).append("'")) return closer;
  return "";
}

void SyntaxErrors::syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* offending,
                               std::size_t, std::size_t, const std::string&, std::exception_ptr) {
  // What ANTLR does to find its way back grows with what it has seen: garbage would take hours.
  constexpr unsigned kMostErrors = 60;
  if (diagnostics_.full() || silent_ || ++errors_ > kMostErrors)
    throw antlr4::ParseCancellationException();
  auto& parser = *static_cast<Parser*>(recognizer);
  antlr4::TokenStream& tokens = *parser.getTokenStream();
  Expected expected = parser.getExpectedTokens();
  bool follows = follows_from_earlier(tokens, *offending, expected);
  if (word_as_name(tokens, *offending, expected) || misspelt_keyword(tokens, expected) || follows)
    return;
  SourceRange where = range_of(*offending, file_);
  std::string found = describe(*offending);
  if (expected.size() == 1 && holds(expected, antlr4::Token::EOF)) {
    diagnostics_.report(diag::TextAfterProgram, where, found);
    return;
  }
  if (equals_sign(tokens, *offending, expected, parser) ||
      misplaced(tokens, *offending, expected, parser))
    return;
  std::string missing = missing_token(parser, *offending, expected);
  if (!missing.empty() && offending->getTokenIndex() > 0) {
    SourceRange behind = range_of(*tokens.get(offending->getTokenIndex() - 1), file_);
    behind.begin = behind.end;
    diag::Report& report =
        diagnostics_.report(diag::MissingToken, behind, vertigo::quoted(missing), found);
    if (division_of_python(behind))
      report.note("what follows '//' is a comment; integers are divided with '/'");
    else
      report.fix(behind, missing);
    return;
  }
  diag::Report& report =
      diagnostics_.report(diag::UnexpectedInput, where, describe(parser, expected), found);
  if (offending->getTokenIndex() > 0 &&
      division_of_python(range_of(*tokens.get(offending->getTokenIndex() - 1), file_)))
    report.note("what follows '//' is a comment; integers are divided with '/'");
}

}  // namespace vertigo::compiler::parse
