#include "locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "assemble.h"
#include "readers.h"
#include "vertigo/graph/builder.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/edges_on_file.h"
#include "vertigo/graph/requirements.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

// The first edge, by source, for which test(source, index in targets) holds.
template <class Test>
std::optional<EdgeIndex> first_edge(const Graph& graph, const Test& test, Vertex& source) {
  await_all(graph.out);
  std::uint64_t found = kInfinity<std::uint64_t>;
#pragma omp parallel for schedule(dynamic, 4096) reduction(min : found)
  for (std::size_t v = 0; v < graph.vertex_count; ++v) {
    for (EdgeIndex i = graph.out.offsets[v]; i < graph.out.offsets[v + 1] && i < found; ++i) {
      if (test(static_cast<Vertex>(v), i)) found = std::min<std::uint64_t>(found, i);
    }
  }
  if (found == kInfinity<std::uint64_t>) return std::nullopt;
  const auto& offsets = graph.out.offsets;
  source = static_cast<Vertex>(std::upper_bound(offsets.begin(), offsets.end(), found) -
                               offsets.begin() - 1);
  return found;
}

struct Violation {
  Edge edge;
  std::string message;
  std::uint64_t nth = 0;
  bool negative = false;
};

std::string arrow(const Graph& graph, Edge edge) {
  return fmt::format("{} -> {}", graph.ids.label(edge.source), graph.ids.label(edge.target));
}

/// As a device says that has the lists: where they are in host memory, they are looked at.
bool has_no_negative_weight(const Graph& graph) {
  const auto facts = weight_facts(graph.out);
  return facts && facts->negative == 0;
}

bool has_no_duplicates(const Graph& graph) {
  return graph.out.on_device != nullptr && graph.no_duplicates;
}

std::optional<Violation> first_violation(const Graph& graph, const Requirements& requirements,
                                         const char* alike = " of the same weight") {
  Edge edge;
  if (requirements.non_negative_weights && !has_no_negative_weight(graph)) {
    std::string weight;
    const auto found =
        with_column(graph.out.weights, [&](const auto& weights) -> std::optional<EdgeIndex> {
          if constexpr (kHasWeights<decltype(weights)>) {
            const auto at =
                first_edge(graph, [&](Vertex, EdgeIndex i) { return weights[i] < 0; }, edge.source);
            if (at) weight = fmt::format("{}", weights[*at]);
            return at;
          }
          return std::nullopt;
        });
    if (found) {
      edge.target = graph.out.targets[*found];
      return Violation{
          edge, fmt::format("the edge {} has the negative weight {}", arrow(graph, edge), weight),
          0, true};
    }
  }
  if (requirements.no_self_loops) {
    const auto found = first_edge(
        graph, [&](Vertex v, EdgeIndex i) { return graph.out.targets[i] == v; }, edge.source);
    if (found) {
      edge.target = edge.source;
      return Violation{edge, fmt::format("the edge {} is a self loop", arrow(graph, edge))};
    }
  }
  if (requirements.no_duplicates && !has_no_duplicates(graph)) {
    const auto repeats = [&](Vertex v, EdgeIndex i) {
      return i > graph.out.offsets[v] && graph.out.targets[i - 1] == graph.out.targets[i];
    };
    if (const auto found = first_edge(graph, repeats, edge.source)) {
      edge.target = graph.out.targets[*found];
      return Violation{edge, fmt::format("the edge {} is a duplicate", arrow(graph, edge)), 1};
    }
  }
  if (requirements.symmetric && !graph.symmetric) {
    if (const auto found = find_asymmetry(graph.vertex_count, graph.out)) {
      return Violation{*found, fmt::format("the edge {} has no reverse edge{}",
                                           arrow(graph, *found), graph.has_weights() ? alike : "")};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string locate_entry(const ReadContext& context, std::uint64_t source, std::uint64_t target,
                         std::uint64_t nth, bool negative_weight) {
  if (context.report.format == Format::Generated) return context.path;
  IntakeReport scratch;
  scratch.format = context.report.format;
  scratch.path = context.report.path;
  ReadContext again{context.report.path, context.options, scratch, /*record_lines=*/true};
  const RawGraph raw = read_entries(again);
  const bool either_order = raw.undirected || raw.reverse_negated ||
                            context.options.direction == Direction::Undirected ||
                            context.options.symmetrize;
  if (raw.ids == IdSource::Counted && raw.cached_ids.size() == 0) {
    source -= raw.id_base;
    target -= raw.id_base;
  }
  if (raw.ids == IdSource::Named) {  // the runs hold the numbers of texts
    const NamedVertices vertices = name_vertices(raw);
    for (std::uint64_t* const id : {&source, &target}) {
      const auto vertex = vertices.ids.to_internal(*id);
      if (!vertex) return again.path;
      *id = vertices.order[*vertex];
    }
  }
  if (raw.adjacency) {
    source = raw.cached_ids.to_internal(source).value_or(static_cast<Vertex>(source));
    target = raw.cached_ids.to_internal(target).value_or(static_cast<Vertex>(target));
    const Array<EdgeIndex>& offsets = raw.adjacency->offsets;
    const Array<Vertex>& targets = raw.adjacency->targets;
    if (source + 1 >= offsets.size()) return again.path;
    for (EdgeIndex i = offsets[source]; i < offsets[source + 1]; ++i) {
      if (targets[i] == target && nth-- == 0) return fmt::format("{}: edge {}", again.path, i + 1);
    }
    return again.path;
  }
  std::uint64_t before = 0;
  for (const EdgeRun& run : raw.runs) {
    std::optional<std::size_t> found;
    run.each([&](std::uint64_t from, std::uint64_t to, std::size_t i) {
      const bool same = from == source && to == target;
      const bool reversed = either_order && from == target && to == source;
      if (found || (!same && !reversed)) return;
      if (negative_weight && !raw.reverse_negated && !(run.weight(i) < 0)) return;
      if (nth-- == 0) found = i;
    });
    if (found && run.lines().size() > *found)
      return fmt::format("{}:{}", again.path, run.lines()[*found]);
    if (found) return fmt::format("{}: edge {}", again.path, before + *found + 1);
    before += run.size();
  }
  return again.path;
}

void refuse_violation(const Graph& graph, const Requirements& requirements,
                      const ReadContext& context, std::string_view suffix) {
  const auto violation = first_violation(
      graph, requirements,
      context.options.edge_fields.empty() ? " of the same weight" : " with the same attributes");
  if (!violation) return;
  throw Error(ExitCode::InputRefused, violation->message + std::string(suffix),
              locate_entry(context, graph.ids.to_input(violation->edge.source),
                           graph.ids.to_input(violation->edge.target), violation->nth,
                           violation->negative));
}

namespace {

// What the file vouches for, and what one pass over it has told. Which edge it is, only a graph in
// memory can say.
void check_on_file(const Graph& graph, const Requirements& requirements) {
  const FactsOfEdges& facts = graph.on_file->facts();
  const auto refuse = [&](ExitCode code, std::string_view what) {
    throw Error(code,
                fmt::format("{} (vertigo-graph check names one, where there is memory)", what),
                graph.name);
  };
  if (requirements.no_self_loops && facts.self_loops > 0)
    refuse(ExitCode::InputRefused, "some edge is a self loop");
  if (requirements.non_negative_weights && facts.negative_weights > 0)
    refuse(ExitCode::InputRefused, "some edge has a negative weight");
  if (requirements.no_duplicates && facts.duplicates > 0)
    refuse(ExitCode::InputRefused, "some edge is there twice");
  if (requirements.symmetric && !graph.symmetric)
    throw Error(
        ExitCode::OutOfMemory,
        "the file does not say that its graph is symmetric, and to find out takes all edges "
        "in memory; what vertigo-graph convert --symmetrize writes says so",
        graph.name);
}

}  // namespace

void check_requirements(const Graph& graph, const Requirements& requirements) {
  if (graph.on_file) return check_on_file(graph, requirements);
  if (const auto violation = first_violation(graph, requirements))
    throw Error(ExitCode::InputRefused, violation->message, graph.name);
}

}  // namespace vertigo::graph
