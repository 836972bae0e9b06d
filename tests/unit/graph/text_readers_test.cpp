#include <thread>

#include "support.h"

namespace vertigo::graph {
namespace {

using test::as;
using test::edges_of;
using test::expect_text_refused;
using test::load_text;
using Edges = std::vector<test::EdgeTuple>;

TEST(EdgeList, ReadsPairs) {
  const auto [graph, report] = load_text("# a comment\n0 1\n\n1\t2\n% another\n 2 0 \n");
  EXPECT_EQ(edges_of(graph), (Edges{{0, 1, 1}, {1, 2, 1}, {2, 0, 1}}));
  EXPECT_FALSE(graph.has_weights());
  EXPECT_EQ(report.format, Format::EdgeList);
}

TEST(EdgeList, ReadsWindowsLinesAndAMissingFinalLineEnd) {
  const Edges expected = {{0, 1, 5}, {1, 2, 6}};
  EXPECT_EQ(edges_of(load_text("0 1 5\r\n1 2 6\r\n").graph), expected);
  EXPECT_EQ(edges_of(load_text("0 1 5\n1 2 6").graph), expected);
  EXPECT_EQ(edges_of(load_text("0 1 5\r\n1 2 6\r").graph), expected);
}

TEST(EdgeList, KeepsWholeWeightsAsIntegersAndFractionsAsReals) {
  EXPECT_TRUE(
      std::holds_alternative<Array<std::int64_t>>(load_text("0 1 -5\n1 0 +7\n").graph.out.weights));
  const Graph mixed = load_text("0 1 5\n1 2 1e2\n2 0 -0.5\n").graph;
  EXPECT_TRUE(std::holds_alternative<Array<double>>(mixed.out.weights));
  EXPECT_EQ(edges_of(mixed), (Edges{{0, 1, 5}, {1, 2, 100}, {2, 0, -0.5}}));
}

TEST(EdgeList, KeepsIntegersOf64BitsExact) {
  const Graph graph = load_text("0 1 9223372036854775807\n1 0 -9223372036854775808\n").graph;
  const auto& weights = std::get<Array<std::int64_t>>(graph.out.weights);
  EXPECT_EQ(weights, (std::vector<std::int64_t>{INT64_MAX, INT64_MIN}));
}

TEST(EdgeList, ReadsNumbersAroundTheLimitOfTheFastPath) {
  const Graph graph =
      load_text("0 1 999999999999999999\n1 2 1000000000000000000\n2 3 -0000000000000000000000007\n")
          .graph;
  EXPECT_EQ(std::get<Array<std::int64_t>>(graph.out.weights),
            (std::vector<std::int64_t>{999999999999999999, 1000000000000000000, -7}));
  expect_text_refused("0 1 9999999999999999999\n", "graph:1", "does not fit a 64-bit integer");
  expect_text_refused("0 1 99999999999999999999999999\n", "graph:1",
                      "does not fit a 64-bit integer");
  EXPECT_EQ(load_text("0000000000000000000000000012 5\n").graph.ids.to_input(1), 12u);
}

TEST(EdgeList, TakesTheIdsThatAppear) {
  const Graph graph = load_text("100 7\n7 18446744073709551615\n").graph;
  EXPECT_EQ(graph.vertex_count, 3u);
  EXPECT_FALSE(graph.ids.is_contiguous());
  EXPECT_EQ(edges_of(graph), (Edges{{7, 18446744073709551615u, 1}, {100, 7, 1}}));
  EXPECT_EQ(graph.ids.to_internal(100), 1u);
  EXPECT_EQ(graph.ids.to_internal(8), std::nullopt);
}

// Digits are scanned by eight: every length has its own way through.
TEST(EdgeList, ReadsNumbersOfEveryLength) {
  std::uint64_t id = 0;
  std::int64_t weight = 0;
  std::vector<test::EdgeTuple> wanted;
  std::string text;
  for (std::uint64_t digit = 1; digit <= 19; ++digit) {
    id = id * 10 + digit % 10;
    if (digit <= 18) weight = weight * 10 - static_cast<std::int64_t>(digit % 10);
    text += std::to_string(id) + " " + std::to_string(id) + " " + std::to_string(weight) + "\r\n";
    wanted.emplace_back(id, id, static_cast<double>(weight));
  }
  EXPECT_EQ(edges_of(load_text(text).graph), wanted);
  text.resize(text.size() - 2);  // the last line may lack its end
  EXPECT_EQ(edges_of(load_text(text).graph), wanted);
  for (const char* const bad : {"1 2\n12345678x 3\n", "1 2\n3 1234567:\n", "1 2\n3 123456789/\n"})
    test::expect_text_refused(bad, "graph:2", "expected a whole number");
}

// The same lists, whether a file has its sources in order or not, and whatever numbers they are.
TEST(EdgeList, OrdersEdgesOfAnyOrder) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  for (std::uint64_t i = 0; i < 2000; ++i) edges.emplace_back(i * i % 61, i * 7 % 53);
  for (const std::uint64_t step : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 33}) {
    std::ranges::stable_sort(edges, {}, &std::pair<std::uint64_t, std::uint64_t>::first);
    std::string in_order;
    for (const auto& [u, v] : edges)
      in_order += std::to_string(u * step) + " " + std::to_string(v * step) + "\n";
    std::string backwards;
    for (const auto& [u, v] : edges)
      backwards = std::to_string(u * step) + " " + std::to_string(v * step) + "\n" + backwards;
    const Graph graph = load_text(in_order).graph;
    EXPECT_EQ(graph.edge_count, 2000u);
    EXPECT_EQ(edges_of(load_text(backwards).graph), edges_of(graph));
  }
}

TEST(EdgeList, RangeMakesEveryIdUpToTheLargestAVertex) {
  ReadOptions options;
  options.vertices = VertexRule::Range;
  EXPECT_EQ(load_text("2 5\n", options).graph.vertex_count, 6u);
  EXPECT_EQ(load_text("2 5\n").graph.vertex_count, 2u);
}

TEST(EdgeList, SnapCommentAddsIsolatedVerticesWhereItFits) {
  const auto loaded = load_text("# Nodes: 6 Edges: 2\n0\t1\n1\t3\n");
  EXPECT_EQ(loaded.graph.vertex_count, 6u);
  EXPECT_EQ(loaded.report.isolated_vertices, 3u);
  EXPECT_EQ(load_text("# Nodes: 3\n1 2\n2 3\n").graph.ids.base(), 1u);
  const auto misfit = load_text("# Nodes: 4\n0 1\n1 9\n");
  EXPECT_EQ(misfit.graph.vertex_count, 3u);
  EXPECT_EQ(misfit.report.notes.size(), 1u);
  EXPECT_EQ(load_text("# Nodes: 4000000000\n0 1\n").graph.vertex_count, 2u);
}

TEST(EdgeList, RefusesCountsThatAreNotMet) {
  expect_text_refused("# Nodes: 6 Edges: 3\n0\t1\n1\t3\n", "graph:1",
                      "declares 3 edges, the file holds 2");
  expect_text_refused("# Nodes: 3 Edges: 99999999999999999999\n0\t1\n1\t2\n", "graph:1",
                      "the file holds 2");
  expect_text_refused("# Nodes: 3 Edges: 2,000\n0\t1\n1\t2\n", "graph:1", "declares 2000 edges");
  EXPECT_EQ(load_text("# Nodes: 1,006, Edges: 2,\n0\t1\n1\t3\n").graph.vertex_count, 1006u);
  expect_text_refused("# a title\n# Nodes: 6 Edges: 1\n0\t1\n1\t3\n", "graph:2",
                      "declares 1 edges, the file holds 2");
  expect_text_refused("# Nodes: 3 Edges: 2 Ids from: 0\n", "graph:1", "the file holds 0");
  expect_text_refused("# Nodes: 2\n0 1\n1 3\n", "graph:1", "declares 2 vertices, 3 appear");
  ReadOptions seen;
  seen.vertices = VertexRule::Seen;
  EXPECT_EQ(load_text("# Nodes: 2\n0 1\n1 3\n", seen).graph.vertex_count, 3u);
  EXPECT_EQ(load_text("# UndirectedEdges: 7, Edges: 7.5, Edges: of a kind\n0 1\n").graph.edge_count,
            1u);
}

TEST(EdgeList, ALastLineWithoutItsEndIsReportedAndRefusedByStrict) {
  const auto cut = load_text("0 1 5\n1 2 6");
  ASSERT_EQ(cut.report.notes.size(), 1u);
  EXPECT_NE(cut.report.notes[0].find("graph:2) has no line end"), std::string::npos);
  EXPECT_TRUE(load_text("0 1 5\n1 2 6\n").report.notes.empty());
  EXPECT_TRUE(load_text("0 1 5").report.notes.empty());  // nothing else shows how lines end
  ReadOptions strict;
  strict.strict = true;
  EXPECT_NO_THROW(load_text("0 1 5\n1 2 6\n", strict));
  for (const char* text :
       {"0 1 5\n1 2 6", "0 1 5\r\n1 2 6\r", "0 1 5\r1 2 6", "4 3\n2 3 4\n1\n1\n1",
        "% asym positive\n1 2", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2",
        "p sp 2 1\na 1 2 3", "p tw 2 1\n1 2"})
    expect_text_refused(text, "", "the last line has no line end", strict);
}

TEST(EdgeList, RefusesBadLinesWithTheirNumber) {
  expect_text_refused("0 1\n1 2\n2 x\n", "graph:3", "expected a whole number, found 'x'");
  expect_text_refused("0 1\n-1 2\n", "graph:2", "negative");
  expect_text_refused("0 1\n1 18446744073709551616\n", "graph:2", "does not fit 64 bits");
  expect_text_refused("0 1\n1\n0 2\n", "graph:2", "found the end of the line");
  expect_text_refused("0 1 2\n1 1\n0 2 3\n", "graph:2",
                      "expected a weight, found the end of the line", as(Format::EdgeList));
  expect_text_refused("0 1\n0 2 3\n0 3\n", "graph:2", "end of the line, found '3'");
  expect_text_refused("0 1.5\n0 2\n", "graph:1", "whole number");
  expect_text_refused("0 1 nan\n", "graph:1", "NaN");
  expect_text_refused("0 1 2\n0 2 inf\n", "graph:2", "infinite");
  expect_text_refused("0 1 2\n0 2 1e999\n", "graph:2", "out of the range");
  expect_text_refused("0 1 2\n0 2 9223372036854775808\n", "graph:2",
                      "does not fit a 64-bit integer");
  expect_text_refused("0 1 2\n0 2 0x10\n", "graph:2", "expected a weight");
  expect_text_refused("0 1 2\n0 2 1.5.5\n", "graph:2", "expected a weight");
  expect_text_refused("a,b\n", "graph:1", "no column is named source");
}

TEST(EdgeList, RefusesWithTheRightLineFarIntoAFile) {
  std::string text;
  for (int i = 0; i < 3000000; ++i) text += "17 23\n";  // above one block
  text += "17 oops\n";
  expect_text_refused(text, "graph:3000001", "found 'oops'");
}

TEST(EdgeList, ReadsLinesThatCrossBlocks) {
  std::string text;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 2500000; ++i) {
    text +=
        std::to_string(i % 1000) + " " + std::to_string(i % 777) + " " + std::to_string(i) + "\n";
    sum += i;
  }
  const Graph graph = load_text(text).graph;
  EXPECT_EQ(graph.edge_count, 2500000u);
  std::uint64_t found = 0;
  for (const std::int64_t weight : std::get<Array<std::int64_t>>(graph.out.weights)) {
    found += static_cast<std::uint64_t>(weight);
  }
  EXPECT_EQ(found, sum);
}

TEST(AdjacencyLines, KeepsVerticesWithoutALineOrEdges) {
  const auto [graph, report] = load_text("1 2 3\n2 3 4 5\n7\n9 10");
  EXPECT_EQ(report.format, Format::Adjacency);
  EXPECT_EQ(edges_of(graph),
            (Edges{{1, 2, 1}, {1, 3, 1}, {2, 3, 1}, {2, 4, 1}, {2, 5, 1}, {9, 10, 1}}));
  EXPECT_EQ(graph.vertex_count, 8u);
  EXPECT_EQ(report.isolated_vertices, 1u);
}

TEST(Dimacs, ReadsArcs) {
  const auto [graph, report] = load_text("c text\np sp 4 2\nc more\na 1 3 10\na 3 2 20\n");
  EXPECT_EQ(report.format, Format::Dimacs);
  EXPECT_EQ(graph.vertex_count, 4u);
  EXPECT_EQ(edges_of(graph), (Edges{{1, 3, 10}, {3, 2, 20}}));
  EXPECT_EQ(report.isolated_vertices, 1u);
  EXPECT_EQ(report.index_base, 1);
}

TEST(Dimacs, RefusesLies) {
  expect_text_refused("p sp 4 3\na 1 3 10\na 3 2 20\n", "graph:1",
                      "declares 3 arcs, the file holds 2");
  expect_text_refused("p sp 4 1\na 1 3 10\na 3 2 20\n", "graph:1",
                      "declares 1 arcs, the file holds 2");
  expect_text_refused("p sp 4 1\na 1 5 10\n", "graph:2", "vertex 5 is out of range");
  expect_text_refused("p sp 4 1\na 0 1 10\n", "graph:2", "vertex 0 is out of range");
  expect_text_refused("p sp 4 1\na 1 2\n", "graph:2", "expected a weight");
  expect_text_refused("p sp 4 1\nb 1 2\n", "graph:2", "expected 'a SOURCE TARGET WEIGHT'");
  expect_text_refused("p sp 4 1\np sp 4 1\n", "graph:2", "second problem line");
  expect_text_refused("p sp 4\n", "graph:1", "number of edges");
  expect_text_refused("p sp 1152921504606846976 1\na 1 2 3\n", "graph:1", "at most 4294967294");
  expect_text_refused("p sp 4000000000 1\na 1 2 3\n", "graph:1", "--max-vertices 4000000000");
  expect_text_refused("c nothing\n", "graph", "expected 'p sp VERTICES ARCS'", as(Format::Dimacs));
}

TEST(Pace, IsUndirected) {
  const auto [graph, report] = load_text("c x\np tw 4 2\n1 2\n3 2\n");
  EXPECT_EQ(report.format, Format::Pace);
  EXPECT_TRUE(graph.symmetric);
  EXPECT_EQ(edges_of(graph), (Edges{{1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {3, 2, 1}}));
  expect_text_refused("p tw 4 2\n1 2\n", "graph:1", "declares 2 edges, the file holds 1");
  expect_text_refused("p tw 4 1\n1 2 7\n", "graph:2", "end of the line");
}

TEST(MatrixMarket, ReadsItsFieldsAndSymmetries) {
  const auto general =
      load_text("%%MatrixMarket matrix coordinate real general\n% c\n\n3 3 2\n1 2 5\n3 1 0.25\n");
  EXPECT_EQ(general.report.format, Format::MatrixMarket);
  EXPECT_EQ(edges_of(general.graph), (Edges{{1, 2, 5}, {3, 1, 0.25}}));
  EXPECT_TRUE(std::holds_alternative<Array<double>>(
      load_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 5\n")
          .graph.out.weights));
  const Graph symmetric =
      load_text("%%matrixmarket MATRIX Coordinate pattern Symmetric\n3 3 2\n2 1\n3 3\n").graph;
  EXPECT_TRUE(symmetric.symmetric);
  EXPECT_EQ(edges_of(symmetric), (Edges{{1, 2, 1}, {2, 1, 1}, {3, 3, 1}}));
  const Graph skew =
      load_text("%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 5\n").graph;
  EXPECT_FALSE(skew.symmetric);
  EXPECT_EQ(edges_of(skew), (Edges{{1, 2, -5}, {2, 1, 5}}));
}

TEST(MatrixMarket, RefusesWhatIsNoGraph) {
  const std::string banner = "%%MatrixMarket matrix coordinate integer general\n";
  expect_text_refused("%%MatrixMarket matrix array real general\n2 2\n1\n", "graph:1",
                      "layout 'array'");
  expect_text_refused("%%MatrixMarket matrix coordinate complex general\n2 2 0\n", "graph:1",
                      "field 'complex'");
  expect_text_refused("%%MatrixMarket matrix coordinate real hermitian\n2 2 0\n", "graph:1",
                      "symmetry 'hermitian'");
  expect_text_refused("%%MatrixMarket vector coordinate real general\n2 2 0\n", "graph:1",
                      "'vector' is not a graph");
  expect_text_refused(banner + "2 3 1\n1 1 1\n", "graph:2", "must be square");
  expect_text_refused(banner + "2 2 2\n1 1 1\n", "graph:2", "declares 2 entries, the file holds 1");
  expect_text_refused(banner + "2 2 1\n1 1 0.5\n", "graph:3", "a fraction in a matrix of integers");
  expect_text_refused(banner + "2 2 1\n1 3 1\n", "graph:3", "out of range");
  expect_text_refused(banner, "graph:1", "before the line with the sizes");
  expect_text_refused(banner + "99999999999 99999999999 1\n1 1 1\n", "graph:2", "at most");
  expect_text_refused("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n1 1 1\n",
                      "graph:3", "diagonal");
}

TEST(Metis, ReadsPlainAndWeighted) {
  const auto [graph, report] = load_text("% c\n5 4\n2 3 4\n1 3\n1 2\n1\n\n");
  EXPECT_EQ(report.format, Format::Metis);
  EXPECT_TRUE(graph.symmetric);
  EXPECT_EQ(graph.vertex_count, 5u);
  EXPECT_EQ(
      edges_of(graph),
      (Edges{
          {1, 2, 1}, {1, 3, 1}, {1, 4, 1}, {2, 1, 1}, {2, 3, 1}, {3, 1, 1}, {3, 2, 1}, {4, 1, 1}}));
  const Graph weighted = load_text("3 2 111 2\n9 7 7 2 5 3 6\n9 7 7 1 5\n9 7 7 1 6\n").graph;
  EXPECT_EQ(edges_of(weighted), (Edges{{1, 2, 5}, {1, 3, 6}, {2, 1, 5}, {3, 1, 6}}));
}

TEST(Metis, NumbersRowsAcrossBlocksAndThreads) {
  constexpr int kVertices = 400000;  // about 5 MB: several parts, each counting its own rows
  std::string text = std::to_string(kVertices) + " " + std::to_string(kVertices - 1) + "\n";
  for (int v = 1; v <= kVertices; ++v) {
    if (v % 1000 == 0) text += "% a comment is no row\n";
    if (v > 1) text += std::to_string(v - 1) + " ";
    if (v < kVertices) text += std::to_string(v + 1);
    text += "\n";
  }
  const Graph graph = load_text(text, as(Format::Metis)).graph;
  ASSERT_EQ(graph.edge_count, 2u * (kVertices - 1));
  for (Vertex v = 1; v + 1 < kVertices; ++v) {
    ASSERT_EQ(graph.out.neighbours(v)[0], v - 1);
    ASSERT_EQ(graph.out.neighbours(v)[1], v + 1);
  }
}

TEST(Metis, RefusesLies) {
  const ReadOptions metis = as(Format::Metis);
  expect_text_refused("3 2\n2 3\n1\n", "graph:1", "declares 2 edges", metis);
  expect_text_refused("5 1\n2\n1\n", "graph:1", "holds lines for 2", metis);
  expect_text_refused("2 2\n2\n1\n1 2\n", "graph:1", "holds lines for more", metis);
  expect_text_refused("2 1\n2\n3\n", "graph:3", "vertex 3 is out of range", metis);
  expect_text_refused("3 1\n2 3\n\n\n", "graph:2", "has no reverse edge", metis);
  expect_text_refused("3 1 2\n2\n1\n\n", "graph:1", "digits 0 and 1", metis);
  expect_text_refused("", "graph", "expected 'VERTICES EDGES'", metis);
}

TEST(Konect, ReadsItsHeaderAndTimes) {
  const auto directed =
      load_text("% asym posweighted\n% 3 5 5\n1 2 7 1082040961\n2 1 3 1082155839\n4 1 2 0.5\n");
  EXPECT_EQ(directed.report.format, Format::Konect);
  EXPECT_EQ(edges_of(directed.graph), (Edges{{1, 2, 7}, {2, 1, 3}, {4, 1, 2}}));
  EXPECT_EQ(directed.graph.vertex_count, 5u);
  EXPECT_EQ(directed.report.edges_declared, 3u);
  const Graph undirected = load_text("% sym unweighted\n1 2\n2 3\n").graph;
  EXPECT_TRUE(undirected.symmetric);
  EXPECT_FALSE(undirected.has_weights());
  EXPECT_EQ(undirected.edge_count, 4u);
  EXPECT_FALSE(load_text("% sym unweighted\n1 2 1 77\n2 3 1 78\n").graph.has_weights());
}

TEST(Konect, KeepsTheSidesOfBipartiteGraphsApart) {
  for (const char* text :
       {"% bip unweighted\n% 3 2 3\n1 1\n2 1\n2 3\n", "% bip unweighted\n1 1\n2 1\n2 3\n"}) {
    const auto loaded = load_text(text);
    EXPECT_EQ(loaded.graph.vertex_count, 5u);
    EXPECT_TRUE(loaded.graph.symmetric);
    EXPECT_EQ(edges_of(loaded.graph),
              (Edges{{1, 3, 1}, {2, 3, 1}, {2, 5, 1}, {3, 1, 1}, {3, 2, 1}, {5, 2, 1}}));
    EXPECT_FALSE(loaded.report.notes.empty());
  }
}

TEST(Konect, RefusesLies) {
  expect_text_refused("% sym unweighted\n% 3 3 3\n1 2\n2 3\n", "graph:2",
                      "declares 3 edges, the file holds 2");
  expect_text_refused("% sym unweighted\n% 2 2 2\n1 2\n2 3\n", "graph:4", "out of range");
  expect_text_refused("% bip unweighted\n% 2 2 1\n1 1\n2 2\n", "graph:4", "out of range");
  expect_text_refused("% sym unweighted\n1 2 5\n", "graph:2", "no weights");
  expect_text_refused("% sym weighted\n1 2 5 soon\n", "graph:2", "expected a time");
  expect_text_refused("% sym weighted\n1 2 5\n1 3\n", "graph:3", "expected a weight");
  expect_text_refused("% sym weighted\n1 2 5 6 7\n", "graph:2", "5 columns");
  expect_text_refused("% sym weighted\n0 2 5\n", "graph:2", "out of range");
  expect_text_refused("% sym weighted\n", "graph", "holds no edges");
}

TEST(Graphalytics, JoinsTheTwoFiles) {
  const test::Folder folder;
  folder.write("g.v", "30\n10 5\n\n20");
  folder.write("g.e", "10 30 0.5\n30 10 0.25");
  for (const char* name : {"g", "g.v", "g.e"}) {
    const auto [graph, report] = load_graph(folder / name);
    EXPECT_EQ(report.format, Format::Graphalytics);
    EXPECT_EQ(edges_of(graph), (Edges{{10, 30, 0.5}, {30, 10, 0.25}}));
    EXPECT_EQ(report.isolated_vertices, 1u);
  }
}

TEST(Graphalytics, RefusesUnlistedAndRepeatedVertices) {
  const test::Folder folder;
  folder.write("g.v", "1\n2\n");
  folder.write("g.e", "1 2\n2 1\n1 3\n");
  test::expect_refused([&] { load_graph(folder / "g"); }, "g.e:3", "vertex 3 is not listed");
  folder.write("g.v", "1\n2\n1\n");
  test::expect_refused([&] { load_graph(folder / "g"); }, "g.v", "vertex 1 is listed twice");
  folder.write("g.v", "1\n2\n");
  folder.write("g.e", "");
  EXPECT_EQ(load_graph(folder / "g").graph.edge_count, 0u);
}

TEST(ReadPolicies, UndirectedTakesAnEdgeInBothOrdersOnce) {
  ReadOptions options;
  options.direction = Direction::Undirected;
  const auto [graph, report] = load_text("1 2 5\n2 1 5\n2 3 6\n3 3 1\n", options);
  EXPECT_TRUE(graph.symmetric);
  EXPECT_EQ(edges_of(graph), (Edges{{1, 2, 5}, {2, 1, 5}, {2, 3, 6}, {3, 2, 6}, {3, 3, 1}}));
  EXPECT_EQ(report.reverse_edges_added, 1u);
}

TEST(ReadPolicies, DirectedRefusesAnUndirectedFile) {
  ReadOptions options;
  options.direction = Direction::Directed;
  expect_text_refused("p tw 2 1\n1 2\n", "graph", "undirected", options);
}

TEST(ReadPolicies, NothingIsChangedUnlessAsked) {
  const auto [graph, report] = load_text("1 1 1\n1 2 5\n1 2 3\n");
  EXPECT_EQ(graph.edge_count, 3u);
  EXPECT_EQ(report.self_loops, 1u);
  EXPECT_EQ(report.duplicates, 1u);
  EXPECT_EQ(report.self_loops_dropped + report.duplicates_merged, 0u);
}

TEST(ReadPolicies, StrictNamesTheFirstEdgeItWouldChange) {
  ReadOptions options;
  options.strict = true;
  options.self_loops = SelfLoopPolicy::Drop;
  expect_text_refused("1 2 1\n5 5 1\n", "graph:2", "the edge 5 -> 5 is a self loop", options);
  options.self_loops = SelfLoopPolicy::Keep;
  options.duplicates = DuplicatePolicy::Min;
  expect_text_refused("1 2 1\n5 5 1\n1 2 4\n", "graph:3", "the edge 1 -> 2 is a duplicate",
                      options);
  options.duplicates = DuplicatePolicy::Keep;
  options.symmetrize = true;
  expect_text_refused("1 2 1\n2 1 1\n2 3 1\n", "graph:3", "the edge 2 -> 3 has no reverse",
                      options);
  options.symmetrize = false;
  EXPECT_EQ(load_text("1 2 1\n5 5 1\n1 2 4\n", options).graph.edge_count, 3u);
}

TEST(ReadPolicies, WeightsCanBeIgnored) {
  ReadOptions options;
  options.ignore_weights = true;
  const auto [graph, report] = load_text("1 2 7\n", options);
  EXPECT_FALSE(graph.has_weights());
  EXPECT_TRUE(report.weights_ignored);
}

TEST(ReadPolicies, MaxVerticesLiftsTheLimitOnHeaders) {
  ReadOptions options;
  options.max_vertices = 5000000;
  EXPECT_EQ(load_text("p sp 5000000 1\na 1 2 3\n", options).graph.vertex_count, 5000000u);
  expect_text_refused("p sp 5000001 1\na 1 2 3\n", "graph:1", "--max-vertices", options);
}

}  // namespace
}  // namespace vertigo::graph
