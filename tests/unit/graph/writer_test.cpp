#include "vertigo/graph/writer.h"

#include <sstream>

#include "support.h"
#include "vertigo/graph/generate.h"

namespace vertigo::graph {
namespace {

using test::edges_of;

std::vector<std::string> write(const Graph& graph, const std::string& path) {
  WriteOptions options;
  options.format = *output_format_of(path);
  return write_graph(graph, path, options);
}

// Every ending, plain and compressed, of a weighted graph whose ids are those of the format.
TEST(Writer, RoundTripsEveryFormat) {
  const test::Folder folder;
  for (const char* expression : {"kron:8:4", "rmat:8:4", "path:5", "empty:4", "road:20x30"}) {
    Graph graph = generate(parse_generator(expression));
    convert_weights(graph, ScalarKind::Int64);  // as text is read
    for (const std::string ending :
         {".wel", ".mtx", ".gr", ".wsg", ".bel", ".graph", ".vgg", ".e"}) {
      if (ending == ".graph" && !graph.symmetric) continue;
      for (const std::string suffix : {"", ".gz", ".zst"}) {
        if (ending == ".vgg" && !suffix.empty()) continue;
        SCOPED_TRACE(expression + ending + suffix);
        const std::string path = folder / ("g" + ending + suffix);
        write(graph, path);
        ReadOptions options;
        if (ending == ".e" && graph.symmetric) options.direction = Direction::Undirected;
        if (ending == ".graph")
          options.format = Format::Metis;  // paths and cycles look like edge lists
        Graph back = load_graph(path, options).graph;
        EXPECT_EQ(back.vertex_count, graph.vertex_count);
        EXPECT_EQ(fingerprint(back), fingerprint(graph));
        if (graph.edge_count > 0) {
          // The format has 32 bits for a weight, and no more are kept.
          if (ending == ".wsg") convert_weights(back, ScalarKind::Int64);
          EXPECT_EQ(back.out.weights, graph.out.weights);
        }
        std::filesystem::remove(path);
        std::filesystem::remove(folder / ("g.v" + suffix));
      }
    }
  }
}

ReadOptions reading(const std::string& ending) {
  ReadOptions options;
  if (ending == ".csv") options.format = Format::Csv;
  if (ending == ".tsv") options.format = Format::Tsv;
  if (ending == ".graphml") options.format = Format::GraphMl;
  return options;
}

TEST(Writer, RoundTripsTablesAndGraphMl) {
  const test::Folder folder;
  for (const char* expression : {"kron:8:4", "rmat:8:4", "path:5", "road:20x30"}) {
    Graph graph = generate(parse_generator(expression));
    convert_weights(graph, ScalarKind::Int64);
    for (const std::string ending : {".csv", ".tsv", ".graphml"}) {
      for (const std::string suffix : {"", ".gz", ".zst"}) {
        SCOPED_TRACE(expression + ending + suffix);
        const std::string path = folder / ("g" + ending + suffix);
        write(graph, path);
        const Graph back = load_graph(path, reading(ending)).graph;
        EXPECT_EQ(test::edges_of(back), test::edges_of(graph));
        EXPECT_EQ(back.symmetric, ending == ".graphml" && graph.symmetric);
        std::filesystem::remove(path);
      }
    }
  }
}

// Ids that every format would take for something else.
TEST(Writer, RoundTripsIdsOfText) {
  const test::Folder folder;
  ReadOptions csv;
  csv.format = Format::Csv;
  const Graph graph =
      test::load_text(
          "source,target,weight\n\"New York\",\"a,b\",1\n12,none,2.5\n12,7,-3\n\"#x\",%y,4\n"
          "\"say \"\"hi\"\"\",<&>,5\n'q',0x10,6\nsource,u,7\nu,v,8\nZ\xC3\xBCrich,\"a;b\",9\n"
          "http://x/?a=1&b=2,007,10\nself,self,11\n12,7,12\n",
          csv)
          .graph;
  ASSERT_TRUE(graph.ids.is_text());
  for (const std::string ending : {".wel", ".csv", ".tsv", ".graphml", ".vgg"}) {
    SCOPED_TRACE(ending);
    EXPECT_EQ(write(graph, folder / ("g" + ending)).size(),
              ending[1] == 'g' || ending[1] == 'v' ? 0 : 1);
    ReadOptions options = reading(ending);
    if (ending == ".wel") options.format = Format::EdgeList;
    const Graph back = load_graph(folder / ("g" + ending), options).graph;
    EXPECT_EQ(test::named_edges_of(back), test::named_edges_of(graph));
  }
  for (const std::string ending : {".gr", ".mtx", ".wsg", ".e"}) {
    SCOPED_TRACE(ending);
    if (ending == ".wsg") continue;  // holds whole weights alone
    const auto notes = write(graph, folder / ("g" + ending));
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("numbered anew"), std::string::npos);
  }
}

TEST(Writer, KeepsLineEndsInIdsWhereItCan) {
  const test::Folder folder;
  ReadOptions csv;
  csv.format = Format::Csv;
  const Graph graph = test::load_text("source,target\n\"two\nlines\",\"a\tb\rc\"\n", csv).graph;
  for (const std::string ending : {".csv", ".tsv", ".graphml", ".vgg"}) {
    SCOPED_TRACE(ending);
    write(graph, folder / ("g" + ending));
    EXPECT_EQ(test::named_edges_of(load_graph(folder / ("g" + ending), reading(ending)).graph),
              test::named_edges_of(graph));
  }
  EXPECT_THROW(write(graph, folder / "g.el"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "g.el"));
}

TEST(Writer, RoundTripsFormatsWithoutWeights) {
  const test::Folder folder;
  Graph graph = generate(parse_generator("rmat:7:4"));
  graph.out.weights = std::monostate{};
  for (const std::string ending : {".el", ".sg", ".mtx", ".e", ".vgg"}) {
    SCOPED_TRACE(ending);
    write(graph, folder / ("g" + ending));
    const Graph back = load_graph(folder / ("g" + ending)).graph;
    EXPECT_EQ(back.vertex_count, graph.vertex_count);
    EXPECT_EQ(fingerprint(back), fingerprint(graph));
    EXPECT_FALSE(back.has_weights());
    std::filesystem::remove(folder / ("g" + ending));
  }
}

TEST(Writer, KeepsFractionsExactly) {
  const test::Folder folder;
  const Graph graph = test::load_text("1 2 0.1\n2 3 1e-300\n3 1 4.0\n").graph;
  for (const std::string ending : {".wel", ".mtx", ".gr", ".e"}) {
    write(graph, folder / ("f" + ending));
    EXPECT_EQ(load_graph(folder / ("f" + ending)).graph.out.weights, graph.out.weights) << ending;
    std::filesystem::remove(folder / ("f" + ending));
  }
}

TEST(Writer, KeepsIdsWhereTheFormatCan) {
  const test::Folder folder;
  const Graph graph = test::load_text("100 7 5\n7 9000000000 6\n").graph;
  for (const std::string ending : {".wel", ".e", ".vgg"}) {
    write(graph, folder / ("g" + ending));
    EXPECT_EQ(edges_of(load_graph(folder / ("g" + ending)).graph), edges_of(graph)) << ending;
    std::filesystem::remove(folder / ("g" + ending));
  }
  const auto notes = write(graph, folder / "g.gr");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("numbered anew"), std::string::npos);
}

TEST(Writer, RefusesWhatAFormatCannotHold) {
  const test::Folder folder;
  EXPECT_THROW(write(test::load_text("1 2\n").graph, folder / "g.graph"), Error);
  EXPECT_THROW(write(test::load_text("1 2 0.5\n").graph, folder / "g.bel"), Error);
  EXPECT_THROW(write(test::load_text("1 2 3000000000\n").graph, folder / "g.wsg"), Error);
  EXPECT_THROW(write(test::load_text("1 2 3\n").graph, folder / "missing/g.el"), Error);
  EXPECT_THROW(write(test::load_text("1 2 3\n").graph, folder / "g.vgg.zst"), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "."));
}

TEST(Writer, KnowsFormatsByEndingAndName) {
  EXPECT_EQ(output_format_of("a.el.zst"), OutputFormat::EdgeList);
  EXPECT_EQ(output_format_of("a.wsg"), OutputFormat::WeightedGap);
  EXPECT_EQ(output_format_of("a.doc"), std::nullopt);
  for (const std::string& name : output_format_names())
    EXPECT_TRUE(output_format_named(name)) << name;
  EXPECT_EQ(output_format_named("nonsense"), std::nullopt);
}

}  // namespace
}  // namespace vertigo::graph
