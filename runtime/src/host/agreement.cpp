#include "host/agreement.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "host/output.h"
#include "host/values.h"

namespace vertigo::host {
namespace {

// Reports have no tolerance of their own; this serves where no output states one.
constexpr double kReportTolerance = 1e-6;

bool near(double expected, double actual, double tolerance, double scale) {
  if (expected == actual || (std::isnan(expected) && std::isnan(actual))) return true;
  if (!std::isfinite(expected) || !std::isfinite(actual)) return false;
  const double magnitude = std::max({std::abs(expected), std::abs(actual), scale});
  return std::abs(expected - actual) <= tolerance * magnitude;
}

/// Relative to the larger of the two: values of one column may be thousands of powers of two apart.
bool near(Wide64 expected, Wide64 actual, double tolerance) {
  if (expected == actual || (expected.is_nan() && actual.is_nan())) return true;
  if (!expected.is_finite() || !actual.is_finite()) return false;
  const auto magnitude = [](Wide64 value) { return value < Wide64{0} ? -value : value; };
  const Wide64 larger = std::max(magnitude(expected), magnitude(actual));
  return magnitude(expected - actual) <= Wide64{tolerance} * larger;
}

template <class T>
double largest_magnitude(std::span<const T> values) {
  double largest = 0;
  for (const T value : values)
    if (std::isfinite(static_cast<double>(value)))
      largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest;
}

template <class T>
std::int64_t first_difference(const Column& expected, const Column& actual, double tolerance) {
  const auto a = expected.as<T>();
  const auto b = actual.as<T>();
  if constexpr (std::is_floating_point_v<T>) {
    // What an iteration holds back at one vertex is in proportion to the start, not to the value it
    // ends up in, so small values are no more exact than large ones.
    const double scale = largest_magnitude(a);
    for (std::size_t v = 0; v < a.size(); ++v)
      if (!near(a[v], b[v], tolerance, scale)) return static_cast<std::int64_t>(v);
    return -1;
  } else if constexpr (std::is_same_v<T, Wide64>) {
    for (std::size_t v = 0; v < a.size(); ++v)
      if (!near(a[v], b[v], tolerance)) return static_cast<std::int64_t>(v);
    return -1;
  } else {
    const auto [found, other] = std::ranges::mismatch(a, b);
    return found == a.end() ? -1 : found - a.begin();
  }
}

std::string cell_text(const Column& column, Vertex v, const graph::IdMap& ids) {
  if (column.kind == ScalarKind::Vertex) {
    const Vertex vertex = column.as<Vertex>()[v];
    return vertex == kNoVertex ? "none" : ids.label(vertex);
  }
  std::string text;
  with_kind(column.kind, [&]<class T>(T) { append_value(text, column.as<T>()[v]); });
  return text;
}

}  // namespace

std::string difference(const ProgramInfo& info, const graph::Graph& graph,
                       const RunResult& expected, const RunResult& actual) {
  const auto left = output_columns(info, expected, graph.vertex_count);
  const auto right = output_columns(info, actual, graph.vertex_count);
  double tolerance = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Column &a = *left[i].column, &b = *right[i].column;
    tolerance = std::max(tolerance, left[i].tolerance);
    const std::int64_t found =
        with_kind(a.kind, [&]<class T>(T) { return first_difference<T>(a, b, left[i].tolerance); });
    if (found < 0) continue;
    const auto vertex = static_cast<Vertex>(found);
    return a.name + " of vertex " + graph.ids.label(vertex) + ": " +
           cell_text(b, vertex, graph.ids) + " instead of " + cell_text(a, vertex, graph.ids);
  }
  for (const ReportInfo& report : info.reports) {
    const Value& a = expected.reports.at(std::string(report.name));
    const Value& b = actual.reports.at(std::string(report.name));
    const double allowed = tolerance > 0 ? tolerance : kReportTolerance;
    const bool agrees =
        report.kind == ScalarKind::Wide64 ? near(a.as<Wide64>(), b.as<Wide64>(), allowed)
        : is_floating(report.kind)        ? near(a.as<double>(), b.as<double>(), allowed, 0)
                                          : a.data == b.data;
    if (!agrees)
      return std::string(report.name) + ": " + to_text(b, graph.ids) + " instead of " +
             to_text(a, graph.ids);
  }
  return "";
}

}  // namespace vertigo::host
