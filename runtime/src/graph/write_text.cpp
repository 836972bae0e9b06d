#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <type_traits>

#include "table_layout.h"
#include "vertigo/core/error.h"
#include "weights.h"
#include "writers.h"

namespace vertigo::graph {
namespace {

template <class T>
void append_number(std::string& text, T value) {
  fmt::format_to(std::back_inserter(text), "{}", value);
}

bool has_real_weights(const Graph& graph) {
  return std::holds_alternative<Array<double>>(graph.out.weights) ||
         std::holds_alternative<Array<float>>(graph.out.weights);
}

// One line per edge for which keep(source, target) holds, rows in order: "PREFIX source target
// [weight]".
// name(vertex, text) appends the vertex.
template <class Name, class Keep>
void write_edges(const Graph& graph, OutputSink& sink, const char* prefix, bool weighted,
                 const Name& name, const Keep& keep) {
  const WeightText weights(graph.out.weights);
  write_text(sink, graph.vertex_count, [&](std::uint64_t row, std::string& text) {
    const auto v = static_cast<Vertex>(row);
    for (EdgeIndex i = graph.out.offsets[v]; i < graph.out.offsets[v + 1]; ++i) {
      const Vertex target = graph.out.targets[i];
      if (!keep(v, target)) continue;
      text += prefix;
      name(v, text);
      text += ' ';
      name(target, text);
      if (weighted) {
        text += ' ';
        weights.append(i, text);
      }
      text += '\n';
    }
  });
}

constexpr auto kKeepAll = [](Vertex, Vertex) { return true; };
constexpr auto kLowerTriangle = [](Vertex row, Vertex column) { return column <= row; };
constexpr auto kFromOne = [](Vertex v, std::string& text) {
  append_number(text, std::uint64_t{v} + 1);
};
auto by_id(const Graph& graph) {
  return [&graph](Vertex v, std::string& text) { graph.ids.append_id(v, text); };
}

EdgeIndex count_lower_triangle(const Graph& graph) {
  EdgeIndex count = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : count)
  for (std::size_t v = 0; v < graph.vertex_count; ++v) {
    const auto row = graph.out.neighbours(static_cast<Vertex>(v));
    count += static_cast<EdgeIndex>(
        std::upper_bound(row.begin(), row.end(), static_cast<Vertex>(v)) - row.begin());
  }
  return count;
}

}  // namespace

void WeightText::append(EdgeIndex edge, std::string& text) const {
  with_column(weights_, [&](const auto& column) {
    using Column = std::remove_cvref_t<decltype(column)>;
    if constexpr (!kHasWeights<Column>) {
      text += '1';
    } else {
      const std::size_t begin = text.size();
      append_number(text, column[edge]);
      // A whole number of a real column keeps its point, so that it is read back as real.
      if constexpr (std::is_floating_point_v<WeightOf<Column>>) {
        if (text.find_first_of(".e", begin) == std::string::npos) text += ".0";
      }
    }
  });
}

void write_edge_list(const Graph& graph, OutputSink& sink, bool weighted) {
  for (Vertex v = 0; graph.ids.is_text() && v < graph.vertex_count; ++v) {
    if (graph.ids.texts()[v].find_first_of("\r\n") == std::string_view::npos) continue;
    throw Error(
        ExitCode::Usage,
        fmt::format("an edge list has one edge on each line, and the id {} holds a line end: "
                    "write .csv, .graphml or .vgg",
                    graph.ids.label(v)));
  }
  const std::string ids = graph.ids.is_text() ? " Ids: text"
                          : graph.ids.is_contiguous()
                              ? fmt::format(" Ids from: {}", graph.ids.base())
                              : "";
  sink.write(fmt::format("# Nodes: {} Edges: {}{}\n", graph.vertex_count, graph.edge_count, ids));
  write_edges(graph, sink, "", weighted, by_id(graph), kKeepAll);
}

namespace {

// Whether ids are text is read from the first edge of a table (docs/graph-formats.md): one that
// shows it. The first of its parallel edges, so that their order stays. Nothing where all are
// alike.
std::optional<EdgeIndex> first_worded_edge(const Graph& graph, Vertex& source) {
  if (!graph.ids.is_text()) return std::nullopt;
  const auto worded = [&](Vertex v) { return !looks_like_number(graph.ids.texts()[v]); };
  for (source = 0; source < graph.vertex_count; ++source) {
    const bool all = worded(source);
    for (EdgeIndex i = graph.out.offsets[source]; i < graph.out.offsets[source + 1]; ++i) {
      if (all || worded(graph.out.targets[i])) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

void write_table(const Graph& graph, OutputSink& sink, char separator) {
  const bool weighted = graph.has_weights();
  const WeightText weights(graph.out.weights);
  std::string head = fmt::format("source{}target", separator);
  if (weighted) head += fmt::format("{}weight", separator);
  head += '\n';
  Vertex source = 0;
  const auto first = first_worded_edge(graph, source);
  const auto append = [&](Vertex from, EdgeIndex edge, std::string& text) {
    graph.ids.append_id(from, text);
    text += separator;
    graph.ids.append_id(graph.out.targets[edge], text);
    if (weighted) {
      text += separator;
      weights.append(edge, text);
    }
    text += '\n';
  };
  if (first) append(source, *first, head);
  sink.write(head);
  write_text(sink, graph.vertex_count, [&](std::uint64_t row, std::string& text) {
    const auto v = static_cast<Vertex>(row);
    for (EdgeIndex i = graph.out.offsets[v]; i < graph.out.offsets[v + 1]; ++i) {
      if (i != first) append(v, i, text);
    }
  });
}

void write_graphalytics_vertices(const Graph& graph, OutputSink& sink) {
  write_text(sink, graph.vertex_count, [&](std::uint64_t v, std::string& text) {
    append_number(text, graph.ids.to_input(static_cast<Vertex>(v)));
    text += '\n';
  });
}

void write_graphalytics_edges(const Graph& graph, OutputSink& sink) {
  const bool once = graph.symmetric;
  write_edges(
      graph, sink, "", graph.has_weights(),
      [&](Vertex v, std::string& text) { append_number(text, graph.ids.to_input(v)); },
      [once](Vertex source, Vertex target) { return !once || source <= target; });
}

void write_matrix_market(const Graph& graph, OutputSink& sink) {
  const char* const field = !graph.has_weights()      ? "pattern"
                            : has_real_weights(graph) ? "real"
                                                      : "integer";
  const EdgeIndex entries = graph.symmetric ? count_lower_triangle(graph) : graph.edge_count;
  sink.write(fmt::format("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n", field,
                         graph.symmetric ? "symmetric" : "general", graph.vertex_count,
                         graph.vertex_count, entries));
  if (graph.symmetric) {
    write_edges(graph, sink, "", graph.has_weights(), kFromOne, kLowerTriangle);
  } else {
    write_edges(graph, sink, "", graph.has_weights(), kFromOne, kKeepAll);
  }
}

void write_dimacs(const Graph& graph, OutputSink& sink) {
  sink.write(fmt::format("p sp {} {}\n", graph.vertex_count, graph.edge_count));
  write_edges(graph, sink, "a ", true, kFromOne, kKeepAll);
}

void write_metis(const Graph& graph, OutputSink& sink) {
  if (!graph.symmetric) {
    throw Error(ExitCode::Usage,
                "the METIS format holds undirected graphs only, and this graph is directed");
  }
  for (Vertex v = 0; v < graph.vertex_count; ++v) {
    const auto row = graph.out.neighbours(v);
    if (std::binary_search(row.begin(), row.end(), v)) {
      throw Error(ExitCode::Usage,
                  fmt::format("the METIS format holds no self loops, and vertex {} has one",
                              graph.ids.label(v)));
    }
  }
  const bool weighted = graph.has_weights();
  sink.write(
      fmt::format("{} {}{}\n", graph.vertex_count, graph.edge_count / 2, weighted ? " 001" : ""));
  const WeightText weights(graph.out.weights);
  write_text(sink, graph.vertex_count, [&](std::uint64_t v, std::string& text) {
    for (EdgeIndex i = graph.out.offsets[v]; i < graph.out.offsets[v + 1]; ++i) {
      if (i > graph.out.offsets[v]) text += ' ';
      kFromOne(graph.out.targets[i], text);
      if (weighted) {
        text += ' ';
        weights.append(i, text);
      }
    }
    text += '\n';
  });
}

}  // namespace vertigo::graph
