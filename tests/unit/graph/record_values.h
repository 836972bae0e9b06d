#pragma once
// The attributes of edges as texts, for tests that compare them.

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "vertigo/core/record_layout.h"
#include "vertigo/graph/edge_records.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph::test {

inline EdgeField field(std::string name, ScalarKind kind) { return {std::move(name), kind}; }
inline EdgeField field(std::string name, ScalarKind kind, Value otherwise) {
  return {std::move(name), kind, otherwise};
}

template <class T>
T value_at(const std::byte* record, unsigned offset) {
  T value;
  std::memcpy(&value, record + offset, sizeof value);
  return value;
}

/// "1-2:10,5,1": every edge with its values in the order of the fields. "1-2" where no edge has
/// a value of its own, so that all of them have the defaults.
inline std::vector<std::string> values_of(const Graph& graph, const Adjacency& adjacency,
                                          bool incoming) {
  std::vector<ScalarKind> kinds;
  if (!adjacency.records.empty())
    for (const RecordField& each : graph.record_fields) kinds.push_back(each.kind);
  const RecordLayout layout = layout_of(kinds);
  std::vector<std::string> edges;
  for (Vertex v = 0; v < graph.vertex_count; ++v)
    for (EdgeIndex e = adjacency.offsets[v]; e < adjacency.offsets[v + 1]; ++e) {
      const Vertex u = adjacency.targets[e];
      std::string text =
          graph.ids.label(incoming ? u : v) + "-" + graph.ids.label(incoming ? v : u);
      const std::byte* const record = adjacency.records.data() + e * layout.bytes;
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        const unsigned at = layout.offsets[i];
        text += i == 0 ? ":" : ",";
        if (kinds[i] == ScalarKind::Bool)
          text += std::to_string(value_at<bool>(record, at));
        else if (kinds[i] == ScalarKind::Int32)
          text += std::to_string(value_at<std::int32_t>(record, at));
        else if (kinds[i] == ScalarKind::Int64)
          text += std::to_string(value_at<std::int64_t>(record, at));
        else if (kinds[i] == ScalarKind::UInt64)
          text += std::to_string(value_at<std::uint64_t>(record, at));
        else if (kinds[i] == ScalarKind::Float32)
          text += std::to_string(value_at<float>(record, at));
        else
          text += "?";
      }
      edges.push_back(std::move(text));
    }
  return edges;
}
inline std::vector<std::string> values_of(const Graph& graph) {
  return values_of(graph, graph.out, false);
}

}  // namespace vertigo::graph::test
