// Colour classes: proper, few, and a function of the graph alone.

#include "vertigo/graph/colouring.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "support.h"
#include "vertigo/core/colours.h"
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

std::vector<std::size_t> sizes_of(const ColourClasses& classes) {
  std::vector<std::size_t> sizes;
  for (std::size_t c = 0; c < classes.count(); ++c)
    sizes.push_back(classes.begins[c + 1] - classes.begins[c]);
  return sizes;
}

TEST(HybridClasses, AreThoseOfMoreColoursAndARest) {
  for (const char* generator : {"kron:8:8", "rmat:9:6", "road:20x17", "complete:9", "empty:0"}) {
    const Graph graph = made(generator);
    const ColourClasses all = colour_classes(graph, kMostBeforeRest);
    for (const std::uint32_t most : {1u, 2u, 5u, 31u}) {
      SCOPED_TRACE(generator + (" " + std::to_string(most)));
      const ColourClasses few = colour_classes(graph, most);
      class_of(graph, few);
      EXPECT_FALSE(neighbours_in_a_class(graph, few));
      ASSERT_EQ(few.count(), std::min<std::size_t>(all.count(), most + 1));
      EXPECT_EQ(few.has_rest, all.count() > most);
      EXPECT_TRUE(std::equal(few.begins.begin(), few.begins.end() - 1, all.begins.begin()));
      const std::size_t proper = few.begins[few.independent()];
      EXPECT_TRUE(
          std::equal(few.vertices.begin(), few.vertices.begin() + proper, all.vertices.begin()));
    }
  }
}

TEST(HybridClasses, LeaveHubsToTheRest) {
  const Graph graph = made("star:40");
  const ColourClasses classes = colour_classes(graph, 1);
  EXPECT_EQ(sizes_of(classes), (std::vector<std::size_t>{39, 1}));
  EXPECT_TRUE(classes.has_rest);
  EXPECT_EQ(graph.out.degree(classes.vertices.back()), graph.out.longest_list());
}

TEST(HybridClasses, AreDerivedFromTheirSizes) {
  const auto derived = [](const char* generator) {
    return colour_classes(made(generator), kDerivedColours);
  };
  EXPECT_EQ(derived("empty:0").count(), 0u);
  EXPECT_EQ(derived("empty:3").independent(), 1u);
  EXPECT_FALSE(derived("empty:3").has_rest);
  EXPECT_EQ(derived("star:40").independent(), 1u);
  EXPECT_EQ(derived("complete:9").independent(), 8u);   // 8 of 9 are 80%
  EXPECT_EQ(derived("complete:99").independent(), 0u);  // no class has one vertex in 32
  EXPECT_TRUE(derived("complete:99").has_rest);
  const Graph graph = made("kron:10:16");
  const ColourClasses classes = colour_classes(graph, kDerivedColours);
  EXPECT_FALSE(neighbours_in_a_class(graph, classes));
  const auto connected = [&](std::size_t upto) {
    return std::count_if(classes.vertices.begin(), classes.vertices.begin() + upto,
                         [&](Vertex v) { return graph.out.degree(v) != 0; });
  };
  const auto all = connected(graph.vertex_count);
  EXPECT_GE(connected(classes.begins[classes.independent()]) * 5, all * 4);
  EXPECT_LT(connected(classes.begins[classes.independent() - 1]) * 5, all * 4);
}

TEST(HybridClasses, AreAskedForByAWord) {
  EXPECT_EQ(parse_colours("auto"), kDerivedColours);
  EXPECT_EQ(parse_colours("all"), kAllColours);
  EXPECT_EQ(parse_colours("1"), 1u);
  EXPECT_EQ(parse_colours("250"), kMostBeforeRest);
  for (const char* wrong : {"", "0", "251", "-1", "2.5", "few", "99999999999"})
    EXPECT_EQ(parse_colours(wrong), std::nullopt) << wrong;
}

TEST(NeighboursInAClass, AreFound) {
  const Graph graph = made("path:4");
  ColourClasses classes{{0, 2, 1, 3}, {0, 2, 4}};
  EXPECT_FALSE(neighbours_in_a_class(graph, classes));
  classes.vertices = {0, 1, 2, 3};
  EXPECT_EQ(neighbours_in_a_class(graph, classes), (std::pair<Vertex, Vertex>{0, 1}));
  classes = {{0, 2, 1, 3}, {0, 1, 4}};
  EXPECT_EQ(neighbours_in_a_class(graph, classes), (std::pair<Vertex, Vertex>{1, 2}));
  classes.has_rest = true;
  EXPECT_FALSE(neighbours_in_a_class(graph, classes));
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
  for (const std::uint32_t most : {kAllColours, kDerivedColours, 3u}) {
    omp_set_num_threads(1);
    const ColourClasses alone = colour_classes(graph, most);
    omp_set_num_threads(7);
    const ColourClasses together = colour_classes(graph, most);
    omp_set_num_threads(threads);
    EXPECT_EQ(alone.vertices, together.vertices);
    EXPECT_EQ(alone.begins, together.begins);
  }
}
#endif

}  // namespace
}  // namespace vertigo::graph
