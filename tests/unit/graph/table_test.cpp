// CSV, TSV, and edge lists whose vertices are named by text.

#include "support.h"

namespace vertigo::graph {
namespace {

using test::expect_text_refused;
using test::load_text;
using test::named_edges_of;
using test::NamedEdge;
using Edges = std::vector<NamedEdge>;

ReadOptions csv(std::vector<std::string> columns = {}) {
  ReadOptions options = test::as(Format::Csv);
  options.columns = std::move(columns);
  return options;
}

ReadOptions text_of(Format format) {
  ReadOptions options = test::as(format);
  options.ids = IdKind::Text;
  return options;
}

Edges csv_edges(std::string_view content, const ReadOptions& options = csv()) {
  return named_edges_of(load_text(content, options).graph);
}

TEST(Csv, TakesColumnsByUsualNames) {
  const Edges expected = {{"1", "2", 5}, {"2", "3", 6}};
  EXPECT_EQ(csv_edges("source,target,weight\n1,2,5\n2,3,6\n"), expected);
  EXPECT_EQ(csv_edges("w,to,from\n5,2,1\n6,3,2\n"), expected);
  EXPECT_EQ(csv_edges("Id,Source_ID,Value,Dst\r\n7,1,5,2\r\n8,2,6,3\r\n"), expected);
  EXPECT_EQ(csv_edges("src;dst;w\n1;2;5\n2;3;6"), expected);
  EXPECT_EQ(csv_edges("u\tv\tw\n1\t2\t5\n2\t3\t6\n", test::as(Format::Tsv)), expected);
  EXPECT_EQ(csv_edges("  from , to ,weight\n 1 , 2 ,5\n\n2,3, 6 \n"), expected);
  EXPECT_EQ(csv_edges("source,target\n1,2\n2,3\n"), (Edges{{"1", "2", 1}, {"2", "3", 1}}));
}

TEST(Csv, TakesColumnsThatAreNamed) {
  const std::string text = "a,b,price,from\n1,2,5,x\n2,3,6,y\n";
  const LoadedGraph loaded = load_text(text, csv({"a", "b", "price"}));
  EXPECT_EQ(named_edges_of(loaded.graph), (Edges{{"1", "2", 5}, {"2", "3", 6}}));
  EXPECT_EQ(loaded.report.columns_used, (std::vector<std::string>{"a", "b", "price"}));
  EXPECT_EQ(loaded.report.columns_unused, (std::vector<std::string>{"from"}));
  EXPECT_NE(to_text(loaded.report).find("read 'a', 'b', 'price'; not used 'from'"),
            std::string::npos);
  EXPECT_EQ(csv_edges("source,target,cost\n1,2,5\n", csv({"cost"})), (Edges{{"1", "2", 5}}));
  expect_text_refused(text, "graph:1", "did you mean 'price'?", csv({"a", "b", "prize"}));
  expect_text_refused(text, "graph:1", "'a', 'b', 'price', 'from'", csv({"a", "zzzz"}));
  // What an edge holds is no name to suggest.
  expect_text_refused("8,9\n9,8\n", "graph:1",
                      "no column is named 'a'; there are '8', '9'; where this line is an edge, "
                      "columns are numbers from 1",
                      csv({"a", "b"}));
  expect_text_refused("a,b,2019\n1,2,3\n", "graph:1", "there are 'a', 'b', '2019'",
                      csv({"a", "b", "x019"}));
  expect_text_refused("a,b,a\n1,2,3\n", "graph:1", "two columns are named 'a'", csv({"a", "b"}));
}

TEST(Csv, ReadsNumbersAndEdgesWithoutAHeader) {
  EXPECT_EQ(csv_edges("1,2\n2,3\n"), (Edges{{"1", "2", 1}, {"2", "3", 1}}));
  EXPECT_EQ(csv_edges("1,2,0.5\n2,3,6\n"), (Edges{{"1", "2", 0.5}, {"2", "3", 6}}));
  EXPECT_EQ(csv_edges("Ulm,Bonn,500\nBonn,Ulm,510\n"),
            (Edges{{"Bonn", "Ulm", 510}, {"Ulm", "Bonn", 500}}));
  EXPECT_EQ(csv_edges("x,Ulm,Bonn,5\ny,Bonn,Ulm,6\n", csv({"2", "3", "4"})),
            (Edges{{"Bonn", "Ulm", 6}, {"Ulm", "Bonn", 5}}));
}

TEST(Csv, KeepsWhatQuotesHold) {
  const LoadedGraph loaded = load_text(
      "source,target,weight,note\n"
      "\"Washington, DC\",\"New \"\"York\"\"\",1,\"two\nlines, and \"\"quotes\"\"\"\n"
      "\"a\nb\" , \"\"\"\" ,2,\n",
      csv());
  EXPECT_EQ(named_edges_of(loaded.graph),
            (Edges{{"Washington, DC", "New \"York\"", 1}, {"a\nb", "\"", 2}}));
  EXPECT_EQ(loaded.report.edges_read, 2u);
}

TEST(Csv, RefusesWhatIsAmbiguous) {
  expect_text_refused("Ulm,Bonn\nBonn,Ulm\n", "graph:1", "--columns", csv());
  expect_text_refused("a,b,c\n1,2,3\n", "graph:1", "no column is named source", csv());
  expect_text_refused("from,b\n1,2\n", "graph:1", "none for the target", csv());
  expect_text_refused("from,source,to\n1,2,3\n", "graph:1", "could both be the source", csv());
  expect_text_refused("from,to,w,value\n1,2,3,4\n", "graph:1", "could both be the weight", csv());
  expect_text_refused("1,2,3,4\n", "graph:1", "4 columns without names", csv());
  expect_text_refused("u,v\nv,w\n", "graph:2", "named like a column", csv());
  expect_text_refused("a,b,c\n1,2,3\n", "graph:1", "looks like one", csv({"1", "2", "3"}));
  expect_text_refused("a,b\n1,2\n", "graph:1", "--ids text", csv({"1", "2"}));
  expect_text_refused("source,target\n01234,5\n", "graph:2", "--ids text", csv());
  expect_text_refused("source,target\n1.0,2.0\n", "graph:2", "--ids text", csv());
}

TEST(Csv, RefusesBrokenRecordsWithTheirLine) {
  expect_text_refused("source,target,weight\n1,2,3\n1,2\n", "graph:3",
                      "2 columns, where the first line has 3", csv());
  expect_text_refused("source,target\n1,2\n1,2,3\n", "graph:3", "3 columns", csv());
  expect_text_refused("source,target,weight\n1,2,\n", "graph:2", "weight is missing", csv());
  expect_text_refused("source,target,weight\n1,,3\n", "graph:2", "id is missing", csv());
  expect_text_refused("source,target,weight\n1,2,x\n", "graph:2", "expected a weight", csv());
  expect_text_refused("source,target,weight\n1,2,nan\n", "graph:2", "NaN", csv());
  expect_text_refused("source,target\n1,2\n2,x\n", "graph:3", "found 'x'; --ids text", csv());
  expect_text_refused("source,target\n1,-2\n", "graph:2", "'-2'", csv());
  expect_text_refused("source,target\n1,18446744073709551616\n", "graph:2", "below 2^64", csv());
  expect_text_refused("source,target\n\"a\",\"b\n\"c\",d\n", "graph:2", "quote", csv());
  expect_text_refused("source,target\na,b\n\"c,d\n", "graph:3", "not closed", csv());
  expect_text_refused("source,target\na,b\"c\n", "graph:2", "inside of a field", csv());
  expect_text_refused("source,target\n\"a\"b,c\n", "graph:2", "behind the closing quote", csv());
  expect_text_refused("source,target\na,b\rc,d\n", "graph:2", "carriage return", csv());
  expect_text_refused("source,target\na,\xff\n", "graph:2", "is not UTF-8", csv());
  expect_text_refused("source,target\na,b\x01\n", "graph:2", "control character", csv());
  expect_text_refused("source,target\n", "graph", "holds no edges", csv());
  expect_text_refused("just one column\n", "graph:1", "one column", csv());
}

TEST(Csv, CountsLinesInsideOfQuotes) {
  std::string text = "source,target,note\n";
  for (int i = 0; i < 100000; ++i) text += "1,2,\"one\ntwo, \"\"three\"\"\"\n";
  test::expect_refused([&] { load_text(text + "1,x,\n", csv()); }, "graph:200002", "found 'x'");
  EXPECT_EQ(load_text(text, csv()).report.edges_read, 100000u);
}

// Blocks of the file end at any byte of a record.
TEST(Csv, JoinsRecordsAcrossBlocks) {
  std::string text = "source,target,note\n";
  const std::string note(500, '\n');
  std::uint64_t records = 0;
  for (; text.size() < (std::size_t{40} << 20); ++records) {
    text += "a" + std::to_string(records % 1000) + ",b,\"" + note + "\"\n";
  }
  const LoadedGraph loaded = load_text(text, csv());
  EXPECT_EQ(loaded.report.edges_read, records);
  EXPECT_EQ(loaded.graph.vertex_count, 1001u);
  test::expect_refused([&] { load_text(text + "a,\"b\n\n", csv()); },
                       "graph:" + std::to_string(501 * records + 2), "not closed");
}

TEST(Csv, BoundsColumnsAndQuotes) {
  std::string wide(1000000, ',');
  test::expect_refused([&] { load_text(wide + "\n1,2\n", csv()); }, "graph:1",
                       "more than 4096 columns");
  const std::string open = "source,target\n1,\"2" + std::string(std::size_t{20} << 20, '\n');
  test::expect_refused([&] { load_text(open, csv()); }, "graph:2",
                       "not closed, or not within 1 MiB");
  const std::string name(65536, 'x');
  test::expect_refused([&] { load_text("source,target\na," + name + "\n", csv()); }, "graph:2",
                       "longer than 65535");
}

TEST(TextIds, AreOrderedByTheirBytes) {
  const LoadedGraph loaded =
      load_text("source,target\nZ\xC3\xBCrich,b\nb,a\nB,10\n10,9\n\xF0\x9F\x98\x80,a\n", csv());
  const IdMap& ids = loaded.graph.ids;
  ASSERT_TRUE(ids.is_text());
  std::vector<std::string> order;
  for (Vertex v = 0; v < loaded.graph.vertex_count; ++v) order.push_back(ids.label(v));
  EXPECT_EQ(order, (std::vector<std::string>{"10", "9", "B", "Z\xC3\xBCrich", "a", "b",
                                             "\xF0\x9F\x98\x80"}));
  EXPECT_EQ(ids.find("a"), 4u);
  EXPECT_EQ(ids.find("c"), std::nullopt);
  EXPECT_TRUE(loaded.report.text_ids);
  EXPECT_NE(to_text(loaded.report).find("ids '10' to '\xF0\x9F\x98\x80' (text"), std::string::npos);
}

TEST(TextIds, StandInEdgeLists) {
  const Edges expected = {{"Bonn", "Ulm", 2}, {"Ulm", "Bonn", 1}};
  EXPECT_EQ(named_edges_of(load_text("# cities\nUlm Bonn 1\n\n# more\nBonn\tUlm  2\r\n",
                                     test::as(Format::EdgeList))
                               .graph),
            expected);
  EXPECT_EQ(named_edges_of(load_text("source target weight\nUlm Bonn 1\nBonn Ulm 2\n",
                                     test::as(Format::EdgeList))
                               .graph),
            expected);
  EXPECT_EQ(
      named_edges_of(load_text("\"New York\" \"a\"\"b\"\n", test::as(Format::EdgeList)).graph),
      (Edges{{"New York", "a\"b", 1}}));
  EXPECT_EQ(named_edges_of(load_text("1 2\n10 007\n", text_of(Format::EdgeList)).graph),
            (Edges{{"1", "2", 1}, {"10", "007", 1}}));
  EXPECT_EQ(named_edges_of(load_text("u v\nv w\n", test::as(Format::EdgeList)).graph),
            (Edges{{"u", "v", 1}, {"v", "w", 1}}));
  const ReadOptions list = test::as(Format::EdgeList);
  expect_text_refused("one two\n1 2\n", "graph:1", "a line of words", list);
  expect_text_refused("x 1\n1 2\n", "graph:1", "--ids text", list);
  expect_text_refused("a b\nb\n", "graph:2", "1 column, where", list);
  expect_text_refused("a b 1\nb c\n", "graph:2", "2 columns", list);
  expect_text_refused("a \"b\nc\" d\n", "graph:1", "not closed", list);
}

TEST(TextIds, AreRefusedWhereAFormatHasNumbersAlone) {
  const test::Folder folder;
  folder.write("g.v", "1\n2\n");
  const std::string edges = folder.write("g.e", "a b\n");
  test::expect_refused([&] { load_graph(edges); }, "g.e", "are numbers, not text");
  const std::string mtx = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
  ReadOptions options;
  options.ids = IdKind::Text;
  EXPECT_THROW(load_text(mtx, options), Error);
  EXPECT_THROW(load_graph("generate:path:5", options), Error);
  EXPECT_THROW(load_text(mtx, csv({"1", "2"})), Error);
  options = {};
  options.columns = {"2", "1"};
  EXPECT_THROW(load_text(mtx, options), Error);
  EXPECT_EQ(named_edges_of(load_text("1 2\n2 3\n", options).graph),
            (Edges{{"2", "1", 1}, {"3", "2", 1}}));
}

TEST(TextIds, DoNotHideThatAListWasCut) {
  const ReadOptions list = test::as(Format::EdgeList);
  expect_text_refused("# Nodes: 3 Edges: 3 Ids: text\na b\nb c\n", "graph:1", "declares 3 edges",
                      list);
  expect_text_refused("# Nodes: 2 Edges: 2 Ids: text\na b\nb c\n", "graph:1",
                      "declares 2 vertices, 3 appear", list);
  ReadOptions strict = csv();
  strict.strict = true;
  expect_text_refused("source,target\na,b\nb,c", "graph:3", "has no line end", strict);
  EXPECT_EQ(load_text("source,target\na,b\nb,c", csv()).report.notes.size(), 1u);
}

TEST(TextIds, AreFoundAgainForMessages) {
  LoadedGraph loaded = load_text("source,target,weight\nb,a,3\nc,b,4\na,c,-5\n", csv());
  Requirements requirements;
  requirements.non_negative_weights = true;
  const test::Folder folder;
  const std::string path = folder.write("g.csv", "source,target,weight\nb,a,3\nc,b,4\na,c,-5\n");
  loaded = load_graph(path, csv());
  test::expect_refused([&] { check_requirements(loaded, requirements, csv()); }, "g.csv:4",
                       "the edge a -> c has the negative weight -5");
}

TEST(TextIds, AreTheSameForAnyNumberOfParts) {
  std::string text = "source,target\n";
  for (std::uint64_t i = 0; i < 300000; ++i) {
    text +=
        "name-" + std::to_string(i * 7919 % 100003) + ",name-" + std::to_string(i % 1009) + "\n";
  }
  const Graph graph = load_text(text, csv()).graph;
  EXPECT_EQ(graph.vertex_count, 100003u);
  for (Vertex v = 0; v + 1 < graph.vertex_count; ++v) {
    ASSERT_LT(graph.ids.texts()[v], graph.ids.texts()[v + 1]);
  }
  for (const std::uint32_t i : {0u, 5u, 4711u, 100002u}) {
    const std::string name = "name-" + std::to_string(i);
    ASSERT_TRUE(graph.ids.find(name)) << name;
    EXPECT_EQ(graph.ids.label(*graph.ids.find(name)), name);
  }
}

}  // namespace
}  // namespace vertigo::graph
