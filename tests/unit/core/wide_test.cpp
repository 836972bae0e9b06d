#include "vertigo/core/wide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "vertigo/core/wide_text.h"

namespace vertigo {
namespace {

using Exact = long double;  // has every wide64, and 15 bits more

Exact exact(Wide64 value) {
  if (value.bits() == 0) return 0;
  if (value.is_nan()) return NAN;
  if (!value.is_finite()) return value < Wide64{0} ? -INFINITY : INFINITY;
  int power = 0;
  const double significand = value.split(power);
  return std::ldexp(Exact{significand}, power);
}

Wide64 any_value(std::mt19937_64& random) {
  if (random() % 64 == 0) return Wide64{0};
  // Half of them near 1, where sums meet; the others anywhere.
  const std::uint64_t exponent =
      random() % 2 == 0 ? static_cast<std::uint64_t>(Wide64::kBias) - 60 + random() % 120
                        : 1 + random() % 0x7ffe;
  const std::uint64_t fraction = random() % 8 == 0 ? 0 : random() & 0xffffffffffffu;
  return Wide64::from_bits((random() & (1ull << 63)) | exponent << Wide64::kFractionBits |
                           fraction);
}

void expect_rounded(Wide64 result, Exact expected, const char* what) {
  const Exact largest = exact(std::numeric_limits<Wide64>::max());
  const Exact least = exact(std::numeric_limits<Wide64>::min());
  if (std::isnan(expected)) {
    EXPECT_TRUE(result.is_nan()) << what;
  } else if (std::fabs(expected) > largest * (1 - 0x1p-48L)) {
    EXPECT_TRUE(!result.is_finite() || std::fabs(exact(result)) == largest) << what;
  } else if (std::fabs(expected) < least) {
    EXPECT_LE(std::fabs(exact(result)), least) << what;
  } else {
    const Exact allowed = std::fabs(expected) * (0x1p-49L + 0x1p-53L + 0x1p-62L);
    EXPECT_LE(std::fabs(exact(result) - expected), allowed) << what;
  }
}

TEST(Wide64, RoundsWhatExtendedPrecisionComputes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    const Wide64 a = any_value(random), b = any_value(random);
    expect_rounded(a + b, exact(a) + exact(b), "sum");
    expect_rounded(a - b, exact(a) - exact(b), "difference");
    expect_rounded(a * b, exact(a) * exact(b), "product");
    expect_rounded(a / b, exact(a) / exact(b), "quotient");
    EXPECT_EQ(a < b, exact(a) < exact(b));
    EXPECT_EQ(a == b, exact(a) == exact(b));
    EXPECT_EQ(static_cast<double>(a), static_cast<double>(exact(a)));
    if (HasFailure()) FAIL() << "at " << i;
  }
}

Wide64 times_power_of_two(Wide64 value, int power) {
  if (value.bits() == 0) return value;
  return Wide64::from_bits(value.bits() +
                           (static_cast<std::uint64_t>(power) << Wide64::kFractionBits));
}

// Numbers near 1 are added as float64; far from 1 they are not, and must give the same bits.
TEST(Wide64, AddsNearNumbersAsItAddsOthers) {
  constexpr int kFar = 4000;
  std::mt19937_64 random(5);
  const auto near_or_zero = [&random](int power) {
    if (random() % 64 == 0) return Wide64{0};
    const std::uint64_t fraction = random() % 4 == 0
                                       ? random() % 3 - 1
                                       : random() >> (random() % 48);  // ties, carries, powers
    const auto exponent = static_cast<std::uint64_t>(Wide64::kBias + power);
    return Wide64::from_bits((random() & (1ull << 63)) | exponent << Wide64::kFractionBits |
                             (fraction & 0xffffffffffffu));
  };
  for (int i = 0; i < 400000; ++i) {
    const int power = static_cast<int>(random() % 1800) - 900;
    const int distance = static_cast<int>(random() % 60);
    const Wide64 a = near_or_zero(power), b = near_or_zero(std::max(power - distance, -900));
    ASSERT_TRUE(a.bits() == 0 || a.is_near());
    const Wide64 far = times_power_of_two(a, kFar) + times_power_of_two(b, kFar);
    ASSERT_EQ((a + b).bits(), times_power_of_two(far, -kFar).bits()) << i;
    ASSERT_EQ((b + a).bits(), (a + b).bits()) << i;
  }
}

TEST(Wide64, IsNearWhereFloat64HasItsSums) {
  for (const int power : {-900, -1, 0, 1, 900}) {
    const Wide64 value = Wide64::scaled(-1.25, power);
    EXPECT_TRUE(value.is_near());
    EXPECT_EQ(value.near_value(), std::ldexp(-1.25, power));
    EXPECT_EQ(Wide64::from_near(value.near_value()), value);
  }
  for (const int power : {-16000, -901, 901, 16000})
    EXPECT_FALSE(Wide64::scaled(1, power).is_near());
  EXPECT_FALSE(Wide64{0}.is_near());
  EXPECT_FALSE(std::numeric_limits<Wide64>::infinity().is_near());
  EXPECT_FALSE(std::numeric_limits<Wide64>::quiet_NaN().is_near());
  EXPECT_EQ(Wide64::from_near(0).bits(), 0u);
  EXPECT_EQ(Wide64::from_near(-0.0).bits(), 0u);
}

TEST(Wide64, HasNoNumberWhoseReciprocalIsZero) {
  EXPECT_LT(Wide64{0}, Wide64{1} / std::numeric_limits<Wide64>::max());
}

TEST(Wide64, BecomesInfiniteAndNoNumberAsFloatsDo) {
  const Wide64 infinity = std::numeric_limits<Wide64>::infinity();
  EXPECT_EQ(std::numeric_limits<Wide64>::max() * Wide64{2}, infinity);
  EXPECT_EQ(Wide64{1} / Wide64{0}, infinity);
  EXPECT_TRUE((infinity - infinity).is_nan());
  EXPECT_TRUE((infinity * Wide64{0}).is_nan());
  EXPECT_TRUE((Wide64{0} / Wide64{0}).is_nan());
  EXPECT_FALSE(Wide64{0} / Wide64{0} == Wide64{0} / Wide64{0});
  EXPECT_EQ(infinity + Wide64{1}, infinity);
  EXPECT_EQ((-Wide64{0}).bits(), 0u);
}

TEST(Wide64, TakesEveryFloat64) {
  for (const double value : {0.0, 1.0, -2.5, 0x1p-1074, 0x1.8p-1040, 1e308, 3.0e-310}) {
    const double back = static_cast<double>(Wide64{value});
    EXPECT_NEAR(back, value, std::fabs(value) * 0x1p-49);
  }
  EXPECT_EQ(static_cast<std::int64_t>(Wide64{std::int64_t{-123456789}}), -123456789);
  EXPECT_EQ(static_cast<double>(Wide64::scaled(1, 2000)), INFINITY);
  EXPECT_EQ(static_cast<double>(Wide64::scaled(1, -2000)), 0);
}

std::string text(Wide64 value) {
  char buffer[kLongestWide];
  return {buffer, write_wide(buffer, value)};
}

TEST(Wide64, IsWrittenShortAndReadBackAsItWas) {
  EXPECT_EQ(text(Wide64{0}), "0");
  EXPECT_EQ(text(Wide64{0.1}), "0.1");
  EXPECT_EQ(text(Wide64{-1e100}), "-1e+100");
  EXPECT_EQ(text(std::numeric_limits<Wide64>::infinity()), "inf");
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    const Wide64 value = any_value(random);
    Wide64 again;
    ASSERT_EQ(read_wide(text(value), again), WideText::Read) << text(value);
    ASSERT_EQ(again, value) << text(value);
  }
}

TEST(Wide64, RefusesTextThatIsNoNumberOrTooLarge) {
  Wide64 value;
  for (const char* const bad : {"", "x", "1x", "nan", "infinity", "1e"})
    EXPECT_EQ(read_wide(bad, value), WideText::NotANumber) << bad;
  for (const char* const bad : {"1e5000", "-1e4935", "1e-5000"})
    EXPECT_EQ(read_wide(bad, value), WideText::OutOfRange) << bad;
}

}  // namespace
}  // namespace vertigo
