// Intersections of lists of all pairs of lengths, and reductions over them, under branches. Exit
// code 1, and one line for each difference, where the device does not find what the host does.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "device_array.h"
#include "expect.h"
#include "random_lists.h"
#include "vertigo/device/generated.cuh"

namespace {

using namespace vertigo;
using namespace vertigo::gpu;

// Some lanes ask in one branch, some in another, some not at all.
__global__ void __launch_bounds__(kBlock)
    intersect(const Graph<> graph, const Vertex* a, const Vertex* b, unsigned count,
              std::int64_t* found) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    if (i % 5 == 0)
      found[i] = common_neighbours(graph, a[i], b[i]);
    else if (i % 7 != 0)
      found[i] = common_neighbours(graph, b[i], a[i]) + 1000000;
    else
      found[i] = -1;
  }
}

using Least = Tuple<std::int32_t, Vertex>;

// What the functions read of a thread differs from one to the next.
__global__ void __launch_bounds__(kBlock)
    reduce(const Graph<> graph, const Vertex* a, const Vertex* b, unsigned count, double* sums,
           Least* least, std::int64_t* nested) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const Vertex u = a[i], v = b[i];
    if (i % 7 != 0)
      sums[i] = reduce_common(
          graph, u, v, Sum{}, 0.0, keep(u, v),
          [=](Vertex x, Vertex u, Vertex v) { return 1.0 / (double{u} + v + x + 1.0); });
    else
      sums[i] = -1;
    least[i] = reduce_common(
        graph, u, v, Min{}, Least{kInfinity<std::int32_t>, kNoVertex}, keep(i, v),
        [=](Vertex x, unsigned i, Vertex v) {
          return Least{static_cast<std::int32_t>((x * 7 + i) % 5), x + v};
        },
        [=](EdgeIndex place) { return graph.out.targets[place] % 3 != 0; });
    nested[i] =
        reduce_common(graph, u, v, Sum{}, std::int64_t{0}, keep(v), [=](Vertex x, Vertex v) {
          return x % 64 != 0
                     ? std::int64_t{1}
                     : reduce_common(graph, x, v, Sum{}, std::int64_t{0}, keep(x),
                                     [=](Vertex y, Vertex x) { return std::int64_t{y} - x; });
        });
  }
}

/// Pairs of lists of all lengths, and what they share.
struct Pairs {
  static constexpr Vertex kVertices = 3000;
  static constexpr EdgeIndex kKnown[] = {0,  1,  2,  3,   31,   32,   33,  63,
                                         64, 65, 96, 100, 1000, 2900, 5000};
  Lists lists;
  std::vector<Vertex> a, b;

  Pairs() {
    std::mt19937_64 random(6);
    std::vector<EdgeIndex> lengths(kVertices);
    for (Vertex v = 0; v < kVertices; ++v)
      lengths[v] = v < std::size(kKnown) ? kKnown[v] : random() % 20;
    lists = random_lists(lengths, kVertices, random);
    for (Vertex u = 0; u < std::size(kKnown) + 10; ++u)
      for (Vertex v = 0; v < std::size(kKnown) + 30; ++v) {
        a.push_back(u);
        b.push_back(v);
      }
    a.insert(a.end(), {kNoVertex, 12, kNoVertex});
    b.insert(b.end(), {12, kNoVertex, kNoVertex});
  }
  std::string name(std::size_t i) const {
    return std::to_string(a[i]) + " and " + std::to_string(b[i]);
  }
  std::vector<Vertex> distinct(Vertex v) const {
    std::vector<Vertex> list;
    if (v == kNoVertex) return list;
    std::unique_copy(lists.targets.begin() + static_cast<std::ptrdiff_t>(lists.offsets[v]),
                     lists.targets.begin() + static_cast<std::ptrdiff_t>(lists.offsets[v + 1]),
                     std::back_inserter(list));
    return list;
  }
  std::vector<Vertex> common(Vertex u, Vertex v) const {
    const std::vector<Vertex> x = distinct(u), y = distinct(v);
    std::vector<Vertex> common;
    std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(common));
    return common;
  }
};

void try_intersections(const Pairs& pairs, const Graph<>& graph, const Vertex* a, const Vertex* b) {
  const auto count = static_cast<unsigned>(pairs.a.size());
  const Array<std::int64_t> found(count);
  intersect<<<3, kBlock>>>(graph, a, b, count, found.get());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  const std::vector<std::int64_t> said = found.values();
  for (std::size_t i = 0; i < count; ++i) {
    const auto size = static_cast<std::int64_t>(pairs.common(pairs.a[i], pairs.b[i]).size());
    expect(said[i] == (i % 5 == 0   ? size
                       : i % 7 != 0 ? size + 1000000
                                    : -1),
           "neighbours that " + pairs.name(i) + " share");
  }
}

void try_reductions(const Pairs& pairs, const Graph<>& graph, const Vertex* a, const Vertex* b) {
  const auto count = static_cast<unsigned>(pairs.a.size());
  const Array<double> sums(count);
  const Array<Least> least(count);
  const Array<std::int64_t> nested(count);
  reduce<<<3, kBlock>>>(graph, a, b, count, sums.get(), least.get(), nested.get());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  const std::vector<double> said = sums.values();
  const std::vector<Least> said_least = least.values();
  const std::vector<std::int64_t> said_nested = nested.values();
  std::map<std::pair<Vertex, Vertex>, double> known;
  for (unsigned i = 0; i < count; ++i) {
    const Vertex u = pairs.a[i], v = pairs.b[i];
    double sum = 0;
    Least lowest{kInfinity<std::int32_t>, kNoVertex};
    std::int64_t inner = 0;
    for (const Vertex x : pairs.common(u, v)) {
      sum += 1.0 / (double{u} + v + x + 1.0);
      if (x % 3 != 0)
        lowest = std::min(lowest, {static_cast<std::int32_t>((x * 7 + i) % 5), x + v});
      if (x % 64 != 0)
        ++inner;
      else
        for (const Vertex y : pairs.common(x, v)) inner += std::int64_t{y} - x;
    }
    if (i % 7 != 0) {
      expect(std::abs(said[i] - sum) <= 1e-14 * sum, "sum over what " + pairs.name(i) + " share");
      // However many lanes were there: the lists are added up in one order.
      const auto [first, is_new] = known.emplace(std::minmax(u, v), said[i]);
      expect(is_new || first->second == said[i], "sum the other way round of " + pairs.name(i));
    }
    expect(said_least[i] == lowest, "least of what " + pairs.name(i) + " share");
    expect(said_nested[i] == inner, "reduction inside one over what " + pairs.name(i) + " share");
  }
}

void try_pairs() {
  const Pairs pairs;
  const Array<EdgeIndex> offsets(pairs.lists.offsets);
  const Array<Vertex> targets(pairs.lists.targets);
  const Array<Vertex> a(pairs.a), b(pairs.b);
  Graph<> graph;
  graph.vertex_count = graph.last = Pairs::kVertices;
  graph.out = {offsets.get(), targets.get()};
  try_intersections(pairs, graph, a.get(), b.get());
  try_reductions(pairs, graph, a.get(), b.get());
}

}  // namespace

int main() try {
  try_pairs();
  std::printf("intersections, %d differences\n", failures);
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
