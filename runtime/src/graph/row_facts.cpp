#include "row_facts.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <variant>

#include "mix.h"
#include "vertigo/core/parallel.h"
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

struct ListFacts {
  EdgeIndex loops = 0;
  EdgeIndex duplicates = 0;
  EdgeIndex descents = 0;
  Vertex largest = 0;
};

// Of a list, or of a part that begins within it.
void look_at_list(Vertex v, std::span<const Vertex> list, ListFacts& facts) {
  facts.loops += list[0] == v;
  // 32 bits hold the counts of a part, and are added up several at a time.
  constexpr std::size_t kPart = std::size_t{1} << 30;
  for (std::size_t from = 1; from < list.size(); from += kPart) {
    const std::size_t to = std::min(list.size(), from + kPart);
    std::uint32_t here = 0;
    std::uint32_t repeated = 0;
    std::uint32_t falling = 0;
    for (std::size_t e = from; e < to; ++e) {
      here += list[e] == v;
      repeated += list[e - 1] == list[e];
      falling += list[e - 1] > list[e];
    }
    facts.loops += here;
    facts.duplicates += repeated;
    facts.descents += falling;
  }
}

}  // namespace

void FactsOfPieces::look(EdgeIndex first, std::span<const Vertex> targets) {
  if (targets.empty()) return;
  ListFacts found;
  const EdgeIndex last = first + targets.size();
  auto v =
      static_cast<std::size_t>(std::ranges::upper_bound(offsets_, first) - offsets_.begin()) - 1;
  for (EdgeIndex at = first; at < last; ++v) {
    const EdgeIndex end = std::min(offsets_[v + 1], last);
    if (end == at) continue;
    look_at_list(static_cast<Vertex>(v), targets.subspan(at - first, end - at), found);
    if (end == offsets_[v + 1]) found.largest = std::max(found.largest, targets[end - 1 - first]);
    at = end;
  }
  const std::lock_guard lock(mutex_);
  pieces_.push_back({first, targets.front(), targets.back()});
  facts_.self_loops += found.loops;
  facts_.duplicates += found.duplicates;
  facts_.largest = std::max(facts_.largest, found.largest);
  descents_ += found.descents;
}

RowFacts FactsOfPieces::finished() {
  std::ranges::sort(pieces_, {}, &Ends::begin);
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    if (std::ranges::binary_search(offsets_, pieces_[i].begin)) continue;
    facts_.duplicates += pieces_[i - 1].last == pieces_[i].first;
    descents_ += pieces_[i - 1].last > pieces_[i].first;
  }
  facts_.ascending = descents_ == 0;
  return facts_;
}

RowFacts row_facts(Vertex vertex_count, const Adjacency& adjacency) {
  await_all(adjacency);
  constexpr EdgeIndex kPiece = EdgeIndex{1} << 18;
  const std::span<const EdgeIndex> offsets(adjacency.offsets.data(), vertex_count + std::size_t{1});
  const std::span<const Vertex> targets(adjacency.targets.data(), offsets.back());
  FactsOfPieces facts(offsets);
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1) if (targets.size() > kPiece)
  for (EdgeIndex first = 0; first < targets.size(); first += kPiece) {
    carrier.run([&] {
      facts.look(first, targets.subspan(first, std::min(kPiece, targets.size() - first)));
    });
  }
  carrier.rethrow();
  return facts.finished();
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
