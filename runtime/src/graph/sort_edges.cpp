// Stable parallel counting sort of an edge list by source. Two levels keep the counters in cache:
// edges are first scattered to ranges of sources ("buckets", one histogram a thread), then each
// bucket is sorted by one thread.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "vertigo/core/parallel.h"
#include "vertigo/graph/builder.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

constexpr std::size_t kLargestBucketCount = 512;

bool is_sorted_by_source(const std::vector<Vertex>& sources) {
  bool sorted = true;
  const std::size_t count = sources.size();
#pragma omp parallel for schedule(static) reduction(&& : sorted)
  for (std::size_t i = 1; i < count; ++i) sorted = sorted && sources[i - 1] <= sources[i];
  return sorted;
}

std::vector<EdgeIndex> offsets_of_sorted(Vertex vertex_count, const std::vector<Vertex>& sources) {
  std::vector<EdgeIndex> offsets(std::size_t{vertex_count} + 1, 0);
  const std::size_t count = sources.size();
  if (count == 0) return offsets;
  // offsets[v] is the first edge whose source is at least v.
#pragma omp parallel for schedule(static)
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t v = std::size_t{sources[i - 1]} + 1; v <= sources[i]; ++v) offsets[v] = i;
  }
  for (std::size_t v = std::size_t{sources.back()} + 1; v <= vertex_count; ++v) offsets[v] = count;
  return offsets;
}

template <class Column>
struct Buckets {
  std::vector<Vertex> sources;
  std::vector<Vertex> targets;
  Column weights;
  std::vector<EdgeIndex> begins;  // one more than buckets
  unsigned shift = 0;             // bucket of v: v >> shift
};

template <class Column>
Buckets<Column> scatter(Vertex vertex_count, const std::vector<Vertex>& sources,
                        const std::vector<Vertex>& targets, const Column& weights) {
  const std::size_t count = sources.size();
  Buckets<Column> result;
  while ((std::size_t{vertex_count} >> result.shift) >= kLargestBucketCount) ++result.shift;
  const std::size_t bucket_count = (std::size_t{vertex_count} >> result.shift) + 1;
  const unsigned shift = result.shift;
  const auto threads = static_cast<std::size_t>(thread_count());

  result.sources.resize(count);
  result.targets.resize(count);
  result.weights.resize(count);
  result.begins.assign(bucket_count + 1, 0);
  // cursor[t * bucket_count + b]: where part t writes its next edge of bucket b.
  std::vector<EdgeIndex> cursor(threads * bucket_count, 0);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t part = 0; part < threads; ++part) {
    EdgeIndex* histogram = cursor.data() + part * bucket_count;
    const std::size_t end = count * (part + 1) / threads;
    for (std::size_t i = count * part / threads; i < end; ++i) ++histogram[sources[i] >> shift];
  }
  EdgeIndex sum = 0;
  for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
    result.begins[bucket] = sum;
    for (std::size_t part = 0; part < threads; ++part) {
      sum += std::exchange(cursor[part * bucket_count + bucket], sum);
    }
  }
  result.begins[bucket_count] = sum;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t part = 0; part < threads; ++part) {
    EdgeIndex* next = cursor.data() + part * bucket_count;
    const std::size_t end = count * (part + 1) / threads;
    for (std::size_t i = count * part / threads; i < end; ++i) {
      const EdgeIndex place = next[sources[i] >> shift]++;
      result.sources[place] = sources[i];
      result.targets[place] = targets[i];
      result.weights[place] = weights[i];
    }
  }
  return result;
}

// Sorts each bucket into the final arrays, which have their size already.
template <class Column>
std::vector<EdgeIndex> gather(Vertex vertex_count, const Buckets<Column>& buckets,
                              std::vector<Vertex>& targets, Column& weights) {
  std::vector<EdgeIndex> offsets(std::size_t{vertex_count} + 1, 0);
  const std::size_t bucket_count = buckets.begins.size() - 1;
  const std::size_t width = std::size_t{1} << buckets.shift;
#pragma omp parallel
  {
    std::vector<EdgeIndex> next(width);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
      const std::size_t first = bucket << buckets.shift;
      const std::size_t last = std::min<std::size_t>(first + width, vertex_count);
      if (first >= last) continue;
      std::fill(next.begin(), next.end(), 0);
      const EdgeIndex begin = buckets.begins[bucket];
      const EdgeIndex end = buckets.begins[bucket + 1];
      for (EdgeIndex i = begin; i < end; ++i) ++next[buckets.sources[i] - first];
      EdgeIndex sum = begin;
      for (std::size_t v = first; v < last; ++v) {
        offsets[v] = sum;
        sum += std::exchange(next[v - first], sum);
      }
      for (EdgeIndex i = begin; i < end; ++i) {
        const EdgeIndex place = next[buckets.sources[i] - first]++;
        targets[place] = buckets.targets[i];
        weights[place] = buckets.weights[i];
      }
    }
  }
  offsets[vertex_count] = targets.size();
  return offsets;
}

// Sorts one row by target; parallel edges keep their order.
template <class Column>
void sort_row(Vertex* targets, Column& weights, EdgeIndex begin, std::size_t degree,
              std::vector<std::pair<Vertex, EdgeIndex>>& order, Column& copy) {
  if constexpr (!kHasWeights<Column>) {
    std::sort(targets, targets + degree);
  } else {
    order.resize(degree);
    copy.resize(degree);
    for (std::size_t i = 0; i < degree; ++i) {
      order[i] = {targets[i], i};
      copy[i] = weights[begin + i];
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < degree; ++i) {
      targets[i] = order[i].first;
      weights[begin + i] = copy[order[i].second];
    }
  }
}

template <class Column>
void sort_rows(Vertex vertex_count, std::span<const EdgeIndex> offsets,
               std::vector<Vertex>& targets, Column& weights) {
#pragma omp parallel
  {
    std::vector<std::pair<Vertex, EdgeIndex>> order;
    Column copy;
#pragma omp for schedule(dynamic, 4096)
    for (std::size_t v = 0; v < vertex_count; ++v) {
      Vertex* row = targets.data() + offsets[v];
      const std::size_t degree = offsets[v + 1] - offsets[v];
      if (!std::is_sorted(row, row + degree))
        sort_row(row, weights, offsets[v], degree, order, copy);
    }
  }
}

}  // namespace

Adjacency sort_edges(EdgeList edges) {
  Adjacency result;
  with_column(edges.weights, [&](auto& weights) {
    if (is_sorted_by_source(edges.sources)) {
      result.offsets = offsets_of_sorted(edges.vertex_count, edges.sources);
    } else {
      const auto buckets = scatter(edges.vertex_count, edges.sources, edges.targets, weights);
      std::vector<Vertex>().swap(edges.sources);
      result.offsets = gather(edges.vertex_count, buckets, edges.targets, weights);
    }
    sort_rows(edges.vertex_count, result.offsets, edges.targets, weights);
  });
  result.targets = std::move(edges.targets);
  result.weights = to_weights(std::move(edges.weights));
  return result;
}

Adjacency transpose(Vertex vertex_count, const Adjacency& adjacency) {
  EdgeList reversed;
  reversed.vertex_count = vertex_count;
  reversed.sources.assign(adjacency.targets.begin(), adjacency.targets.end());
  reversed.targets.resize(adjacency.targets.size());
  reversed.weights = take(Weights(adjacency.weights));
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t v = 0; v < vertex_count; ++v) {
    std::fill(reversed.targets.begin() + static_cast<std::ptrdiff_t>(adjacency.offsets[v]),
              reversed.targets.begin() + static_cast<std::ptrdiff_t>(adjacency.offsets[v + 1]),
              static_cast<Vertex>(v));
  }
  return sort_edges(std::move(reversed));
}

}  // namespace vertigo::graph
