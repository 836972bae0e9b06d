#pragma once
// The nodes that expressions are made of, and what is known of each: the columns of Ops.def.

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo::ir {

enum class Op : std::uint8_t {
#define VG_OP(name, ...) name,
#include "compiler/ir/program/Ops.def"
};

/// How the textual IR writes a node: in a way of its own, `a + b`, or `min(a, b)`.
enum class Notation : std::uint8_t { Own, Infix, Function };

/// How a program writes an operator; Own: it has another form for it, or none.
enum class Source : std::uint8_t { Own, Prefix, Infix, Function };

/// Which operands an operator of the language takes; two are of one type. Textual IR is less
/// strict, as passes write more than programs do: see Typing.cpp.
enum class Operands : std::uint8_t {
  Own,         ///< a rule of its own
  Bools,       ///<
  Integers,    ///<
  Numbers,     ///<
  Signed,      ///< numbers but for unsigned integers
  Floats,      ///< float32 and float64; other numbers are converted
  Ordered,     ///< numbers and vertices
  Ranked,      ///< and tuples, in lexicographic order
  Comparable,  ///< and bool: everything
};

/// How tightly emitted C++ binds what it writes with a sign; later binds tighter. None: C++ calls
/// `function` instead.
enum class Strength : std::uint8_t {
  None,
  Select,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Order,
  Sum,
  Product,
  Unary,
  Primary
};

/// How a value moves when another grows, in the order of its type (tuples: lexicographic; bool:
/// false before true).
enum class Trend : std::uint8_t { Constant, Increasing, Decreasing, Unknown };

/// For which orders of its operands a comparison holds; `!=` alone holds where there is none (NaN).
inline constexpr std::uint8_t kLess = 1, kEqual = 2, kGreater = 4;

/// A row of Ops.def. The result of an operator is of its operands' type, of a comparison it is
/// bool.
struct OpInfo {
  Op op;
  std::string_view spelling;  ///< in textual IR
  Notation notation = Notation::Own;
  int arity = 0;  ///< operands; -1: any number
  Source source = Source::Own;
  std::string_view sign = {};  ///< of a prefix or infix operator, in the source and in C++
  Operands takes = Operands::Own;
  Strength strength = Strength::None;  ///< of the sign in C++
  /// What C++ calls: for everything if there is no strength, else where the operands are no
  /// floating numbers. Empty: the sign serves all types.
  std::string_view function = {};
  /// How the result moves with each operand, the other one fixed. Rounding and saturation keep an
  /// order. Unknown: it does not always move one way, or ExprProperties.cpp has to look closer.
  std::array<Trend, 2> trends = {Trend::Unknown, Trend::Unknown};
  bool nan_below_zero = false;  ///< of a negative operand
  bool commutative = false;
  std::optional<int> neutral = {};  ///< as right operand leaves the left one as it is
  bool divides = false;             ///< 0 on the right is a mistake
  std::uint8_t holds_if = 0;        ///< of a comparison: kLess, kEqual, kGreater

  bool is_comparison() const { return holds_if != 0; }
};

const OpInfo& info(Op op);

/// As the source writes it: "-" of Negate, "min" of Min.
std::string_view written(Op op);

/// What is written so in textual IR.
std::optional<Op> find_function_op(std::string_view spelling);
std::optional<Op> find_infix_op(std::string_view spelling);
/// Whether textual IR writes some node with it.
bool is_word_of_op(std::string_view word);
/// Of functions and reductions, as programs write them: min, random, count.
std::vector<std::string_view> words_of_functions();
/// What is written so in the source.
std::optional<Op> find_source_op(std::string_view sign_or_word, Source source);

/// What C++ calls for operators that it has no sign for.
std::vector<std::string_view> functions_of_ops();

/// Whether a value of the type may be an operand.
bool accepts(Operands operands, ScalarKind kind);

/// Whether the node binds a vertex in its value and its condition.
inline bool is_reduction(Op op) {
  return op == Op::ReduceNeighbours || op == Op::ReduceCommon || op == Op::ReduceVertices;
}

/// Whether the right operand is an amount of bits.
inline bool is_shift(Op op) { return op == Op::ShiftLeft || op == Op::ShiftRight; }

/// Whether the comparison holds for operands in this order: below zero, 0, above.
bool holds(Op comparison, int order);
/// The same; unordered: one is NaN.
bool holds(Op comparison, std::partial_ordering order);
/// The comparison that holds where this one does not.
Op negated(Op comparison);

enum class EdgeDirection : std::uint8_t { Out, In, Both };

/// How the neighbours along `direction` come back to the vertex.
constexpr EdgeDirection reversed(EdgeDirection direction) {
  if (direction == EdgeDirection::Both) return direction;
  return direction == EdgeDirection::Out ? EdgeDirection::In : EdgeDirection::Out;
}

/// Mode: the most frequent value, the smallest among equals. Distinct: how many different values.
enum class Reduction : std::uint8_t {
  Sum,
  Min,
  Max,
  Count,
  Any,
  All,
  Mode,
  Distinct,
  Or,
  And,
  Xor
};

/// Whether equal values are to be found among all of a list, which no fold does value by value.
constexpr bool compares_values(Reduction reduction) {
  return reduction == Reduction::Mode || reduction == Reduction::Distinct;
}

/// Whether a reduction works on the bits of integers.
constexpr bool is_bitwise(Reduction reduction) {
  return reduction == Reduction::Or || reduction == Reduction::And || reduction == Reduction::Xor;
}

}  // namespace vertigo::ir
