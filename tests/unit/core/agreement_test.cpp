// When two results agree: the one rule of docs/language.md.
#include "vertigo/core/agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace vertigo {
namespace {

template <class T>
Column column(ScalarKind kind, const std::vector<T>& values) {
  Column made{"x", kind, UninitialisedBytes(values.size() * sizeof(T))};
  std::copy(values.begin(), values.end(), made.as<T>().begin());
  return made;
}
Column doubles(const std::vector<double>& values) { return column(ScalarKind::Float64, values); }

bool agree(const Column& expected, const Column& actual, double tolerance) {
  const ColumnAgreement agreement(expected, actual, tolerance);
  bool all = true;
  for (Vertex v = 0; v < expected.size(); ++v) all = all && agreement.at(v);
  return all;
}

TEST(Agreement, IsByTheLargestMagnitudeOfTheColumn) {
  EXPECT_TRUE(agree(doubles({1000, 1}), doubles({1000, 1.09}), 1e-4));
  EXPECT_FALSE(agree(doubles({1000, 1}), doubles({1000, 1.11}), 1e-4));
  EXPECT_FALSE(agree(doubles({1, 1}), doubles({1, 1.09}), 1e-4));
}

TEST(Agreement, IgnoresTheLastDigits) {
  const double next = std::nextafter(1.0, 2.0);
  EXPECT_TRUE(agree(doubles({1.0}), doubles({next}), 0));
  EXPECT_FALSE(agree(doubles({1.0}), doubles({1 + 1e-14}), 0));
  const auto single = [](float value) { return column<float>(ScalarKind::Float32, {value}); };
  EXPECT_TRUE(agree(single(1.0f), single(std::nextafter(1.0f, 2.0f)), 0));
  EXPECT_FALSE(agree(single(1.0f), single(1.0001f), 0));
}

TEST(Agreement, TellsInfinitiesApart) {
  EXPECT_TRUE(agree(doubles({INFINITY, 1}), doubles({INFINITY, 1}), 1e-9));
  EXPECT_FALSE(agree(doubles({INFINITY, 1}), doubles({-INFINITY, 1}), 1e-9));
  EXPECT_FALSE(agree(doubles({INFINITY, 1}), doubles({1, 1}), INFINITY));
  EXPECT_FALSE(agree(doubles({1}), doubles({NAN}), 1));
}

TEST(Agreement, IsExactForIntegersAndVertices) {
  const auto whole = [](std::int64_t value) {
    return column<std::int64_t>(ScalarKind::Int64, {value});
  };
  const std::int64_t large = std::int64_t{1} << 62;
  EXPECT_TRUE(agree(whole(large), whole(large), 1));
  EXPECT_FALSE(agree(whole(large), whole(large + 1), 1));
}

TEST(Agreement, ComparesWideValuesOneByOne) {
  const auto wide = [](double a, double b) {
    return column<Wide64>(ScalarKind::Wide64, {Wide64{a}, Wide64{b}});
  };
  EXPECT_FALSE(agree(wide(1e300, 1), wide(1e300, 1.1), 1e-4));
  EXPECT_TRUE(agree(wide(1e300, 1), wide(1e300, 1.00001), 1e-4));
}

TEST(Agreement, OfReportsIsByTheLargerOfTheTwo) {
  const auto real = [](double value) { return Value{ScalarKind::Float64, value}; };
  EXPECT_TRUE(values_agree(real(10), real(10.0009), 1e-4));
  EXPECT_FALSE(values_agree(real(10), real(10.0011), 1e-4));
  EXPECT_FALSE(values_agree(Value{ScalarKind::Int64, std::int64_t{1}},
                            Value{ScalarKind::Int64, std::int64_t{2}}, 1));
  EXPECT_EQ(report_tolerance(0), 1e-6);
  EXPECT_EQ(report_tolerance(1e-4), 1e-4);
}

}  // namespace
}  // namespace vertigo
