#pragma once
// Private to this folder: turns ANTLR's trees into the AST. It runs only on trees without syntax
// errors, so that every child that the grammar demands is there.

#include <memory>
#include <string>

#include "VertigoParser.h"
#include "compiler/ast/Program.h"
#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::parse {

using Grammar = vertigo_grammar::VertigoParser;

/// Byte offset of a token; the parser reads one character a byte (see Parse.cpp).
SourceRange range_of(const antlr4::Token& token, std::uint32_t file);

class Builder {
 public:
  Builder(std::uint32_t file, diag::DiagnosticEngine& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  std::unique_ptr<ast::Program> program(Grammar::ProgramContext* tree);
  ast::ExprPtr lone_expression(Grammar::LoneExprContext* tree) { return expr(tree->expr()); }

 private:
  enum class Place { Host, Start, Update, Edges };

  // BuildProgram.cpp
  std::unique_ptr<ast::ProgramDecl> parameter(Grammar::ParameterContext* tree);
  void declaration(ast::Program& program, Grammar::DeclarationContext* tree);
  void function(ast::Program& program, Grammar::FunctionDeclarationContext* tree);
  void clause(Grammar::ClauseContext* tree, SourceRange& serializable, SourceRange& order_free);
  ast::TypeSyntax type(Grammar::TypeContext* tree);
  std::unique_ptr<ast::ProgramDecl> declare(ast::Decl::Kind kind, Grammar::NameContext* name,
                                            Grammar::TypeContext* type,
                                            Grammar::ExprContext* initial, SourceRange range);

  // BuildStmt.cpp
  ast::Block block(Grammar::BlockContext* tree, Place place);
  void host_statements(const std::vector<Grammar::StatementContext*>& trees, ast::Block& into);
  void finish_phase(std::unique_ptr<ast::Phase>& open, ast::Block& into);
  ast::StmtPtr statement(Grammar::StatementContext* tree, Place place);
  ast::StmtPtr let(Grammar::LetStatementContext* tree, Place place);
  ast::StmtPtr assign(Grammar::AssignStatementContext* tree);
  ast::StmtPtr conditional(Grammar::IfStatementContext* tree, Place place);
  ast::StmtPtr send(Grammar::SendStatementContext* tree);
  ast::StmtPtr loop(Grammar::ForStatementContext* tree);
  ast::StmtPtr phase(Grammar::PhaseStatementContext* tree);
  ast::Start start(Grammar::StartStatementContext* tree);
  std::unique_ptr<ast::Update> update(Grammar::UpdateStatementContext* tree);
  std::unique_ptr<ast::Update> edge_update(Grammar::EdgeUpdateStatementContext* tree);
  /// Makes it the update of the phase; false where the tree is no update.
  bool take_update(ast::Phase& phase, Grammar::StatementContext* tree);
  void limit(ast::Phase& phase, Grammar::ExprContext* tree);
  bool allowed(Grammar::StatementContext* tree, Place place);

  // BuildExpr.cpp
  ast::ExprPtr expr(Grammar::ExprContext* tree);
  ast::ExprPtr expr_node(Grammar::ExprContext* tree);
  ast::ExprPtr integer(antlr4::Token* token);
  ast::ExprPtr floating(antlr4::Token* token);
  ast::ExprPtr member(Grammar::MemberExprContext* tree);
  ast::ExprPtr call(Grammar::CallExprContext* tree);
  void arguments(ast::Expr& call, const std::vector<Grammar::ExprContext*>& trees, bool where);
  void neighbours(Grammar::NeighboursContext* tree, ast::Expr& reduction);
  ast::ExprPtr common(Grammar::CommonContext* tree);
  ast::ExprPtr fallback(Grammar::FallbackExprContext* tree);
  ast::ExprPtr unary(Grammar::UnaryExprContext* tree);
  void operands(ast::Expr& into, const std::vector<Grammar::ExprContext*>& trees);

  ast::Name name(Grammar::NameContext* tree);
  ast::Name callee(Grammar::CalleeContext* tree);
  std::unique_ptr<ast::Decl> named(ast::Decl::Kind kind, Grammar::NameContext* tree);
  SourceRange range(antlr4::ParserRuleContext* tree) const;
  SourceRange range(antlr4::Token* token) const { return range_of(*token, file_); }
  std::string text(antlr4::Token* token) const { return diagnostics_.text(range(token)).str(); }

  /// False where `depth` passed `limit`, which is reported once for each way in.
  bool shallow(unsigned depth, unsigned limit, antlr4::ParserRuleContext* tree);

  unsigned expression_depth_ = 0;
  unsigned block_depth_ = 0;
  bool depth_reported_ = false;
  std::uint32_t file_;
  diag::DiagnosticEngine& diagnostics_;
};

}  // namespace vertigo::compiler::parse
