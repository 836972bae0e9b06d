// The preparations of vertigo/device/prepare.cuh against the host's own, on random tiny graphs.
// Exit code 1, and one line for each difference, where they differ.

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "device_array.h"
#include "expect.h"
#include "vertigo/core/degree_buckets.h"
#include "vertigo/device/prepare.cuh"
#include "vertigo/graph/graph.h"

namespace {

using namespace vertigo;
using namespace vertigo::gpu;

/// How the edges of a graph lie: evenly, most of them at few vertices, or so that there are more
/// degrees than buckets.
enum class Shape { Even, Skewed, Wide };

std::vector<EdgeIndex> random_offsets(Vertex vertices, std::size_t edges, Shape shape,
                                      std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<EdgeIndex> offsets(vertices + std::size_t{1}, 0);
  for (std::size_t i = 0; i < edges; ++i) {
    std::uint64_t v = random() % vertices;
    if (shape != Shape::Even)
      v = std::min(v, random() % vertices * (random() % vertices) / vertices);
    offsets[v + 1] += shape == Shape::Wide ? random() % (std::uint64_t{1} << 40) : 1;
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

EdgeIndex length(const std::vector<EdgeIndex>& offsets, Vertex v) {
  return offsets[v + 1] - offsets[v];
}

/// Every vertex once, in the order of buckets; by id where all degrees are the same.
void expect_order(const std::vector<Vertex>& order, const std::vector<EdgeIndex>& degrees,
                  const std::string& name) {
  std::vector<Vertex> all(degrees.size());
  std::iota(all.begin(), all.end(), 0);
  const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
  std::vector<Vertex> sorted = order;
  std::ranges::sort(sorted);
  expect(sorted == all, "vertices of the order of " + name);
  if (*least == *most) {
    expect(order == all, "order of equal degrees of " + name);
    return;
  }
  const DegreeBuckets buckets(*least, *most);
  const auto bucket = [&](Vertex v) { return buckets.of(degrees[v]); };
  expect(std::ranges::is_sorted(order, {}, bucket), "buckets of the order of " + name);
  expect(*most - *least >= DegreeBuckets::kCount ||
             std::ranges::is_sorted(order, std::ranges::greater{},
                                    [&](Vertex v) { return degrees[v]; }),
         "exact order of few degrees of " + name);
}

void try_descents(const std::vector<EdgeIndex>& offsets, const EdgeIndex* on_device,
                  std::uint32_t seed, const std::string& name) {
  std::mt19937_64 random(seed);
  const auto vertices = static_cast<Vertex>(offsets.size() - 1);
  std::vector<Vertex> neighbours(offsets.back());
  for (Vertex& neighbour : neighbours) neighbour = static_cast<Vertex>(random() % vertices);
  if (seed % 2 == 0)
    for (Vertex v = 0; v < vertices; ++v)
      std::sort(neighbours.begin() + offsets[v], neighbours.begin() + offsets[v + 1]);
  unsigned long long descents = 0;
  for (Vertex v = 0; v < vertices; ++v)
    for (EdgeIndex e = offsets[v] + 1; e < offsets[v + 1]; ++e)
      descents += neighbours[e - 1] > neighbours[e];
  const Array<Vertex> targets(neighbours);
  const Array<unsigned long long> counted(1);
  prepare::count_descents(nullptr, {on_device, targets.get(), vertices, neighbours.size()},
                          counted.get());
  check(cudaDeviceSynchronize());
  expect(counted.values().front() == descents, "descents of " + name);
}

void try_graph(Vertex vertices, std::size_t edges, Shape shape, std::uint32_t seed) {
  const std::string name = std::to_string(vertices) + " vertices, " + std::to_string(edges) +
                           " edges, seed " + std::to_string(seed);
  const std::vector<EdgeIndex> host = random_offsets(vertices, edges, shape, seed);
  const std::vector<EdgeIndex> host_more = random_offsets(vertices, edges, shape, seed + 1000);
  const Array<EdgeIndex> offsets(host);
  const Array<EdgeIndex> more(host_more);

  const Array<Vertex> order(vertices);
  std::vector<EdgeIndex> degrees(vertices);
  for (Vertex v = 0; v < vertices; ++v) degrees[v] = length(host, v);
  prepare::approximate_order(nullptr, {offsets.get(), nullptr}, vertices, order.get());
  check(cudaDeviceSynchronize());
  expect_order(order.values(), degrees, name);
  for (Vertex v = 0; v < vertices; ++v) degrees[v] += length(host_more, v);
  prepare::approximate_order(nullptr, {offsets.get(), more.get()}, vertices, order.get());
  check(cudaDeviceSynchronize());
  expect_order(order.values(), degrees, "both lists of " + name);

  if (shape == Shape::Wide) return;
  const Array<std::uint32_t> narrow(vertices + std::size_t{1});
  prepare::narrow_offsets(nullptr, offsets.get(), vertices + std::size_t{1}, narrow.get());
  check(cudaDeviceSynchronize());
  expect(std::ranges::equal(narrow.values(), host), "narrow offsets of " + name);
  try_descents(host, offsets.get(), seed, name);
}

graph::Adjacency adjacency(const std::vector<EdgeIndex>& offsets, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Vertex> targets;
  const std::uint64_t vertices = offsets.size() - 1;
  // Half of the edges lead to the same few vertices.
  for (EdgeIndex e = 0; e < offsets.back(); ++e)
    targets.push_back(
        static_cast<Vertex>(random() % (random() % 2 == 0 ? vertices : (vertices + 9) / 10)));
  return {offsets, std::move(targets), {}};
}

/// Vertices have the places of an order by degree, and lists call their neighbours by these.
void try_hubs(Vertex vertices, std::size_t edges, Shape shape, std::uint32_t seed) {
  const std::string name = "hubs of " + std::to_string(vertices) + " vertices, " +
                           std::to_string(edges) + " edges, seed " + std::to_string(seed);
  const graph::Adjacency lists = adjacency(random_offsets(vertices, edges, shape, seed), seed);
  const std::vector<EdgeIndex> host_offsets(lists.offsets.begin(), lists.offsets.end());
  const std::vector<Vertex> host_targets(lists.targets.begin(), lists.targets.end());
  const Array<EdgeIndex> offsets(host_offsets);
  const Array<Vertex> targets(host_targets);
  const Array<Vertex> places(vertices);
  const Array<Vertex> renamed(edges);
  const prepare::Neighbours neighbours{offsets.get(), targets.get(), vertices, edges};
  prepare::place_hubs(nullptr, {offsets.get(), nullptr}, neighbours, places.get());
  prepare::call_by_places(nullptr, neighbours, places.get(), renamed.get());
  check(cudaDeviceSynchronize());
  const std::vector<Vertex> found = places.values();
  std::vector<Vertex> order(vertices, vertices);
  for (Vertex v = 0; v < vertices; ++v)
    if (found[v] < vertices) order[found[v]] = v;
  std::vector<EdgeIndex> degrees(vertices);
  for (Vertex v = 0; v < vertices; ++v) degrees[v] = lists.degree(v);
  expect_order(order, degrees, name);
  const std::vector<Vertex> called = renamed.values();
  for (std::size_t e = 0; e < edges; ++e)
    expect(called[e] == found[host_targets[e]], "called by place in " + name);
}

/// Every edge has a slot of its own, where the order of edges puts it, and room is enough.
void try_messages(Vertex vertices, std::size_t edges, Shape shape, Along along, bool symmetric,
                  bool once, std::uint32_t seed) {
  const std::string name =
      "messages of " + std::to_string(vertices) + " vertices, " + std::to_string(edges) +
      " edges, along " + std::to_string(static_cast<int>(along)) + ", seed " + std::to_string(seed);
  graph::Graph graph;
  graph.vertex_count = vertices;
  graph.edge_count = edges;
  graph.symmetric = symmetric;
  graph.out = adjacency(random_offsets(vertices, edges, shape, seed), seed);
  if (symmetric) {
    // What stands for an undirected graph here: everybody receives as much as he sends.
    std::vector<Vertex> targets(edges);
    for (Vertex v = 0; v < vertices; ++v)
      std::fill(targets.begin() + graph.out.offsets[v], targets.begin() + graph.out.offsets[v + 1],
                v);
    graph.out.targets = std::move(targets);
  } else if (along != Along::Out || seed % 2 == 0) {
    graph::build_transpose(graph);
  }

  const unsigned passes = prepare::message_passes(graph, along, once);
  const std::uint64_t room = prepare::message_room(graph, along, once);
  const auto values_of = [](const graph::Array<Vertex>& values) {
    return std::vector<Vertex>(values.begin(), values.end());
  };
  const std::vector<Vertex> first =
      values_of(along == Along::In ? graph.in().targets : graph.out.targets);
  const std::vector<Vertex> second =
      passes == 2 ? values_of(graph.in().targets) : std::vector<Vertex>{};
  const Array<Vertex> targets(first);
  const Array<Vertex> more(second);
  const Array<Vertex> receivers(vertices);
  const Array<EdgeIndex> first_slot(vertices);
  const Array<EdgeIndex> message_count(vertices);
  const Array<EdgeIndex> of_edge(edges);
  const Array<EdgeIndex> of_more(edges);
  prepare::place_messages(
      nullptr, {vertices, edges, targets.get(), passes == 2 ? more.get() : nullptr},
      {receivers.get(), first_slot.get(), message_count.get(), of_edge.get(), of_more.get()}, room);

  std::vector<EdgeIndex> counts(vertices, 0);
  const std::vector<EdgeIndex> begins = first_slot.values();
  std::vector<std::uint8_t> taken(room, 0);
  const auto expect_slots = [&](const std::vector<Vertex>& to,
                                const std::vector<EdgeIndex>& slots) {
    for (std::size_t e = 0; e < edges; ++e) {
      const bool inside = slots[e] < room;
      expect(inside && slots[e] == begins[to[e]] + 32 * counts[to[e]]++, "slots of " + name);
      if (inside) expect(taken[slots[e]]++ == 0, "slot of one edge of " + name);
    }
  };
  expect_slots(first, of_edge.values());
  if (passes == 2) expect_slots(second, of_more.values());
  expect(message_count.values() == counts, "counts of " + name);
  const std::vector<Vertex> order = receivers.values();
  expect_order(order, counts, name);
  for (Vertex i = 0; i < vertices; ++i) {
    expect(begins[order[i]] % 32 == i % 32, "lanes of " + name);
    expect(i % 32 == 0 || begins[order[i]] == begins[order[i - 1]] + 1, "groups of " + name);
  }
}

}  // namespace

int main() {
  std::uint32_t seed = 0;
  try {
    prepare::approximate_order(nullptr, {}, 0, nullptr);
    for (const Vertex vertices :
         {1u, 2u, 31u, 32u, 33u, 255u, 256u, 257u, 1000u, 1023u, 1025u, 4097u})
      for (const std::size_t edges :
           {std::size_t{0}, std::size_t{1}, std::size_t{vertices}, std::size_t{8} * vertices + 3})
        for (const Shape shape : {Shape::Even, Shape::Skewed, Shape::Wide})
          try_graph(vertices, edges, shape, ++seed);
    for (const Vertex vertices : {1u, 2u, 33u, 257u, 1000u, 4097u})
      for (const std::size_t edges :
           {std::size_t{0}, std::size_t{1}, std::size_t{8} * vertices + 3})
        for (const Shape shape : {Shape::Even, Shape::Skewed})
          try_hubs(vertices, edges, shape, ++seed);
    for (const Vertex vertices : {1u, 2u, 31u, 32u, 33u, 64u, 65u, 255u, 257u, 1025u})
      for (const std::size_t edges :
           {std::size_t{0}, std::size_t{1}, std::size_t{vertices}, std::size_t{5} * vertices + 3})
        for (const Along along : {Along::Out, Along::In, Along::Both})
          for (const bool symmetric : {false, true}) {
            ++seed;
            try_messages(vertices, edges, seed % 2 == 0 ? Shape::Even : Shape::Skewed, along,
                         symmetric, seed % 3 == 0, seed);
          }
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  std::printf("%u graphs, %d differences\n", seed, failures);
  return failures == 0 ? 0 : 1;
}
