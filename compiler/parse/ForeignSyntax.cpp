#include "compiler/parse/ForeignSyntax.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "compiler/parse/ForeignPhrases.h"
#include "compiler/parse/ForeignStatements.h"
#include "compiler/parse/MendedTokens.h"

namespace vertigo::compiler::parse {
namespace {

using Lexer = vertigo_grammar::VertigoLexer;

// Operators that are words elsewhere, or signs that this language does not have.
struct Spelling {
  const char* foreign;
  const char* ours;
};
constexpr Spelling kInfixWords[] = {{"and", "&&"}, {"AND", "&&"}, {"or", "||"}, {"OR", "||"},
                                    {"is", "=="},  {"mod", "%"},  {"MOD", "%"}, {"div", "/"},
                                    {"DIV", "/"},  {"xor", "!="}};
constexpr Spelling kInfixSigns[] = {{"<>", "!="},  {"===", "=="}, {"!==", "!="}, {"=>", ">="},
                                    {"=<", "<="},  {":=", "="},   {"=+", "+="},  {"...", ".."},
                                    {"..<", ".."}, {"..=", ".."}};

class ForeignOperators {
 public:
  explicit ForeignOperators(MendedTokens& tokens) : tokens_(tokens) {}

  void look(std::size_t i) {
    infix_word(i) || negation_word(i) || infix_sign(i) || increment(i) || power(i) || arrow(i) ||
        indexed(i) || closed_twice(i) || then(i) || cast_of_c(i) || comprehension(i) ||
        combined_assignment(i) || type_first(i) || every_receiver(i) || inverted_choice(i) ||
        number_with_suffix(i) || half_a_number(i);
  }

  /// What follows cannot be told apart.
  bool unclear() const { return unclear_; }

 private:
  bool infix_word(std::size_t i) {
    if (tokens_.type(i) != Lexer::IDENTIFIER || !tokens_.ends_operand(i - 1)) return false;
    const bool negated = tokens_.is(i, "is") && tokens_.is(i + 1, "not");
    if (!negated && !tokens_.begins_operand(i + 1)) return false;
    for (const Spelling& each : kInfixWords) {
      if (!tokens_.is(i, each.foreign)) continue;
      const std::string ours = negated ? "!=" : each.ours;
      const SourceRange where = tokens_.range(i, negated ? i + 1 : i);
      diag::Report& report = tokens_.report(where, ours).fix(where, ours);
      if (tokens_.is(i, "xor")) report.note("of integers, '^' is taken bit by bit");
      tokens_.become(i, ours);
      if (negated) tokens_.hide(i + 1, i + 1);
      return true;
    }
    return false;
  }

  // `not` binds looser than comparisons where it comes from, and `!` binds tighter: what it negates
  // is put in brackets where that makes a difference.
  bool negation_word(std::size_t i) {
    if (!tokens_.is_one_of(i, {"not", "NOT"}) || tokens_.ends_operand(i - 1)) return false;
    if (!tokens_.begins_operand(i + 1) || tokens_.is(i + 1, "-")) return false;
    if (tokens_.type(i - 1) == Lexer::START || (tokens_.is(i + 1, "(") && declares_function(i)))
      return false;
    std::size_t end = i + 1;
    bool compares = false;
    while (end + 1 < tokens_.size() && !tokens_.closes(end) && !ends_negation(end)) {
      compares = compares || tokens_.is_one_of(end, {"==", "!=", "<", "<=", ">", ">=", "is"});
      end = tokens_.opens(end) ? tokens_.closing(end) + 1 : end + 1;
    }
    const SourceRange word{tokens_.range(i).begin, tokens_.range(i + 1).begin,
                           tokens_.range(i).file};
    const std::uint32_t behind = tokens_.range(end - 1).end;
    diag::Report& report = tokens_.report(tokens_.range(i), "!");
    report.fix(word, compares ? "!(" : "!");
    if (compares) report.fix({behind, behind, word.file}, ")");
    tokens_.become(i, "!");
    return true;
  }

  bool ends_negation(std::size_t i) const {
    return tokens_.is_one_of(i, {"&&", "||", "and", "or", ",", ";", "{", "?", ":"}) ||
           tokens_.type(i) == Lexer::WHERE || tokens_.type(i) == Lexer::LIMIT ||
           tokens_.type(i) == Lexer::OVER || tokens_.type(i) == Lexer::IF ||
           tokens_.type(i) == Lexer::ELSE;
  }

  bool declares_function(std::size_t name) {
    if (functions_.empty()) {
      functions_.push_back("");
      for (std::size_t i = 0; i + 1 < tokens_.size(); ++i)
        if (tokens_.type(i) == Lexer::FN) functions_.push_back(tokens_.text(i + 1));
    }
    return llvm::is_contained(functions_, tokens_.text(name));
  }

  bool infix_sign(std::size_t i) {
    if (!tokens_.touches_next(i) || !tokens_.ends_operand(i - 1)) return false;
    const std::string two = (tokens_.text(i) + tokens_.text(i + 1)).str();
    for (const Spelling& each : kInfixSigns) {
      if (two != each.foreign) continue;
      tokens_.report(tokens_.range(i, i + 1), each.ours).fix(tokens_.range(i, i + 1), each.ours);
      tokens_.become(i, each.ours);
      tokens_.hide(i + 1, i + 1);
      return true;
    }
    return false;
  }

  // `v.x++;` and `++v.x;`
  bool increment(std::size_t i) {
    const bool twice = (tokens_.is(i, "+") && tokens_.is(i + 1, "+")) ||
                       (tokens_.is(i, "-") && tokens_.is(i + 1, "-"));
    if (!twice || !tokens_.touches_next(i)) return false;
    const std::string sum = tokens_.is(i, "+") ? "+=" : "-=";
    const SourceRange signs = tokens_.range(i, i + 1);
    if (tokens_.ends_operand(i - 1) && tokens_.is_one_of(i + 2, {";", ")", "{"})) {
      tokens_.report(signs, sum + " 1").fix(signs, " " + sum + " 1");
      tokens_.become(i, sum);
      tokens_.become(i + 1, Lexer::INTEGER);
      return true;
    }
    if (!tokens_.begins_statement(i)) return false;
    const std::size_t end = tokens_.end_of_statement(i);
    if (tokens_.find(i, {"=", "+=", "-=", "*=", "/=", "&=", "|=", "^=", ";"}) != end ||
        !tokens_.is(end, ";")) {
      if (sum == "-=") tokens_.report(signs, "//").fix(signs, "//");
      return unclear_ = sum == "-=";
    }
    const SourceRange behind = tokens_.range(end - 1);
    tokens_.report(signs, sum + " 1")
        .fix(signs, "")
        .fix({behind.end, behind.end, behind.file}, " " + sum + " 1");
    tokens_.hide(i, end);
    return true;
  }

  bool power(std::size_t i) {
    if (!tokens_.is(i, "*") || !tokens_.is(i + 1, "*") || !tokens_.touches_next(i)) return false;
    tokens_.report(tokens_.range(i, i + 1), "x * x").note("other powers are 'exp(b * log(a))'");
    tokens_.hide(i + 1, i + 1);
    return true;
  }

  // `v->x`, and `fn f(a: int32) -> int32`
  bool arrow(std::size_t i) {
    if (!tokens_.is(i, "-") || !tokens_.is(i + 1, ">") || !tokens_.touches_next(i)) return false;
    const bool of_function = tokens_.is(i - 1, ")") && tokens_.names_function(i - 1);
    const std::string ours = of_function ? ":" : in_send(i) ? "to" : ".";
    if (!tokens_.ends_operand(i - 1)) return false;
    tokens_.report(tokens_.range(i, i + 1), ours).fix(tokens_.range(i, i + 1), ours);
    if (ours == "to")
      tokens_.become(i, Lexer::TO);
    else
      tokens_.become(i, ours);
    tokens_.hide(i + 1, i + 1);
    return true;
  }

  bool in_send(std::size_t i) const {
    while (i > 0 && !tokens_.begins_statement(i)) --i;
    return tokens_.type(i) == Lexer::SEND;
  }

  // `vertex int x`, `program p(int n)`: the type stands behind the name.
  bool type_first(std::size_t i) {
    const std::size_t before = tokens_.type(i - 1);
    const bool declares =
        before == Lexer::VERTEX || before == Lexer::EDGE || before == Lexer::MESSAGE;
    const bool parameter = (tokens_.is(i - 1, "(") || tokens_.is(i - 1, ",")) &&
                           tokens_.is_one_of(i + 2, {",", ")", "="});
    const std::string type = type_of_c(tokens_.text(i));
    if (type.empty() || !tokens_.is_name(i + 1) || !(declares || parameter)) return false;
    const std::string ours = (tokens_.text(i + 1) + ": " + type).str();
    tokens_.report(tokens_.range(i, i + 1), ours).fix(tokens_.range(i, i + 1), ours);
    if (declares)
      tokens_.hide(i - 1, tokens_.end_of_statement(i));
    else
      unclear_ = true;
    return true;
  }

  // `distance[v]`
  bool indexed(std::size_t i) {
    if (!tokens_.is_name(i) || !tokens_.is(i + 1, "[") || !tokens_.is_name(i + 2) ||
        !tokens_.is(i + 3, "]") || tokens_.is(i - 1, ".") || tokens_.is(i - 1, ":"))
      return false;
    const std::string ours = (tokens_.text(i + 2) + "." + tokens_.text(i)).str();
    tokens_.report(tokens_.range(i, i + 3), ours).fix(tokens_.range(i, i + 3), ours);
    tokens_.hide(i + 1, i + 3);
    return true;
  }

  // `};` and `;;`
  bool closed_twice(std::size_t i) {
    if (!tokens_.is(i, ";") || !tokens_.is_one_of(i - 1, {"}", ";"}) || tokens_.is(i - 2, "{"))
      return false;
    tokens_.report(tokens_.range(i), tokens_.range(i - 1, i), tokens_.text(i - 1).str())
        .fix(tokens_.range(i), "");
    tokens_.hide(i, i);
    return true;
  }

  // `if c then {`
  bool then(std::size_t i) {
    if (!tokens_.is(i, "then") || !tokens_.ends_operand(i - 1) || !tokens_.is(i + 1, "{"))
      return false;
    tokens_.report(tokens_.range(i, i + 1), "{").fix(tokens_.range(i, i + 1), "{");
    tokens_.hide(i, i);
    return true;
  }

  // `(int) x`
  bool cast_of_c(std::size_t i) {
    if (!tokens_.is(i, "(") || !tokens_.is(i + 2, ")") || tokens_.ends_operand(i - 1) ||
        !(tokens_.is_name(i + 3) || tokens_.is_number(i + 3) || tokens_.is(i + 3, "(")))
      return false;
    const std::string type = type_of_c(tokens_.text(i + 1));
    if (type.empty()) return false;
    tokens_.report(tokens_.range(i, i + 2), type + "(…)");
    tokens_.hide(i, i + 2);
    return true;
  }

  // `in_neighbors`, `getInNgh`, `incoming`, `predecessors`
  static bool names_in_neighbours(llvm::StringRef word) {
    const std::string lower = word.lower();
    return std::ranges::any_of(
        std::initializer_list<llvm::StringRef>{"in", "getin", "get_in", "pred"},
        [&](llvm::StringRef beginning) { return llvm::StringRef(lower).starts_with(beginning); });
  }

  // `sum(u.x for u in v.neighbours)` and `sum(u.x in v.neighbours)`
  bool comprehension(std::size_t i) {
    const bool python =
        tokens_.type(i) == Lexer::FOR && tokens_.is_name(i + 1) && tokens_.type(i + 2) == Lexer::IN;
    const bool short_form = tokens_.type(i) == Lexer::IN && tokens_.type(i - 2) != Lexer::FOR &&
                            tokens_.is_name(i + 1) && tokens_.is(i + 2, ".");
    if (!(python || short_form) || !tokens_.ends_operand(i - 1)) return false;
    const std::size_t end = tokens_.find(i, {";", "{", "if", "where"});
    if (end < i + 3 || !(tokens_.is(end, ")") || tokens_.is_one_of(end, {"if", "where"})))
      return false;
    bool back = false;
    for (std::size_t each = i + 3; each < end; ++each)
      back = back || names_in_neighbours(tokens_.text(each));
    const std::string over =
        (back ? "over in " : "over out ") + (python ? tokens_.text(i + 1).str() : "u");
    tokens_.report(tokens_.range(i), tokens_.range(i, end - 1), over)
        .fix(tokens_.range(i, end - 1), over);
    tokens_.become(i, Lexer::OVER);
    tokens_.become(i + 1, back ? Lexer::IN : Lexer::OUT);
    tokens_.become(i + 2, Lexer::IDENTIFIER);
    tokens_.hide(i + 3, end - 1);
    if (tokens_.is(end, "if")) tokens_.become(end, Lexer::WHERE);
    return true;
  }

  // `v.x min= m`, `v.x %= 2`
  bool combined_assignment(std::size_t i) {
    if (tokens_.is(i, "%") && tokens_.is(i + 1, "=") && tokens_.touches_next(i)) {
      tokens_.report(tokens_.range(i, i + 1), "x = x % …");
      tokens_.hide(i, i);
      return true;
    }
    if (!tokens_.is_one_of(i, {"min", "max"}) || !tokens_.is(i + 1, "=") ||
        !tokens_.ends_operand(i - 1))
      return false;
    tokens_.report(tokens_.range(i, i + 1), ("x = " + tokens_.text(i) + "(x, …)").str());
    tokens_.hide(i, i);
    return true;
  }

  // `send m to all`
  bool every_receiver(std::size_t i) {
    if (tokens_.type(i) == Lexer::TO && tokens_.type(i + 1) == Lexer::ALL) {
      tokens_.report(tokens_.range(i, i + 1), "send e;")
          .fix(tokens_.range(i, i + 1), "")
          .note("a send without 'to' goes to every out-neighbour");
      tokens_.hide(i, i + 1);
      return true;
    }
    return false;
  }

  // `a if c else b`
  bool inverted_choice(std::size_t i) {
    if (tokens_.type(i) != Lexer::IF || !tokens_.ends_operand(i - 1)) return false;
    const std::size_t other = tokens_.find(i + 1, {"else", ";", "{"});
    if (tokens_.type(other) != Lexer::ELSE) return false;
    tokens_.report(tokens_.range(i), tokens_.range(i - 1, other + 1), "c ? a : b");
    tokens_.become(i, "?");
    tokens_.become(other, ":");
    return true;
  }

  // `0.5f`, `10L`, `1_000_000`
  bool number_with_suffix(std::size_t i) {
    if (!tokens_.is_number(i) || tokens_.type(i + 1) != Lexer::IDENTIFIER ||
        !tokens_.touches_next(i))
      return false;
    std::string digits = tokens_.text(i).str();
    const std::string suffix = tokens_.text(i + 1).lower();
    if (suffix.find_first_not_of("_0123456789") == std::string::npos) {
      for (char c : suffix)
        if (c != '_') digits += c;
    } else if (!llvm::is_contained({"f", "d", "l", "u", "ul", "ll", "ull", "lu"}, suffix)) {
      return false;
    }
    tokens_.report(tokens_.range(i, i + 1), digits).fix(tokens_.range(i, i + 1), digits);
    tokens_.hide(i + 1, i + 1);
    return true;
  }

  // `.5` and `1.`
  bool half_a_number(std::size_t i) {
    if (!tokens_.is(i, ".")) return false;
    const bool front = tokens_.type(i + 1) == Lexer::INTEGER && tokens_.touches_next(i) &&
                       !tokens_.ends_operand(i - 1) && !tokens_.is(i - 1, "..");
    const bool back = tokens_.type(i - 1) == Lexer::INTEGER && !tokens_.is(i - 2, ".") &&
                      !tokens_.is_name(i + 1) && tokens_.type(i + 1) != Lexer::INTEGER;
    if (!front && !back) return false;
    const SourceRange where = front ? tokens_.range(i, i + 1) : tokens_.range(i - 1, i);
    const std::string ours =
        front ? ("0." + tokens_.text(i + 1)).str() : (tokens_.text(i - 1) + ".0").str();
    tokens_.report(where, ours).fix(where, ours);
    tokens_.hide(i, i);
    return true;
  }

  MendedTokens& tokens_;
  std::vector<llvm::StringRef> functions_;  ///< that the program declares, once they were asked for
  bool unclear_ = false;
};

}  // namespace

Foreign find_foreign_syntax(const std::vector<antlr4::Token*>& all, antlr4::Lexer& lexer,
                            std::uint32_t file, diag::DiagnosticEngine& diagnostics) {
  MendedTokens tokens(all, lexer, file, diagnostics);
  ForeignStatements statements(tokens);
  ForeignPhrases phrases(tokens);
  ForeignOperators operators(tokens);
  for (std::size_t i = 1; i + 1 < tokens.size() && !diagnostics.full(); ++i) {
    if (tokens.is_hidden(i)) continue;
    statements.look(i);
    if (statements.unclear()) return Foreign::Unclear;
    if (!tokens.is_hidden(i)) phrases.look(i);
    if (phrases.unclear()) return Foreign::Unclear;
    if (!tokens.is_hidden(i)) operators.look(i);
    if (operators.unclear()) return Foreign::Unclear;
  }
  return tokens.changed() ? Foreign::Mended : Foreign::None;
}

}  // namespace vertigo::compiler::parse
