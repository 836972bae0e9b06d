#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "weights.h"
#include "writers.h"

namespace vertigo::graph {
namespace {

// Line ends and tabs in an attribute would be read back as blanks.
void append_escaped(std::string_view text, std::string& to) {
  for (const char c : text) {
    switch (c) {
      case '&':
        to += "&amp;";
        break;
      case '<':
        to += "&lt;";
        break;
      case '>':
        to += "&gt;";
        break;
      case '"':
        to += "&quot;";
        break;
      case '\t':
      case '\n':
      case '\r':
        fmt::format_to(std::back_inserter(to), "&#{};", static_cast<int>(c));
        break;
      default:
        to += c;
    }
  }
}

const char* weight_type(const Weights& weights) {
  return with_column(weights, [](const auto& column) {
    return std::is_floating_point_v<WeightOf<decltype(column)>> ? "double" : "long";
  });
}

}  // namespace

void write_graphml(const Graph& graph, OutputSink& sink) {
  const bool weighted = graph.has_weights();
  const auto append_id = [&](Vertex v, std::string& text) {
    if (graph.ids.is_text()) {
      append_escaped(graph.ids.texts()[v], text);
    } else {
      graph.ids.append_id(v, text);
    }
  };
  sink.write(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  if (weighted) {
    sink.write(
        fmt::format("  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"{}\"/>\n",
                    weight_type(graph.out.weights)));
  }
  sink.write(
      fmt::format("  <graph edgedefault=\"{}\">\n", graph.symmetric ? "undirected" : "directed"));
  write_text(sink, graph.vertex_count, [&](std::uint64_t v, std::string& text) {
    text += "    <node id=\"";
    append_id(static_cast<Vertex>(v), text);
    text += "\"/>\n";
  });
  const WeightText weights(graph.out.weights);
  write_text(sink, graph.vertex_count, [&](std::uint64_t row, std::string& text) {
    const auto source = static_cast<Vertex>(row);
    for (EdgeIndex i = graph.out.offsets[row]; i < graph.out.offsets[row + 1]; ++i) {
      const Vertex target = graph.out.targets[i];
      if (graph.symmetric && target < source) continue;
      text += "    <edge source=\"";
      append_id(source, text);
      text += "\" target=\"";
      append_id(target, text);
      if (weighted) {
        text += "\"><data key=\"weight\">";
        weights.append(i, text);
        text += "</data></edge>\n";
      } else {
        text += "\"/>\n";
      }
    }
  });
  sink.write("  </graph>\n</graphml>\n");
}

}  // namespace vertigo::graph
