#include "compiler/parse/ForeignStatements.h"

#include "vertigo/core/quoted.h"

namespace vertigo::compiler::parse {

namespace {

using Lexer = vertigo_grammar::VertigoLexer;

constexpr const char* kForEachNeighbour =
    "'send e to u where …;' gives something to each neighbour, 'sum(u.x over out u where …)' takes "
    "from all of them (also min, max, count, any, all, mode, distinct)";

/// The type of this language that a declaration of C begins with; "" for one that says no type.
const std::pair<const char*, const char*> kTypes[] = {{"int", "int32"},
                                                      {"long", "int64"},
                                                      {"unsigned", "uint32"},
                                                      {"size_t", "uint64"},
                                                      {"float", "float32"},
                                                      {"double", "float64"},
                                                      {"bool", "bool"},
                                                      {"int32", "int32"},
                                                      {"int64", "int64"},
                                                      {"uint32", "uint32"},
                                                      {"uint64", "uint64"},
                                                      {"float32", "float32"},
                                                      {"float64", "float64"},
                                                      {"int32_t", "int32"},
                                                      {"int64_t", "int64"},
                                                      {"uint32_t", "uint32"},
                                                      {"uint64_t", "uint64"},
                                                      {"var", ""},
                                                      {"auto", ""},
                                                      {"const", ""},
                                                      {"val", ""},
                                                      {"mut", ""},
                                                      {"Int", "int32"},
                                                      {"Double", "float64"}};

const std::pair<const char*, const char*>* declared_type(llvm::StringRef word) {
  for (const auto& each : kTypes)
    if (word == each.first) return &each;
  return nullptr;
}

/// Statements and declarations that this language has not, and what does their work.
struct Missing {
  const char* word;
  const char* instead;
};
constexpr const char* kChoice = "'if … { … } else if … { … } else { … }' chooses what is done";
constexpr const char* kResults =
    "results are stated: 'output state;' for every vertex, 'report name = …;' for one value";
constexpr const char* kLoops =
    "loops at host level are 'repeat n { … }', 'while c { … }', 'for i in a .. b { … }' and, over "
    "a parameter of type vertex[], 'for s in sources { … }'";
constexpr const char* kHeader = "device functions of a header are had by 'use \"file.cuh\";'";
constexpr const char* kInitial =
    "a state begins with what its declaration says: 'vertex dist: int32 = inf;'";
constexpr const char* kStarts = "'start' names the vertices that a phase asks first";
constexpr const char* kTuples =
    "a state of several values is a tuple: '(near: int32, via: vertex)'";
constexpr Missing kMissing[] = {
    {"print", kResults}, {"printf", kResults},     {"println", kResults}, {"echo", kResults},
    {"do", kLoops},      {"loop", kLoops},         {"until", kLoops},     {"switch", kChoice},
    {"match", kChoice},  {"case", kChoice},        {"import", kHeader},   {"include", kHeader},
    {"from", kHeader},   {"using", kHeader},       {"struct", kTuples},   {"class", kTuples},
    {"init", kInitial},  {"initialize", kInitial}, {"frontier", kStarts}, {"active", kStarts}};

}  // namespace

std::string type_of_c(llvm::StringRef word) {
  const auto* found = declared_type(word);
  return found == nullptr ? "" : found->second;
}

void ForeignStatements::look(std::size_t i) {
  const bool first = tokens_.begins_statement(i);
  if (first) head_ = tokens_.type(i);
  if (first || tokens_.type(i) == Lexer::ELSE) {
    misspelt_else(i) || jump(i) || loop(i) || function(i) || function_of_c(i) || variable(i) ||
        block_of_python(i) || branch_without_braces(i);
    if (tokens_.is_hidden(i)) return;
    if (first) head_ = tokens_.type(i);
  }
  follow_blocks(i);
}

void ForeignStatements::follow_blocks(std::size_t i) {
  if (tokens_.is(i, "{")) {
    const bool inherits = head_ == Lexer::IF || head_ == Lexer::ELSE;
    bodies_.push_back(head_ == Lexer::UPDATE || head_ == Lexer::START || (inherits && in_body()));
  } else if (tokens_.is(i, "}") && !bodies_.empty()) {
    bodies_.pop_back();
  }
}

bool ForeignStatements::misspelt_else(std::size_t i) {
  if (!tokens_.is_one_of(i, {"elif", "elsif", "elseif"}) || !tokens_.is(i - 1, "}")) return false;
  tokens_.report(tokens_.range(i), "else if").fix(tokens_.range(i), "else if");
  tokens_.become(i, Lexer::IF);
  return true;
}

// `return x;`, `break;`, `print(x);`
bool ForeignStatements::jump(std::size_t i) {
  if (tokens_.type(i) != Lexer::IDENTIFIER ||
      tokens_.is_one_of(i + 1, {"=", ".", ":", "+=", "-=", "*=", "/=", "&=", "|=", "^="}))
    return false;
  const char* note = nullptr;
  if (tokens_.is_one_of(i, {"return", "break", "continue", "pass"}))
    note = in_body() ? "an update runs to the end of its block; 'if … { … } else { … }' chooses "
                       "what it does"
           : tokens_.is(i, "return")
               ? kResults
               : "statements run in order, and loops until their condition fails";
  for (const Missing& each : kMissing)
    if (tokens_.is(i, each.word)) note = each.instead;
  if (note == nullptr) return false;
  tokens_.report(diag::NoSuchStatement, tokens_.range(i), tokens_.text(i)).note(note);
  std::size_t end = tokens_.end_of_statement(i);
  if (tokens_.is(i, "do") && tokens_.type(end + 1) == Lexer::WHILE)
    end = tokens_.end_of_statement(end + 1);
  tokens_.hide(i, end);
  return true;
}

// Loops in an update, and loops of other forms at host level.
bool ForeignStatements::loop(std::size_t i) {
  const std::size_t type = tokens_.type(i);
  const bool foreach = tokens_.is_one_of(i, {"foreach", "forall", "forEach", "Foreach", "For"}) &&
                       (tokens_.is_name(i + 1) || tokens_.is(i + 1, "("));
  const bool loops = type == Lexer::FOR || type == Lexer::WHILE || type == Lexer::REPEAT;
  if (!foreach && !loops) return false;
  if (in_body()) {
    tokens_.report(diag::LoopInUpdate, tokens_.range(i)).note(kForEachNeighbour);
    tokens_.hide(i, tokens_.end_of_statement(i));
    return true;
  }
  const std::size_t block = tokens_.find(i, {"{", ";"});
  const bool ours = type == Lexer::FOR && tokens_.is_name(i + 1) &&
                    tokens_.type(i + 2) == Lexer::IN &&
                    (tokens_.is(tokens_.find(i, {"..", "{", ";", ":"}), "..") ||
                     (tokens_.is_name(i + 3) && tokens_.is(i + 4, "{")));
  if (ours || !(foreach || type == Lexer::FOR) || !tokens_.is(block, "{")) return false;
  tokens_.report(tokens_.range(i), tokens_.range(i, block - 1), "for i in a .. b")
      .note("both ends are included; 'update all v { … }' visits every vertex");
  tokens_.hide(i, tokens_.closing(block));
  return true;
}

void ForeignStatements::report_function(std::size_t first, std::size_t open, std::size_t name) {
  const std::size_t close = tokens_.closing(open);
  diag::Report& report =
      tokens_.report(diag::FunctionWithBlock, tokens_.range(name), tokens_.text(name));
  const bool arrow = tokens_.is(open - 2, ">") && tokens_.is(open - 3, "-");
  const bool typed = tokens_.type(first) == Lexer::FN && tokens_.is_name(open - 1) &&
                     (tokens_.is(open - 2, ":") || arrow);
  const bool returns = tokens_.is(open + 1, "return") && tokens_.is(close - 1, ";") &&
                       tokens_.find(open + 1, {";"}) == close - 1;
  if (typed && returns && arrow) report.fix(tokens_.range(open - 3, open - 2), ":");
  if (typed && returns)
    report.fix(tokens_.range(open, open + 1), "=").fix(tokens_.range(close - 1, close), ";");
  else
    report.note("choose with 'c ? a : b'; the type of the result is stated");
  tokens_.hide(first, tokens_.is(close + 1, ";") ? close + 1 : close);
}

// `fn f(…) { … }`, `def f(…) …`
bool ForeignStatements::function(std::size_t i) {
  const bool foreign = tokens_.is_one_of(i, {"def", "func", "function", "fun", "proc"}) &&
                       tokens_.is_name(i + 1) && tokens_.is(i + 2, "(");
  if (foreign) {
    tokens_.report(tokens_.range(i), "fn").fix(tokens_.range(i), "fn");
    tokens_.become(i, Lexer::FN);
  }
  if (tokens_.type(i) != Lexer::FN || !tokens_.is(i + 2, "(")) return foreign;
  const std::size_t parameters = tokens_.closing(i + 2);
  const std::size_t end = tokens_.find(parameters + 1, {"{", "=", ";"});
  if (tokens_.is(end, "{")) {
    report_function(i, end, i + 1);
  } else if (end == parameters + 1 && !tokens_.closes(end)) {
    const SourceRange behind = tokens_.range(parameters);
    tokens_
        .report(diag::MissingToken, {behind.end, behind.end, behind.file},
                "':' and the type of the result", quoted(tokens_.text(end).str()))
        .note(("written 'fn " + tokens_.text(i + 1) + "(…): T = …;'").str());
    tokens_.hide(i, tokens_.find(end, {";"}));
  } else if (foreign && tokens_.is(tokens_.find(parameters + 1, {":", ";", "{"}), ":") &&
             !tokens_.is(end, "=")) {
    unclear_ = true;  // a block of Python
  }
  return true;
}

// `int f(int a) { … }`
bool ForeignStatements::function_of_c(std::size_t i) {
  const bool type = declared_type(tokens_.text(i)) != nullptr || tokens_.is(i, "void");
  if (!type || !tokens_.is_name(i + 1) || !tokens_.is(i + 2, "(")) return false;
  const std::size_t behind = tokens_.closing(i + 2) + 1;
  if (!tokens_.is(behind, "{")) return false;
  report_function(i, behind, i + 1);
  return true;
}

// `int x = 0;`, `var x = 0;`, `const int x = 0;`
bool ForeignStatements::variable(std::size_t i) {
  const auto* type = declared_type(tokens_.text(i));
  if (type == nullptr || !tokens_.is_name(i + 1)) return false;
  std::size_t name = i + 1;
  if (const auto* inner = declared_type(tokens_.text(name)); inner && tokens_.is_name(name + 1)) {
    type = inner;
    ++name;
  }
  if (!tokens_.is_one_of(name + 1, {"=", ";", ":"}) || tokens_.is(name + 2, "vector")) return false;
  const bool typed = *type->second != '\0';
  const std::string ours = ("let " + tokens_.text(name) + (typed ? ": " : "") + type->second).str();
  diag::Report& report = tokens_.report(tokens_.range(i, name), ours);
  report.fix(tokens_.range(i, name), ours);
  if (tokens_.is(name + 1, ";")) {
    report.note("a variable begins with a value");
    tokens_.hide(i, name + 1);
    return true;
  }
  tokens_.become(i, Lexer::LET);
  tokens_.hide(i + 1, name - 1);
  return true;
}

// `if c:`
bool ForeignStatements::block_of_python(std::size_t i) {
  const std::size_t type = tokens_.type(i);
  if (type != Lexer::IF && type != Lexer::WHILE && type != Lexer::FOR && type != Lexer::ELSE)
    return false;
  std::size_t choices = 0;
  for (std::size_t at = i + 1;
       at + 1 < tokens_.size() && at < i + TokenText::kFar && !tokens_.closes(at);
       at = tokens_.opens(at) ? tokens_.closing(at) + 1 : at + 1) {
    if (tokens_.is_one_of(at, {";", "{"})) return false;
    if (tokens_.is(at, "?")) ++choices;
    if (!tokens_.is(at, ":")) continue;
    if (choices == 0) {
      tokens_.report(tokens_.range(at), tokens_.range(i, at),
                     (tokens_.text(i) + (at > i + 1 ? " …" : "") + " { … }").str());
      return unclear_ = true;
    }
    --choices;
  }
  return false;
}

// `if (c) v.x = 1; else v.x = 2;`
bool ForeignStatements::branch_without_braces(std::size_t i) {
  std::size_t begin = i + 1;
  if (tokens_.type(i) == Lexer::IF) {
    if (!tokens_.is(begin, "(")) return false;
    begin = tokens_.closing(begin) + 1;
  } else if (tokens_.type(i) != Lexer::ELSE || tokens_.type(begin) == Lexer::IF ||
             !(tokens_.is(i - 1, "}") || tokens_.is(i - 1, ";"))) {
    return false;
  }
  if (tokens_.is(begin, "begin")) {
    tokens_.report(tokens_.range(begin), "{").fix(tokens_.range(begin), "{");
    return unclear_ = true;
  }
  const bool statement =
      (tokens_.is_name(begin) && !tokens_.is_one_of(begin, {"and", "or", "is"})) ||
      tokens_.type(begin) == Lexer::SEND || tokens_.type(begin) == Lexer::LET;
  const std::size_t end = tokens_.end_of_statement(begin);
  if (!statement || !tokens_.is(end, ";")) return false;
  const SourceRange from = tokens_.range(begin), to = tokens_.range(end);
  tokens_
      .report(diag::MissingToken, {from.begin, from.begin, from.file}, "'{'",
              quoted(tokens_.text(begin).str()))
      .fix({from.begin, from.begin, from.file}, "{ ")
      .fix({to.end, to.end, to.file}, " }");
  tokens_.hide(i, end);
  if (tokens_.type(end + 1) != Lexer::ELSE) return true;
  if (tokens_.type(end + 2) == Lexer::IF) tokens_.hide(end + 1, end + 1);
  if (tokens_.is(end + 2, "{")) tokens_.hide(end + 1, tokens_.closing(end + 2));
  return true;
}

}  // namespace vertigo::compiler::parse
