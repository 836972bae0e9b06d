#include "vertigo/graph/degrees.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "vertigo/core/parallel.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

namespace {

const DegreeFacts* facts_of_device(const Adjacency& adjacency) {
  return adjacency.on_device == nullptr ? nullptr : adjacency.on_device->degree_facts();
}

DegreeCounts count_on_host(const Adjacency& adjacency) {
  constexpr std::size_t kCounted = DegreeCounts::kCounted;
  const std::span<const EdgeIndex> offsets = adjacency.offsets;
  const std::size_t vertices = adjacency.list_count();
  DegreeCounts counts;
  counts.lists.resize(kCounted, 0);
  ExceptionCarrier carrier;
#pragma omp parallel if (vertices > kCounted)
  carrier.run([&] {
    std::vector<std::uint32_t> here(kCounted, 0);
    std::vector<EdgeIndex> longer_here;
#pragma omp for schedule(static) nowait
    for (std::size_t v = 0; v < vertices; ++v) {
      const EdgeIndex length = offsets[v + 1] - offsets[v];
      if (length < kCounted)
        ++here[length];
      else
        longer_here.push_back(length);
    }
#pragma omp critical(degree_counts)
    {
      for (std::size_t length = 0; length < kCounted; ++length)
        counts.lists[length] += here[length];
      counts.longer.insert(counts.longer.end(), longer_here.begin(), longer_here.end());
    }
  });
  carrier.rethrow();
  while (!counts.lists.empty() && counts.lists.back() == 0) counts.lists.pop_back();
  std::ranges::sort(counts.longer, std::greater<>());
  return counts;
}

EdgeIndex longest_on_host(std::span<const EdgeIndex> offsets, std::size_t vertices) {
  EdgeIndex longest = 0;
#pragma omp parallel for reduction(max : longest)
  for (std::size_t v = 0; v < vertices; ++v)
    longest = std::max(longest, offsets[v + 1] - offsets[v]);
  return longest;
}

}  // namespace

EdgeIndex Adjacency::longest_list() const {
  if (const DegreeFacts* const facts = facts_of_device(*this)) return facts->counts.longest();
  return longest_on_host(offsets, list_count());
}

DegreeCounts degree_counts(const Adjacency& adjacency) {
  if (const DegreeFacts* const facts = facts_of_device(adjacency)) return facts->counts;
  return count_on_host(adjacency);
}

Vertex first_longest(const Adjacency& adjacency) {
  if (const DegreeFacts* const facts = facts_of_device(adjacency)) return facts->first_longest;
  const std::span<const EdgeIndex> offsets = adjacency.offsets;
  const std::size_t vertices = adjacency.list_count();
  const EdgeIndex longest = longest_on_host(offsets, vertices);
  std::size_t first = vertices;
#pragma omp parallel for reduction(min : first)
  for (std::size_t v = 0; v < vertices; ++v)
    if (offsets[v + 1] - offsets[v] == longest) first = std::min(first, v);
  return static_cast<Vertex>(first);
}

std::vector<std::uint64_t> filled_lists(const Adjacency& adjacency) {
  if (on_device(adjacency).offsets != nullptr)
    if (auto filled = adjacency.on_device->filled()) return std::move(*filled);
  constexpr std::size_t kBits = 64;
  const std::span<const EdgeIndex> offsets = adjacency.offsets;
  const std::size_t vertices = adjacency.list_count();
  std::vector<std::uint64_t> filled((vertices + kBits - 1) / kBits, 0);
#pragma omp parallel for schedule(static)
  for (std::size_t word = 0; word < filled.size(); ++word) {
    const std::size_t end = std::min((word + 1) * kBits, vertices);
    for (std::size_t v = word * kBits; v < end; ++v)
      if (offsets[v + 1] > offsets[v]) filled[word] |= std::uint64_t{1} << v % kBits;
  }
  return filled;
}

}  // namespace vertigo::graph
