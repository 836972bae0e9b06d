#include "vertigo/core/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vertigo {
namespace {

// Sums of a few thousand terms that cancel leave a rest of a few units of their largest one.
constexpr double kRoundings = 4;

template <class T>
constexpr double kUnit = static_cast<double>(std::numeric_limits<T>::epsilon());

double allowed_difference(double tolerance, double unit, double magnitude) {
  return std::max(tolerance, kRoundings * unit) * magnitude;
}

bool near(double expected, double actual, double allowed) {
  if (expected == actual || (std::isnan(expected) && std::isnan(actual))) return true;
  if (!std::isfinite(expected) || !std::isfinite(actual)) return false;
  return std::abs(expected - actual) <= allowed;
}

bool near(Wide64 expected, Wide64 actual, double tolerance) {
  if (expected == actual || (expected.is_nan() && actual.is_nan())) return true;
  if (!expected.is_finite() || !actual.is_finite()) return false;
  const auto magnitude = [](Wide64 value) { return value < Wide64{0} ? -value : value; };
  const Wide64 larger = std::max(magnitude(expected), magnitude(actual));
  return magnitude(expected - actual) <= Wide64{std::max(tolerance, kRoundings * 0x1p-48)} * larger;
}

template <class T>
double largest_magnitude(const Column& column) {
  double largest = 0;
  for (const T value : column.as<T>())
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest;
}

template <class T>
bool equal_at(const Column& a, const Column& b, Vertex v) {
  return a.as<T>()[v] == b.as<T>()[v];
}

}  // namespace

ColumnAgreement::ColumnAgreement(const Column& expected, const Column& actual, double tolerance)
    : expected_(expected), actual_(actual), tolerance_(tolerance) {
  if (expected.kind == ScalarKind::Float32)
    allowed_ = allowed_difference(tolerance, kUnit<float>, largest_magnitude<float>(expected));
  if (expected.kind == ScalarKind::Float64)
    allowed_ = allowed_difference(tolerance, kUnit<double>, largest_magnitude<double>(expected));
}

bool ColumnAgreement::at(Vertex v) const {
  switch (expected_.kind) {
    case ScalarKind::Float32:
      return near(double{expected_.as<float>()[v]}, double{actual_.as<float>()[v]}, allowed_);
    case ScalarKind::Float64:
      return near(expected_.as<double>()[v], actual_.as<double>()[v], allowed_);
    case ScalarKind::Wide64:
      return near(expected_.as<Wide64>()[v], actual_.as<Wide64>()[v], tolerance_);
    case ScalarKind::Bool:
      return equal_at<bool>(expected_, actual_, v);
    case ScalarKind::Int64:
    case ScalarKind::UInt64:
      return equal_at<std::uint64_t>(expected_, actual_, v);
    case ScalarKind::Int32:
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      break;
  }
  return equal_at<std::uint32_t>(expected_, actual_, v);
}

bool values_agree(const Value& expected, const Value& actual, double tolerance) {
  switch (expected.kind) {
    case ScalarKind::Wide64:
      return near(expected.as<Wide64>(), actual.as<Wide64>(), tolerance);
    case ScalarKind::Float32:
    case ScalarKind::Float64: {
      const double a = expected.as<double>(), b = actual.as<double>();
      const double unit = expected.kind == ScalarKind::Float32 ? kUnit<float> : kUnit<double>;
      const double larger = std::max(std::isfinite(a) ? std::abs(a) : 0, std::abs(b));
      return near(a, b, allowed_difference(tolerance, unit, larger));
    }
    default:
      return expected.data == actual.data;
  }
}

double report_tolerance(double largest_of_outputs) {
  constexpr double kOfExactOutputs = 1e-6;
  return largest_of_outputs > 0 ? largest_of_outputs : kOfExactOutputs;
}

}  // namespace vertigo
