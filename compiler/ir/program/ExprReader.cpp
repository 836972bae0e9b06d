#include "compiler/ir/program/ExprReader.h"

#include <charconv>

#include "compiler/ir/program/Spelling.h"

namespace vertigo::ir {

namespace {

struct Suffix {
  std::string_view text;
  ScalarKind kind;
};
constexpr Suffix kSuffixes[] = {{"i64", ScalarKind::Int64},  {"u32", ScalarKind::UInt32},
                                {"u64", ScalarKind::UInt64}, {"f32", ScalarKind::Float32},
                                {"w64", ScalarKind::Wide64}, {"v", ScalarKind::Vertex}};

// Splits "0.85f32" into digits and kind; no suffix: int32, or float64 with a point or an exponent.
ScalarKind split_suffix(std::string_view& digits) {
  for (const Suffix& suffix : kSuffixes) {
    if (!digits.ends_with(suffix.text)) continue;
    digits.remove_suffix(suffix.text.size());
    return suffix.kind;
  }
  return digits.find_first_of(".e") == std::string_view::npos ? ScalarKind::Int32
                                                              : ScalarKind::Float64;
}

template <class T>
bool parse_all(const std::string& digits, T& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} && end == digits.data() + digits.size();
}

}  // namespace

const Token* ExprReader::place_of(const Expr& expr) const {
  const auto found = places_.find(&expr);
  return found == places_.end() ? nullptr : &found->second;
}

ExprPtr ExprReader::make(Op op) {
  auto expr = std::make_unique<Expr>();
  expr->op = op;
  places_.emplace(expr.get(), tokens_.peek());
  return expr;
}

ExprPtr ExprReader::read() {
  const NestingGuard guard(depth_, tokens_);
  const Token begin = tokens_.peek();
  ExprPtr left = read_operand();
  if (tokens_.peek().kind != Token::Kind::Mark) return left;
  const auto op = find_infix_op(tokens_.peek().text);
  if (!op) return left;
  ExprPtr expr = make(*op);
  places_[expr.get()] = begin;
  tokens_.take();
  expr->operands.push_back(std::move(left));
  expr->operands.push_back(read_operand());
  return expr;
}

ExprPtr ExprReader::read_operand() {
  ExprPtr expr = read_bare_operand();
  read_location(*expr);
  return expr;
}

void ExprReader::read_location(Expr& expr) {
  if (!tokens_.take_mark("#")) return;
  expr.location.line = tokens_.expect_unsigned("a line number");
  tokens_.expect_mark(":");
  expr.location.column = tokens_.expect_unsigned("a column number");
}

ExprPtr ExprReader::read_bare_operand() {
  switch (tokens_.peek().kind) {
    case Token::Kind::Number:
      return read_number(false);
    case Token::Kind::Word:
      return read_word();
    case Token::Kind::Mark:
      break;
    default:
      tokens_.fail_expected("an expression");
  }
  if (tokens_.at_mark("(")) return read_parenthesised();
  if (tokens_.at_mark("$")) return read_sigil(Op::Parameter);
  if (tokens_.at_mark("@")) return read_sigil(Op::HostVariable);
  if (tokens_.at_mark("?")) return read_sigil(Op::Local);
  if (tokens_.at_mark("-") && tokens_.peek(1).kind == Token::Kind::Number) return read_number(true);
  tokens_.fail_expected("an expression");
}

ExprPtr ExprReader::read_parenthesised() {
  tokens_.expect_mark("(");
  ExprPtr expr = read();
  tokens_.expect_mark(")");
  return expr;
}

ExprPtr ExprReader::read_number(bool negative) {
  ExprPtr expr = make(Op::Literal);
  if (negative) tokens_.take();
  const Token token = tokens_.take();
  std::string_view rest = token.text;
  const ScalarKind kind = split_suffix(rest);
  const std::string digits = (negative ? "-" : "") + std::string(rest);
  expr->type = kind;
  bool read = false;
  if (is_float(kind)) {
    double value = 0;
    read = parse_all(digits, value);
    expr->value = value;
  } else if (is_signed_integer(kind)) {
    std::int64_t value = 0;
    read = parse_all(digits, value) &&
           (kind == ScalarKind::Int64 || value == static_cast<std::int32_t>(value));
    expr->value = value;
  } else {
    std::uint64_t value = 0;
    read = parse_all(digits, value) &&
           (kind == ScalarKind::UInt64 || value == static_cast<std::uint32_t>(value));
    expr->value = value;
  }
  if (!read)
    TokenStream::fail_at(token, "'" + token.text.substr(0, 60) + "' is no number of type " +
                                    std::string(to_string(kind)));
  return expr;
}

ExprPtr ExprReader::read_sigil(Op op) {
  ExprPtr expr = make(op);
  tokens_.take();
  expr->symbol = tokens_.expect_name("a name");
  return expr;
}

Type ExprReader::read_type_argument() {
  tokens_.expect_mark("<");
  Type type = read_type();
  tokens_.expect_mark(">");
  return type;
}

ScalarKind ExprReader::read_scalar() {
  ScalarKind kind = ScalarKind::Int32;
  if (tokens_.peek().kind != Token::Kind::Word || !parse_scalar(tokens_.peek().text, kind))
    tokens_.fail_expected("a scalar type");
  tokens_.take();
  return kind;
}

Type ExprReader::read_type() {
  if (!tokens_.take_mark("(")) return read_scalar();
  std::vector<ScalarKind> elements;
  do elements.push_back(read_scalar());
  while (tokens_.take_mark(","));
  if (elements.size() < 2) tokens_.fail("a tuple type has at least two elements");
  tokens_.expect_mark(")");
  return Type(std::move(elements));
}

void ExprReader::read_arguments(Expr& expr) {
  tokens_.expect_mark("(");
  if (tokens_.take_mark(")")) return;
  do expr.operands.push_back(read());
  while (tokens_.take_mark(","));
  tokens_.expect_mark(")");
}

ExprPtr ExprReader::read_degree_or_count(Op op) {
  ExprPtr expr = make(op);
  tokens_.take();
  expr->type = tokens_.at_mark("<") ? read_type_argument() : Type(kCountKind);
  tokens_.expect_mark("(");
  if (op != Op::VertexCount && op != Op::EdgeCount) expr->vertex = tokens_.expect_name("a vertex");
  tokens_.expect_mark(")");
  return expr;
}

ExprPtr ExprReader::read_call(Op op) {
  ExprPtr expr = make(op);
  tokens_.take();
  expr->symbol = tokens_.expect_name(
      op == Op::Call || op == Op::ExternCall ? "the name of a function" : "the name of a list");
  read_arguments(*expr);
  return expr;
}

ExprPtr ExprReader::read_element(Op op) {
  ExprPtr expr = make(op);
  expr->index = tokens_.take().text == "relaxed" ? 1 : 0;
  if (op == Op::Load)
    expr->type = read_type_argument();
  else
    expr->type = ScalarKind::Bool;
  expr->symbol = tokens_.expect_name("the name of a buffer");
  tokens_.expect_mark("[");
  // Scalar buffers have no index.
  if (!tokens_.at_mark("]")) expr->operands.push_back(read());
  tokens_.expect_mark("]");
  return expr;
}

ExprPtr ExprReader::read_reduction(Reduction reduction) {
  ExprPtr expr = make(Op::ReduceNeighbours);
  tokens_.take();
  expr->reduction = reduction;
  expr->type = read_type_argument();
  expr->operands.resize(3);
  tokens_.expect_mark("(");
  if (!tokens_.at_word("for")) expr->operands[0] = read();
  tokens_.expect_word("for");
  expr->symbol = tokens_.expect_name("the name of a vertex");
  tokens_.expect_word("in");
  if (tokens_.take_word("vertices")) {
    expr->op = Op::ReduceVertices;
  } else if (tokens_.peek().text == info(Op::CommonNeighbours).spelling) {
    expr->op = Op::ReduceCommon;
    expr->operands[2] = read_operand();
  } else {
    const auto direction = find_direction(tokens_.peek().text);
    if (!direction) tokens_.fail_expected("'out', 'in', 'both', 'common_neighbours' or 'vertices'");
    tokens_.take();
    expr->direction = *direction;
    tokens_.expect_mark("(");
    expr->vertex = tokens_.expect_name("the name of a vertex");
    tokens_.expect_mark(")");
  }
  if (tokens_.take_word("where")) expr->operands[1] = read();
  if (expr->op != Op::ReduceCommon && tokens_.take_word("else")) expr->operands[2] = read();
  tokens_.expect_mark(")");
  return expr;
}

ExprPtr ExprReader::read_state() {
  ExprPtr expr = make(Op::State);
  expr->vertex = tokens_.take().text;
  tokens_.take();
  expr->symbol = tokens_.expect_name("the name of a state");
  return expr;
}

// at(v.parent).weight
ExprPtr ExprReader::read_state_at() {
  ExprPtr expr = make(Op::State);
  tokens_.take();
  read_arguments(*expr);
  if (expr->operands.size() != 1) tokens_.fail("a state is read at one vertex");
  tokens_.expect_mark(".");
  expr->symbol = tokens_.expect_name("the name of a state");
  return expr;
}

ExprPtr ExprReader::read_bound_vertex() {
  ExprPtr expr = make(Op::BoundVertex);
  expr->vertex = tokens_.take().text;
  expr->type = ScalarKind::Vertex;
  return expr;
}

// true, false, inf, none, step; null for any other word.
ExprPtr ExprReader::read_constant(const std::string& word) {
  const bool logical = word == "true" || word == "false";
  if (!logical && word != "inf" && word != "none" && word != "step") return nullptr;
  const Op op = logical          ? Op::Literal
                : word == "inf"  ? Op::Infinity
                : word == "none" ? Op::NoVertex
                                 : Op::Step;
  ExprPtr expr = make(op);
  tokens_.take();
  if (logical) expr->value = word == "true";
  if (op == Op::Infinity)
    expr->type = read_type_argument();
  else
    expr->type = logical              ? ScalarKind::Bool
                 : op == Op::NoVertex ? ScalarKind::Vertex
                                      : ScalarKind::Int32;
  return expr;
}

ExprPtr ExprReader::read_cast() {
  ExprPtr expr = make(Op::Cast);
  tokens_.take();
  expr->type = read_type_argument();
  read_arguments(*expr);
  return expr;
}

ExprPtr ExprReader::read_element_of_tuple() {
  ExprPtr expr = make(Op::TupleElement);
  tokens_.take();
  tokens_.expect_mark("<");
  expr->index = tokens_.expect_unsigned("the number of an element");
  tokens_.expect_mark(">");
  read_arguments(*expr);
  return expr;
}

ExprPtr ExprReader::read_function(Op op) {
  ExprPtr expr = make(op);
  tokens_.take();
  read_arguments(*expr);
  return expr;
}

// inbox(name), edge(name)
ExprPtr ExprReader::read_slot(Op op) {
  ExprPtr expr = make(op);
  tokens_.take();
  tokens_.expect_mark("(");
  expr->symbol = tokens_.expect_name("a name");
  tokens_.expect_mark(")");
  return expr;
}

ExprPtr ExprReader::read_edge_at_hand() {
  ExprPtr expr = make(Op::EdgeAtHand);
  tokens_.take();
  expr->type = ScalarKind::UInt64;
  return expr;
}

ExprPtr ExprReader::read_word() {
  if (tokens_.at_mark(".", 1)) return read_state();
  const std::string word = tokens_.peek().text;
  if (word == kStateAt && tokens_.at_mark("(", 1)) return read_state_at();
  if (tokens_.peek().quoted || !is_expression_word(word)) return read_bound_vertex();
  // `min(a, b)` is the operator, `min<T>(...)` the reduction.
  if (const auto reduction = find_reduction(word); reduction && tokens_.at_mark("<", 1))
    return read_reduction(*reduction);
  if (const auto op = find_function_op(word)) return read_function(*op);
  if (ExprPtr constant = read_constant(word)) return constant;
  if (word == "cast") return read_cast();
  if (word == "get") return read_element_of_tuple();
  for (const Op op : {Op::OutDegree, Op::InDegree, Op::Degree, Op::VertexCount, Op::EdgeCount})
    if (word == info(op).spelling) return read_degree_or_count(op);
  for (const Op op : {Op::Call, Op::ExternCall, Op::IndexIn, Op::ListSize, Op::ListItem})
    if (word == info(op).spelling) return read_call(op);
  if (word == "relaxed" && tokens_.at_mark("<", 1)) return read_element(Op::Load);
  for (const Op op : {Op::Load, Op::TestBit})
    if (word == info(op).spelling) return read_element(op);
  for (const Op op : {Op::Inbox, Op::EdgeAttribute})
    if (word == info(op).spelling) return read_slot(op);
  if (word == info(Op::EdgeAtHand).spelling) return read_edge_at_hand();
  return read_bound_vertex();
}

}  // namespace vertigo::ir
