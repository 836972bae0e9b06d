// Whatever graph is written is the graph that is read, in every format that can hold it.

#include <gtest/gtest.h>
// rapidcheck's header of GoogleTest's names needs those of GoogleTest before it.
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "../graph/support.h"
#include "vertigo/graph/writer.h"

namespace vertigo::graph {
namespace {

using test::EdgeTuple;

struct Described {
  std::set<std::uint64_t> ids;
  std::vector<EdgeTuple> edges;
  bool weighted = false;
  bool undirected = false;
};

/// Sparse ids, isolated vertices, loops, parallel edges, weights that fit 32 bits without a sign.
Described any_graph() {
  using namespace rc;
  Described made;
  made.weighted = *gen::arbitrary<bool>();
  made.undirected = *gen::arbitrary<bool>();
  made.ids =
      *gen::suchThat(gen::container<std::set<std::uint64_t>>(gen::inRange<std::uint64_t>(0, 5000)),
                     [](const auto& ids) { return !ids.empty(); });
  const std::vector<std::uint64_t> ids(made.ids.begin(), made.ids.end());
  const auto edge = gen::tuple(gen::elementOf(ids), gen::elementOf(ids),
                               gen::map(gen::inRange(0, 1000), [](int w) { return double(w); }));
  made.edges = *gen::container<std::vector<EdgeTuple>>(edge);
  if (made.undirected) {  // the file lists a pair once
    for (auto& [u, v, w] : made.edges)
      if (u > v) std::swap(u, v);
    std::ranges::sort(made.edges);
    const auto same_pair = [](const EdgeTuple& a, const EdgeTuple& b) {
      return std::get<0>(a) == std::get<0>(b) && std::get<1>(a) == std::get<1>(b);
    };
    const auto rest = std::ranges::unique(made.edges, same_pair);
    made.edges.erase(rest.begin(), rest.end());
    // METIS holds none of them, and both targets of the format agree on the rest.
    std::erase_if(made.edges,
                  [](const EdgeTuple& edge) { return std::get<0>(edge) == std::get<1>(edge); });
  }
  return made;
}

Graph load(const test::Folder& folder, const Described& made) {
  std::string vertices, edges;
  for (const std::uint64_t id : made.ids) vertices += std::to_string(id) + "\n";
  for (const auto& [u, v, w] : made.edges) {
    edges += std::to_string(u) + " " + std::to_string(v);
    edges += made.weighted ? " " + std::to_string(static_cast<int>(w)) + "\n" : "\n";
  }
  folder.write("made.v", vertices);
  ReadOptions options;
  options.format = Format::Graphalytics;
  options.direction = made.undirected ? Direction::Undirected : Direction::Directed;
  return load_graph(folder.write("made.e", edges), options).graph;
}

/// Edges by the ranks of their ends: formats that renumber keep the order of ids.
std::vector<EdgeTuple> ranked_edges(const Graph& graph) {
  std::vector<EdgeTuple> edges = test::edges_of(graph);
  for (auto& [u, v, w] : edges) {
    u = *graph.ids.to_internal(u);
    v = *graph.ids.to_internal(v);
  }
  std::ranges::sort(edges);  // parallel edges may change places
  return edges;
}

void round_trip(OutputFormat format, Format read_as, const std::string& file) {
  const test::Folder folder;
  const Described made = any_graph();
  const Graph graph = load(folder, made);
  WriteOptions options;
  options.format = format;
  try {
    write_graph(graph, folder / file, options);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ExitCode::Usage);  // the format cannot hold it, and said so
    RC_DISCARD("not of this format");
  }
  ReadOptions reading;
  reading.format = read_as;
  if (read_as == Format::Graphalytics && made.undirected) reading.direction = Direction::Undirected;
  const Graph back = load_graph(folder / file, reading).graph;
  RC_ASSERT(back.vertex_count == graph.vertex_count);
  Graph expected = graph;
  if (format == OutputFormat::Gap) expected.out.weights = std::monostate{};  // .sg has none
  RC_ASSERT(ranked_edges(back) == ranked_edges(expected));
}

RC_GTEST_PROP(GraphFormats, MatrixMarket, ()) {
  round_trip(OutputFormat::MatrixMarket, Format::MatrixMarket, "g.mtx");
}
RC_GTEST_PROP(GraphFormats, Dimacs, ()) {
  round_trip(OutputFormat::Dimacs, Format::Dimacs, "g.gr");
}
RC_GTEST_PROP(GraphFormats, Gap, ()) { round_trip(OutputFormat::Gap, Format::Gap, "g.sg"); }
RC_GTEST_PROP(GraphFormats, WeightedGap, ()) {
  round_trip(OutputFormat::WeightedGap, Format::Gap, "g.wsg");
}
RC_GTEST_PROP(GraphFormats, Graphalytics, ()) {
  round_trip(OutputFormat::Graphalytics, Format::Graphalytics, "g.e");
}
RC_GTEST_PROP(GraphFormats, Metis, ()) {
  round_trip(OutputFormat::Metis, Format::Metis, "g.graph");
}
RC_GTEST_PROP(GraphFormats, Bel, ()) { round_trip(OutputFormat::Bel, Format::Bel, "g.bel"); }
RC_GTEST_PROP(GraphFormats, Cached, ()) {
  round_trip(OutputFormat::Cached, Format::Cached, "g.vgg");
}
RC_GTEST_PROP(GraphFormats, MatrixMarketCompressed, ()) {
  round_trip(OutputFormat::MatrixMarket, Format::MatrixMarket, "g.mtx.gz");
}
RC_GTEST_PROP(GraphFormats, DimacsCompressed, ()) {
  round_trip(OutputFormat::Dimacs, Format::Dimacs, "g.gr.zst");
}

RC_GTEST_PROP(GraphFormats, GraphMl, ()) {
  round_trip(OutputFormat::GraphMl, Format::GraphMl, "g.graphml");
}

// Lists of edges say nothing of vertices without any, unless their ids are contiguous.
void keeps_edges_and_ids(OutputFormat format, Format read_as) {
  const test::Folder folder;
  const Graph graph = load(folder, any_graph());
  WriteOptions options;
  options.format = format;
  if (format == OutputFormat::EdgeList && graph.has_weights())
    options.format = OutputFormat::WeightedEdgeList;
  write_graph(graph, folder / "g", options);
  if (graph.edge_count == 0) return;
  std::vector<EdgeTuple> expected = test::edges_of(graph);
  std::vector<EdgeTuple> given = test::edges_of(load_graph(folder / "g", test::as(read_as)).graph);
  std::ranges::sort(expected);
  std::ranges::sort(given);
  RC_ASSERT(given == expected);
}

RC_GTEST_PROP(GraphFormats, EdgeListsKeepEdgesAndIds, ()) {
  keeps_edges_and_ids(OutputFormat::EdgeList, Format::EdgeList);
}
RC_GTEST_PROP(GraphFormats, CsvKeepsEdgesAndIds, ()) {
  keeps_edges_and_ids(OutputFormat::Csv, Format::Csv);
}
RC_GTEST_PROP(GraphFormats, TsvKeepsEdgesAndIds, ()) {
  keeps_edges_and_ids(OutputFormat::Tsv, Format::Tsv);
}

/// Names of what formats take for something else: separators, quotes, line ends, numbers, comments.
std::string any_name() {
  using namespace rc;
  const auto piece = gen::element<std::string>("a", "u", "v", "0", "7", "-", ".", " ", ",", ";",
                                               "\t", "\n", "\r", "\"", "'", "<", "&", "#", "%",
                                               "none", "source", "\xC3\xA4", "\xF0\x9F\x98\x80");
  std::string name;
  for (const std::string& part : *gen::container<std::vector<std::string>>(piece)) name += part;
  return name.empty() ? "x" : name;
}

std::string in_quotes(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

RC_GTEST_PROP(GraphFormats, IdsOfTextAreKept, ()) {
  const test::Folder folder;
  std::string text = "source,target,weight\n\"a word\",\"another\",1\n";
  for (int left = *rc::gen::inRange(0, 12); left > 0; --left) {
    text += in_quotes(any_name()) + "," + in_quotes(any_name()) + "," + std::to_string(left) + "\n";
  }
  const Graph graph = load_graph(folder.write("made.csv", text), test::as(Format::Csv)).graph;
  const auto expected = test::named_edges_of(graph);
  struct Way {
    OutputFormat format;
    Format read_as;
  };
  for (const Way way :
       {Way{OutputFormat::Csv, Format::Csv}, Way{OutputFormat::Tsv, Format::Tsv},
        Way{OutputFormat::GraphMl, Format::GraphMl}, Way{OutputFormat::Cached, Format::Cached},
        Way{OutputFormat::WeightedEdgeList, Format::EdgeList}}) {
    WriteOptions options;
    options.format = way.format;
    try {
      write_graph(graph, folder / "g", options);
    } catch (const Error& error) {  // an edge list, and an id with a line end
      RC_ASSERT(error.code() == ExitCode::Usage);
      RC_ASSERT(way.format == OutputFormat::WeightedEdgeList);
      continue;
    }
    RC_ASSERT(test::named_edges_of(load_graph(folder / "g", test::as(way.read_as)).graph) ==
              expected);
  }
}

}  // namespace
}  // namespace vertigo::graph
