// Colour classes: proper, few, and a function of the graph alone.

#include "vertigo/graph/colouring.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "support.h"
#include "vertigo/core/parallel.h"
#include "vertigo/graph/generate.h"

namespace vertigo::graph {
namespace {

Graph made(const std::string& generator) { return generate(parse_generator(generator)); }

/// The class of each vertex, each vertex standing in one.
std::vector<std::size_t> class_of(const Graph& graph, const ColourClasses& classes) {
  std::vector<Vertex> sorted = classes.vertices;
  std::ranges::sort(sorted);
  std::vector<Vertex> all(graph.vertex_count);
  std::iota(all.begin(), all.end(), Vertex{0});
  EXPECT_EQ(sorted, all);
  std::vector<std::size_t> found(graph.vertex_count);
  for (std::size_t c = 0; c < classes.count(); ++c)
    for (std::size_t i = classes.begins[c]; i < classes.begins[c + 1]; ++i)
      found[classes.vertices[i]] = c;
  return found;
}

void expect_proper(const Graph& graph, const ColourClasses& classes) {
  const std::vector<std::size_t> of = class_of(graph, classes);
  std::size_t clashes = 0;
  for (Vertex v = 0; v < graph.vertex_count; ++v)
    for (const Vertex u : graph.out.neighbours(v)) clashes += u != v && of[u] == of[v];
  EXPECT_EQ(clashes, 0u);
}

TEST(ColourClasses, NoTwoOfAClassAreNeighbours) {
  for (const char* generator : {"kron:8:8", "rmat:9:6", "road:20x17", "star:40", "path:33",
                                "complete:9", "urand:7:4", "empty:3", "empty:0"}) {
    SCOPED_TRACE(generator);
    const Graph graph = made(generator);
    expect_proper(graph, colour_classes(graph));
  }
}

TEST(ColourClasses, AreAsFewAsGreedyColouringPromises) {
  EXPECT_EQ(colour_classes(made("empty:0")).count(), 0u);
  EXPECT_EQ(colour_classes(made("empty:3")).count(), 1u);
  EXPECT_EQ(colour_classes(made("star:40")).count(), 2u);
  EXPECT_EQ(colour_classes(made("complete:9")).count(), 9u);
  const Graph hubs = made("kron:8:8");
  EXPECT_LE(colour_classes(hubs).count(), hubs.out.longest_list() + 1);
}

TEST(ColourClasses, BeginWithTheLargestDegreesAndAscendInsideAClass) {
  const Graph graph = made("star:40");
  const ColourClasses classes = colour_classes(graph);
  ASSERT_EQ(classes.begins.at(1), 1u);
  EXPECT_EQ(graph.out.degree(classes.vertices.front()), graph.out.longest_list());
  EXPECT_TRUE(std::is_sorted(classes.vertices.begin() + 1, classes.vertices.end()));
}

TEST(ColourClasses, LaterOnesMayBeOneClass) {
  for (const char* generator : {"kron:8:8", "rmat:9:6", "road:20x17", "complete:9", "empty:0"}) {
    const Graph graph = made(generator);
    const ColourClasses all = colour_classes(graph);
    for (const std::uint32_t most : {1u, 2u, 5u, kMostBeforeMixed}) {
      SCOPED_TRACE(generator + (" " + std::to_string(most)));
      const ColourClasses few = colour_classes(graph, most);
      class_of(graph, few);
      ASSERT_EQ(few.count(), std::min<std::size_t>(all.count(), most + 1));
      EXPECT_EQ(few.is_mixed, all.count() > most);
      EXPECT_TRUE(std::equal(few.begins.begin(), few.begins.end() - 1, all.begins.begin()));
      const std::size_t proper = few.is_mixed ? few.begins[most] : few.vertices.size();
      EXPECT_TRUE(
          std::equal(few.vertices.begin(), few.vertices.begin() + proper, all.vertices.begin()));
    }
  }
}

TEST(ColourClasses, LeaveLoopsOutOfAccountAndCountEdgesInEitherDirection) {
  Graph graph = test::load_text("0 0\n0 1\n2 1\n1 1\n2 1\n").graph;
  const ColourClasses classes = colour_classes(graph);
  EXPECT_EQ(classes.count(), 2u);
  expect_proper(graph, classes);
  build_transpose(graph);
  EXPECT_EQ(colour_classes(graph).vertices, classes.vertices);
}

#ifdef _OPENMP
TEST(ColourClasses, DoNotDependOnTheNumberOfThreads) {
  const Graph graph = made("kron:14:8");
  const int threads = thread_count();
  omp_set_num_threads(1);
  const ColourClasses alone = colour_classes(graph);
  omp_set_num_threads(7);
  const ColourClasses together = colour_classes(graph);
  omp_set_num_threads(threads);
  EXPECT_EQ(alone.vertices, together.vertices);
  EXPECT_EQ(alone.begins, together.begins);
}
#endif

}  // namespace
}  // namespace vertigo::graph
