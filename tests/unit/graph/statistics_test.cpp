#include "vertigo/graph/statistics.h"

#include <nlohmann/json.hpp>

#include "support.h"
#include "vertigo/graph/generate.h"

namespace vertigo::graph {
namespace {

TEST(Statistics, DescribeAStar) {
  Graph star = generate(parse_generator("star:101"));
  const Statistics statistics = compute_statistics(star);
  EXPECT_EQ(statistics.out.most, 100u);
  EXPECT_EQ(statistics.out.least, 1u);
  EXPECT_EQ(statistics.out.percentiles[0], 1u);
  EXPECT_DOUBLE_EQ(statistics.out.skew, 0.5);
  EXPECT_EQ(statistics.components, 1u);
  EXPECT_EQ(statistics.diameter_at_least, 2u);
  EXPECT_TRUE(statistics.symmetric);
}

TEST(Statistics, CountComponentsOfDirectedGraphs) {
  Graph graph = test::load_text("# Nodes: 7\n0 1\n2 1\n3 4\n").graph;
  const Statistics statistics = compute_statistics(graph);
  EXPECT_EQ(statistics.components, 4u);
  EXPECT_EQ(statistics.largest_component, 3u);
  EXPECT_EQ(statistics.isolated, 2u);
  EXPECT_EQ(statistics.diameter_at_least, 2u);
  EXPECT_FALSE(statistics.symmetric);
  EXPECT_EQ(weak_components(graph), (std::vector<Vertex>{0, 0, 0, 3, 3, 5, 6}));
}

TEST(Statistics, HandleGraphsWithoutVertices) {
  Graph graph = generate(parse_generator("empty:0"));
  const Statistics statistics = compute_statistics(graph);
  EXPECT_EQ(statistics.components, 0u);
  EXPECT_FALSE(to_text(statistics).empty());
  EXPECT_EQ(to_json(statistics)["components"], 0);
}

TEST(Statistics, KnowTheKarateClub) {
  Graph graph = load_graph(VERTIGO_SOURCE_ROOT "/tests/graphs/karate.mtx").graph;
  const Statistics statistics = compute_statistics(graph);
  EXPECT_EQ(graph.vertex_count, 34u);
  EXPECT_EQ(graph.edge_count, 156u);
  EXPECT_EQ(statistics.out.most, 17u);
  EXPECT_EQ(statistics.components, 1u);
  EXPECT_EQ(statistics.diameter_at_least, 5u);
}

}  // namespace
}  // namespace vertigo::graph
