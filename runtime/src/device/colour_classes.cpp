// The parts of Session that are about colour classes: who finds them, and where they lie.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "prepare/colouring.h"
#include "state.h"
#include "vertigo/core/error.h"
#include "vertigo/device/session.cuh"
#include "vertigo/graph/colouring.h"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu {

namespace {

using detail::State;

struct FoundClasses {
  std::vector<std::size_t> begins;  ///< in the list of vertices, and the end of the last
  bool has_rest = false;            ///< the last one is it
};

FoundClasses found_by_host(State& state, Vertex* vertices, std::uint32_t colours) {
  graph::ColourClasses classes = graph::colour_classes(state.request.graph, colours);
  state.device.staging.to_device(vertices, classes.vertices.data(),
                                 classes.vertices.size() * sizeof(Vertex), state.device.stream);
  return {std::move(classes.begins), classes.has_rest};
}

/// The lists of the graph where they lie on the device.
prepare::ColouredGraph coloured_graph(const State& state) {
  const graph::Graph& graph = state.request.graph;
  const detail::HeldEdges held = state.edges->held();
  prepare::ColouredGraph coloured{
      graph.vertex_count, graph.edge_count, {held.out.offsets, held.out.targets}, {}};
  if (!graph.symmetric) coloured.in = {held.in.offsets, held.in.targets};
  return coloured;
}

/// Writes the vertices of the classes to `vertices`: those that came with the graph, or they are
/// found. On the device where it holds the edges and has memory to spare; else by the host's cores,
/// which find the same.
FoundClasses find_colours(State& state, Vertex* vertices, std::uint32_t colours) {
  const graph::Graph& graph = state.request.graph;
  const auto memory =
      colours == kAllColours ? prepare::colouring_memory : prepare::hybrid_colouring_memory;
  if (graph::stored_classes(graph, colours) != nullptr || state.plan.edges != Edges::OnDevice ||
      memory(graph.vertex_count, graph.edge_count, graph.symmetric) >
          state.arrays.memory.spare(state.request.device_memory))
    return found_by_host(state, vertices, colours);
  const prepare::ColouredGraph coloured = coloured_graph(state);
  const cudaStream_t stream = state.device.stream;
  if (colours == kAllColours) return {prepare::colour_classes(stream, coloured, vertices), false};
  prepare::HybridClasses found =
      prepare::hybrid_colour_classes(stream, coloured, colours, vertices);
  return {std::move(found.begins), found.has_rest};
}

/// 1 for each class that has lists to offer, and not too many.
std::vector<std::uint32_t> offers_of(const State& state, const Vertex* vertices,
                                     const std::vector<std::size_t>& begins) {
  if (state.board.donations == nullptr || state.plan.edges != Edges::OnDevice)
    return std::vector<std::uint32_t>(begins.size() - 1, 0);
  std::vector<std::uint32_t> lists = prepare::long_lists(state.device.stream, coloured_graph(state),
                                                         vertices, begins, Sharing{}.by_grid);
  for (std::uint32_t& count : lists) count = count != 0 && count <= kMostDonors ? 1 : 0;
  return lists;
}

/// Classes that greedy colouring finds, at most: each vertex of the last has a neighbour in every
/// other, with no fewer edges than its own. Few classes and a rest are no more than that either, or
/// than a byte tells apart.
std::uint64_t most_classes(const graph::Graph& graph) {
  const auto listed = static_cast<double>(graph.edge_count) * (graph.symmetric ? 1 : 2);
  const auto most = static_cast<std::uint64_t>(std::sqrt(listed)) + 2;
  return std::min<std::uint64_t>(std::max<std::uint64_t>(most, kMostBeforeRest + 1),
                                 graph.vertex_count);
}
/// Where classes begin among the vertices, which stands behind these, what they offer, and whether
/// somebody in them may take part.
std::uint64_t border_words(const graph::Graph& graph) {
  return 2 * most_classes(graph) + 1 + asked_words(most_classes(graph));
}

/// Between roads, which have 4 to 6, and graphs with hubs, which have hundreds: with few classes, a
/// look at all vertices would take longer than the barriers that it saves.
constexpr std::size_t kAskedClasses = 64;

/// Classes `first` to `last` - 1.
VertexParts parts_of(const State& state, Vertex* vertices, const std::vector<std::size_t>& begins,
                     const std::vector<std::uint32_t>& offers, std::size_t first,
                     std::size_t last) {
  std::uint32_t* const borders = vertices + state.request.graph.vertex_count;
  std::uint32_t* const offered = borders + begins.size();
  VertexParts parts{.items = vertices,
                    .borders = borders + first,
                    .offers = offered + first,
                    .count = static_cast<std::uint32_t>(last - first)};
  if (last - first >= kAskedClasses) parts.asked = offered + offers.size();
  for (std::size_t c = first; c < last; ++c) {
    parts.longest = std::max(parts.longest, static_cast<std::uint32_t>(begins[c + 1] - begins[c]));
    if (offers[c] != 0) parts.board = detail::laid_out(state.board);
  }
  return parts;
}

PartsAndRest keep_classes(State& state, Vertex* vertices, std::uint32_t colours) {
  const graph::Graph& graph = state.request.graph;
  const FoundClasses found = find_colours(state, vertices, colours);
  const std::vector<std::size_t>& begins = found.begins;
  const std::size_t count = begins.size() - 1;
  if (count > most_classes(graph)) throw Error(ExitCode::Other, "more classes than there can be");
  const std::vector<std::uint32_t> offers = offers_of(state, vertices, begins);
  std::vector<std::uint32_t> words(begins.begin(), begins.end());
  words.insert(words.end(), offers.begin(), offers.end());
  state.device.staging.to_device(vertices + graph.vertex_count, words.data(),
                                 words.size() * sizeof(std::uint32_t), state.device.stream);
  state.colours = graph::described(begins, found.has_rest, colours);
  const std::size_t rest = found.has_rest ? count - 1 : count;
  return {parts_of(state, vertices, begins, offers, 0, rest),
          parts_of(state, vertices, begins, offers, rest, count)};
}

}  // namespace

void Session::declare_classes(Vertex*& vertices, const char* name) {
  state_.has_classes = true;
  declare(vertices, vertex_count() + border_words(state_.request.graph), name);
}

PartsAndRest Session::colour_classes(Vertex* vertices) {
  return keep_classes(state_, vertices, kAllColours);
}
PartsAndRest Session::few_colour_classes(Vertex* vertices, std::uint32_t colours) {
  return keep_classes(state_, vertices, state_.request.colours.value_or(colours));
}

}  // namespace vertigo::gpu
