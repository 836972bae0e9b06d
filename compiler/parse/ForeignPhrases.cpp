#include "compiler/parse/ForeignPhrases.h"

#include "compiler/parse/ForeignStatements.h"

namespace vertigo::compiler::parse {
namespace {

using Lexer = vertigo_grammar::VertigoLexer;

bool is_declaration(std::size_t type) {
  return type == Lexer::VERTEX || type == Lexer::EDGE || type == Lexer::MESSAGE;
}

bool is_degree(llvm::StringRef word) {
  return word == "degree" || word == "out_degree" || word == "in_degree";
}

// `neighbors`, `out_neighbours`, `successors`, `adj`
bool names_neighbours(llvm::StringRef word) {
  const std::string lower = word.lower();
  const llvm::StringRef text = lower;
  return text.contains("neigh") || text.contains("ngh") || text.contains("nbr") ||
         text.starts_with("adj") || text.starts_with("succ");
}

}  // namespace

ForeignPhrases::ForeignPhrases(MendedTokens& tokens) : tokens_(tokens) {
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i)
    if (tokens.is_name(i) && (tokens.is(i + 1, ":") || tokens.type(i - 1) == Lexer::FN))
      declared_.insert(tokens.text(i).str());
}

void ForeignPhrases::look(std::size_t i) {
  infinity_of_python(i) || lambda(i) || attribute_of_edge(i) || state_in_output(i) ||
      type_of_two_words(i) || vertex_parameter(i) || list_of_declarations(i) ||
      degree_as_function(i) || number_of_vertices(i) || receivers(i) || combination(i) ||
      condition_of_update(i) || adverb(i) || undirected(i) || start_at(i) || times(i) ||
      mutable_variable(i);
}

void ForeignPhrases::replace(std::size_t first, std::size_t last, const std::string& ours) {
  const SourceRange where = tokens_.range(first, last);
  tokens_.report(where, ours).fix(where, ours);
}

// `float("inf")`, `math.inf`
bool ForeignPhrases::infinity_of_python(std::size_t i) {
  const bool of_text = tokens_.is(i, "float") && tokens_.is(i + 1, "(") &&
                       tokens_.is_one_of(i + 2, {"\"inf\"", "\"Infinity\""}) &&
                       tokens_.is(i + 3, ")");
  const bool of_module = tokens_.is_one_of(i, {"math", "np", "numpy"}) && tokens_.is(i + 1, ".") &&
                         tokens_.is(i + 2, "inf");
  if (!of_text && !of_module) return false;
  const std::size_t last = of_text ? i + 3 : i + 2;
  replace(i, last, "inf");
  // The first word stays as an operand.
  tokens_.become(i, Lexer::INTEGER);
  tokens_.hide(i + 1, last);
  return true;
}

// `sum(lambda u: u.x)`
bool ForeignPhrases::lambda(std::size_t i) {
  if (!tokens_.is(i, "lambda") || !tokens_.is_name(i + 1)) return false;
  tokens_.report(diag::NoSuchStatement, tokens_.range(i), tokens_.text(i))
      .note("a reduction names its neighbour behind the value: 'sum(u.x over out u)'");
  return unclear_ = true;
}

// `edge.weight`
bool ForeignPhrases::attribute_of_edge(std::size_t i) {
  if (tokens_.type(i) != Lexer::EDGE || !tokens_.is(i + 1, ".") || !tokens_.is_name(i + 2))
    return false;
  replace(i, i + 2, tokens_.text(i + 2).str());
  tokens_.hide(i, i + 1);
  return true;
}

// `output v.dist;`
bool ForeignPhrases::state_in_output(std::size_t i) {
  if (tokens_.type(i) != Lexer::OUTPUT) return false;
  const std::size_t end = tokens_.find(i + 1, {";"});
  bool found = false;
  for (std::size_t at = i + 1; at + 2 < end + 1; ++at) {
    if (!tokens_.is_name(at) || !tokens_.is(at + 1, ".") || !tokens_.is_name(at + 2)) continue;
    replace(at, at + 2, tokens_.text(at + 2).str());
    tokens_.hide(at, at + 1);
    found = true;
  }
  return found;
}

// `x: unsigned int`, `x: long long`
bool ForeignPhrases::type_of_two_words(std::size_t i) {
  if (!tokens_.is(i - 1, ":") || !tokens_.is_one_of(i, {"unsigned", "long", "signed"}) ||
      !tokens_.is_one_of(i + 1, {"int", "long", "double"}))
    return false;
  std::string ours = tokens_.is(i, "long") ? "int64" : "int32";
  if (tokens_.is(i + 1, "long")) ours = "int64";
  if (tokens_.is(i, "unsigned")) ours = "u" + ours;
  if (tokens_.is(i + 1, "double")) ours = "float64";
  replace(i, i + 1, ours);
  return unclear_ = true;
}

// `program p(vertex source)`
bool ForeignPhrases::vertex_parameter(std::size_t i) {
  if (tokens_.type(i) != Lexer::VERTEX || !tokens_.is_one_of(i - 1, {"(", ","}) ||
      !tokens_.is_name(i + 1) || !tokens_.is_one_of(i + 2, {",", ")"}))
    return false;
  replace(i, i + 1, (tokens_.text(i + 1) + ": vertex").str());
  return unclear_ = true;
}

// `vertex a: int32 = 0, b: int32 = 0;`
bool ForeignPhrases::list_of_declarations(std::size_t i) {
  if (!tokens_.begins_statement(i) || !is_declaration(tokens_.type(i))) return false;
  const std::size_t comma = tokens_.find(i + 1, {",", ";", "{"});
  if (!tokens_.is(comma, ",") || !tokens_.is_name(comma + 1) ||
      !tokens_.is_one_of(comma + 2, {":", "=", ",", ";"}))
    return false;
  const std::string ours = ("; " + tokens_.text(i)).str();
  diag::Report& report = tokens_.report(tokens_.range(comma), ours);
  if (tokens_.is(comma + 2, ":")) report.fix(tokens_.range(comma), ours);
  report.note("each state, attribute and message has a declaration of its own");
  return unclear_ = true;
}

// `out_degree(v)` and `v.out_degree()`
bool ForeignPhrases::degree_as_function(std::size_t i) {
  if (!is_degree(tokens_.text(i)) || !tokens_.is(i + 1, "(") || is_declared(i)) return false;
  const bool member = tokens_.is(i - 1, ".");
  if (member && tokens_.is(i + 2, ")")) {
    replace(i, i + 2, tokens_.text(i).str());
    tokens_.hide(i + 1, i + 2);
    return true;
  }
  if (member || tokens_.type(i - 1) == Lexer::FN || !tokens_.is_name(i + 2) ||
      !tokens_.is(i + 3, ")"))
    return false;
  replace(i, i + 3, (tokens_.text(i + 2) + "." + tokens_.text(i)).str());
  return unclear_ = true;
}

// `vertices.size()`
bool ForeignPhrases::number_of_vertices(std::size_t i) {
  if (!tokens_.is_one_of(i, {"vertices", "edges"}) || !tokens_.is(i + 1, ".") ||
      !tokens_.is_one_of(i + 2, {"size", "count", "length"}) || !tokens_.is(i + 3, "(") ||
      !tokens_.is(i + 4, ")"))
    return false;
  replace(i, i + 4, tokens_.text(i).str());
  tokens_.hide(i + 1, i + 4);
  return true;
}

// `send e to out;`, `send e along in;`, `send e to v.neighbours;`
bool ForeignPhrases::receivers(std::size_t i) {
  if (tokens_.type(i) != Lexer::SEND) return false;
  const std::size_t end = tokens_.find(i + 1, {";", "{"});
  std::size_t to = i + 1;
  while (to < end && tokens_.type(to) != Lexer::TO &&
         !(tokens_.is(to, "along") && tokens_.ends_operand(to - 1)))
    ++to;
  if (to >= end || !tokens_.is(end, ";")) return false;
  const bool along =
      end == to + 2 && (tokens_.type(to + 1) == Lexer::OUT || tokens_.type(to + 1) == Lexer::IN ||
                        tokens_.type(to + 1) == Lexer::BOTH);
  bool all = false;
  for (std::size_t at = to + 1; at < end; ++at)
    all =
        all || (names_neighbours(tokens_.text(at)) && tokens_.is(at - 1, ".") && !is_declared(at));
  if (!along && !all) return false;
  const bool back = along && tokens_.type(to + 1) == Lexer::IN;
  const bool both = along && tokens_.type(to + 1) == Lexer::BOTH;
  const std::string ours = back ? "send back " : both ? "send both " : "send ";
  const SourceRange before{tokens_.range(to - 1).end, tokens_.range(end - 1).end,
                           tokens_.range(to).file};
  tokens_.report(tokens_.range(to, end - 1), tokens_.range(i, end - 1), ours + "e")
      .fix({tokens_.range(i).begin, tokens_.range(i + 1).begin, before.file}, ours)
      .fix(before, "")
      .note(
          "'send e' goes along every edge to the out-neighbours, 'send back e' to the "
          "in-neighbours, 'send both e' to both");
  tokens_.hide(i, end);
  return true;
}

// `message m: int32 reduce min;`, `message m: min int32;`, `combine +`
bool ForeignPhrases::combination(std::size_t i) {
  if (tokens_.type(i) == Lexer::MESSAGE && tokens_.is(i + 2, ":") &&
      tokens_.is_one_of(i + 3, {"min", "max", "sum", "or", "and", "any"}) &&
      tokens_.is_name(i + 4) && tokens_.is(i + 5, ";")) {
    replace(i + 3, i + 4, (tokens_.text(i + 4) + " combine " + tokens_.text(i + 3)).str());
    tokens_.hide(i, i + 5);
    return unclear_ = true;
  }
  if (tokens_.is_one_of(i, {"reduce", "aggregate", "accumulate", "combiner", "merge", "with"}) &&
      tokens_.is_name(i - 1) && tokens_.is(i - 2, ":") && tokens_.type(i - 4) == Lexer::MESSAGE &&
      tokens_.is_name(i + 1)) {
    replace(i, i, "combine");
    tokens_.become(i, Lexer::COMBINE);
    return true;
  }
  if (tokens_.type(i) != Lexer::COMBINE) return false;
  for (const auto& [sign, word] : {std::pair("+", "sum"),
                                   {"+=", "sum"},
                                   {"&&", "and"},
                                   {"||", "or"},
                                   {"&", "and"},
                                   {"|", "or"},
                                   {"^", "xor"},
                                   {"<", "min"},
                                   {">", "max"}}) {
    if (!tokens_.is(i + 1, sign)) continue;
    replace(i + 1, i + 1, word);
    tokens_.become(i + 1, Lexer::IDENTIFIER);
    return unclear_ = true;
  }
  return false;
}

// `update v if …`, `update v until …`
bool ForeignPhrases::condition_of_update(std::size_t i) {
  if (tokens_.type(i) != Lexer::UPDATE || !tokens_.is_name(i + 1)) return false;
  const bool negated = tokens_.is_one_of(i + 2, {"until", "unless"});
  if (!negated && tokens_.type(i + 2) != Lexer::IF && tokens_.type(i + 2) != Lexer::WHILE &&
      !tokens_.is(i + 2, "iff"))
    return false;
  diag::Report& report = tokens_.report(tokens_.range(i + 2), negated ? "when !(…)" : "when");
  if (!negated) report.fix(tokens_.range(i + 2), "when");
  report.note(
      "'when' runs it again for whoever gets a message, as long as the condition holds; 'where' "
      "runs it once for each vertex");
  if (!negated) {
    tokens_.become(i + 2, Lexer::WHEN);
    return true;
  }
  return unclear_ = true;
}

// `parallel update …`
bool ForeignPhrases::adverb(std::size_t i) {
  if (!tokens_.begins_statement(i) ||
      !tokens_.is_one_of(i, {"parallel", "par", "async", "atomic", "concurrent"}) ||
      tokens_.type(i + 1) != Lexer::UPDATE)
    return false;
  const SourceRange word = tokens_.range(i), next = tokens_.range(i + 1);
  tokens_.report(diag::NoSuchStatement, word, tokens_.text(i))
      .fix({word.begin, next.begin, word.file}, "")
      .note("an update runs for all its vertices at the same time");
  tokens_.hide(i, i);
  return true;
}

// `undirected;`, `graph undirected;`
bool ForeignPhrases::undirected(std::size_t i) {
  if (!tokens_.begins_statement(i)) return false;
  const bool two = tokens_.is(i, "graph") || tokens_.is(i + 1, "graph");
  const std::size_t last = two ? i + 1 : i;
  if (!tokens_.is(last + 1, ";")) return false;
  for (const std::size_t at : {i, last})
    if (tokens_.is_one_of(at, {"undirected", "symmetric"})) {
      replace(i, last, "requires symmetric");
      tokens_.hide(i, last + 1);
      return true;
    }
  return false;
}

// `start at source { … }`
bool ForeignPhrases::start_at(std::size_t i) {
  if (tokens_.type(i) != Lexer::START ||
      !(tokens_.is_one_of(i + 1, {"at", "from", "with", "on"}) ||
        tokens_.type(i + 1) == Lexer::VERTEX) ||
      is_declared(i + 1) || !tokens_.is_name(i + 2) || !tokens_.is_one_of(i + 3, {"{", ";"}))
    return false;
  replace(i, i + 2, ("start " + tokens_.text(i + 2)).str());
  tokens_.hide(i + 1, i + 1);
  return true;
}

// `repeat 10 times {`
bool ForeignPhrases::times(std::size_t i) {
  if (!tokens_.is(i, "times") || !tokens_.ends_operand(i - 1) || !tokens_.is(i + 1, "{"))
    return false;
  const SourceRange before = tokens_.range(i - 1), word = tokens_.range(i);
  tokens_.report(diag::NoSuchStatement, word, tokens_.text(i))
      .fix({before.end, word.end, word.file}, "")
      .note("written 'repeat n { … }'");
  tokens_.hide(i, i);
  return true;
}

// `let mut k = 0;`
bool ForeignPhrases::mutable_variable(std::size_t i) {
  if (tokens_.type(i) != Lexer::LET || !tokens_.is_one_of(i + 1, {"mut", "var", "const"}) ||
      !tokens_.is_name(i + 2))
    return false;
  replace(i, i + 1, "let");
  tokens_.hide(i + 1, i + 1);
  return true;
}

}  // namespace vertigo::compiler::parse
