#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "vertigo/core/error.h"
#include "vertigo/graph/builder.h"
#include "weights.h"
#include "writers.h"

namespace vertigo::graph {
namespace {

Edge edge_at(const Graph& graph, EdgeIndex at) {
  const auto& offsets = graph.out.offsets;
  return {static_cast<Vertex>(std::upper_bound(offsets.begin(), offsets.end(), at) -
                              offsets.begin() - 1),
          graph.out.targets[at]};
}

void write_gap_side(OutputSink& sink, const Adjacency& adjacency,
                    std::span<const std::int64_t> weights) {
  sink.write_array(adjacency.offsets);
  if (weights.empty()) {
    sink.write_array(adjacency.targets);
    return;
  }
  constexpr std::size_t kStep = std::size_t{1} << 20;
  std::vector<std::int32_t> cells;
  for (std::size_t begin = 0; begin < adjacency.targets.size(); begin += kStep) {
    const std::size_t count = std::min(kStep, adjacency.targets.size() - begin);
    cells.resize(2 * count);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
      cells[2 * i] = static_cast<std::int32_t>(adjacency.targets[begin + i]);
      cells[2 * i + 1] = static_cast<std::int32_t>(weights[begin + i]);
    }
    sink.write_array(cells);
  }
}

}  // namespace

std::vector<std::int64_t> whole_weights(const Graph& graph, std::int64_t least, std::int64_t most,
                                        const char* format) {
  std::vector<std::int64_t> whole(graph.edge_count, 1);
  with_column(graph.out.weights, [&](const auto& weights) {
    if constexpr (kHasWeights<decltype(weights)>) {
      std::uint64_t bad = kInfinity<std::uint64_t>;
#pragma omp parallel for schedule(static) reduction(min : bad)
      for (std::size_t i = 0; i < weights.size(); ++i) {
        // Bounds are within 33 bits, so the comparison in double is exact for every type.
        const auto value = static_cast<double>(weights[i]);
        if (value >= static_cast<double>(least) && value <= static_cast<double>(most)) {
          whole[i] = static_cast<std::int64_t>(weights[i]);
        }
        if (static_cast<double>(whole[i]) != value) bad = std::min<std::uint64_t>(bad, i);
      }
      if (bad == kInfinity<std::uint64_t>) return;
      const Edge edge = edge_at(graph, bad);
      throw Error(
          ExitCode::Usage,
          fmt::format(
              "the {} format holds whole weights from {} to {}, and the edge {} -> {} has {}",
              format, least, most, graph.ids.label(edge.source), graph.ids.label(edge.target),
              weights[bad]));
    }
  });
  return whole;
}

void write_gap(const Graph& graph, OutputSink& sink, bool weighted) {
  constexpr std::int64_t kMost = kInfinity<std::int32_t>;
  if (graph.vertex_count > static_cast<std::uint64_t>(kMost)) {
    throw Error(ExitCode::Usage, "the GAP format holds at most 2^31 - 1 vertices");
  }
  const std::uint8_t directed = graph.symmetric ? 0 : 1;
  const std::uint64_t counts[2] = {graph.edge_count, graph.vertex_count};
  std::vector<std::int64_t> weights;
  if (weighted) weights = whole_weights(graph, -kMost - 1, kMost, "GAP");
  sink.write(&directed, 1);
  sink.write(counts, sizeof counts);
  write_gap_side(sink, graph.out, weights);
  if (directed == 0) return;
  Adjacency forward;
  forward.offsets = graph.out.offsets;
  forward.targets = graph.out.targets;
  if (weighted) forward.weights = std::move(weights);
  const Adjacency backward = transpose(graph.vertex_count, forward);
  write_gap_side(
      sink, backward,
      weighted ? std::get<Array<std::int64_t>>(backward.weights) : Array<std::int64_t>());
}

void write_bel(const Graph& graph, OutputSink& sink) {
  constexpr std::int64_t kMost = kInfinity<std::uint32_t>;
  const std::vector<std::int64_t> weights = whole_weights(graph, 0, kMost, "BELGRAPH");
  const std::uint64_t head[3] = {0x48504152474C4542u, graph.vertex_count, graph.edge_count};
  sink.write(head, sizeof head);
  std::vector<std::uint32_t> column(graph.edge_count);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t v = 0; v < graph.vertex_count; ++v) {
    for (EdgeIndex i = graph.out.offsets[v]; i < graph.out.offsets[v + 1]; ++i)
      column[i] = static_cast<Vertex>(v);
  }
  sink.write_array(column);
  sink.write_array(graph.out.targets);
  std::transform(weights.begin(), weights.end(), column.begin(),
                 [](std::int64_t weight) { return static_cast<std::uint32_t>(weight); });
  sink.write_array(column);
}

}  // namespace vertigo::graph
