#pragma once
// Expressions of Program IR: a typed tree of one node type. Symbols are referenced by name, so that
// the textual form reads like the source and nothing has to be renumbered when a pass adds or drops
// a declaration.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/program/Ops.h"
#include "compiler/ir/program/Type.h"

namespace vertigo::ir {

/// A place in the .vg source; line and column count from 1, line 0 means "made by the compiler".
struct Location {
  unsigned line = 0;
  unsigned column = 0;
  bool operator==(const Location&) const = default;
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// Bool, signed, unsigned, floating.
using LiteralValue = std::variant<bool, std::int64_t, std::uint64_t, double>;

struct Expr {
  Op op = Op::Literal;
  Type type;
  Location location;
  std::string symbol;
  std::string vertex;
  LiteralValue value = false;
  unsigned index = 0;
  EdgeDirection direction = EdgeDirection::Out;
  Reduction reduction = Reduction::Sum;
  std::vector<ExprPtr> operands;

  ExprPtr clone() const;
  ExprPtr clone_without_operands() const;
};

/// Same tree, locations aside.
bool same(const Expr& a, const Expr& b);

/// A state, or an input, of the vertex that is bound to `vertex`; the one called `name`.
inline bool is_state_of(const Expr& expr, const std::string& vertex) {
  return expr.op == Op::State && expr.operands.empty() && expr.vertex == vertex;
}
inline bool is_state_of(const Expr& expr, const std::string& vertex, const std::string& name) {
  return is_state_of(expr, vertex) && expr.symbol == name;
}

/// The literal `value`.
ExprPtr boolean(bool value, Location location = {});
/// What a literal is; nothing where `expr` is no literal of the kind.
std::optional<bool> boolean_of(const Expr& expr);
std::optional<std::int64_t> integer_of(const Expr& expr);
/// `a && b`, at the place of `a`; a null operand stands for true. Null where both are.
ExprPtr both(ExprPtr a, ExprPtr b);

/// Calls `visit(expr)` for the node and everything below it, parents first.
template <class ExprRef, class Visit>
void walk(ExprRef& expr, const Visit& visit) {
  visit(expr);
  for (auto& operand : expr.operands)
    if (operand) walk(*operand, visit);
}

}  // namespace vertigo::ir
