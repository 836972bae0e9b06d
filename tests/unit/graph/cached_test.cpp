#include <sstream>

#include "support.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/generate.h"
#include "vertigo/graph/prepare.h"

namespace vertigo::graph {
namespace {

using test::edges_of;

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string cached(Graph graph) {
  const test::Folder folder;
  write_cached(graph, folder / "g");
  return content_of(folder / "g");
}

TEST(Cached, KeepsEverything) {
  const test::Folder folder;
  Graph graph = test::load_text("100 7 0.5\n7 900 1.5\n100 7 2\n").graph;
  build_transpose(graph);
  write_cached(graph, folder / "g");
  const auto [back, report] = load_graph(folder / "g");
  EXPECT_EQ(report.format, Format::Cached);
  EXPECT_EQ(edges_of(back), edges_of(graph));
  ASSERT_TRUE(back.in_adjacency);
  EXPECT_EQ(back.in_adjacency->offsets, graph.in_adjacency->offsets);
  EXPECT_EQ(back.in_adjacency->targets, graph.in_adjacency->targets);
  EXPECT_EQ(back.in_adjacency->weights, graph.in_adjacency->weights);
}

Graph named_graph() {
  return test::load_text("source,target,weight\nUlm,\"New York\",5\nBonn,Ulm,6\n",
                         test::as(Format::Csv))
      .graph;
}

TEST(Cached, KeepsIdsThatAreText) {
  const test::Folder folder;
  Graph graph = named_graph();
  prepare(graph, Preparation::DegreeOrder);
  write_cached(graph, folder / "g");
  const auto [back, report] = load_graph(folder / "g");
  EXPECT_TRUE(report.text_ids);
  EXPECT_EQ(report.last_text, "Ulm");
  EXPECT_EQ(test::named_edges_of(back), test::named_edges_of(graph));
  // Only files with such ids need version 3.
  EXPECT_EQ(content_of(folder / "g")[12], 3);
  EXPECT_EQ(cached(generate(parse_generator("path:5")))[12], 1);
}

TEST(Cached, RefusesTextThatIsChangedCutOrOutOfOrder) {
  const std::string good = cached(named_graph());
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    SCOPED_TRACE(at);
    EXPECT_THROW(test::load_text(bad, test::as(Format::Cached)), Error);
    EXPECT_THROW(test::load_text(good.substr(0, at), test::as(Format::Cached)), Error);
  }
  Graph forged = named_graph();
  const std::string text = "UlmBonnNew York";
  forged.ids = IdMap::text(TextIds({text.begin(), text.end()}, {0, 3, 7, 15}));
  test::expect_refused([&] { test::load_text(cached(forged)); }, "", "the ids do not ascend");
  forged.ids = IdMap::text(TextIds({text.begin(), text.end()}, {0, 3, 3, 15}));
  test::expect_refused([&] { test::load_text(cached(forged)); }, "", "an id is empty");
}

TEST(Cached, KeepsEveryTypeOfWeights) {
  for (const ScalarKind kind : {ScalarKind::Int32, ScalarKind::Int64, ScalarKind::UInt32,
                                ScalarKind::UInt64, ScalarKind::Float32, ScalarKind::Float64}) {
    const test::Folder folder;
    Graph graph = generate(parse_generator("kron:6:4"));
    convert_weights(graph, kind);
    write_cached(graph, folder / "g");
    const Graph back = load_graph(folder / "g").graph;
    EXPECT_EQ(back.out.weights, graph.out.weights);
    EXPECT_TRUE(back.symmetric);
    EXPECT_EQ(fingerprint(back), fingerprint(graph));
  }
}

TEST(Cached, KeepsGraphsWithoutEdgesOrVertices) {
  const test::Folder folder;
  for (const char* expression : {"empty:0", "empty:5"}) {
    const Graph graph = generate(parse_generator(expression));
    write_cached(graph, folder / "g");
    EXPECT_EQ(load_graph(folder / "g").graph.vertex_count, graph.vertex_count);
  }
}

TEST(Cached, IsRefusedWhenAnyByteIsChanged) {
  Graph graph = test::load_text("100 7 5\n7 900 6\n100 900 7\n").graph;
  build_transpose(graph);
  const std::string good = cached(std::move(graph));
  ASSERT_NO_THROW(test::load_text(good));
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char flip : {'\x01', '\x80'}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      SCOPED_TRACE(at);
      EXPECT_THROW(test::load_text(bad, test::as(Format::Cached)), Error);
    }
  }
}

TEST(Cached, IsRefusedWhenCutOrExtended) {
  const std::string good = cached(generate(parse_generator("rmat:4:4")));
  for (std::size_t size = 0; size < good.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_THROW(test::load_text(good.substr(0, size), test::as(Format::Cached)), Error);
  }
  EXPECT_THROW(test::load_text(good + "x", test::as(Format::Cached)), Error);
}

TEST(Cached, SaysWhatIsDamaged) {
  std::string bad = cached(generate(parse_generator("rmat:4:4")));
  bad.back() = static_cast<char>(bad.back() ^ 1);
  try {
    test::load_text(bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("section 'weights' is damaged"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace vertigo::graph
