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
        const Graph back = load_graph(path, options).graph;
        EXPECT_EQ(back.vertex_count, graph.vertex_count);
        EXPECT_EQ(fingerprint(back), fingerprint(graph));
        if (graph.edge_count > 0) {
          EXPECT_EQ(back.out.weights, graph.out.weights);
        }
        std::filesystem::remove(path);
        std::filesystem::remove(folder / ("g.v" + suffix));
      }
    }
  }
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
