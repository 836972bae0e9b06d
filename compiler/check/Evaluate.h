#pragma once
// Private to check: the value of a constant expression, and of functions at sample values.
// Arithmetic is that of the language (docs/language.md): integers saturate, division by zero gives
// zero.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ast/Program.h"

namespace vertigo::compiler::check {

/// One scalar: integers of every type as 128 bits, vertices as an id with kNoVertex for none.
struct Scalar {
  ast::ScalarKind kind = ast::ScalarKind::Int32;
  __int128 integer = 0;
  double number = 0;
};

/// A scalar or a tuple.
struct Constant {
  std::vector<Scalar> elements;
};

/// The bounds of an integer type, of bool and of vertices.
__int128 lowest(ast::ScalarKind kind);
__int128 highest(ast::ScalarKind kind);

std::string to_string(const Constant& value);
/// Equal, or for floats equal but for rounding.
bool agree(const Constant& a, const Constant& b);
/// A few values of a type, awkward ones among them, and `extra`.
std::vector<Constant> sample_values(const ast::Type& type, const Constant& extra);

class Evaluator {
 public:
  /// Nothing where the expression is not constant, or where the work exceeds a bound (functions can
  /// call each other exponentially often).
  std::optional<Constant> evaluate(const ast::Expr& expr);
  std::optional<Constant> call(const ast::Function& function, std::vector<Constant> arguments);

 private:
  static constexpr unsigned kMaxSteps = 2'000'000;
  static constexpr unsigned kMaxDepth = 1000;

  std::optional<Constant> node(const ast::Expr& expr);

  std::optional<Constant> reference(const ast::Expr& expr);
  /// An operator, or a function of the language.
  std::optional<Constant> operation(const ast::Expr& expr);

  std::map<const ast::Decl*, Constant> variables_;
  unsigned steps_ = 0;
  unsigned depth_ = 0;
};

}  // namespace vertigo::compiler::check
