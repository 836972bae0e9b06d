#include "compiler/ir/program/OpRules.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <limits>

namespace vertigo::ir {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// Integers up to here are exact in double.
constexpr double kExact = 0x1p53;
/// Of a rounded result, in any of the language's floating types; much more than it is.
constexpr double kRounding = 0x1p-20;

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
template <class T>
concept Number = Integer<T> || std::floating_point<T>;

template <class T>
constexpr T kLowest = std::numeric_limits<T>::lowest();
/// `inf` of integers.
template <class T>
constexpr T kLargest = std::numeric_limits<T>::max();

/// 0 times infinity is no number.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

bool is_floating(const Expr& expr) { return is_float(expr.type.scalar()); }

/// `value`: of one or two operands of a type that the operator takes. `range`: of the results,
/// where the operands lie in `a` and `b`. What an operator lacks is not known of it.
template <Op op>
struct Rules {};

template <>
struct Rules<Op::Negate> {
  template <Number T>
  static T value(T a);
  static Range range(const Expr& e, Range a, Range) { return rounded({-a.high, -a.low}, e.type); }
};

template <>
struct Rules<Op::Not> {
  static bool value(bool a) { return !a; }
};

template <>
struct Rules<Op::Abs> {
  template <Number T>
  static T value(T a) {
    if constexpr (std::floating_point<T>)
      return std::fabs(a);
    else
      return a < T{0} ? Rules<Op::Negate>::value(a) : a;
  }
  static Range range(const Expr&, Range a, Range) {
    if (a.low >= 0) return a;
    return {a.high < 0 ? -a.high : 0, std::max(-a.low, a.high)};
  }
};

template <>
struct Rules<Op::Sqrt> {
  template <std::floating_point T>
  static T value(T a) {
    return std::sqrt(a);
  }
  static Range range(const Expr&, Range, Range) { return {0, kInf}; }
};

template <>
struct Rules<Op::Exp> {
  template <std::floating_point T>
  static T value(T a) {
    return std::exp(a);
  }
  static Range range(const Expr&, Range, Range) { return {0, kInf}; }
};

template <>
struct Rules<Op::Log> {
  template <std::floating_point T>
  static T value(T a) {
    return std::log(a);
  }
};

template <>
struct Rules<Op::Add> {
  template <Number T>
  static T value(T a, T b) {
    if constexpr (Integer<T>) {
      if (a == kLargest<T> || b == kLargest<T>) return kLargest<T>;
      T sum{};
      if (!__builtin_add_overflow(a, b, &sum)) return sum;
      return std::is_signed_v<T> && a < T{0} ? kLowest<T> : kLargest<T>;
    } else {
      return a + b;
    }
  }
  static Range range(const Expr& e, Range a, Range b) {
    // `inf` stays what it is.
    const double most = range_of(e.type).high;
    const bool absorbs = a.high >= most || b.high >= most;
    return rounded({a.low + b.low, absorbs ? most : a.high + b.high}, e.type);
  }
};

template <>
struct Rules<Op::Subtract> {
  template <Number T>
  static T value(T a, T b) {
    if constexpr (Integer<T>) {
      if (a == kLargest<T>) return a;
      T difference{};
      if (!__builtin_sub_overflow(a, b, &difference)) return difference;
      return std::is_signed_v<T> && a >= T{0} ? kLargest<T> : kLowest<T>;
    } else {
      return a - b;
    }
  }
  static Range range(const Expr& e, Range a, Range b) {
    const double most = range_of(e.type).high;
    return rounded({a.low - b.high, a.high >= most ? most : a.high - b.low}, e.type);
  }
};

template <>
struct Rules<Op::Multiply> {
  template <Number T>
  static T value(T a, T b) {
    if constexpr (Integer<T>) {
      T result{};
      if (!__builtin_mul_overflow(a, b, &result)) return result;
      return (a < T{0}) != (b < T{0}) ? kLowest<T> : kLargest<T>;
    } else {
      return a * b;
    }
  }
  static Range range(const Expr& e, Range a, Range b) {
    const double ends[] = {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low),
                           product(a.high, b.high)};
    Range range{*std::ranges::min_element(ends), *std::ranges::max_element(ends)};
    if (same(*e.operands[0], *e.operands[1])) range.low = std::max(range.low, 0.0);
    return rounded(range, e.type);
  }
};

template <>
struct Rules<Op::Divide> {
  template <Number T>
  static T value(T a, T b) {
    if constexpr (Integer<T>) {
      if (b == T{0}) return b;
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Rules<Op::Negate>::value(a);
    }
    return static_cast<T>(a / b);
  }
  // By 0, an integer gives 0, and a floating number anything.
  static Range range(const Expr& e, Range a, Range b) {
    if (is_floating(e)) {
      if (b.low < 0) return any_number();
      if (b.low > 0 && a.low >= 0) return rounded({a.low / b.high, a.high / b.low}, e.type);
      return {a.low >= 0 ? 0 : -kInf, a.high <= 0 ? 0 : kInf};
    }
    const double most = std::max(std::fabs(a.low), std::fabs(a.high));
    const bool same_signs = a.low >= 0 && b.low >= 0;
    return rounded({same_signs ? 0 : -most, most}, e.type);
  }
};

template <>
struct Rules<Op::Modulo> {
  template <Integer T>
  static T value(T a, T b) {
    if (b == T{0} || (std::is_signed_v<T> && b == static_cast<T>(-1))) return T{0};
    return static_cast<T>(a % b);
  }
  // The sign of the dividend, no larger than it, and smaller than the divisor.
  static Range range(const Expr&, Range a, Range b) {
    const double largest = std::max(std::fabs(b.low), std::fabs(b.high));
    const double most = largest < kExact ? std::max(largest - 1, 0.0) : kInf;
    return {std::max(std::min(a.low, 0.0), -most), std::min(std::max(a.high, 0.0), most)};
  }
};

template <class T>
constexpr T kWidth = static_cast<T>(sizeof(T) * 8);

template <>
struct Rules<Op::Complement> {
  template <Integer T>
  static T value(T a) {
    return static_cast<T>(~a);
  }
  static Range range(const Expr& e, Range, Range) { return range_of(e.type); }
};

template <>
struct Rules<Op::Popcount> {
  template <Integer T>
  static T value(T a) {
    return static_cast<T>(std::popcount(static_cast<std::make_unsigned_t<T>>(a)));
  }
  static Range range(const Expr&, Range, Range) { return {0, 64}; }
};

template <>
struct Rules<Op::ShiftLeft> {
  template <Integer T>
  static T value(T a, T by) {
    if (by <= T{0}) return a;
    if (by >= kWidth<T>) return T{0};
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << by);
  }
  static Range range(const Expr& e, Range, Range) { return range_of(e.type); }
};

template <>
struct Rules<Op::ShiftRight> {
  template <Integer T>
  static T value(T a, T by) {
    if (by <= T{0}) return a;
    return static_cast<T>(a >> std::min<T>(by, kWidth<T> - 1) >> (by >= kWidth<T> ? 1 : 0));
  }
  static Range range(const Expr&, Range a, Range) {
    return {std::min(a.low, 0.0), std::max(a.high, 0.0)};
  }
};

template <>
struct Rules<Op::BitAnd> {
  template <Integer T>
  static T value(T a, T b) {
    return static_cast<T>(a & b);
  }
  // No larger than an operand that is not negative.
  static Range range(const Expr& e, Range a, Range b) {
    if (a.low < 0 && b.low < 0) return range_of(e.type);
    return {0, std::min(a.low < 0 ? kInf : a.high, b.low < 0 ? kInf : b.high)};
  }
};

/// What a | b and a ^ b have in common: of operands that are not negative, no more than a + b.
struct Joined {
  static Range range(const Expr& e, Range a, Range b) {
    if (a.low < 0 || b.low < 0) return range_of(e.type);
    return rounded({0, a.high + b.high}, e.type);
  }
};

template <>
struct Rules<Op::BitXor> : Joined {
  template <Integer T>
  static T value(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

template <>
struct Rules<Op::BitOr> : Joined {
  template <Integer T>
  static T value(T a, T b) {
    return static_cast<T>(a | b);
  }
};

template <>
struct Rules<Op::Min> {
  template <Number T>
  static T value(T a, T b) {
    return b < a ? b : a;
  }
  static Range range(const Expr&, Range a, Range b) {
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  }
};

template <>
struct Rules<Op::Max> {
  template <Number T>
  static T value(T a, T b) {
    return a < b ? b : a;
  }
  static Range range(const Expr&, Range a, Range b) {
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  }
};

template <>
struct Rules<Op::And> {
  static bool value(bool a, bool b) { return a && b; }
};

template <>
struct Rules<Op::Or> {
  static bool value(bool a, bool b) { return a || b; }
};

template <Number T>
T Rules<Op::Negate>::value(T a) {
  if constexpr (Integer<T>)
    return Rules<Op::Subtract>::value(T{0}, a);
  else
    return -a;
}

// ---- From the operator that a row of Ops.def names to its rules.

/// Literals are kept wider than their types.
template <class T>
using Kept = std::conditional_t<
    std::same_as<T, bool>, bool,
    std::conditional_t<std::floating_point<T>, double,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>>;

template <class T>
T typed(const LiteralValue& value) {
  return static_cast<T>(std::get<Kept<T>>(value));
}

template <class T>
LiteralValue compared(Op op, T a, T b) {
  if (a != a || b != b) return op == Op::NotEqual;
  return holds(op, a < b ? -1 : b < a ? 1 : 0);
}

template <Op op, class T>
std::optional<LiteralValue> value_by_rules(std::span<const LiteralValue> v) {
  if constexpr (requires(T a) { Rules<op>::value(a); }) {
    if (v.size() == 1) return static_cast<Kept<T>>(Rules<op>::value(typed<T>(v[0])));
  } else if constexpr (requires(T a) { Rules<op>::value(a, a); }) {
    if (v.size() == 2)
      return static_cast<Kept<T>>(Rules<op>::value(typed<T>(v[0]), typed<T>(v[1])));
  }
  return std::nullopt;
}

template <class T>
std::optional<LiteralValue> value_in(Op op, std::span<const LiteralValue> operands) {
  if (info(op).is_comparison() && operands.size() == 2)
    return compared(op, typed<T>(operands[0]), typed<T>(operands[1]));
  switch (op) {
#define VG_OP(name, ...) \
  case Op::name:         \
    return value_by_rules<Op::name, T>(operands);
#include "compiler/ir/program/Ops.def"
  }
  return std::nullopt;
}

template <Op op>
Range range_by_rules(const Expr& expr, Range a, Range b) {
  if constexpr (requires { Rules<op>::range(expr, a, b); })
    return Rules<op>::range(expr, a, b);
  else
    return any_number();
}

}  // namespace

std::optional<LiteralValue> value_of(Op op, ScalarKind kind,
                                     std::span<const LiteralValue> operands) {
  if (!accepts(info(op).takes, kind)) return std::nullopt;
  switch (kind) {
    case ScalarKind::Bool:
      return value_in<bool>(op, operands);
    case ScalarKind::Int32:
      return value_in<std::int32_t>(op, operands);
    case ScalarKind::Int64:
      return value_in<std::int64_t>(op, operands);
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      return value_in<std::uint32_t>(op, operands);
    case ScalarKind::UInt64:
      return value_in<std::uint64_t>(op, operands);
    case ScalarKind::Float32:
      return value_in<float>(op, operands);
    case ScalarKind::Float64:
    case ScalarKind::Wide64:
      return value_in<double>(op, operands);
  }
  return std::nullopt;
}

Range any_number() { return {-kInf, kInf}; }

Range range_of(const Type& type) {
  if (!type.is_scalar()) return any_number();
  switch (type.scalar()) {
    case ScalarKind::Int32:
      return {-0x1p31, 0x1p31 - 1};
    case ScalarKind::Int64:
      return {-0x1p63, 0x1p63};
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      return {0, 0x1p32 - 1};
    case ScalarKind::UInt64:
      return {0, 0x1p64};
    default:
      return any_number();
  }
}

Range rounded(Range range, const Type& type) {
  if (std::isnan(range.low)) range.low = -kInf;
  if (std::isnan(range.high)) range.high = kInf;
  const bool is_floating = is_float(type.scalar());
  const auto widened = [&](double end, double outwards) {
    if (end == 0 || std::isinf(end) || (!is_floating && std::fabs(end) < kExact)) return end;
    // Rounding keeps an order: nothing passes a number of the type.
    if (is_floating && static_cast<double>(static_cast<float>(end)) == end) return end;
    return end + outwards * std::fabs(end) * kRounding;
  };
  // Nothing is rounded across 0.
  Range wide{widened(range.low, -1), widened(range.high, 1)};
  if (range.low >= 0) wide.low = std::max(wide.low, 0.0);
  if (range.high <= 0) wide.high = std::min(wide.high, 0.0);
  const Range all = range_of(type);
  return {std::clamp(wide.low, all.low, all.high), std::clamp(wide.high, all.low, all.high)};
}

Range range_of(const Expr& expr, Range a, Range b) {
  switch (expr.op) {
#define VG_OP(name, ...) \
  case Op::name:         \
    return range_by_rules<Op::name>(expr, a, b);
#include "compiler/ir/program/Ops.def"
  }
  return any_number();
}

}  // namespace vertigo::ir
