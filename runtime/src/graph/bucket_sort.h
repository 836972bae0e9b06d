#pragma once
// From edges in any order to lists, by a stable parallel counting sort. Two levels keep the
// counters in cache: edges are first scattered to ranges of sources ("buckets", one histogram a
// thread), then each bucket is sorted by one thread.
//
// Whoever has edges says what they are:
//   struct Edges {
//     using Weight = ...;                                    // NoWeight where there are none
//     void visit(std::size_t part, std::size_t parts, const auto& edge) const;
//   };
// visit() calls edge(source, target, weight) for the edges of one of `parts` parts of about the
// same size. The parts follow each other in the order of the edges.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "room.h"
#include "vertigo/core/parallel.h"
#include "vertigo/graph/graph.h"
#include "weights.h"

namespace vertigo::graph {

/// An edge on its way to its list.
template <class W>
struct MovedEdge {
  Vertex source;
  Vertex target;
  [[no_unique_address]] W weight;
};

template <class W>
struct EdgeBuckets {
  Room<MovedEdge<W>> edges;
  std::vector<EdgeIndex> begins;  // one more than buckets
  unsigned shift = 0;             // bucket of v: v >> shift
};

template <class Edges>
EdgeBuckets<typename Edges::Weight> scatter(Vertex vertex_count, const Edges& edges) {
  using W = typename Edges::Weight;
  // A bucket's counters and lists shall fit a cache, and so shall the places where a thread writes
  // next. Half as many and twice as many were slower where there are millions of vertices.
  constexpr std::size_t kMostBuckets = 2048;
  EdgeBuckets<W> result;
  while ((std::size_t{vertex_count} >> result.shift) >= kMostBuckets) ++result.shift;
  const unsigned shift = result.shift;
  const std::size_t buckets = (std::size_t{vertex_count} >> shift) + 1;
  const auto parts = static_cast<std::size_t>(thread_count());
  result.begins.assign(buckets + 1, 0);
  // cursor[p * buckets + b]: where part p writes its next edge of bucket b.
  std::vector<EdgeIndex> cursor(parts * buckets, 0);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t part = 0; part < parts; ++part) {
    EdgeIndex* const histogram = cursor.data() + part * buckets;
    edges.visit(part, parts, [&](Vertex source, Vertex, W) { ++histogram[source >> shift]; });
  }
  EdgeIndex sum = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    result.begins[bucket] = sum;
    for (std::size_t part = 0; part < parts; ++part)
      sum += std::exchange(cursor[part * buckets + bucket], sum);
  }
  result.begins[buckets] = sum;
  result.edges = Room<MovedEdge<W>>(sum);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t part = 0; part < parts; ++part) {
    EdgeIndex* const next = cursor.data() + part * buckets;
    MovedEdge<W>* const to = result.edges.data();
    edges.visit(part, parts, [&](Vertex source, Vertex target, W weight) {
      to[next[source >> shift]++] = {source, target, weight};
    });
  }
  return result;
}

/// Sorts one list by target; parallel edges keep their order.
template <class Column>
class ListSorter {
 public:
  void sort(Vertex* targets, Column& weights, EdgeIndex begin, std::size_t degree) {
    if (std::is_sorted(targets, targets + degree)) return;
    if constexpr (!kHasWeights<Column>) {
      std::sort(targets, targets + degree);
    } else {
      order_.resize(degree);
      copy_.resize(degree);
      for (std::size_t i = 0; i < degree; ++i) {
        order_[i] = {targets[i], i};
        copy_[i] = weights[begin + i];
      }
      std::sort(order_.begin(), order_.end());
      for (std::size_t i = 0; i < degree; ++i) {
        targets[i] = order_[i].first;
        weights[begin + i] = copy_[order_[i].second];
      }
    }
  }

 private:
  std::vector<std::pair<Vertex, EdgeIndex>> order_;
  std::vector<WeightOf<Column>> copy_;
};

enum class ListOrder : std::uint8_t { Kept, Ascending };

/// Sorts each bucket into lists: by source, and by target where `order` asks for it.
template <class W>
Adjacency gather(Vertex vertex_count, const EdgeBuckets<W>& buckets, ListOrder order) {
  using Column = std::conditional_t<std::is_same_v<W, NoWeight>, NoColumn, Room<W>>;
  Room<EdgeIndex> offsets(std::size_t{vertex_count} + 1);
  Room<Vertex> targets(buckets.edges.size());
  Column weights(buckets.edges.size());
  const std::size_t width = std::size_t{1} << buckets.shift;
#pragma omp parallel
  {
    std::vector<EdgeIndex> next(width);
    ListSorter<Column> sorter;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t bucket = 0; bucket < buckets.begins.size() - 1; ++bucket) {
      const std::size_t first = bucket << buckets.shift;
      const std::size_t last = std::min<std::size_t>(first + width, vertex_count);
      if (first >= last) continue;
      std::fill(next.begin(), next.end(), 0);
      const MovedEdge<W>* const begin = buckets.edges.data() + buckets.begins[bucket];
      const MovedEdge<W>* const end = buckets.edges.data() + buckets.begins[bucket + 1];
      for (const auto* edge = begin; edge != end; ++edge) ++next[edge->source - first];
      EdgeIndex sum = buckets.begins[bucket];
      for (std::size_t v = first; v < last; ++v) {
        offsets[v] = sum;
        sum += std::exchange(next[v - first], sum);
      }
      for (const auto* edge = begin; edge != end; ++edge) {
        const EdgeIndex place = next[edge->source - first]++;
        targets[place] = edge->target;
        weights[place] = edge->weight;
      }
      if (order == ListOrder::Kept) continue;
      for (std::size_t v = first; v < last; ++v) {  // next: where each list ends
        sorter.sort(targets.data() + offsets[v], weights, offsets[v], next[v - first] - offsets[v]);
      }
    }
  }
  offsets[vertex_count] = targets.size();
  return {std::move(offsets).finished(), std::move(targets).finished(),
          to_weights(std::move(weights))};
}

template <class Edges>
Adjacency lists_of(Vertex vertex_count, const Edges& edges, ListOrder order) {
  return gather(vertex_count, scatter(vertex_count, edges), order);
}

}  // namespace vertigo::graph
