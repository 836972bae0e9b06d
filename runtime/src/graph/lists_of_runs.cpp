#include "lists_of_runs.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bucket_sort.h"
#include "vertigo/core/memory.h"

namespace vertigo::graph {
namespace {

template <class W>
W weight_of(const EdgeRun& run, std::size_t i) {
  if constexpr (std::is_same_v<W, NoWeight>)
    return {};
  else if constexpr (std::is_same_v<W, double>)
    return run.weight(i);
  else
    return run.integers()[i];
}

// The smallest integer has no opposite; it wraps to itself, as the file's own pair would not exist.
template <class W>
W negated(W weight) {
  if constexpr (std::is_same_v<W, std::int64_t>)
    return static_cast<W>(0 - static_cast<std::uint64_t>(weight));
  else if constexpr (std::is_same_v<W, double>)
    return 0 - weight;
  else
    return weight;
}

template <class W>
struct EdgesOfRuns {
  using Weight = W;
  const std::vector<EdgeRun>& runs;
  bool with_negated_reverse;  // all runs once more, reversed

  void visit(std::size_t part, std::size_t parts, const auto& edge) const {
    const std::size_t rounds = with_negated_reverse ? 2 : 1;
    const std::size_t end = rounds * runs.size() * (part + 1) / parts;
    for (std::size_t r = rounds * runs.size() * part / parts; r < end; ++r) {
      const EdgeRun& run = runs[r % runs.size()];
      const bool reversed = r >= runs.size();
      run.each([&](std::uint64_t source, std::uint64_t target, std::size_t i) {
        const auto from = static_cast<Vertex>(source);
        const auto to = static_cast<Vertex>(target);
        if (reversed)
          edge(to, from, negated(weight_of<W>(run, i)));
        else
          edge(from, to, weight_of<W>(run, i));
      });
    }
  }
};

bool sources_ascend(const std::vector<EdgeRun>& runs) {
  bool ascend = true;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : ascend)
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto& sources = runs[r].narrow_sources();
    ascend = ascend && std::is_sorted(sources.begin(), sources.end());
  }
  Vertex last = 0;
  for (const EdgeRun& run : runs) {
    if (!ascend || run.size() == 0) continue;
    ascend = last <= run.narrow_sources().front();
    last = run.narrow_sources().back();
  }
  return ascend;
}

// Where sources ascend, the targets stand where they belong. Each run is freed as soon as it is
// copied.
template <class W>
Adjacency joined(std::vector<EdgeRun>& runs, Vertex vertex_count, std::uint64_t edges) {
  using Column = std::conditional_t<std::is_same_v<W, NoWeight>, NoColumn, Room<W>>;
  std::vector<EdgeIndex> begins;
  std::vector<std::size_t> first_sources;  // from which vertex on a run says where lists begin
  EdgeIndex begin = 0;
  std::size_t next_source = 0;
  for (const EdgeRun& run : runs) {
    begins.push_back(begin);
    first_sources.push_back(next_source);
    begin += run.size();
    if (run.size() > 0) next_source = std::size_t{run.narrow_sources().back()} + 1;
  }
  Room<EdgeIndex> offsets(std::size_t{vertex_count} + 1);
  Room<Vertex> targets(edges);
  Column weights(edges);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t r = 0; r < runs.size(); ++r) {
    EdgeRun& run = runs[r];
    const auto& sources = run.narrow_sources();
    std::size_t source = first_sources[r];
    EdgeIndex first = 0;  // entry of the row
    for (std::size_t row = 0; row < sources.size(); ++row) {
      for (; source <= sources[row]; ++source) offsets[source] = begins[r] + first;
      first = run.is_folded() ? run.ends()[row] : row + 1;
    }
    if constexpr (kHasWeights<Column>)
      for (std::size_t i = 0; i < run.size(); ++i) weights[begins[r] + i] = weight_of<W>(run, i);
    std::ranges::copy(run.narrow_targets(), targets.data() + begins[r]);
    run = EdgeRun();
  }
  std::fill(offsets.begin() + next_source, offsets.end(), edges);
  return {std::move(offsets).finished(), std::move(targets).finished(),
          to_weights(std::move(weights))};
}

template <class W>
Adjacency lists(RawGraph& raw, Vertex vertex_count) {
  const std::uint64_t edges = raw.edge_count() * (raw.reverse_negated ? 2 : 1);
  require_memory(edges * sizeof(MovedEdge<W>) + std::uint64_t{vertex_count} * 16,
                 "building this graph");
  if (!raw.reverse_negated && sources_ascend(raw.runs))
    return joined<W>(raw.runs, vertex_count, edges);
  const auto buckets = scatter(vertex_count, EdgesOfRuns<W>{raw.runs, raw.reverse_negated});
  std::vector<EdgeRun>().swap(raw.runs);
  return gather(vertex_count, buckets, ListOrder::Ascending);
}

}  // namespace

Adjacency lists_of_runs(RawGraph& raw, Vertex vertex_count, bool keep_weights) {
  if (!keep_weights) return lists<NoWeight>(raw, vertex_count);
  const bool reals = raw.real_weights || std::ranges::any_of(raw.runs, [](const EdgeRun& run) {
                       return !run.reals().empty();
                     });
  return reals ? lists<double>(raw, vertex_count) : lists<std::int64_t>(raw, vertex_count);
}

}  // namespace vertigo::graph
