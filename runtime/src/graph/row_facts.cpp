#include "row_facts.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
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

/// What stands side by side in a piece, whichever lists it belongs to.
struct Neighbours {
  EdgeIndex repeated = 0;
  EdgeIndex falling = 0;
  Vertex largest = 0;
};

[[gnu::always_inline]] inline Neighbours compare_each(std::span<const Vertex> targets) {
  Neighbours found{.largest = targets[0]};
  // 32 bits hold the counts of a part, and are added up several at a time. The processor foresees
  // what is read next up to the end of a page: we ask for the part behind the next one.
  constexpr std::size_t kPart = 1024;
  constexpr std::size_t kLine = 64 / sizeof(Vertex);
  for (std::size_t from = 1; from < targets.size(); from += kPart) {
    const std::size_t to = std::min(targets.size(), from + kPart);
    for (std::size_t ahead = from + 2 * kPart; ahead < std::min(targets.size(), from + 3 * kPart);
         ahead += kLine)
      __builtin_prefetch(targets.data() + ahead);
    std::uint32_t repeated = 0;
    std::uint32_t falling = 0;
    Vertex largest = 0;
    for (std::size_t e = from; e < to; ++e) {
      repeated += targets[e - 1] == targets[e];
      falling += targets[e - 1] > targets[e];
      largest = std::max(largest, targets[e]);
    }
    found.repeated += repeated;
    found.falling += falling;
    found.largest = std::max(found.largest, largest);
  }
  return found;
}

/// The lists of a piece, or parts of them: `first` is its first edge, and of the list of `vertex`.
struct Lists {
  std::span<const EdgeIndex> offsets;
  std::size_t vertex;
  EdgeIndex first;
  std::span<const Vertex> targets;

  EdgeIndex last() const { return first + targets.size(); }
  /// Calls `visit(v, list)` for each list, in the order of the vertices.
  template <class Visit>
  [[gnu::always_inline]] void for_each(const Visit& visit) const {
    std::size_t v = vertex;
    for (EdgeIndex at = first; at < last(); ++v) {
      const EdgeIndex end = std::min(offsets[v + 1], last());
      visit(static_cast<Vertex>(v), targets.subspan(at - first, end - at));
      at = end;
    }
  }
};

EdgeIndex count_loops(const Lists& lists) {
  EdgeIndex loops = 0;
  lists.for_each([&](Vertex v, std::span<const Vertex> list) {
    loops += static_cast<EdgeIndex>(std::ranges::count(list, v));
  });
  return loops;
}

Neighbours compare_few_at_once(std::span<const Vertex> targets) { return compare_each(targets); }

#if defined(__x86_64__)
bool looks_at_many() { return __builtin_cpu_supports("avx2") != 0; }

[[gnu::target("avx2")]] Neighbours compare_many_at_once(std::span<const Vertex> targets) {
  return compare_each(targets);
}

// Most lists are short, and the end of each takes as long as its beginning: it is read by a mask,
// without a jump.
[[gnu::target("avx2")]] EdgeIndex count_many_loops(const Lists& lists) {
  constexpr std::size_t kLanes = 8;
  // Of a lane no more than edges of a piece; a piece has far fewer than 2^32.
  __m256i counts = _mm256_setzero_si256();
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  std::size_t v = lists.vertex;
  const Vertex* const begin = lists.targets.data();
  for (EdgeIndex at = lists.first; at < lists.last(); ++v) {
    const EdgeIndex end = std::min(lists.offsets[v + 1], lists.last());
    const __m256i vertex = _mm256_set1_epi32(static_cast<int>(v));
    const auto* next = reinterpret_cast<const int*>(begin + (at - lists.first));
    std::size_t left = end - at;
    for (; left >= kLanes; left -= kLanes, next += kLanes) {
      const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(next));
      counts = _mm256_sub_epi32(counts, _mm256_cmpeq_epi32(vertex, eight));
    }
    const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(left)), lanes);
    const __m256i rest = _mm256_maskload_epi32(next, mask);
    counts = _mm256_sub_epi32(counts, _mm256_and_si256(mask, _mm256_cmpeq_epi32(vertex, rest)));
    at = end;
  }
  std::array<std::uint32_t, kLanes> each{};
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(each.data()), counts);
  return std::accumulate(each.begin(), each.end(), EdgeIndex{0});
}
#else
bool looks_at_many() { return false; }
constexpr auto compare_many_at_once = compare_few_at_once;
constexpr auto count_many_loops = count_loops;
#endif

/// Takes out what stands side by side without being of one list. Half of the vertices of a graph
/// may have no edges, in no order: the loop asks about them without a jump.
void leave_out_borders(const Lists& lists, Neighbours& found) {
  const std::span<const EdgeIndex> offsets = lists.offsets;
  for (std::size_t v = lists.vertex + 1; offsets[v] < lists.last(); ++v) {
    const EdgeIndex at = offsets[v] - lists.first;
    const EdgeIndex begins = offsets[v + 1] != offsets[v] ? 1 : 0;
    const Vertex before = lists.targets[at - 1];
    const Vertex here = lists.targets[at];
    found.repeated -= begins & (before == here ? 1 : 0);
    found.falling -= begins & (before > here ? 1 : 0);
  }
}

}  // namespace

void FactsOfPieces::look(EdgeIndex first, std::span<const Vertex> targets) {
  if (targets.empty()) return;
  const auto behind = std::ranges::upper_bound(offsets_, first);
  const Lists lists{offsets_, static_cast<std::size_t>(behind - offsets_.begin()) - 1, first,
                    targets};
  const bool many = looks_at_many();
  Neighbours found = many ? compare_many_at_once(targets) : compare_few_at_once(targets);
  leave_out_borders(lists, found);
  const EdgeIndex loops = many ? count_many_loops(lists) : count_loops(lists);
  const std::lock_guard lock(mutex_);
  pieces_.push_back({first, targets.front(), targets.back()});
  facts_.self_loops += loops;
  facts_.duplicates += found.repeated;
  facts_.largest = std::max(facts_.largest, found.largest);
  descents_ += found.falling;
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
