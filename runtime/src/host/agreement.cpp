#include "host/agreement.h"

#include <algorithm>

#include "host/output.h"
#include "host/values.h"
#include "vertigo/core/agreement.h"

namespace vertigo::host {
namespace {

std::string cell_text(const Column& column, Vertex v, const graph::IdMap& ids) {
  if (column.kind == ScalarKind::Vertex) {
    const Vertex vertex = column.as<Vertex>()[v];
    return vertex == kNoVertex ? "none" : ids.label(vertex);
  }
  std::string text;
  with_kind(column.kind, [&]<class T>(T) { append_value(text, column.as<T>()[v]); });
  return text;
}

std::string difference_of(const OutputColumn& expected, const OutputColumn& actual,
                          const graph::Graph& graph) {
  const Column &a = *expected.column, &b = *actual.column;
  const ColumnAgreement agreement(a, b, expected.tolerance);
  for (Vertex v = 0; v < graph.vertex_count; ++v)
    if (!agreement.at(v))
      return a.name + " of vertex " + graph.ids.label(v) + ": " + cell_text(b, v, graph.ids) +
             " instead of " + cell_text(a, v, graph.ids);
  return "";
}

}  // namespace

std::string difference(const ProgramInfo& info, const graph::Graph& graph,
                       const RunResult& expected, const RunResult& actual,
                       const reference::OpenResults& open) {
  const auto left = output_columns(info, expected, graph.vertex_count);
  const auto right = output_columns(info, actual, graph.vertex_count);
  double tolerance = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    tolerance = std::max(tolerance, left[i].tolerance);
    if (open.outputs.contains(std::string(left[i].state))) continue;
    std::string found = difference_of(left[i], right[i], graph);
    if (!found.empty()) return found;
  }
  for (const ReportInfo& report : info.reports) {
    const std::string name(report.name);
    if (open.reports.contains(name)) continue;
    const Value* const a = find_report(expected, name);
    const Value* const b = find_report(actual, name);
    if (a == nullptr && b == nullptr) continue;
    const auto text = [&](const Value* value) {
      return value == nullptr ? "not reached" : to_text(*value, graph.ids);
    };
    if (a == nullptr || b == nullptr || !values_agree(*a, *b, report_tolerance(tolerance)))
      return name + ": " + text(b) + " instead of " + text(a);
  }
  return "";
}

}  // namespace vertigo::host
