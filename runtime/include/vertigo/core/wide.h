#pragma once
// The language's `wide64`: a floating-point number of 64 bits with a significand of 49 bits and an
// exponent of 15, so that its magnitudes reach from 2^-16383 to 2^16383. Numbers of shortest paths
// need that: on a road network they pass 2^1600, and float64 ends at 2^1024. Being 64 bits wide, it
// is loaded, stored, exchanged and compared-and-swapped as float64 is.
//
// The bits: sign, 15 of exponent, 48 of fraction. An exponent of ones is infinity (fraction 0) or
// NaN. There are no subnormal numbers and one zero, whose bits are all 0: what is nearer to 0 than
// 2^-16383 becomes 0. The bias is one more than usual, so that no number is too large to have a
// reciprocal that is not 0.
//
// Sums, differences, products and quotients are formed from the significands in float64, and that
// is rounded to 49 bits, both to nearest and ties to even: the same bits on every target, and a
// relative error of at most 2^-49 + 2^-53. What passes the range becomes infinite, as in float64.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "vertigo/core/host_device.h"

namespace vertigo {

class Wide64 {
 public:
  static constexpr int kFractionBits = 48;
  static constexpr int kBias = 16384;

  Wide64() = default;
  /// From any integer, bool or floating number: by way of float64, rounded twice where it has more
  /// bits than that.
  template <class Number>
    requires(std::is_arithmetic_v<Number>)
  VERTIGO_INLINED explicit Wide64(Number number) : Wide64(scaled(static_cast<double>(number), 0)) {}
  /// To float64, rounded to the nearest and infinite where float64 ends; to other types by way of
  /// it, as C++ converts.
  template <class Number>
    requires(std::is_arithmetic_v<Number>)
  VERTIGO_INLINED explicit operator Number() const {
    return static_cast<Number>(to_double());
  }

  /// value * 2^power.
  VERTIGO_INLINED static Wide64 scaled(double value, int power) {
    const std::uint64_t magnitude = bits_of(value) & ~kSign;
    const std::uint64_t infinite = std::uint64_t{0x7ff} << kDoubleFractionBits;
    if (magnitude == 0) return from_bits(0);
    if (magnitude > infinite) return from_bits(kNan);
    if (magnitude == infinite) return from_bits((bits_of(value) & kSign) | kInfinite);
    if (magnitude >> kDoubleFractionBits != 0) return compose(value, kBias + power);
    return compose(value * 0x1p64, kBias + power - 64);  // subnormal in float64, plain here
  }
  /// The inverse for numbers but 0, infinity and NaN: a magnitude in [1, 2), times 2^power.
  VERTIGO_INLINED double split(int& power) const {
    power = exponent() - kBias;
    return significand();
  }

  VERTIGO_INLINED static constexpr Wide64 from_bits(std::uint64_t bits) { return Wide64(bits, 0); }
  VERTIGO_INLINED constexpr std::uint64_t bits() const { return bits_; }

  VERTIGO_INLINED constexpr bool is_nan() const { return magnitude() > kInfinite; }
  VERTIGO_INLINED constexpr bool is_finite() const { return magnitude() < kInfinite; }

  /// Whether the magnitude lies so far within float64's range that sums and differences of billions
  /// of such numbers do, too. They are added up as float64 then, and made a wide64 in the end.
  VERTIGO_INLINED constexpr bool is_near() const {
    return static_cast<unsigned>(exponent() - (kBias - kNear)) <= 2 * kNear;
  }
  /// The same value, exactly; of a number that is near.
  VERTIGO_INLINED double near_value() const {
    return double_of(sign() |
                     ((magnitude() << kDroppedBits) - (kBiasOfNear << kDoubleFractionBits)));
  }
  /// A sum of numbers that are near, rounded: the inverse, but for 0.
  VERTIGO_INLINED static Wide64 from_near(double sum) {
    if (sum == 0) return from_bits(0);
    const std::uint64_t bits = rounded(bits_of(sum));
    return from_bits((bits & kSign) |
                     (((bits & ~kSign) >> kDroppedBits) + (kBiasOfNear << kFractionBits)));
  }

  VERTIGO_INLINED constexpr Wide64 operator-() const {
    return from_bits(bits_ == 0 ? 0 : bits_ ^ kSign);
  }
  VERTIGO_INLINED friend Wide64 operator+(Wide64 a, Wide64 b) { return add(a, b); }
  /// The same by a call, for places where something else takes the time.
  VERTIGO_CALLED static Wide64 add_any(Wide64 a, Wide64 b) {
    if (a.magnitude() < b.magnitude()) {
      const Wide64 smaller = a;
      a = b;
      b = smaller;
    }
    if (!b.is_plain() || !a.is_plain()) {
      if (b.bits_ == 0) return a;
      return scaled(a.stand_in() + (b.is_plain() ? 0 : b.stand_in()), 0);
    }
    const int distance = a.exponent() - b.exponent();
    if (distance > kDoubleFractionBits) return a;  // less than half of the last place
    const double sum = a.significand() + b.significand(-distance);
    return sum == 0 ? from_bits(0) : compose(sum, a.exponent());
  }
  VERTIGO_INLINED friend Wide64 operator-(Wide64 a, Wide64 b) { return add(a, -b); }
  VERTIGO_INLINED friend Wide64 operator*(Wide64 a, Wide64 b) { return multiply(a, b); }
  VERTIGO_INLINED friend Wide64 operator/(Wide64 a, Wide64 b) { return divide(a, b); }

  /// NaN is equal to nothing and stands in no order, as in float64.
  VERTIGO_INLINED friend constexpr bool operator==(Wide64 a, Wide64 b) {
    return a.bits_ == b.bits_ && !a.is_nan();
  }
  VERTIGO_INLINED friend constexpr bool operator!=(Wide64 a, Wide64 b) { return !(a == b); }
  VERTIGO_INLINED friend constexpr bool operator<(Wide64 a, Wide64 b) {
    return a.place() < b.place() && !a.is_nan() && !b.is_nan();
  }
  VERTIGO_INLINED friend constexpr bool operator<=(Wide64 a, Wide64 b) { return a < b || a == b; }
  VERTIGO_INLINED friend constexpr bool operator>(Wide64 a, Wide64 b) { return b < a; }
  VERTIGO_INLINED friend constexpr bool operator>=(Wide64 a, Wide64 b) { return b <= a; }

 private:
  static constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kFraction = (std::uint64_t{1} << kFractionBits) - 1;
  static constexpr int kInfiniteExponent = 0x7fff;
  static constexpr std::uint64_t kInfinite = std::uint64_t{kInfiniteExponent} << kFractionBits;
  static constexpr std::uint64_t kNan = kInfinite | std::uint64_t{1} << (kFractionBits - 1);

  // float64: 11 bits of exponent, 52 of fraction.
  static constexpr int kDoubleFractionBits = 52;
  static constexpr int kDoubleBias = 1023;
  static constexpr int kDroppedBits = kDoubleFractionBits - kFractionBits;
  static constexpr int kNear = 900;
  static constexpr std::uint64_t kBiasOfNear = kBias - kDoubleBias;

  VERTIGO_INLINED constexpr Wide64(std::uint64_t bits, int) : bits_(bits) {}

  VERTIGO_INLINED constexpr std::uint64_t magnitude() const { return bits_ & ~kSign; }
  VERTIGO_INLINED constexpr std::uint64_t sign() const { return bits_ & kSign; }
  VERTIGO_INLINED constexpr int exponent() const {
    return static_cast<int>(magnitude() >> kFractionBits);
  }
  /// Ascends with the value.
  VERTIGO_INLINED constexpr std::int64_t place() const {
    const auto magnitude_of = static_cast<std::int64_t>(magnitude());
    return sign() != 0 ? -magnitude_of : magnitude_of;
  }
  /// Neither 0, nor infinite, nor NaN.
  VERTIGO_INLINED constexpr bool is_plain() const {
    return static_cast<unsigned>(exponent() - 1) < kInfiniteExponent - 1;
  }

  VERTIGO_INLINED static double double_of(std::uint64_t bits) {
    double value;
    __builtin_memcpy(&value, &bits, sizeof(value));
    return value;
  }
  VERTIGO_INLINED static std::uint64_t bits_of(double value) {
    std::uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    return bits;
  }

  /// The significand with its sign, in (-2, -1] or [1, 2), times 2^power; of a plain number.
  VERTIGO_INLINED double significand(int power = 0) const {
    return double_of(sign() |
                     static_cast<std::uint64_t>(kDoubleBias + power) << kDoubleFractionBits |
                     (bits_ & kFraction) << kDroppedBits);
  }
  /// The bits of a float64, of which the last kDroppedBits may be left out then.
  VERTIGO_INLINED static constexpr std::uint64_t rounded(std::uint64_t bits) {
    const std::uint64_t half = std::uint64_t{1} << (kDroppedBits - 1);
    return bits + half - 1 +
           ((bits >> kDroppedBits) & 1);  // may carry into the exponent, as it should
  }
  /// value * 2^(exponent - kBias), rounded; `value` is a normal number.
  VERTIGO_INLINED static Wide64 compose(double value, int exponent) {
    const std::uint64_t bits = rounded(bits_of(value));
    exponent += static_cast<int>((bits & ~kSign) >> kDoubleFractionBits) - kDoubleBias;
    if (exponent <= 0) return from_bits(0);
    if (exponent >= kInfiniteExponent) return from_bits((bits & kSign) | kInfinite);
    return from_bits((bits & kSign) | static_cast<std::uint64_t>(exponent) << kFractionBits |
                     ((bits >> kDroppedBits) & kFraction));
  }

  /// Where a value is 0, infinite or NaN, float64 knows what comes out, given ones for the rest.
  VERTIGO_INLINED double stand_in() const {
    if (is_plain()) return sign() != 0 ? -1.0 : 1.0;
    if (bits_ == 0) return 0;
    return double_of(sign() | std::uint64_t{0x7ff} << kDoubleFractionBits |
                     (is_nan() ? std::uint64_t{1} << (kDoubleFractionBits - 1) : 0));
  }

  VERTIGO_INLINED double to_double() const {
    if (!is_plain()) return stand_in();
    const int power = exponent() - kBias;
    if (power > kDoubleBias) return significand() * double_of(std::uint64_t{0x7fe} << 52) * 2;
    if (power > -kDoubleBias) return significand(power);
    if (power < -kDoubleBias - kDoubleFractionBits - 1) return 0;
    return significand(power + 128) * 0x1p-128;  // subnormal in float64, rounded once
  }

  /// Sums of what is near, as most are, have the same bits either way; this one is shorter (H200,
  /// betweenness on kron 21 48: 2.36 ms instead of 2.77).
  VERTIGO_INLINED static Wide64 add(Wide64 a, Wide64 b) {
    if (a.is_near() && b.is_near()) return from_near(a.near_value() + b.near_value());
    if (a.bits_ == 0) return b;
    if (b.bits_ == 0) return a;
    return add_any(a, b);
  }
  VERTIGO_CALLED static Wide64 multiply(Wide64 a, Wide64 b) {
    if (!a.is_plain() || !b.is_plain()) return scaled(a.stand_in() * b.stand_in(), 0);
    return compose(a.significand() * b.significand(), a.exponent() + b.exponent() - kBias);
  }
  VERTIGO_CALLED static Wide64 divide(Wide64 a, Wide64 b) {
    if (!a.is_plain() || !b.is_plain()) return scaled(a.stand_in() / b.stand_in(), 0);
    return compose(a.significand() / b.significand(), a.exponent() - b.exponent() + kBias);
  }

  std::uint64_t bits_;
};

}  // namespace vertigo

template <>
struct std::numeric_limits<vertigo::Wide64> {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr int radix = 2;
  static constexpr int digits = vertigo::Wide64::kFractionBits + 1;
  static constexpr int max_exponent = vertigo::Wide64::kBias - 1;
  static constexpr int min_exponent = 2 - vertigo::Wide64::kBias;

  static constexpr vertigo::Wide64 min() { return vertigo::Wide64::from_bits(1ull << 48); }
  static constexpr vertigo::Wide64 max() {
    return vertigo::Wide64::from_bits(0x7ffeffffffffffffull);
  }
  static constexpr vertigo::Wide64 lowest() { return -max(); }
  static constexpr vertigo::Wide64 infinity() {
    return vertigo::Wide64::from_bits(0x7fff000000000000ull);
  }
  static constexpr vertigo::Wide64 quiet_NaN() {
    return vertigo::Wide64::from_bits(0x7fff800000000000ull);
  }
};
