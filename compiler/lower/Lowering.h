#pragma once
// Private to lower. Its files: Lower.cpp (declarations), LowerStmt.cpp (phases and statements),
// LowerExpr.cpp.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/ast/Program.h"
#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::lower {

class Lowering {
 public:
  Lowering(const ast::Program& program, const diag::DiagnosticEngine& diagnostics)
      : source_(program), diagnostics_(diagnostics) {}

  ir::Program run();
  ir::ExprPtr of_vertex(const ast::Expr& value);

 private:
  // Lower.cpp
  void parameters();
  void edges();
  void states();
  void messages();
  void functions();
  void function(const ast::Function& function, std::set<const ast::Function*>& done);
  void requirements();
  void outputs();
  ir::ExprPtr identity(const ast::Message& message);

  // LowerStmt.cpp
  std::vector<ir::StmtPtr> block(const ast::Block& block);
  void stmt(const ast::Stmt& stmt, std::vector<ir::StmtPtr>& into);
  ir::StmtPtr make(ir::StmtKind kind, SourceRange range);
  ir::StmtPtr conditional(const ast::Stmt& stmt, std::size_t branch);
  ir::StmtPtr send(const ast::Stmt& stmt);
  ir::StmtPtr edge_update(const ast::Update& update);
  void phase(const ast::Phase& phase, std::vector<ir::StmtPtr>& into);
  ir::Start start(const ast::Start& start);
  void loop(SourceRange range, const ast::Decl& variable, const ast::Expr& first,
            const ast::Expr* last, const ast::Expr* by, std::vector<ir::StmtPtr> body,
            std::vector<ir::StmtPtr>& into);
  void go_through(ir::Stmt& loop, const std::string& list);
  std::string host_name(const ast::Decl& decl);
  std::string fresh(const std::string& wanted, std::set<std::string>& taken);

  // LowerExpr.cpp
  ir::ExprPtr expr(const ast::Expr& expr);
  ir::ExprPtr optional(const ast::ExprPtr& expr) { return expr ? this->expr(*expr) : nullptr; }
  ir::ExprPtr make(ir::Op op, const ast::Expr& source);
  ir::ExprPtr make(ir::Op op, ir::Type type, ir::Location location);
  ir::ExprPtr reference(const ast::Expr& expr);
  ir::ExprPtr builtin(const ast::Expr& expr);
  ir::ExprPtr member(const ast::Expr& expr);
  ir::ExprPtr unary(const ast::Expr& expr);
  ir::ExprPtr call(const ast::Expr& expr);
  ir::ExprPtr reduction(const ast::Expr& expr);
  ir::ExprPtr number(const ast::Expr& expr, bool negative);
  /// The lowest value: identity of max, and what `-inf` means.
  /// The identity of `and`: every bit is 1.
  ir::ExprPtr all_bits(ir::ScalarKind kind, ir::Location location);
  ir::ExprPtr lowest(ir::ScalarKind kind, ir::Location location);
  ir::ExprPtr infinity(ir::ScalarKind kind, ir::Location location);
  ir::ExprPtr literal(ir::ScalarKind kind, std::int64_t value, ir::Location location);

  ir::Location location(SourceRange range) const;
  static ir::Type type(const ast::Type& type) { return ir::Type(type.elements); }

  const ast::Program& source_;
  const diag::DiagnosticEngine& diagnostics_;
  ir::Program result_;
  /// Host variables have one name each in the whole program, because phases see all of them.
  std::map<const ast::Decl*, std::string> host_names_;
  std::set<std::string> taken_;
  std::set<std::string> phase_names_;
  /// The last number that was put behind a name to make it a new one.
  std::map<std::string, unsigned> last_suffix_;
  std::string reduced_vertex_;  ///< of the reduction over all vertices around, for `max(depth)`
  std::string at_hand_;         ///< the vertex whose neighbours a reduction runs over
};

}  // namespace vertigo::compiler::lower
