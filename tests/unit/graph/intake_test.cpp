#include "vertigo/graph/intake.h"

#include <nlohmann/json.hpp>

#include "support.h"
#include "vertigo/graph/read_option_names.h"

namespace vertigo::graph {
namespace {

TEST(Intake, ReportsWhatWasFoundAndDone) {
  ReadOptions options;
  options.self_loops = SelfLoopPolicy::Drop;
  options.duplicates = DuplicatePolicy::Sum;
  const auto [graph, report] =
      test::load_text("p sp 5 4\na 1 1 9\na 1 2 -3\na 1 2 0\na 2 3 7\n", options);
  const nlohmann::json json = to_json(report);
  EXPECT_EQ(json["format"], "dimacs");
  EXPECT_EQ(json["vertices_declared"], 5);
  EXPECT_EQ(json["edges_declared"], 4);
  EXPECT_EQ(json["edges_read"], 4);
  EXPECT_EQ(json["edges"], 2);
  EXPECT_EQ(json["self_loops"], 1);
  EXPECT_EQ(json["self_loops_dropped"], 1);
  EXPECT_EQ(json["duplicates"], 1);
  EXPECT_EQ(json["duplicates_merged"], 1);
  EXPECT_EQ(json["isolated_vertices"], 2);
  EXPECT_EQ(json["index_base"], 1);
  EXPECT_EQ(json["weights"], "integer");
  EXPECT_EQ(json["smallest_weight"], -3);
  EXPECT_EQ(json["largest_weight"], 7);
  EXPECT_EQ(json["negative_weights"], 1);
  EXPECT_EQ(json["max_out_degree"], 1);
  const std::string text = to_text(report);
  EXPECT_NE(text.find("1 self loop dropped, 1 duplicate merged"), std::string::npos) << text;
  EXPECT_NE(text.find("integer, -3 to 7, 1 negative"), std::string::npos) << text;
}

TEST(Intake, CountsIsolatedVerticesWithInEdgesAndWithout) {
  // More vertices than a word has bits; 3, 70 and 129 have no edge, 5 and 64 in-edges alone.
  std::string text = "# Nodes: 130\n0 5\n1 64\n2 128\n4 5\n6 7\n128 0\n";
  for (int v = 8; v < 128; ++v)
    if (v != 64 && v != 70) text += std::to_string(v) + " " + std::to_string(v) + "\n";
  LoadedGraph loaded = test::load_text(text);
  EXPECT_EQ(loaded.graph.vertex_count, 130u);
  EXPECT_EQ(loaded.report.isolated_vertices, 3u);
  EXPECT_EQ(count_isolated(loaded.graph), 3u);
  build_transpose(loaded.graph);
  ASSERT_TRUE(loaded.graph.in_adjacency);
  EXPECT_EQ(count_isolated(loaded.graph), 3u);
}

TEST(Intake, LeavesIsolatedVerticesToWhoBuildsInEdges) {
  ReadOptions options;
  options.isolated_later = true;
  EXPECT_EQ(test::load_text("# Nodes: 4\n0 1\n", options).report.isolated_vertices, 0u);
  EXPECT_EQ(test::load_text("# Nodes: 4\n0 1\n").report.isolated_vertices, 2u);
}

TEST(Intake, LeavesAbsentThingsNull) {
  const nlohmann::json json = to_json(test::load_text("5 7\n").report);
  EXPECT_TRUE(json["vertices_declared"].is_null());
  EXPECT_TRUE(json["smallest_weight"].is_null());
  EXPECT_TRUE(json["index_base"].is_null());
  EXPECT_EQ(json["ids_contiguous"], false);
}

TEST(Intake, NamesEveryFormat) {
  for (const std::string& name : format_names()) {
    ASSERT_TRUE(format_named(name)) << name;
    EXPECT_EQ(name_of(*format_named(name)), name);
  }
  EXPECT_EQ(format_named("generated"), std::nullopt);
  EXPECT_EQ(format_named("elephant"), std::nullopt);
}

}  // namespace
}  // namespace vertigo::graph
