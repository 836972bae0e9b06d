#pragma once
// Private to check: the one object that walks the tree. Its files: Check.cpp (declarations, order
// of work), CheckStmt.cpp, CheckPhase.cpp, CheckExpr.cpp (inference), Names.cpp (what a name
// means), Calls.cpp, Reductions.cpp, Convert.cpp (conversions), Algebra.cpp (combine).

#include <map>
#include <set>
#include <string>

#include "compiler/ast/Program.h"
#include "compiler/check/Check.h"
#include "compiler/check/Scope.h"
#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::check {

using ast::Builtin;
using ast::Decl;
using ast::Expr;
using ast::ExprKind;
using ast::ExprPtr;
using ast::ScalarKind;
using ast::Type;

/// Where an expression stands; it decides what may be read.
enum class Place {
  Constant,  ///< defaults and identities: known before the program runs
  Function,  ///< body of a `fn`
  Initial,   ///< initial value of a state
  Host,      ///< host level
  Start,     ///< condition and body of a start
  Guard,     ///< of `update … when`
  Body,      ///< of an update, and the condition of a sweep
  SendValue,
  SendFilter,
};

/// What a bound vertex is, which decides what may be read of it.
enum class Role {
  Own,      ///< the updated, started or initialised vertex
  Target,   ///< `u` of `send … to u`
  Reduced,  ///< bound by a reduction
  Common,   ///< bound by a reduction over common neighbours
};

class Checker {
 public:
  Checker(ast::Program& program, diag::DiagnosticEngine& diagnostics,
          const std::vector<ExternFunction>& externs)
      : program_(program), diagnostics_(diagnostics), externs_(externs) {}

  void run();
  void of_vertex(ExprPtr& value, const Type& type);

 private:
  // Check.cpp
  void declare_program();
  void declare_externs();
  void check_parameters();
  void check_edges();
  void check_non_negative(const ast::Requirement& requirement);
  void check_edge_states(const ast::ProgramDecl& first);
  void check_states();
  void check_messages();
  void check_functions();
  void check_header_function(const ast::Function& function);
  void check_recursion();
  void check_requirements();
  void check_outputs();
  void warn_unused();
  void warn_empty();
  bool declare(const Decl& decl);
  Type resolve(const ast::TypeSyntax& syntax);
  Type resolve_scalar(const ast::Name& name);
  Type scalar_or_report(const ast::ProgramDecl& decl, const char* what);

  // Algebra.cpp
  void check_combine(ast::Message& message);
  bool combine_fits(const ast::Message& message);
  void check_combine_function(ast::Message& message);
  void spot_check(const ast::Message& message, const ast::Function& function);

  // CheckStmt.cpp
  void host_block(ast::Block& block);
  void host_stmt(ast::Stmt& stmt);
  void let(ast::Stmt& stmt);
  void host_assign(ast::Stmt& stmt);
  void report(ast::Stmt& stmt);
  void count_expr(ExprPtr& expr, const char* what);
  Type listed(Expr& list);
  Type loop_bounds(ExprPtr& first, ExprPtr& last, ExprPtr& by);
  void warn_of_rise(const Expr& first, const Expr& last);
  void condition(ExprPtr& expr, Place place);

  // CheckPhase.cpp
  void phase(ast::Phase& phase);
  void phase_rules(const ast::Phase& phase);
  void start(ast::Start& start);
  void start_set(ast::Start& start);
  void update(ast::Phase& phase);
  void bind_updated(Decl& vertex);
  void body(ast::Block& block);
  void body_stmt(ast::Stmt& stmt);
  void body_assign(ast::Stmt& stmt);
  const Decl* assigned_inbox(ast::Stmt& stmt);
  const Decl* assigned_state(ast::Stmt& stmt);
  const Decl* assigned_edge_state(ast::Stmt& stmt);
  void send(ast::Stmt& stmt);
  void find_receiver(ast::Stmt& stmt);
  const Decl* message_of(ast::Stmt& stmt);
  void note_inboxes(const ast::Update& update);
  void check_serializable(const ast::Phase& phase);

  bool updates_edges() const {
    return update_ != nullptr && update_->kind == ast::Update::Kind::Edges;
  }

  // CheckExpr.cpp
  /// Infers the type of `expr`, which may stay open (a literal); reports and yields Error where
  /// there is none.
  Type infer(ExprPtr& expr);
  Type infer_node(ExprPtr& expr);
  Type infer_unary(Expr& expr);
  Type infer_binary(Expr& expr);
  void infer_both(ExprPtr& a, ExprPtr& b);
  Type infer_shift(Expr& expr);
  Type infer_conditional(Expr& expr);
  Type infer_tuple(Expr& expr);
  /// Infers and settles: no open type is left.
  Type value_of(ExprPtr& expr);
  /// Infers `expr` and converts it to `target`.
  void expect(ExprPtr& expr, const Type& target);

  // Names.cpp
  Type infer_reference(Expr& expr);
  Type infer_builtin(Expr& expr, Builtin builtin);
  Type infer_member(Expr& expr);
  Type member_of_vertex(Expr& expr, const Decl& vertex);
  Type member_of_value(Expr& expr);
  Type member_state(Expr& expr, const Decl* member);
  /// Of the receiver of a message; reports what it may not depend on.
  bool check_read_of_target(const Expr& expr, const Decl& member);
  Type element_of_tuple(Expr& expr, const Type& tuple);
  Type read(Expr& expr, const Decl& decl);
  Type read_edge(Expr& expr, const Decl& decl);
  bool readable_here(const Expr& expr, const Decl& decl);
  bool readable_here(const Expr& expr, const std::string& name);
  void unknown_name(const ast::Name& name);
  bool is_attribute_of_unknown(const Expr& expr);
  void suggest(diag::Report& report, const ast::Name& name, const std::vector<std::string>& known);

  // Calls.cpp
  Type infer_call(ExprPtr& expr);
  Type call_of_language(Expr& expr, ir::Op op);
  Type call_of_graph(Expr& expr);
  void choose_edges(ExprPtr& condition);
  Type index_in(Expr& expr);
  void report_operands(const Expr& expr, const Type& left, const Type& right);
  Type call_function(Expr& expr, const ast::Function& function);
  Type infer_cast(Expr& expr, ScalarKind kind);
  bool arguments(const Expr& expr, std::size_t count);

  // Reductions.cpp
  Type infer_reduction(Expr& expr);
  Type over_neighbours(Expr& expr, ast::ReductionOp op);
  Type over_common(Expr& expr, ast::ReductionOp op);
  void bind_reduced(Expr& expr, Role role);
  const char* where_it_stands() const;
  Type over_vertices(Expr& expr, ast::ReductionOp op);
  Type reduce_value(Expr& expr, ast::ReductionOp op);
  Type reduced_type(Expr& expr, ast::ReductionOp op, const Type& value);
  bool bind_vertex(Expr& expr);

  // Convert.cpp
  bool convert(ExprPtr& expr, const Type& target);
  /// Gives the open literals under `expr` the scalar type `target`.
  bool close(ExprPtr& expr, ScalarKind target);
  /// Brings the amount of a shift to the type of what is shifted.
  bool close_amount(ExprPtr& amount, ScalarKind target);
  bool close_literal(Expr& expr, ScalarKind target, bool negative);
  Type settle(ExprPtr& expr);
  /// Two operands of a comparison that are literals alone: float64 where one is a fraction or
  /// `inf`, else int64, or uint64 where a literal needs it.
  void settle_compared(ExprPtr& a, ExprPtr& b, const Type& common);
  /// Brings two operands to one type and returns it; Nothing where there is none (not reported).
  Type unify(ExprPtr& a, ExprPtr& b);
  void wrap(ExprPtr& expr, ScalarKind target);

  ast::Program& program_;
  diag::DiagnosticEngine& diagnostics_;
  const std::vector<ExternFunction>& externs_;

  Scopes scopes_;
  bool declared_twice_ = false;  ///< a name of the program itself
  Scopes reports_;
  Scopes phases_;
  std::map<std::string, const ast::Function*> functions_;
  std::map<const Decl*, Role> roles_;
  std::set<std::string> written_states_;  ///< by some update
  std::set<std::string> unknown_;         ///< names of which that was said
  std::map<const ast::Function*, std::set<const ast::Function*>> calls_;

  Place place_ = Place::Host;
  const char* constant_what_ = "";                   ///< of Place::Constant: what the value is of
  const ast::Function* function_ = nullptr;          ///< of Place::Function
  const ast::ProgramDecl* initialised_ = nullptr;    ///< of Place::Initial
  const ast::Update* update_ = nullptr;              ///< around Guard, Body and sends
  std::map<const Decl*, SourceRange> read_inboxes_;  ///< by the update that is checked, and where
  std::set<const Decl*> filled_inboxes_;             ///< by the phase that is checked
  std::set<const Decl*> asking_messages_;            ///< sent where receivers are asked for a guard
  std::set<const Decl*> left_inboxes_;  ///< filled by some phase that does not empty them
  std::vector<std::pair<const Decl*, SourceRange>> plain_reads_;  ///< by phases that do not fill
  /// States that the update reads of vertices that are values.
  std::vector<std::pair<const Decl*, SourceRange>> far_reads_;
  std::vector<SourceRange> far_sends_;       ///< to vertices that are values
  std::vector<ast::Stmt*> pending_sends_;    ///< whose message follows from what the update reads
  std::vector<const Decl*> host_variables_;  ///< for the warning about unused names
  bool edge_at_hand_ = false;
  bool chooses_edges_ = false;  ///< in the condition of `common_neighbours`
  bool in_common_ = false;      ///< in a reduction over common neighbours
  bool in_vertex_reduction_ = false;
  bool effect_ = false;  ///< the update writes or sends
};

/// Sets a variable for as long as it lives.
template <class T>
class Restore {
 public:
  Restore(T& variable, T value) : variable_(variable), before_(variable) { variable = value; }
  ~Restore() { variable_ = before_; }
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;

 private:
  T& variable_;
  T before_;
};

/// Words that name a value, function, member or reduction of the language.
Builtin value_builtin(llvm::StringRef word);
Builtin member_builtin(llvm::StringRef word);
std::optional<ir::Op> function_of_language(llvm::StringRef word);
std::optional<ast::ReductionOp> reduction_op(llvm::StringRef word);
/// Whether a value of the type may be an operand.
bool accepts(ir::Operands operands, const Type& type);
/// "expected …" text for a type where an article helps.
std::string in_words(const Type& type);

}  // namespace vertigo::compiler::check
