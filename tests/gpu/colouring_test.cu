// Colour classes that the device finds against those of the host, on random tiny graphs. Exit code
// 1, and one line for each difference, where they differ.

#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "device_array.h"
#include "prepare/colouring.h"
#include "vertigo/graph/colouring.h"
#include "vertigo/graph/generate.h"

namespace {

using namespace vertigo;

int failures = 0;

gpu::prepare::ColouredLists lists(const Array<EdgeIndex>& offsets, const Array<Vertex>& targets) {
  return {offsets.get(), targets.get()};
}

template <class T>
std::vector<T> copied(const graph::Array<T>& values) {
  return {values.begin(), values.end()};
}

/// Of each class, who has a list of so many edges.
std::vector<std::uint32_t> long_lists(const graph::Graph& graph,
                                      const graph::ColourClasses& classes, EdgeIndex least) {
  std::vector<std::uint32_t> counts(classes.count());
  for (std::size_t c = 0; c < counts.size(); ++c)
    for (std::size_t i = classes.begins[c]; i < classes.begins[c + 1]; ++i) {
      const Vertex v = classes.vertices[i];
      const bool is_long =
          graph.out.degree(v) >= least || (!graph.symmetric && graph.in().degree(v) >= least);
      counts[c] += is_long ? 1 : 0;
    }
  return counts;
}

void try_graph(const graph::Graph& graph, const std::string& name) {
  const Array<EdgeIndex> out(copied(graph.out.offsets));
  const Array<Vertex> targets(copied(graph.out.targets));
  const graph::Adjacency& other = graph.symmetric ? graph.out : graph.in();
  const Array<EdgeIndex> in(copied(other.offsets));
  const Array<Vertex> sources(copied(other.targets));
  const Array<Vertex> vertices(graph.vertex_count);
  const gpu::prepare::ColouredGraph held{
      graph.vertex_count, graph.edge_count, lists(out, targets),
      graph.symmetric ? gpu::prepare::ColouredLists{} : lists(in, sources)};
  for (const std::uint32_t most : {kAllColours, kDerivedColours, 1u, 2u, 5u, kMostBeforeRest}) {
    const graph::ColourClasses wanted = graph::colour_classes(graph, most);
    const gpu::prepare::HybridClasses found =
        most == kAllColours
            ? gpu::prepare::HybridClasses{gpu::prepare::colour_classes(nullptr, held,
                                                                       vertices.get()),
                                          false}
            : gpu::prepare::hybrid_colour_classes(nullptr, held, most, vertices.get());
    const graph::ColourClasses made{vertices.values(), found.begins, found.has_rest};
    const auto clash = graph::neighbours_in_a_class(graph, made);
    for (const EdgeIndex least : {1, 3, 9, 40})
      if (gpu::prepare::long_lists(nullptr, held, vertices.get(), found.begins, least) !=
          long_lists(graph, made, least)) {
        ++failures;
        std::printf("differs: %s, who has %llu edges\n", name.c_str(),
                    static_cast<unsigned long long>(least));
      }
    if (found.begins == wanted.begins && made.vertices == wanted.vertices &&
        found.has_rest == wanted.has_rest && !clash)
      continue;
    ++failures;
    std::printf("differs: %s, %zu classes of %zu, at most %u%s\n", name.c_str(),
                found.begins.size() - 1, wanted.count(), most,
                clash ? ", two neighbours in one class" : "");
  }
}

/// Edges that lead anywhere, most of them to few vertices, some twice, some back to where they
/// begin.
graph::Adjacency random_lists(Vertex vertices, std::size_t edges, bool skewed, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  const auto any = [&] {
    return static_cast<Vertex>(random() %
                               (skewed && random() % 3 != 0 ? (vertices + 19) / 20 : vertices));
  };
  std::vector<std::pair<Vertex, Vertex>> all;
  while (all.size() < edges) all.emplace_back(any(), any());
  std::ranges::sort(all);
  std::vector<EdgeIndex> offsets(vertices + std::size_t{1}, 0);
  std::vector<Vertex> targets;
  for (const auto& [from, to] : all) {
    ++offsets[from + 1];
    targets.push_back(to);
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return {offsets, std::move(targets), {}};
}

void try_random(Vertex vertices, std::size_t edges, bool skewed, std::uint32_t seed) {
  graph::Graph graph;
  graph.vertex_count = vertices;
  graph.edge_count = edges;
  graph.out = random_lists(vertices, edges, skewed, seed);
  graph::build_transpose(graph);
  try_graph(graph, std::to_string(vertices) + " vertices, " + std::to_string(edges) +
                       " edges, seed " + std::to_string(seed));
}

}  // namespace

int main() {
  std::uint32_t tried = 0;
  try {
    for (const char* generator :
         {"kron:8:8", "rmat:9:6", "road:20x17", "star:40", "star:1500", "path:33", "complete:9",
          "complete:40", "urand:7:4", "empty:3", "empty:0"}) {
      graph::Graph graph = graph::generate(graph::parse_generator(generator));
      if (!graph.symmetric) graph::build_transpose(graph);
      try_graph(graph, generator);
      ++tried;
    }
    for (const Vertex vertices : {1u, 2u, 31u, 33u, 257u})
      for (const std::size_t edges :
           {std::size_t{1}, std::size_t{vertices}, std::size_t{9} * vertices + 3})
        for (const bool skewed : {false, true}) try_random(vertices, edges, skewed, ++tried);
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  std::printf("%u graphs, %d differences\n", tried, failures);
  return failures == 0 ? 0 : 1;
}
