#include "row_facts.h"

#include <sys/random.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "mix.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

// Nobody who writes a file knows it.
std::uint64_t secret_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    number =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return number;
}

}  // namespace

RowFacts row_facts(Vertex vertex_count, const Adjacency& adjacency) {
  EdgeIndex loops = 0;
  EdgeIndex duplicates = 0;
  EdgeIndex descents = 0;
  const Vertex* const targets = adjacency.targets.data();
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : loops, duplicates, descents)
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const EdgeIndex begin = adjacency.offsets[v];
    const EdgeIndex degree = adjacency.offsets[v + 1] - begin;
    if (degree == 0) continue;
    const Vertex* const list = targets + begin;
    // 32 bits hold the counts of a piece, and are added up several at a time.
    constexpr EdgeIndex kPiece = EdgeIndex{1} << 30;
    loops += list[0] == v;
    for (EdgeIndex from = 1; from < degree; from += kPiece) {
      const EdgeIndex to = std::min(degree, from + kPiece);
      std::uint32_t here = 0;
      std::uint32_t repeated = 0;
      std::uint32_t falling = 0;
      for (EdgeIndex e = from; e < to; ++e) {
        here += list[e] == static_cast<Vertex>(v);
        repeated += list[e - 1] == list[e];
        falling += list[e - 1] > list[e];
      }
      loops += here;
      duplicates += repeated;
      descents += falling;
    }
  }
  return {descents == 0, loops, duplicates};
}

bool sums_are_symmetric(Vertex vertex_count, const Adjacency& adjacency) {
  const std::uint64_t secret = secret_number();
  const Vertex* const targets = adjacency.targets.data();
  return with_column(adjacency.weights, [&](const auto& column) {
    // The sum over the edges that lead up, less that over the edges that lead down, both written
    // as (lower, higher).
    std::uint64_t difference = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : difference)
    for (std::size_t v = 0; v < vertex_count; ++v) {
      const auto edge = [&](std::uint64_t low, std::uint64_t high, EdgeIndex e) {
        const std::uint64_t ends = mixed((low << 32 | high) ^ secret);
        if constexpr (kHasWeights<decltype(column)>)
          return mixed(ends + bits_of(column[e]));
        else
          return ends;
      };
      EdgeIndex e = adjacency.offsets[v];
      const EdgeIndex end = adjacency.offsets[v + 1];
      std::uint64_t sum = 0;
      for (; e < end && targets[e] < v; ++e) sum -= edge(targets[e], v, e);
      while (e < end && targets[e] == v) ++e;
      for (; e < end; ++e) sum += edge(v, targets[e], e);
      difference += sum;
    }
    return difference == 0;
  });
}

}  // namespace vertigo::graph
