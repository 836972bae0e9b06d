// Preparations, and the cached form that keeps them.

#include "vertigo/graph/prepare.h"

#include <algorithm>
#include <sstream>

#include "cached_layout.h"
#include "support.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/generate.h"

namespace vertigo::graph {
namespace {

using test::edges_of;

constexpr const char* kGraphs[] = {"kron:6:4", "rmat:7:3",   "road:9x7", "star:40",
                                   "path:33",  "complete:9", "empty:3",  "empty:0"};

Graph prepared(const std::string& generator) {
  Graph graph = generate(parse_generator(generator));
  build_transpose(graph);
  prepare(graph, Preparation::DegreeOrder);
  prepare(graph, Preparation::WeightSorted);
  return graph;
}

ReadOptions with_preparations() {
  ReadOptions options;
  options.preparations = true;
  return options;
}

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The edges of a copy with new numbers, in the numbers of the graph, sorted.
std::vector<test::EdgeTuple> edges_of_copy(const Graph& graph) {
  Graph copy;
  copy.vertex_count = graph.vertex_count;
  copy.edge_count = graph.edge_count;
  copy.out = graph.prepared.degree_ordered_out;
  copy.ids = IdMap::contiguous(0, graph.vertex_count);
  std::vector<test::EdgeTuple> edges = edges_of(copy);
  for (auto& [source, target, weight] : edges) {
    source = graph.prepared.degree_order[source];
    target = graph.prepared.degree_order[target];
  }
  std::ranges::sort(edges);
  return edges;
}

TEST(Prepare, DegreeOrderDescendsAndKeepsTheEdges) {
  for (const char* generator : kGraphs) {
    SCOPED_TRACE(generator);
    const Graph graph = prepared(generator);
    const Adjacency& lists = graph.prepared.degree_ordered_out;
    for (Vertex i = 1; i < graph.vertex_count; ++i) EXPECT_LE(lists.degree(i), lists.degree(i - 1));
    for (Vertex i = 0; i < graph.vertex_count; ++i)
      EXPECT_TRUE(std::ranges::is_sorted(lists.neighbours(i)));
    std::vector<test::EdgeTuple> plain = edges_of(graph);
    std::ranges::sort(plain);
    if (graph.vertex_count > 0) {
      EXPECT_EQ(edges_of_copy(graph), plain);
    }
  }
}

TEST(Prepare, EqualDegreesStandInTheOrderOfTheirIds) {
  const Graph graph = prepared("cycle:5");
  EXPECT_EQ(graph.prepared.degree_order, (std::vector<Vertex>{0, 1, 2, 3, 4}));
}

TEST(Prepare, ManyParallelEdgesStillDescend) {
  Graph graph = test::load_text("0 1\n1 0\n1 0\n1 0\n1 0\n0 1\n0 1\n").graph;
  prepare(graph, Preparation::DegreeOrder);
  EXPECT_EQ(graph.prepared.degree_order, (std::vector<Vertex>{1, 0}));
}

TEST(Prepare, WeightSortedListsAscendAndKeepTheEdges) {
  for (const char* generator : kGraphs) {
    SCOPED_TRACE(generator);
    const Graph graph = prepared(generator);
    if (!graph.has_weights()) continue;
    Graph copy = generate(parse_generator(generator));
    copy.out.targets = graph.prepared.weight_sorted_out->targets;
    copy.out.weights = graph.prepared.weight_sorted_out->weights;
    auto sorted = edges_of(copy);
    EXPECT_TRUE(std::ranges::is_sorted(sorted, {}, [](const auto& edge) {
      return std::pair(std::get<0>(edge), std::get<2>(edge));
    }));
    std::ranges::sort(sorted);
    auto plain = edges_of(graph);
    std::ranges::sort(plain);
    EXPECT_EQ(sorted, plain);
  }
}

TEST(Prepare, WeightSortedNeedsWeights) {
  Graph graph = test::load_text("0 1\n1 2\n").graph;
  prepare(graph, Preparation::WeightSorted);
  EXPECT_FALSE(graph.prepared.has_weight_order());
}

TEST(PreparedCache, KeepsBothPreparations) {
  const test::Folder folder;
  for (const char* generator : kGraphs) {
    SCOPED_TRACE(generator);
    const Graph graph = prepared(generator);
    write_cached(graph, folder / "g");
    const Graph back = load_graph(folder / "g", with_preparations()).graph;
    EXPECT_EQ(edges_of(back), edges_of(graph));
    EXPECT_EQ(back.prepared.degree_order, graph.prepared.degree_order);
    EXPECT_EQ(back.prepared.degree_ordered_out.targets, graph.prepared.degree_ordered_out.targets);
    EXPECT_EQ(back.prepared.degree_ordered_in.has_value(),
              graph.prepared.degree_ordered_in.has_value());
    EXPECT_EQ(back.prepared.has_weight_order(), graph.prepared.has_weight_order());
    if (graph.prepared.has_weight_order()) {
      EXPECT_EQ(back.prepared.weight_sorted_out->targets,
                graph.prepared.weight_sorted_out->targets);
      EXPECT_EQ(back.prepared.weight_sorted_out->weights,
                graph.prepared.weight_sorted_out->weights);
    }
  }
}

TEST(PreparedCache, IsReadWithoutThemUnlessAskedFor) {
  const test::Folder folder;
  write_cached(prepared("kron:6:4"), folder / "g");
  const auto [graph, report] = load_graph(folder / "g");
  EXPECT_TRUE(prepared_names(graph).empty());
  EXPECT_EQ(report.notes,
            (std::vector<std::string>{"prepared: degree-order", "prepared: weight-sorted"}));
}

TEST(PreparedCache, GraphsWithoutPreparationsStayOnTheFirstLevel) {
  const test::Folder folder;
  write_cached(generate(parse_generator("kron:6:4")), folder / "g");
  EXPECT_EQ(cached_level(content_of(folder / "g").at(12)), 1);
  write_cached(prepared("kron:6:4"), folder / "g");
  EXPECT_EQ(cached_level(content_of(folder / "g").at(12)), 2);
}

TEST(PreparedCache, PoliciesThatChangeTheGraphDropThem) {
  const test::Folder folder;
  Graph graph = test::load_text("0 0 5\n0 1 4\n0 1 3\n").graph;
  prepare(graph, Preparation::DegreeOrder);
  prepare(graph, Preparation::WeightSorted);
  write_cached(graph, folder / "g");
  ReadOptions options = with_preparations();
  EXPECT_EQ(prepared_names(load_graph(folder / "g", options).graph).size(), 2u);
  options.self_loops = SelfLoopPolicy::Drop;
  EXPECT_TRUE(prepared_names(load_graph(folder / "g", options).graph).empty());
  options.self_loops = SelfLoopPolicy::Keep;
  options.ignore_weights = true;
  EXPECT_EQ(prepared_names(load_graph(folder / "g", options).graph),
            std::vector<std::string>{"degree-order"});
}

TEST(PreparedCache, WeightsAreConvertedWithTheGraphs) {
  const test::Folder folder;
  write_cached(prepared("kron:6:4"), folder / "g");
  Graph graph = load_graph(folder / "g", with_preparations()).graph;
  convert_weights(graph, ScalarKind::Float32);
  EXPECT_TRUE(std::holds_alternative<Array<float>>(graph.prepared.weight_sorted_out->weights));
  EXPECT_TRUE(std::holds_alternative<Array<float>>(graph.prepared.degree_ordered_out.weights));
}

TEST(PreparedCache, IsRefusedWhenAnyByteIsChanged) {
  const test::Folder folder;
  write_cached(prepared("rmat:3:2"), folder / "g");
  const std::string good = content_of(folder / "g");
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    ReadOptions options = with_preparations();
    options.format = Format::Cached;
    SCOPED_TRACE(at);
    EXPECT_THROW(test::load_text(bad, options), Error);
  }
}

std::string refusal_of(const Graph& graph) {
  const test::Folder folder;
  write_cached(graph, folder / "g");
  try {
    load_graph(folder / "g", with_preparations());
    return "";
  } catch (const Error& error) {
    return error.message();
  }
}

template <class T, class Edit>
void edit(Array<T>& array, const Edit& change) {
  std::vector<T> values = std::move(array).take();
  change(values);
  array = std::move(values);
}

// Files whose checksums are right and whose copies are of another graph.
TEST(PreparedCache, RefusesCopiesOfAnotherGraph) {
  Graph graph = prepared("kron:5:4");
  edit(graph.prepared.degree_order, [](auto& order) { std::swap(order[3], order[4]); });
  EXPECT_NE(refusal_of(graph), "");

  graph = prepared("kron:5:4");
  edit(graph.prepared.degree_order, [](auto& order) { order[3] = order[4]; });
  EXPECT_NE(refusal_of(graph).find("no permutation"), std::string::npos);

  graph = prepared("kron:5:4");
  edit(graph.prepared.degree_ordered_out.targets,
       [](auto& targets) { std::swap(targets.front(), targets.back()); });
  EXPECT_NE(refusal_of(graph), "");

  graph = prepared("kron:5:4");
  edit(std::get<Array<std::int32_t>>(graph.prepared.weight_sorted_out->weights),
       [](auto& weights) { std::ranges::reverse(weights); });
  EXPECT_NE(refusal_of(graph).find("does not ascend"), std::string::npos);

  graph = prepared("kron:5:4");
  edit(std::get<Array<std::int32_t>>(graph.prepared.weight_sorted_out->weights),
       [](auto& weights) { ++weights.back(); });
  EXPECT_NE(refusal_of(graph).find("other edges"), std::string::npos);
}

}  // namespace
}  // namespace vertigo::graph
