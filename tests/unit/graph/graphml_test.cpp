#include "support.h"

namespace vertigo::graph {
namespace {

using test::named_edges_of;
using Edges = std::vector<test::NamedEdge>;

const std::string kHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
const std::string kKey = "<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n";

std::string graph_of(const std::string& inside, const std::string& edges = "directed") {
  return "<graph edgedefault=\"" + edges + "\">\n" + inside + "</graph></graphml>\n";
}

LoadedGraph load(const std::string& content, ReadOptions options = test::as(Format::GraphMl)) {
  return test::load_text(content, options);
}

void expect_refused(const std::string& content, const std::string& place,
                    const std::string& message, ReadOptions options = test::as(Format::GraphMl)) {
  SCOPED_TRACE(content.substr(0, 500));
  test::expect_refused([&] { load(content, options); }, place, message);
}

TEST(GraphMl, ReadsNodesEdgesAndWeights) {
  const LoadedGraph loaded = load(
      kHead + kKey + "<key id=\"d1\" for=\"edge\" attr.name=\"colour\" attr.type=\"string\"/>\n" +
      graph_of("<desc>what it is</desc>\n"
               "<node id=\"n1\"><data key=\"x\"><y><z/>text</y></data></node>\n"
               "<edge source=\"n1\" target=\"n 2\"><data key=\"d1\">red</data>\n"
               "  <data key=\"d0\"> 5 </data></edge>\n"
               "<node id=\"n 2\"/><node id=\"alone\"/>\n"
               "<edge source=\"n 2\" target=\"n 2\"><data key=\"d0\"><![CDATA[-7]]></data>"
               "<!-- no --></edge>\n"));
  EXPECT_EQ(named_edges_of(loaded.graph), (Edges{{"n 2", "n 2", -7}, {"n1", "n 2", 5}}));
  EXPECT_EQ(loaded.graph.vertex_count, 3u);
  EXPECT_EQ(loaded.report.isolated_vertices, 1u);
  EXPECT_FALSE(loaded.graph.symmetric);
  EXPECT_EQ(loaded.report.columns_used, (std::vector<std::string>{"weight"}));
  EXPECT_EQ(loaded.report.columns_unused, (std::vector<std::string>{"colour"}));
}

TEST(GraphMl, TakesDirectionFromGraphAndEdges) {
  const std::string nodes = "<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>\n";
  const LoadedGraph undirected =
      load(kHead + graph_of(nodes + "<edge source=\"a\" target=\"b\"/>", "undirected"));
  EXPECT_TRUE(undirected.graph.symmetric);
  EXPECT_EQ(undirected.graph.edge_count, 2u);
  const std::string all =
      "<edge directed=\"true\" source=\"a\" target=\"b\"/>"
      "<edge directed=\"1\" source=\"b\" target=\"c\"/>";
  EXPECT_EQ(load(kHead + graph_of(nodes + all, "undirected")).graph.edge_count, 2u);
  expect_refused(
      kHead + graph_of(nodes + all + "\n<edge source=\"c\" target=\"a\"/>", "undirected"),
      "graph:6", "directed and undirected edges in one graph");
  expect_refused(kHead + "<graph>" + nodes + "</graph></graphml>", "graph:3", "no edgedefault");
  expect_refused(kHead + graph_of(nodes + "<edge directed=\"no\" source=\"a\" target=\"b\"/>"),
                 "graph:5", "neither true nor false");
}

TEST(GraphMl, TakesNumbersForNumbers) {
  const std::string text =
      kHead + graph_of("<node id=\"10\"/><node id=\"9\"/><edge source=\"10\" target=\"9\"/>");
  EXPECT_EQ(test::edges_of(load(text).graph), (std::vector<test::EdgeTuple>{{10, 9, 1}}));
  ReadOptions as_text = test::as(Format::GraphMl);
  as_text.ids = IdKind::Text;
  EXPECT_TRUE(load(text, as_text).graph.ids.is_text());
  ReadOptions numbers = test::as(Format::GraphMl);
  numbers.ids = IdKind::Numbers;
  expect_refused(kHead + graph_of("<node id=\"n1\"/>"), "graph", "'n1' is no number", numbers);
}

TEST(GraphMl, FindsTheWeightByNameOrDefault) {
  const std::string nodes = "<node id=\"a\"/><node id=\"b\"/>";
  const std::string keys =
      "<key id=\"k\" for=\"edge\" attr.name=\"cost\" "
      "attr.type=\"double\"><default>3</default></key>";
  const std::string edges =
      "<edge source=\"a\" target=\"b\"/>"
      "<edge source=\"b\" target=\"a\"><data key=\"k\">4</data></edge>";
  EXPECT_FALSE(load(kHead + keys + graph_of(nodes + edges)).graph.has_weights());
  ReadOptions cost = test::as(Format::GraphMl);
  cost.columns = {"cost"};
  const Graph graph = load(kHead + keys + graph_of(nodes + edges), cost).graph;
  EXPECT_EQ(graph.out.weights, (Weights(std::vector<double>{3, 4})));
  cost.columns = {"prize"};
  expect_refused(kHead + keys + graph_of(nodes), "graph:3", "no <key> of edges is named 'prize'",
                 cost);
  const std::string some =
      "<edge source=\"a\" target=\"b\"><data key=\"d0\">4</data></edge>\n"
      "<edge source=\"b\" target=\"a\"/>";
  expect_refused(kHead + kKey + graph_of(nodes + some), "graph:6", "the edge has no weight");
  expect_refused(kHead + kKey +
                     graph_of(nodes + "<edge source=\"a\" target=\"b\">"
                                      "<data key=\"d0\">x</data></edge>"),
                 "graph:5", "expected a weight");
}

TEST(GraphMl, RefusesWhatItCannotHold) {
  const auto inside = [](const std::string& element) { return kHead + graph_of(element); };
  expect_refused(inside("<node id=\"a\"><graph edgedefault=\"directed\"/></node>"), "graph:4",
                 "<graph> inside of a node");
  expect_refused(inside("<hyperedge/>"), "graph:4", "<hyperedge> is not supported");
  expect_refused(inside("<node id=\"a\"><port name=\"p\"/></node>"), "graph:4", "<port>");
  expect_refused(inside("<node id=\"a\"/><edge source=\"a\" target=\"a\" sourceport=\"p\"/>"),
                 "graph:4", "between ports");
  expect_refused(inside("<node id=\"a\"/>\n<node id=\"a\"/>"), "graph:5", "'a' is there twice");
  expect_refused(inside("<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>"), "graph:5",
                 "'b', and there is no such node");
  expect_refused(inside("<node/>"), "graph:4", "no attribute 'id'");
  expect_refused(inside("<node id=\"\"/>"), "graph:4", "is empty");
  expect_refused(inside("<vertex id=\"a\"/>"), "graph:4", "<vertex> has no place here");
  expect_refused(inside("a\n"), "graph:4", "text stands between elements");
  expect_refused(kHead +
                     "<graph edgedefault=\"directed\"/><graph edgedefault=\"directed\"/>"
                     "</graphml>",
                 "graph:3", "a second <graph>");
  expect_refused(kHead + "</graphml>", "graph", "no <graph>");
  expect_refused("<svg/>", "graph:1", "not <graphml>");
  expect_refused(kHead +
                     "<graph edgedefault=\"directed\" parse.edges=\"2\"><node id=\"a\"/>"
                     "<edge source=\"a\" target=\"a\"/></graph></graphml>",
                 "graph:3", "declares 2 edges, the file holds 1");
}

TEST(GraphMl, RefusesHostileXml) {
  expect_refused(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE graphml [<!ENTITY a \"aaaa\"><!ENTITY b "
      "\"&a;&a;&a;\">]>\n<graphml/>",
      "graph:2", "declares entities");
  expect_refused("<!DOCTYPE graphml SYSTEM \"graphml.dtd\">\n<graphml>&foo;</graphml>", "graph:2",
                 "entity 'foo'");
  expect_refused(kHead + graph_of("<node id=\"a\">\n"), "graph:5", "mismatched tag");
  expect_refused(kHead + "<graph edgedefault=\"directed\">", "graph:3", "no element found");
  expect_refused("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml/>", "graph:1",
                 "convert it to UTF-8");
  expect_refused(kHead + graph_of("<node id=\"\xff\"/>"), "graph:4", "not well-formed");
  expect_refused(std::string("\xFF\xFE<\0g\0", 6), "graph:1", "not well-formed");
  std::string deep = kHead + "<graph edgedefault=\"directed\"><node id=\"a\"><data key=\"k\">";
  for (int i = 0; i < 100000; ++i) deep += "<x>";
  expect_refused(deep, "graph:3", "nested deeper than 64");
  const std::string huge(std::size_t{8} << 20, 'x');
  expect_refused(kHead + graph_of("<node id=\"" + huge + "\"/>"), "graph:4", "longer than 1 MiB");
  expect_refused(kHead + graph_of("<node id=\"" + huge.substr(0, 70000) + "\"/>"), "graph:4",
                 "longer than 65535");
  expect_refused(kHead + kKey +
                     graph_of("<node id=\"a\"/><edge source=\"a\" target=\"a\">"
                              "<data key=\"d0\">" +
                              huge + "</data></edge>"),
                 "graph:5", "too long");
}

}  // namespace
}  // namespace vertigo::graph
