#include <cmath>

#include "compiler/parse/Builder.h"
#include "compiler/parse/Parse.h"

namespace vertigo::compiler::parse {

using ast::Expr;
using ast::ExprKind;
using ast::ExprPtr;

SourceRange range_of(const antlr4::Token& token, std::uint32_t file) {
  // The end of the file is a token of no width whose stop lies before its start.
  auto begin = static_cast<std::uint32_t>(token.getStartIndex());
  auto end = token.getType() == antlr4::Token::EOF
                 ? begin
                 : static_cast<std::uint32_t>(token.getStopIndex()) + 1;
  return {begin, end, file};
}

SourceRange Builder::range(antlr4::ParserRuleContext* tree) const {
  SourceRange first = range_of(*tree->getStart(), file_);
  return tree->getStop() == nullptr ? first : first.joined(range_of(*tree->getStop(), file_));
}

ast::Name Builder::name(Grammar::NameContext* tree) { return {tree->getText(), range(tree)}; }

ast::Name Builder::callee(Grammar::CalleeContext* tree) { return {tree->getText(), range(tree)}; }

std::unique_ptr<ast::Decl> Builder::named(ast::Decl::Kind kind, Grammar::NameContext* tree) {
  auto decl = std::make_unique<ast::Decl>(kind);
  decl->name = name(tree);
  return decl;
}

bool Builder::shallow(unsigned depth, unsigned limit, antlr4::ParserRuleContext* tree) {
  if (depth <= limit) return true;
  if (!depth_reported_) diagnostics_.report(diag::NestedTooDeep, range(tree), limit);
  depth_reported_ = true;
  return false;
}

ExprPtr Builder::expr(Grammar::ExprContext* tree) {
  ++expression_depth_;
  ExprPtr result = shallow(expression_depth_, kMaxExpressionDepth, tree)
                       ? expr_node(tree)
                       : std::make_unique<Expr>(ExprKind::Integer, range(tree));
  --expression_depth_;
  return result;
}

ExprPtr Builder::integer(antlr4::Token* token) {
  auto expr = std::make_unique<Expr>(ExprKind::Integer, range(token));
  std::string digits = text(token);
  bool hexadecimal = llvm::StringRef(digits).starts_with_insensitive("0x");
  llvm::StringRef body =
      hexadecimal ? llvm::StringRef(digits).drop_front(2) : llvm::StringRef(digits);
  if (body.getAsInteger(hexadecimal ? 16 : 10, expr->integer))
    diagnostics_.report(diag::IntegerTooLarge, expr->range, digits);
  return expr;
}

ExprPtr Builder::floating(antlr4::Token* token) {
  auto expr = std::make_unique<Expr>(ExprKind::Float, range(token));
  std::string digits = text(token);
  // Overflow is refused; a literal too small for any type is the zero that it rounds to.
  if (llvm::StringRef(digits).getAsDouble(expr->number, /*AllowInexact=*/true) ||
      std::isinf(expr->number))
    diagnostics_.report(diag::FloatTooLarge, expr->range, digits);
  return expr;
}

void Builder::operands(Expr& into, const std::vector<Grammar::ExprContext*>& trees) {
  for (Grammar::ExprContext* tree : trees) into.operands.push_back(expr(tree));
}

ExprPtr Builder::member(Grammar::MemberExprContext* tree) {
  auto result = std::make_unique<Expr>(ExprKind::Member, range(tree));
  result->operands.push_back(expr(tree->expr()));
  if (tree->name() != nullptr)
    result->name = name(tree->name());
  else
    result->name = {tree->INTEGER()->getText(), range(tree->INTEGER()->getSymbol())};
  return result;
}

ExprPtr Builder::neighbours(Grammar::NeighboursContext* tree) {
  auto result = std::make_unique<Expr>(ExprKind::Reduction, range(tree));
  result->name = callee(tree->callee());
  result->over_neighbours = true;
  std::size_t direction = tree->direction->getType();
  result->direction = direction == Grammar::OUT  ? ast::Direction::Out
                      : direction == Grammar::IN ? ast::Direction::In
                                                 : ast::Direction::Both;
  result->binder = name(tree->name());
  // Of up to two expressions the value stands before `over`, the condition behind it.
  for (Grammar::ExprContext* part : tree->expr()) {
    bool before = part->getStart()->getTokenIndex() < tree->OVER()->getSymbol()->getTokenIndex();
    (before ? result->value : result->condition) = expr(part);
  }
  return result;
}

ExprPtr Builder::unary(Grammar::UnaryExprContext* tree) {
  auto result = std::make_unique<Expr>(ExprKind::Unary, range(tree));
  result->op = text(tree->op) == "-" ? ast::Operator::Negate : ast::Operator::Not;
  result->operands.push_back(expr(tree->expr()));
  return result;
}

namespace {

ast::Operator binary_operator(llvm::StringRef word) {
  using ast::Operator;
  for (Operator op :
       {Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide, Operator::Modulo,
        Operator::Equal, Operator::NotEqual, Operator::Less, Operator::LessEqual, Operator::Greater,
        Operator::GreaterEqual, Operator::And})
    if (word == ast::spelling(op)) return op;
  return Operator::Or;
}

}  // namespace

ExprPtr Builder::expr_node(Grammar::ExprContext* tree) {
  SourceRange where = range(tree);
  if (auto* node = dynamic_cast<Grammar::NameExprContext*>(tree)) {
    auto result = std::make_unique<Expr>(ExprKind::Reference, where);
    result->name = name(node->name());
    return result;
  }
  if (auto* node = dynamic_cast<Grammar::MemberExprContext*>(tree)) return member(node);
  if (auto* node = dynamic_cast<Grammar::IntegerExprContext*>(tree))
    return integer(node->INTEGER()->getSymbol());
  if (auto* node = dynamic_cast<Grammar::FloatExprContext*>(tree))
    return floating(node->FLOAT()->getSymbol());
  if (auto* node = dynamic_cast<Grammar::GroupExprContext*>(tree)) return expr(node->expr());
  if (auto* node = dynamic_cast<Grammar::UnaryExprContext*>(tree)) return unary(node);
  if (auto* node = dynamic_cast<Grammar::NeighbourExprContext*>(tree))
    return neighbours(node->neighbours());
  if (auto* node = dynamic_cast<Grammar::FallbackExprContext*>(tree)) {
    ExprPtr result = neighbours(node->neighbours());
    result->range = where;
    result->otherwise = expr(node->expr());
    return result;
  }
  if (auto* node = dynamic_cast<Grammar::BinaryExprContext*>(tree)) {
    auto result = std::make_unique<Expr>(ExprKind::Binary, where);
    result->op = binary_operator(text(node->op));
    operands(*result, node->expr());
    return result;
  }
  if (auto* node = dynamic_cast<Grammar::ConditionalExprContext*>(tree)) {
    auto result = std::make_unique<Expr>(ExprKind::Conditional, where);
    operands(*result, node->expr());
    return result;
  }
  if (auto* node = dynamic_cast<Grammar::CallExprContext*>(tree)) {
    auto result = std::make_unique<Expr>(ExprKind::Call, where);
    result->name = callee(node->callee());
    operands(*result, node->expr());
    return result;
  }
  if (auto* node = dynamic_cast<Grammar::VertexExprContext*>(tree)) {
    auto result = std::make_unique<Expr>(ExprKind::Reduction, where);
    result->name = callee(node->callee());
    result->value = expr(node->expr(0));
    result->condition = expr(node->expr(1));
    return result;
  }
  if (auto* node = dynamic_cast<Grammar::TupleExprContext*>(tree)) {
    auto result = std::make_unique<Expr>(ExprKind::Tuple, where);
    operands(*result, node->expr());
    return result;
  }
  auto result = std::make_unique<Expr>(ExprKind::Bool, where);
  result->integer = tree->getText() == "true";
  return result;
}

}  // namespace vertigo::compiler::parse
