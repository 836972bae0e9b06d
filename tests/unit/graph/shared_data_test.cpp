// Facts about real graphs that independent programs established. The files are not part of the
// project: tests are skipped where VERTIGO_DATA, or shared/data beside the source tree, does not
// have them.

#include <cstdlib>

#include "support.h"
#include "vertigo/graph/statistics.h"

namespace vertigo::graph {
namespace {

std::string data(const std::string& name) {
  const char* folder = std::getenv("VERTIGO_DATA");
  const std::string root = folder != nullptr ? folder : VERTIGO_SOURCE_ROOT "/../shared/data";
  return root + "/" + name;
}

struct Fact {
  const char* file;
  std::uint64_t vertices;
  std::uint64_t edges_read;
  std::uint64_t self_loops;
  std::uint64_t components;
  std::uint64_t largest_component;
  std::uint64_t depth_from_lowest;
  std::uint64_t max_degree;
};

class SharedData : public testing::TestWithParam<Fact> {};

// The facts hold for the undirected graph without loops and duplicates.
TEST_P(SharedData, AgreesWithTheKnownFacts) {
  const Fact& fact = GetParam();
  const std::string path = data(fact.file);
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  ReadOptions options;
  options.direction = Direction::Undirected;
  options.self_loops = SelfLoopPolicy::Drop;
  options.duplicates = DuplicatePolicy::Min;
  auto [graph, report] = load_graph(path, options);
  EXPECT_EQ(report.vertices, fact.vertices);
  EXPECT_EQ(report.edges_read, fact.edges_read);
  EXPECT_EQ(report.self_loops, fact.self_loops);
  const Statistics statistics = compute_statistics(graph);
  EXPECT_EQ(statistics.components, fact.components);
  EXPECT_EQ(statistics.largest_component, fact.largest_component);
  EXPECT_EQ(statistics.out.most, fact.max_degree);
  EXPECT_EQ(undirected_sweep(graph, 0).depth, fact.depth_from_lowest);
}

INSTANTIATE_TEST_SUITE_P(
    Facts, SharedData,
    testing::Values(Fact{"cnr-2000.el.zst", 325557, 3216152, 87442, 1, 325557, 25, 18236},
                    Fact{"soc-Slashdot0902.txt.gz", 82168, 948464, 78303, 1, 82168, 8, 2552},
                    Fact{"p2p-31/p2p-31.e.zst", 62586, 147892, 0, 12, 62561, 8, 95},
                    Fact{"USA-road-d.NY.gr.zst", 264346, 730100, 0, 1, 264346, 619, 8},
                    Fact{"USA-road-NE.pace.gr.xz", 1524453, 1934010, 0, 1, 1524453, 1108, 9}));

TEST(SharedDataLdbc, AdjacencyLinesEqualThePair) {
  if (!std::filesystem::exists(data("ldbc/example"))) GTEST_SKIP();
  const LoadedGraph pair = load_graph(data("ldbc/example/example-directed.v"));
  const LoadedGraph lines = load_graph(data("ldbc/example/example-directed-input"));
  EXPECT_EQ(lines.report.format, Format::Adjacency);
  EXPECT_EQ(pair.graph.out.offsets, lines.graph.out.offsets);
  EXPECT_EQ(pair.graph.out.targets, lines.graph.out.targets);
  ReadOptions undirected;
  undirected.direction = Direction::Undirected;
  const LoadedGraph other = load_graph(data("ldbc/example/example-undirected"), undirected);
  const LoadedGraph both = load_graph(data("ldbc/example/example-undirected-input"), undirected);
  EXPECT_EQ(other.graph.out.targets, both.graph.out.targets);
  EXPECT_EQ(other.graph.ids.base(), 2u);
}

TEST(SharedDataLdbc, EveryInputIsRecognised) {
  if (!std::filesystem::exists(data("ldbc"))) GTEST_SKIP();
  for (const char* name : {"bfs", "cdlp", "ffm", "lcc", "pr", "wcc"}) {
    for (const char* kind : {"dir-input", "undir-input"}) {
      const LoadedGraph loaded = load_graph(data(std::string("ldbc/") + name + "/" + kind));
      EXPECT_EQ(loaded.report.format, Format::Adjacency) << name << kind;
    }
  }
  EXPECT_EQ(load_graph(data("ldbc/sssp/dir-input")).report.format, Format::Graphalytics);
}

}  // namespace
}  // namespace vertigo::graph
