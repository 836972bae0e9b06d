#include "vertigo/graph/builder.h"

#include <omp.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "support.h"

namespace vertigo::graph {
namespace {

struct Naive {
  Vertex source;
  Vertex target;
  std::int64_t weight;
};

std::vector<Naive> random_edges(Vertex vertices, std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Naive> edges(count);
  // A few hubs, so that rows differ much in length.
  for (Naive& edge : edges) {
    edge.source = random() % 4 == 0 ? random() % 3 % vertices : random() % vertices;
    edge.target = random() % vertices;
    edge.weight = static_cast<std::int64_t>(random() % 20) - 5;
  }
  return edges;
}

EdgeList list_of(Vertex vertices, const std::vector<Naive>& edges) {
  EdgeList list;
  list.vertex_count = vertices;
  std::vector<std::int64_t> weights;
  for (const Naive& edge : edges) {
    list.sources.push_back(edge.source);
    list.targets.push_back(edge.target);
    weights.push_back(edge.weight);
  }
  list.weights = std::move(weights);
  return list;
}

std::vector<test::EdgeTuple> tuples(std::vector<Naive> edges) {
  std::stable_sort(edges.begin(), edges.end(), [](const Naive& a, const Naive& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  std::vector<test::EdgeTuple> result;
  for (const Naive& edge : edges) result.emplace_back(edge.source, edge.target, edge.weight);
  return result;
}

TEST(Builder, SortsLikeAStableSort) {
  for (const auto& [vertices, count] : std::vector<std::pair<Vertex, std::size_t>>{
           {1, 0}, {1, 5}, {2, 10}, {10, 1000}, {600, 5000}, {5000, 20000}, {100000, 300000}}) {
    const auto edges = random_edges(vertices, count, vertices);
    const Graph graph = build_graph(list_of(vertices, edges));
    ASSERT_EQ(test::edges_of(graph), tuples(edges)) << vertices;
  }
}

TEST(Builder, TakesSortedInputAsItIs) {
  auto edges = random_edges(700, 5000, 3);
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Naive& a, const Naive& b) { return a.source < b.source; });
  EXPECT_EQ(test::edges_of(build_graph(list_of(700, edges))), tuples(edges));
}

TEST(Builder, DoesNotDependOnTheNumberOfThreads) {
  const auto edges = random_edges(3000, 50000, 9);
  const int threads = omp_get_max_threads();
  std::vector<std::vector<test::EdgeTuple>> results;
  for (const int count : {1, 2, 7}) {
    omp_set_num_threads(count);
    Graph graph = build_graph(list_of(3000, edges));
    build_transpose(graph);
    std::swap(graph.out, *graph.in_adjacency);
    results.push_back(test::edges_of(graph));
  }
  omp_set_num_threads(threads);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Builder, TransposeTwiceIsTheGraph) {
  const Graph graph = build_graph(list_of(500, random_edges(500, 8000, 5)));
  const Adjacency twice = transpose(500, transpose(500, graph.out));
  EXPECT_EQ(twice.offsets, graph.out.offsets);
  EXPECT_EQ(twice.targets, graph.out.targets);
  EXPECT_EQ(twice.weights, graph.out.weights);
}

TEST(Builder, MergesDuplicatesByEachPolicy) {
  const auto edges = random_edges(20, 600, 8);
  std::map<std::pair<Vertex, Vertex>, std::vector<std::int64_t>> groups;
  for (const Naive& edge : edges) groups[{edge.source, edge.target}].push_back(edge.weight);
  const auto expected = [&](auto&& merge) {
    std::vector<test::EdgeTuple> result;
    for (const auto& [ends, weights] : groups)
      result.emplace_back(ends.first, ends.second, merge(weights));
    return result;
  };
  const auto built = [&](DuplicatePolicy policy) {
    BuildOptions options;
    options.duplicates = policy;
    BuildCounts counts;
    const Graph graph = build_graph(list_of(20, edges), options, &counts);
    EXPECT_EQ(counts.duplicates, 600 - groups.size());
    EXPECT_EQ(counts.merged_duplicates, 600 - groups.size());
    return test::edges_of(graph);
  };
  using List = const std::vector<std::int64_t>&;
  EXPECT_EQ(built(DuplicatePolicy::First), expected([](List w) { return w.front(); }));
  EXPECT_EQ(built(DuplicatePolicy::Min),
            expected([](List w) { return *std::min_element(w.begin(), w.end()); }));
  EXPECT_EQ(built(DuplicatePolicy::Max),
            expected([](List w) { return *std::max_element(w.begin(), w.end()); }));
  EXPECT_EQ(built(DuplicatePolicy::Sum),
            expected([](List w) { return std::accumulate(w.begin(), w.end(), std::int64_t{0}); }));
}

TEST(Builder, DropsSelfLoops) {
  BuildOptions options;
  options.self_loops = SelfLoopPolicy::Drop;
  BuildCounts counts;
  const Graph graph =
      build_graph(list_of(3, {{0, 0, 1}, {0, 0, 2}, {0, 1, 3}, {2, 2, 4}}), options, &counts);
  EXPECT_EQ(test::edges_of(graph), (std::vector<test::EdgeTuple>{{0, 1, 3}}));
  EXPECT_EQ(counts.self_loops, 3u);
  EXPECT_EQ(counts.dropped_self_loops, 3u);
  EXPECT_EQ(counts.merged_duplicates, 0u);
}

TEST(Builder, SymmetrizeAddsOnlyWhatIsMissing) {
  BuildOptions options;
  options.symmetrize = true;
  const auto edges = random_edges(40, 500, 4);
  const Graph graph = build_graph(list_of(40, edges), options);
  EXPECT_TRUE(graph.symmetric);
  EXPECT_EQ(find_asymmetry(40, graph.out), std::nullopt);
  // As often as the more frequent of the two directions.
  std::map<std::tuple<Vertex, Vertex, std::int64_t>, std::size_t> count;
  for (const Naive& edge : edges) ++count[{edge.source, edge.target, edge.weight}];
  std::map<std::tuple<Vertex, Vertex, std::int64_t>, std::size_t> expected;
  for (const auto& [edge, times] : count) {
    const auto& [u, v, w] = edge;
    expected[edge] = std::max(expected[edge], times);
    expected[{v, u, w}] = std::max(expected[{v, u, w}], times);
  }
  std::map<std::tuple<Vertex, Vertex, std::int64_t>, std::size_t> found;
  for (const auto& [u, v, w] : test::edges_of(graph)) {
    ++found[{static_cast<Vertex>(u), static_cast<Vertex>(v), static_cast<std::int64_t>(w)}];
  }
  EXPECT_EQ(found, expected);
  const Graph again = build_graph(40, graph.out, options);
  EXPECT_EQ(again.edge_count, graph.edge_count);
}

TEST(Builder, RefusesFirstOnAWeightedUndirectedGraphAndOverflowingSums) {
  BuildOptions options;
  options.symmetrize = true;
  options.duplicates = DuplicatePolicy::First;
  EXPECT_THROW(build_graph(list_of(2, {{0, 1, 1}, {1, 0, 2}}), options), Error);
  options.symmetrize = false;
  options.duplicates = DuplicatePolicy::Sum;
  test::expect_refused([&] { build_graph(list_of(2, {{1, 0, INT64_MAX}, {1, 0, 1}}), options); },
                       "", "from vertex 1 overflows");
}

TEST(Builder, FindsTheFirstAsymmetry) {
  EXPECT_EQ(find_asymmetry(2, build_graph(list_of(2, {{0, 1, 1}, {1, 0, 1}})).out), std::nullopt);
  const auto weights_differ =
      find_asymmetry(2, build_graph(list_of(2, {{0, 1, 1}, {1, 0, 2}})).out);
  ASSERT_TRUE(weights_differ);
  EXPECT_EQ(weights_differ->source, 0u);
  const auto missing =
      find_asymmetry(4, build_graph(list_of(4, {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}})).out);
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->source, 2u);
  EXPECT_EQ(missing->target, 3u);
  // The reverse is there, but less often.
  EXPECT_TRUE(find_asymmetry(2, build_graph(list_of(2, {{0, 1, 1}, {0, 1, 1}, {1, 0, 1}})).out));
}

TEST(Builder, AgreesWithASearchOnRandomAlmostSymmetricGraphs) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    BuildOptions options;
    options.symmetrize = true;
    const Graph whole = build_graph(list_of(6, random_edges(6, 12, seed)), options);
    ASSERT_EQ(find_asymmetry(6, whole.out), std::nullopt) << seed;
    ASSERT_TRUE(is_symmetric(6, whole.out)) << seed;
    // Without one edge that is no self loop, symmetry is gone.
    const auto all = test::edges_of(whole);
    for (std::size_t left_out = 0; left_out < all.size(); ++left_out) {
      if (std::get<0>(all[left_out]) == std::get<1>(all[left_out])) continue;
      std::vector<Naive> rest;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [u, v, w] = all[i];
        if (i != left_out) {
          rest.push_back(
              {static_cast<Vertex>(u), static_cast<Vertex>(v), static_cast<std::int64_t>(w)});
        }
      }
      const Graph less = build_graph(list_of(6, rest));
      ASSERT_TRUE(find_asymmetry(6, less.out)) << seed;
      ASSERT_FALSE(is_symmetric(6, less.out)) << seed;
    }
  }
}

TEST(Builder, SeesAnAsymmetryBehindTheFirstEdges) {
  BuildOptions options;
  options.symmetrize = true;
  const Graph whole = build_graph(list_of(400, random_edges(400, 5000, 7)), options);
  EXPECT_TRUE(is_symmetric(400, whole.out));
  std::vector<Naive> edges;
  for (const auto& [u, v, w] : test::edges_of(whole))
    edges.push_back({static_cast<Vertex>(u), static_cast<Vertex>(v), static_cast<std::int64_t>(w)});
  edges.push_back({399, 398, 1000});
  EXPECT_FALSE(is_symmetric(400, build_graph(list_of(400, edges)).out));
  EXPECT_TRUE(is_symmetric(3, build_graph(list_of(3, {})).out));
  EXPECT_TRUE(is_symmetric(0, build_graph(list_of(0, {})).out));
}

TEST(Duplicates, AreKnownToBeAbsentWhereListsWereBuilt) {
  const auto known = [](const std::vector<Naive>& edges, const BuildOptions& options = {}) {
    return build_graph(list_of(4, edges), options).no_duplicates;
  };
  EXPECT_TRUE(known({{0, 1, 1}, {1, 0, 1}, {2, 2, 1}}));
  EXPECT_TRUE(known({}));
  EXPECT_FALSE(known({{0, 1, 1}, {2, 3, 1}, {0, 1, 2}}));
  EXPECT_FALSE(known({{2, 2, 1}, {2, 2, 1}}));
  BuildOptions options;
  options.duplicates = DuplicatePolicy::Min;
  EXPECT_TRUE(known({{0, 1, 1}, {0, 1, 2}}, options));
  options.duplicates = DuplicatePolicy::Keep;
  options.symmetrize = true;
  EXPECT_TRUE(known({{0, 1, 1}, {1, 2, 1}}, options));
  EXPECT_FALSE(known({{0, 1, 1}, {0, 1, 1}}, options));
}

TEST(IdMap, MapsBothWays) {
  const IdMap sparse = IdMap::sparse({3, 5, 1000000000000});
  EXPECT_EQ(sparse.to_input(2), 1000000000000u);
  EXPECT_EQ(sparse.to_internal(5), 1u);
  EXPECT_EQ(sparse.to_internal(4), std::nullopt);
  EXPECT_TRUE(IdMap::sparse({7, 8, 9}).is_contiguous());
  const IdMap contiguous = IdMap::contiguous(7, 3);
  EXPECT_EQ(contiguous.to_internal(9), 2u);
  EXPECT_EQ(contiguous.to_internal(10), std::nullopt);
  EXPECT_EQ(contiguous.to_internal(6), std::nullopt);
  EXPECT_EQ(IdMap().to_internal(0), std::nullopt);
}

TEST(Transpose, OfAGraphThatIsItsOwnReverseIsThatGraph) {
  Graph graph = test::load_text("1 2 5\n2 1 5\n2 3 6\n3 2 6\n3 3 1\n").graph;
  build_transpose(graph);
  EXPECT_FALSE(graph.symmetric);
  EXPECT_EQ(graph.in_adjacency->targets.data(), graph.out.targets.data());
  Graph other = test::load_text("1 2 5\n2 1 4\n").graph;
  build_transpose(other);
  EXPECT_EQ(std::get<Array<std::int64_t>>(other.in_adjacency->weights),
            (Array<std::int64_t>{4, 5}));
}

// The lists of the reverse have parallel edges in the order of the sources' lists.
TEST(Transpose, KeepsTheOrderOfParallelEdges) {
  Graph graph = test::load_text("1 2 5\n1 2 6\n2 1 6\n2 1 5\n").graph;
  build_transpose(graph);
  EXPECT_EQ(std::get<Array<std::int64_t>>(graph.in_adjacency->weights),
            (Array<std::int64_t>{6, 5, 5, 6}));
  EXPECT_FALSE(find_asymmetry(2, graph.out));
}

TEST(Asymmetry, TakesZerosOfBothSignsForEqual) {
  const Graph graph = test::load_text("1 2 0.0\n2 1 -0.0\n").graph;
  EXPECT_FALSE(find_asymmetry(2, graph.out));
}

}  // namespace
}  // namespace vertigo::graph
