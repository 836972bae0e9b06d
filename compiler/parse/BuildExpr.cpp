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

// `f(a, b)`, `f(a, b where c)`, `max(v.x where c)` or `min(u.x over in u where c)`.
ExprPtr Builder::call(Grammar::CallExprContext* tree) {
  Grammar::ArgumentsContext* arguments = tree->arguments();
  // With one argument before `where`, a reduction over all vertices.
  const bool reduces =
      arguments != nullptr && (arguments->neighbours() != nullptr ||
                               (arguments->WHERE() != nullptr && arguments->expr().size() == 2));
  auto result = std::make_unique<Expr>(reduces ? ExprKind::Reduction : ExprKind::Call, range(tree));
  result->name = callee(tree->callee());
  if (arguments == nullptr) return result;
  if (!reduces) {
    this->arguments(*result, arguments->expr(), arguments->WHERE() != nullptr);
    return result;
  }
  if (!arguments->expr().empty()) result->value = expr(arguments->expr(0));
  if (arguments->WHERE() != nullptr) result->condition = expr(arguments->expr(1));
  if (arguments->neighbours() != nullptr) neighbours(arguments->neighbours(), *result);
  return result;
}

// Behind `where`, the last one is a condition.
void Builder::arguments(Expr& call, const std::vector<Grammar::ExprContext*>& trees, bool where) {
  operands(call, trees);
  if (!where || call.operands.empty()) return;
  call.condition = std::move(call.operands.back());
  call.operands.pop_back();
}

void Builder::neighbours(Grammar::NeighboursContext* tree, Expr& reduction) {
  reduction.over_neighbours = true;
  if (tree->common() != nullptr) {
    reduction.common = common(tree->common());
  } else {
    std::size_t direction = tree->direction->getType();
    reduction.direction = direction == Grammar::OUT  ? ast::Direction::Out
                          : direction == Grammar::IN ? ast::Direction::In
                                                     : ast::Direction::Both;
  }
  reduction.binder = name(tree->name());
  if (tree->expr() != nullptr) reduction.condition = expr(tree->expr());
}

// `common_neighbours(u, v where c)`, the one set of vertices besides neighbours.
ExprPtr Builder::common(Grammar::CommonContext* tree) {
  auto result = std::make_unique<Expr>(ExprKind::Call, range(tree));
  antlr4::Token* word = tree->COMMON()->getSymbol();
  result->name = {word->getText(), range(word)};
  arguments(*result, tree->expr(), tree->WHERE() != nullptr);
  return result;
}

// `mode(u.label over both u) else v.label`.
ExprPtr Builder::fallback(Grammar::FallbackExprContext* tree) {
  ExprPtr result = expr(tree->expr(0));
  ExprPtr otherwise = expr(tree->expr(1));
  const bool reduces = result->kind == ExprKind::Reduction && result->over_neighbours;
  if (!reduces || result->otherwise != nullptr) {
    diagnostics_
        .report(diag::UnexpectedInput, range(tree->ELSE()->getSymbol()), "an operator", "'else'")
        .note("'else' follows a reduction over neighbours, as in 'min(u.x over in u) else 0'");
    return result;
  }
  result->range = range(tree);
  result->otherwise = std::move(otherwise);
  return result;
}

ExprPtr Builder::unary(Grammar::UnaryExprContext* tree) {
  auto result = std::make_unique<Expr>(ExprKind::Unary, range(tree));
  result->op = *ir::find_source_op(text(tree->op), ir::Source::Prefix);
  result->operands.push_back(expr(tree->expr()));
  return result;
}

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
  if (auto* node = dynamic_cast<Grammar::UnaryExprContext*>(tree)) return unary(node);
  if (auto* node = dynamic_cast<Grammar::FallbackExprContext*>(tree)) return fallback(node);
  if (auto* node = dynamic_cast<Grammar::BinaryExprContext*>(tree)) {
    auto result = std::make_unique<Expr>(ExprKind::Binary, where);
    result->op = *ir::find_source_op(text(node->op), ir::Source::Infix);
    operands(*result, node->expr());
    return result;
  }
  if (auto* node = dynamic_cast<Grammar::ConditionalExprContext*>(tree)) {
    auto result = std::make_unique<Expr>(ExprKind::Conditional, where);
    operands(*result, node->expr());
    return result;
  }
  if (auto* node = dynamic_cast<Grammar::CallExprContext*>(tree)) return call(node);
  if (auto* node = dynamic_cast<Grammar::BracketExprContext*>(tree)) {
    if (node->expr().size() == 1) return expr(node->expr(0));
    auto result = std::make_unique<Expr>(ExprKind::Tuple, where);
    operands(*result, node->expr());
    return result;
  }
  auto result = std::make_unique<Expr>(ExprKind::Bool, where);
  result->integer = tree->getText() == "true";
  return result;
}

}  // namespace vertigo::compiler::parse
