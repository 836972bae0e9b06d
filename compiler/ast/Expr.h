#pragma once
// Expressions of the syntax tree. parse makes them untyped; check fills in the types, what each
// name means, and the conversions that the rules permit silently.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ast/Type.h"
#include "compiler/ir/program/Ops.h"
#include "compiler/support/SourceRange.h"

namespace vertigo::compiler::ast {

struct Decl;

/// A name where it is written.
struct Name {
  std::string text;
  SourceRange range;

  bool empty() const { return text.empty(); }
};

enum class ExprKind : std::uint8_t {
  Integer,    ///< integer
  Float,      ///< number
  Bool,       ///< integer: 0 or 1
  Reference,  ///< name: a declaration, or a word of the language (builtin)
  Member,  ///< operands[0] . name: a state, input or degree of a vertex, or an element of a tuple
  Unary,   ///< op, operands[0]
  Binary,  ///< op, operands[0], operands[1]
  Conditional,  ///< operands[0] ? operands[1] : operands[2]
  Call,         ///< name(operands...): a function, or one of the language (builtin)
  Cast,         ///< written_type(operands[0]), or inserted by check (implicit)
  Tuple,        ///< operands
  Reduction,    ///< name(value over direction binder where condition) else otherwise; or `common`
};

/// Words that stand for a value or a function without being declared.
enum class Builtin : std::uint8_t {
  None,
  // values
  Infinity,
  NoVertex,
  Self,
  Vertices,
  Edges,
  Step,
  // members of a vertex
  Degree,
  InDegree,
  OutDegree,
  Function,  ///< of the language: `op` says which
};

using Direction = ir::EdgeDirection;
using ReductionOp = ir::Reduction;

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Expr {
  ExprKind kind = ExprKind::Integer;
  SourceRange range;
  Name name;
  ir::Op op = ir::Op::Literal;  ///< of a Unary, a Binary, and a function of the language
  std::uint64_t integer = 0;
  double number = 0;
  std::vector<ExprPtr> operands;

  // Of a reduction. `value` is null in `count(v where …)` and in `count(over in u)`. A call may
  // have a condition, too: `common_neighbours(u, v where …)`.
  bool over_neighbours = false;
  Direction direction = Direction::Out;
  ExprPtr
      common;  ///< in place of a direction: the call of `common_neighbours` whose vertices count
  Name binder;
  ExprPtr value;
  ExprPtr condition;
  ExprPtr otherwise;

  // Filled in by check.
  Type type;
  const Decl* decl =
      nullptr;  ///< what a Reference, Member or Call means; of a Reduction: its bound vertex
  Builtin builtin = Builtin::None;  ///< where it means no declaration
  ReductionOp reduction = ReductionOp::Sum;
  unsigned element = 0;   ///< of a Member of a tuple
  bool implicit = false;  ///< a Cast that the source does not show

  Expr(ExprKind kind, SourceRange range) : kind(kind), range(range) {}
};

/// Whether `expr` calls this function of the language.
inline bool calls(const Expr& expr, ir::Op function) {
  return expr.builtin == Builtin::Function && expr.op == function;
}

/// Calls visit(expr) on the node and on everything below it, parents first.
template <class ExprRef, class Visit>
void walk(ExprRef& expr, const Visit& visit) {
  visit(expr);
  for (auto& operand : expr.operands)
    if (operand) walk(*operand, visit);
  if (expr.common) walk(*expr.common, visit);
  if (expr.value) walk(*expr.value, visit);
  if (expr.condition) walk(*expr.condition, visit);
  if (expr.otherwise) walk(*expr.otherwise, visit);
}

}  // namespace vertigo::compiler::ast
