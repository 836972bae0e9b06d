#include "vertigo/graph/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "row_facts.h"
#include "sort_lists.h"
#include "vertigo/core/error.h"
#include "vertigo/core/parallel.h"
#include "vertigo/graph/device_lists.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

std::vector<EdgeIndex> to_offsets(
    std::vector<EdgeIndex> degrees) {  // in place; the last entry is 0
  EdgeIndex sum = 0;
  for (EdgeIndex& entry : degrees) sum += std::exchange(entry, sum);
  return degrees;
}

// One row as (target, weight) pairs in an order that depends on the values alone.
template <class Column>
void copy_row(const Adjacency& from, const Column& weights, std::size_t v,
              std::vector<std::pair<Vertex, WeightOf<Column>>>& row) {
  row.clear();
  for (EdgeIndex i = from.offsets[v]; i < from.offsets[v + 1]; ++i) {
    row.emplace_back(from.targets[i], weights[i]);
  }
  if constexpr (kHasWeights<Column>) std::sort(row.begin(), row.end());
}

// Row by row the multiset union of the out- and the in-neighbours: once to count, once to write.
template <class Column>
Adjacency unite(Vertex vertex_count, const Adjacency& out, const Column& out_weights,
                const Adjacency& in, const Column& in_weights) {
  using Row = std::vector<std::pair<Vertex, WeightOf<Column>>>;
  std::vector<EdgeIndex> offsets(std::size_t{vertex_count} + 1, 0);
  Room<Vertex> targets;
  Written<Column> weights;
  for (const bool writing : {false, true}) {
    if (writing) {
      offsets = to_offsets(std::move(offsets));
      targets = Room<Vertex>(offsets.back());
      weights = Written<Column>(offsets.back());
    }
#pragma omp parallel
    {
      Row forward;
      Row backward;
      Row both;
#pragma omp for schedule(dynamic, 1024)
      for (std::size_t v = 0; v < vertex_count; ++v) {
        copy_row(out, out_weights, v, forward);
        copy_row(in, in_weights, v, backward);
        both.clear();
        std::set_union(forward.begin(), forward.end(), backward.begin(), backward.end(),
                       std::back_inserter(both));
        if (!writing) {
          offsets[v] = both.size();
          continue;
        }
        EdgeIndex place = offsets[v];
        for (const auto& [target, weight] : both) {
          targets[place] = target;
          weights[place++] = weight;
        }
      }
    }
  }
  return {std::move(offsets), std::move(targets).finished(), to_weights(std::move(weights))};
}

/// Whether each edge has its reverse, with the same weight, as far as sums or the device that has
/// the lists tell.
bool sums_agree(Vertex vertex_count, const Adjacency& adjacency) {
  if (adjacency.on_device != nullptr)
    if (const auto known = adjacency.on_device->is_symmetric(adjacency.offsets)) return *known;
  await_all(adjacency);
  return sums_are_symmetric(vertex_count, adjacency);
}

// `facts`: of the edges, before and afterwards.
Adjacency symmetrized(Vertex vertex_count, Adjacency adjacency, RowFacts& facts) {
  // Of parallel edges, the union orders the weights.
  const bool united =
      facts.duplicates == 0 || std::holds_alternative<std::monostate>(adjacency.weights);
  if (united && sums_agree(vertex_count, adjacency)) return adjacency;
  if (adjacency.on_device != nullptr && facts.duplicates == 0)
    if (auto there = adjacency.on_device->with_reverses(adjacency)) {
      facts.duplicates = there->duplicates;
      return std::move(there->lists);
    }
  await_all(adjacency);
  const Adjacency reversed = transpose(vertex_count, adjacency);
  Adjacency both = with_column(adjacency.weights, [&](const auto& out_weights) {
    using Column = std::remove_cvref_t<decltype(out_weights)>;
    if constexpr (kHasWeights<Column>) {
      return unite(vertex_count, adjacency, out_weights, reversed,
                   std::get<Column>(reversed.weights));
    } else {
      return unite(vertex_count, adjacency, out_weights, reversed, NoColumn());
    }
  });
  if (both.targets.size() > adjacency.targets.size()) facts = row_facts(vertex_count, both);
  return both;
}

// a + b, or false where the type cannot hold it.
template <class W>
bool add(W a, W b, W& sum) {
  if constexpr (std::is_integral_v<W>) {
    return !__builtin_add_overflow(a, b, &sum);
  } else if constexpr (std::is_floating_point_v<W>) {
    sum = a + b;
    return sum < kInfinity<W> && sum > -kInfinity<W>;
  } else {
    return true;
  }
}

template <class W>
bool merge_into(W& kept, W other, DuplicatePolicy policy) {
  switch (policy) {
    case DuplicatePolicy::Min:
      kept = std::min(kept, other);
      return true;
    case DuplicatePolicy::Max:
      kept = std::max(kept, other);
      return true;
    case DuplicatePolicy::Sum:
      return add(kept, other, kept);
    default:
      return true;
  }
}

struct RowFilter {
  bool drop_loops;
  DuplicatePolicy duplicates;
  const IdMap* ids;
};

// Walks one sorted row and calls emit(target, weight) for what the policies leave; false on
// overflow of a sum.
template <class Column, class Emit>
bool filter_row(const Adjacency& from, const Column& weights, Vertex v, RowFilter filter,
                Emit&& emit) {
  EdgeIndex i = from.offsets[v];
  const EdgeIndex end = from.offsets[v + 1];
  while (i < end) {
    const Vertex target = from.targets[i];
    WeightOf<Column> weight = weights[i++];
    if (filter.duplicates != DuplicatePolicy::Keep) {
      for (; i < end && from.targets[i] == target; ++i) {
        if (!merge_into(weight, WeightOf<Column>(weights[i]), filter.duplicates)) return false;
      }
    }
    if (!(filter.drop_loops && target == v)) emit(target, weight);
  }
  return true;
}

template <class Column>
Adjacency filtered(Vertex vertex_count, const Adjacency& from, const Column& from_weights,
                   RowFilter filter) {
  std::vector<EdgeIndex> degrees(std::size_t{vertex_count} + 1, 0);
  std::uint64_t overflow_at = vertex_count;
#pragma omp parallel for schedule(dynamic, 4096) reduction(min : overflow_at)
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const bool fits = filter_row(from, from_weights, static_cast<Vertex>(v), filter,
                                 [&](Vertex, auto) { ++degrees[v]; });
    if (!fits) overflow_at = std::min<std::uint64_t>(overflow_at, v);
  }
  if (overflow_at < vertex_count) {
    throw Error(
        ExitCode::InputRefused,
        fmt::format("the sum of the weights of parallel edges from vertex {} overflows",
                    filter.ids != nullptr ? filter.ids->label(static_cast<Vertex>(overflow_at))
                                          : std::to_string(overflow_at)));
  }
  std::vector<EdgeIndex> offsets = to_offsets(std::move(degrees));
  Room<Vertex> targets(offsets.back());
  Written<Column> weights(offsets.back());
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t v = 0; v < vertex_count; ++v) {
    EdgeIndex place = offsets[v];
    filter_row(from, from_weights, static_cast<Vertex>(v), filter, [&](Vertex target, auto weight) {
      targets[place] = target;
      weights[place++] = weight;
    });
  }
  return {std::move(offsets), std::move(targets).finished(), to_weights(std::move(weights))};
}

Graph finish(Vertex vertex_count, Adjacency adjacency, RowFacts facts, const BuildOptions& options,
             BuildCounts* counts) {
  BuildCounts seen;
  seen.self_loops = facts.self_loops;
  seen.duplicates = facts.duplicates;
  const bool weighted = !std::holds_alternative<std::monostate>(adjacency.weights);
  if (options.symmetrize) {
    if (weighted && options.duplicates == DuplicatePolicy::First) {
      throw Error(ExitCode::Usage,
                  "duplicates=first has no meaning on a weighted undirected graph, whose two "
                  "directions may disagree: use min, max or sum");
    }
    const EdgeIndex before = adjacency.targets.size();
    adjacency = symmetrized(vertex_count, std::move(adjacency), facts);
    seen.added_reverse_edges = adjacency.targets.size() - before;
  }
  const RowFilter filter{options.self_loops == SelfLoopPolicy::Drop && facts.self_loops > 0,
                         facts.duplicates > 0 ? options.duplicates : DuplicatePolicy::Keep,
                         options.ids};
  if (filter.drop_loops || filter.duplicates != DuplicatePolicy::Keep) {
    const EdgeIndex before = adjacency.targets.size();
    await_all(adjacency);
    adjacency = with_column(adjacency.weights, [&](const auto& weights) {
      return filtered(vertex_count, adjacency, weights, filter);
    });
    // Parallel loops count as dropped where loops are dropped, else as merged.
    seen.dropped_self_loops = filter.drop_loops ? facts.self_loops : 0;
    seen.merged_duplicates = before - adjacency.targets.size() - seen.dropped_self_loops;
  }
  if (counts != nullptr) *counts = seen;
  Graph graph;
  graph.vertex_count = vertex_count;
  graph.edge_count = adjacency.targets.size();
  graph.symmetric = options.symmetrize;
  graph.no_duplicates = facts.duplicates == 0 || filter.duplicates != DuplicatePolicy::Keep;
  graph.out = std::move(adjacency);
  graph.ids = IdMap::contiguous(0, vertex_count);
  return graph;
}

}  // namespace

Graph build_graph(EdgeList edges, const BuildOptions& options, BuildCounts* counts) {
  const Vertex vertex_count = edges.vertex_count;
  Adjacency adjacency = sort_edges(std::move(edges));
  const RowFacts facts = row_facts(vertex_count, adjacency);
  return finish(vertex_count, std::move(adjacency), facts, options, counts);
}

Graph build_graph(Vertex vertex_count, Adjacency adjacency, const BuildOptions& options,
                  BuildCounts* counts) {
  const RowFacts facts = row_facts(vertex_count, adjacency);
  return build_graph(vertex_count, std::move(adjacency), facts, options, counts);
}

Graph build_graph(Vertex vertex_count, Adjacency adjacency, RowFacts facts,
                  const BuildOptions& options, BuildCounts* counts) {
  if (!facts.ascending) {
    adjacency = sort_lists(vertex_count, std::move(adjacency));
    facts = row_facts(vertex_count, adjacency);
  }
  return finish(vertex_count, std::move(adjacency), facts, options, counts);
}

std::optional<Edge> find_asymmetry(Vertex vertex_count, const Adjacency& adjacency) {
  if (sums_agree(vertex_count, adjacency)) return std::nullopt;
  await_all(adjacency);
  std::uint64_t first_bad =
      kInfinity<std::uint64_t>;  // source in the high half, target in the low half
  with_column(adjacency.weights, [&](const auto& weights) {
    using Column = std::remove_cvref_t<decltype(weights)>;
    // The weights of all edges v->u, in ascending order.
    const auto between = [&](std::size_t v, Vertex u, std::vector<WeightOf<Column>>& found) {
      found.clear();
      const auto row = adjacency.neighbours(static_cast<Vertex>(v));
      const auto [low, high] = std::equal_range(row.begin(), row.end(), u);
      for (auto at = low; at != high; ++at) {
        found.push_back(weights[adjacency.offsets[v] + static_cast<EdgeIndex>(at - row.begin())]);
      }
      std::sort(found.begin(), found.end());
    };
#pragma omp parallel reduction(min : first_bad)
    {
      std::vector<WeightOf<Column>> forward;
      std::vector<WeightOf<Column>> backward;
#pragma omp for schedule(dynamic, 1024)
      for (std::size_t v = 0; v < vertex_count; ++v) {
        const auto row = adjacency.neighbours(static_cast<Vertex>(v));
        for (std::size_t i = 0; i < row.size(); ++i) {
          if (i > 0 && row[i] == row[i - 1]) continue;
          between(v, row[i], forward);
          between(row[i], static_cast<Vertex>(v), backward);
          if (forward.size() > backward.size() ||
              !std::includes(backward.begin(), backward.end(), forward.begin(), forward.end())) {
            first_bad = std::min(first_bad, (std::uint64_t{v} << 32) | row[i]);
            break;
          }
        }
      }
    }
  });
  if (first_bad == kInfinity<std::uint64_t>) return std::nullopt;
  return Edge{static_cast<Vertex>(first_bad >> 32), static_cast<Vertex>(first_bad)};
}

bool is_symmetric(Vertex vertex_count, const Adjacency& adjacency) {
  if (!adjacency.targets.is_there() || !adjacency.offsets.is_there())
    return sums_agree(vertex_count, adjacency);
  constexpr EdgeIndex kLookedAtFirst = 1024;
  const EdgeIndex few = std::min<EdgeIndex>(kLookedAtFirst, adjacency.targets.size());
  Vertex source = 0;
  for (EdgeIndex e = 0; e < few; ++e) {
    while (adjacency.offsets[source + 1] <= e) ++source;
    if (!std::ranges::binary_search(adjacency.neighbours(adjacency.targets[e]), source))
      return false;
  }
  return sums_agree(vertex_count, adjacency);
}

}  // namespace vertigo::graph
