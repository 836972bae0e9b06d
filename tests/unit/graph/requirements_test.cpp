#include "support.h"

namespace vertigo::graph {
namespace {

void check(std::string_view content, const Requirements& requirements,
           const ReadOptions& options = {}) {
  const test::Folder folder;
  LoadedGraph loaded = load_graph(folder.write("graph", content), options);
  check_requirements(loaded, requirements, options);
}

void expect_violation(std::string_view content, const Requirements& requirements,
                      const std::string& place, const std::string& message,
                      const ReadOptions& options = {}) {
  SCOPED_TRACE(content);
  test::expect_refused([&] { check(content, requirements, options); }, place, message);
}

TEST(Requirements, NameTheEdgeAndItsLine) {
  expect_violation("c\np sp 3 3\na 3 2 1\na 1 2 3\na 2 3 -4\n", {.non_negative_weights = true},
                   "graph:5", "the edge 2 -> 3 has the negative weight -4");
  expect_violation("# c\n9 8 1\n9 8 -0.5\n", {.non_negative_weights = true}, "graph:3",
                   "negative weight -0.5");
  expect_violation("10 20\n20 10\n\n20 30\n", {.symmetric = true}, "graph:4",
                   "the edge 20 -> 30 has no reverse");
  expect_violation("10 20\n20 20\n", {.no_self_loops = true}, "graph:2",
                   "the edge 20 -> 20 is a self loop");
  expect_violation("1 2\n3 4\n1 2\n", {.no_duplicates = true}, "graph:3",
                   "the edge 1 -> 2 is a duplicate");
  expect_violation("1 2 3\n2 1 3 4\n3\n4 2\n", {.symmetric = true}, "graph:1",
                   "the edge 1 -> 3 has no reverse");
}

TEST(Requirements, FindALineInAnUndirectedFileInEitherOrder) {
  ReadOptions options;
  options.direction = Direction::Undirected;
  expect_violation("5 1 2\n7 3 -1\n", {.non_negative_weights = true}, "graph:2", "the edge 3 -> 7",
                   options);
}

TEST(Requirements, MarkASymmetricGraph) {
  const test::Folder folder;
  LoadedGraph loaded = load_graph(folder.write("graph", "1 2 5\n2 1 5\n"));
  EXPECT_FALSE(loaded.graph.symmetric);
  check_requirements(loaded, {.symmetric = true});
  EXPECT_TRUE(loaded.graph.symmetric);
  EXPECT_EQ(loaded.graph.in().targets, loaded.graph.out.targets);
}

TEST(Requirements, HoldOnAGoodGraph) {
  check("1 2 0\n2 1 0\n", {.symmetric = true,
                           .non_negative_weights = true,
                           .no_duplicates = true,
                           .no_self_loops = true});
  check("1 2\n", {.non_negative_weights = true});
}

}  // namespace
}  // namespace vertigo::graph
