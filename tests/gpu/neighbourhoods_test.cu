// The most frequent value of lists of every length, of every type, over one direction and over
// both, and how many different ones they have. Exit code 1, and one line for each difference, where
// the device does not find what the host does.

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "device_array.h"
#include "expect.h"
#include "random_lists.h"
#include "vertigo/device/different_values.cuh"
#include "vertigo/device/generated.cuh"
#include "vertigo/device/most_frequent.cuh"

namespace {

using namespace vertigo;
using namespace vertigo::gpu;

// Vertices that `skips` divides do not take part; neither do edges whose target 11 divides.
template <class T, class Edges>
__global__ void __launch_bounds__(kBlock)
    find(const Graph<> graph, const Edges edges, const Ballots<T> ballots, unsigned skips,
         const T* values, T otherwise, T* found, std::int64_t* different) {
  for (const Tile tile : tiles(graph)) {
    const Vertex v = tile.vertex;
    const bool active = tile.active && v % skips != 0;
    T winner = otherwise;
    const auto cast_vote = [&](Vertex of, Vertex u, Vote<T>& cast, Vertex kept) {
      if (u % 11 != 0 && kept == of + 1) vote(cast, values[u]);
    };
    const Winner<T> most = most_frequent(edges, v, active, keep(v + 1), ballots, cast_vote);
    if (active) elect(most, winner);
    if (tile.active) found[v] = winner;
    std::int64_t number = -1;
    const Different all = different_values(edges, v, active, keep(v + 1), ballots, cast_vote);
    if (active) count_different(all, number);
    if (tile.active) different[v] = number;
  }
}

template <class T>
std::map<T, unsigned> counted(const std::vector<const Lists*>& both, Vertex v,
                              const std::vector<T>& values) {
  std::map<T, unsigned> counts;
  for (const Lists* lists : both)
    for (EdgeIndex e = lists->offsets[v]; e < lists->offsets[v + 1]; ++e)
      if (lists->targets[e] % 11 != 0) ++counts[values[lists->targets[e]]];
  return counts;
}

template <class T>
std::optional<T> most_of(const std::map<T, unsigned>& counts) {
  std::optional<T> best;
  for (const auto& [value, count] : counts)
    if (!best || count > counts.at(*best)) best = value;
  return best;
}

/// What a value is drawn from: `kinds` of them, the ends of the type among them.
template <class T>
std::vector<T> drawn(Vertex count, std::uint64_t kinds, std::mt19937_64& random) {
  std::vector<T> values;
  for (Vertex i = 0; i < count; ++i) {
    const std::uint64_t kind = random() % kinds;
    values.push_back(kind == 0   ? std::numeric_limits<T>::max()
                     : kind == 1 ? std::numeric_limits<T>::lowest()
                                 : static_cast<T>(kind * 0x9e3779b97f4a7c15u));
  }
  return values;
}

template <class T>
void try_values(const Lists& out, const Lists& in, Vertex vertices, std::uint64_t kinds,
                const char* type, std::mt19937_64& random) {
  const std::vector<T> values = drawn<T>(vertices, kinds, random);
  const Array<EdgeIndex> out_offsets(out.offsets), in_offsets(in.offsets);
  const Array<Vertex> out_targets(out.targets), in_targets(in.targets);
  const Array<T> on_device(values);
  const Array<T> found(static_cast<std::size_t>(vertices));
  const Array<std::int64_t> different(static_cast<std::size_t>(vertices));
  Graph<> graph;
  graph.vertex_count = graph.last = vertices;
  graph.out = {out_offsets.get(), out_targets.get()};
  graph.in = {in_offsets.get(), in_targets.get()};

  // Two tables for more blocks, so that some wait; they hold what is left of others.
  using Key = typename Ballots<T>::Key;
  constexpr std::uint32_t kPlaces = 1u << 15;
  const Array<Key> keys(std::vector<Key>(2 * kPlaces, 77));
  const Array<std::uint32_t> counts(std::vector<std::uint32_t>(2 * kPlaces, 5));
  const Array<unsigned long long> taken(std::vector<unsigned long long>{0});
  Ballots<T> ballots;
  ballots.keys = keys.get();
  ballots.counts = counts.get();
  ballots.places = kPlaces;
  ballots.tables = 2;
  ballots.taken.total = taken.get();

  const auto run = [&](const auto& edges, const std::vector<const Lists*>& lists, const char* way) {
    for (const unsigned skips : {1000u, 3u}) {
      find<T><<<4, kBlock>>>(graph, edges, ballots, skips, on_device.get(), static_cast<T>(9),
                             found.get(), different.get());
      check(cudaGetLastError());
      check(cudaDeviceSynchronize());
      const std::vector<T> said = found.values();
      const std::vector<std::int64_t> numbers = different.values();
      for (Vertex v = 0; v < vertices; ++v) {
        const bool counts = v % skips != 0;
        const std::map<T, unsigned> all =
            counts ? counted(lists, v, values) : std::map<T, unsigned>();
        const std::string where = std::string(type) + " of " + std::to_string(kinds) + " kinds " +
                                  way + " of vertex " + std::to_string(v);
        expect(said[v] == most_of(all).value_or(static_cast<T>(9)), "most frequent " + where);
        expect(numbers[v] == (counts ? static_cast<std::int64_t>(all.size()) : -1),
               "number of different " + where);
      }
    }
  };
  // What out_neighbours() and its kin give on the device.
  using Edges = EdgeSet<NoAttribute, false>;
  run(Edges{graph.out, graph.out, 1}, {&out}, "out");
  run(Edges{graph.in, graph.in, 1}, {&in}, "in");
  run(Edges{graph.out, graph.in, 2}, {&out, &in}, "both");
  expect(taken.values()[0] == 0, "tables that nobody gave back");
}

void try_votes() {
  std::mt19937_64 random(5);
  constexpr Vertex kVertices = 9000;
  std::vector<EdgeIndex> out(kVertices), in(kVertices);
  for (Vertex v = 0; v < kVertices; ++v) {
    out[v] = random() % 3 == 0 ? 0 : random() % (1 + random() % 40);
    in[v] = random() % 3;
  }
  // Around every border, and hubs with more values than a block's table holds, side by side.
  const EdgeIndex edges[] = {1,    31,   32,   33,    64,   127,  128,  191,  192,  193,
                             255,  256,  383,  384,   385,  511,  512,  2047, 2049, 4096,
                             4097, 6000, 9000, 12000, 9000, 9000, 9000, 9000, 9000, 14000};
  for (std::size_t i = 0; i < std::size(edges); ++i) {
    out[300 + 7 * i] = edges[i];
    in[40 * i] = edges[i] / 2;
    in[300 + 7 * i] = i;
  }
  const Lists outs = random_lists(out, kVertices, random);
  const Lists ins = random_lists(in, kVertices, random);
  for (const std::uint64_t kinds : {1u, 2u, 7u, 300u, 1000000u}) {
    try_values<std::int32_t>(outs, ins, kVertices, kinds, "int32", random);
    try_values<std::uint64_t>(outs, ins, kVertices, kinds, "uint64", random);
  }
  try_values<std::uint32_t>(outs, ins, kVertices, 1000000, "uint32", random);
  try_values<std::int64_t>(outs, ins, kVertices, 1000000, "int64", random);
}

}  // namespace

int main() try {
  try_votes();
  std::printf("neighbourhoods, %d differences\n", failures);
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
