#include "row_facts.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <variant>

#include "mix.h"
#include "vertigo/core/secret_number.h"
#include "vertigo/graph/device_lists.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

// The sum of scramble((target << shift | other) ^ secret): compilers do eight at a time where they
// may.
[[gnu::always_inline]] inline std::uint64_t sum_of_ends(std::span<const Vertex> targets,
                                                        unsigned shift, std::uint64_t other) {
  std::uint64_t sum = 0;
  for (const Vertex target : targets) sum += scramble((std::uint64_t{target} << shift) ^ other);
  return sum;
}
std::uint64_t sum_one_by_one(std::span<const Vertex> targets, unsigned shift, std::uint64_t other) {
  return sum_of_ends(targets, shift, other);
}
#if defined(__x86_64__)
// Not every processor that we compile for multiplies several words at once.
[[gnu::target("avx512f,avx512dq,avx512vl")]] std::uint64_t sum_many_at_once(
    std::span<const Vertex> targets, unsigned shift, std::uint64_t other) {
  return sum_of_ends(targets, shift, other);
}
bool multiplies_many() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
}
#else
constexpr auto sum_many_at_once = sum_one_by_one;
bool multiplies_many() { return false; }
#endif

// The sum over the edges that lead up, less that over those that lead down, both written as
// (lower, higher).
std::uint64_t difference_of_sums(Vertex vertex_count, const Adjacency& adjacency,
                                 std::uint64_t secret) {
  const auto sum_of = multiplies_many() ? sum_many_at_once : sum_one_by_one;
  std::uint64_t difference = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : difference)
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const auto list = adjacency.neighbours(static_cast<Vertex>(v));
    const auto [low, high] = std::ranges::equal_range(list, static_cast<Vertex>(v));
    difference += sum_of({high, list.end()}, 0, std::uint64_t{v} << 32 ^ secret) -
                  sum_of({list.begin(), low}, 32, std::uint64_t{v} ^ secret);
  }
  return difference;
}

}  // namespace

RowFacts row_facts(Vertex vertex_count, const Adjacency& adjacency) {
  EdgeIndex loops = 0;
  EdgeIndex duplicates = 0;
  EdgeIndex descents = 0;
  Vertex largest = 0;
  await_all(adjacency);
  const Vertex* const targets = adjacency.targets.data();
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : loops, duplicates, descents) \
    reduction(max : largest)
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const EdgeIndex begin = adjacency.offsets[v];
    const EdgeIndex degree = adjacency.offsets[v + 1] - begin;
    if (degree == 0) continue;
    const Vertex* const list = targets + begin;
    // 32 bits hold the counts of a piece, and are added up several at a time.
    constexpr EdgeIndex kPiece = EdgeIndex{1} << 30;
    loops += list[0] == v;
    largest = std::max(largest, list[degree - 1]);
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
  return {descents == 0, loops, duplicates, largest};
}

bool sums_are_symmetric(Vertex vertex_count, const Adjacency& adjacency) {
  const std::uint64_t secret = secret_number();
  if (std::holds_alternative<std::monostate>(adjacency.weights))
    return difference_of_sums(vertex_count, adjacency, secret) == 0;
  const Vertex* const targets = adjacency.targets.data();
  return with_column(adjacency.weights, [&](const auto& column) {
    // The sum over the edges that lead up, less that over the edges that lead down, both written
    // as (lower, higher).
    std::uint64_t difference = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : difference)
    for (std::size_t v = 0; v < vertex_count; ++v) {
      const auto edge = [&](std::uint64_t low, std::uint64_t high, EdgeIndex e) {
        const std::uint64_t ends = scramble((low << 32 | high) ^ secret);
        if constexpr (kHasWeights<decltype(column)>)
          return scramble(ends + bits_of(column[e]));
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
