#include "assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "declared.h"
#include "device_text.h"
#include "lists_of_runs.h"
#include "locate.h"
#include "vertigo/core/number_text.h"
#include "vertigo/core/parallel.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

// Ids of the vertices, and how an id of a run becomes an internal one.
struct VertexSpace {
  std::uint64_t count = 0;
  std::optional<IdIndex> index;  // nothing: an id minus `shift` is the internal one
  std::uint64_t shift = 0;
  std::uint64_t id_base = 0;
  std::vector<Vertex> places;  // of texts by their numbers; their ids then lie in `named`
  IdMap named;
  bool holds_all = false;  // all ids that the runs name are known to be in it
  bool is_direct() const { return !index && places.empty() && shift == 0; }
  Vertex find(std::uint64_t id) const {
    if (!places.empty()) return places[id];
    if (index) return index->find(id);
    return id - shift < count ? static_cast<Vertex>(id - shift) : kNoVertex;
  }
  IdMap ids() const {
    if (!places.empty()) return named;
    return index ? index->to_map() : IdMap::contiguous(id_base, count);
  }
};

VertexSpace space_of_names(const RawGraph& raw) {
  VertexSpace space;
  NamedVertices vertices = name_vertices(raw);
  space.count = vertices.order.size();
  space.places.resize(space.count);
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < vertices.order.size(); ++v) {
    space.places[vertices.order[v]] = static_cast<Vertex>(v);
  }
  space.named = std::move(vertices.ids);
  space.holds_all = true;
  return space;
}

// The vertices that a comment declares, where all ids that appear fit them: then nobody needs to
// know which appear.
std::optional<VertexSpace> space_of_comment(const RawGraph& raw, const ReadContext& context) {
  const std::uint64_t declared = *raw.vertices_declared;
  const auto [smallest, largest] = id_range(raw);
  const bool any = smallest <= largest;
  // Ids are taken to count from 0 unless the comment says otherwise or they reach N itself.
  const std::uint64_t first = raw.first_id_declared.value_or(any && largest == declared ? 1 : 0);
  const bool fits = !any || (smallest >= first && largest - first < declared);
  const std::uint64_t plausible = context.options.max_vertices != 0 ? context.options.max_vertices
                                                                    : 16 * raw.edge_count() + 4096;
  if (!fits || declared > plausible || first > kInfinity<std::uint64_t> - declared)
    return std::nullopt;
  VertexSpace space;
  space.count = declared;
  space.shift = first;
  space.id_base = first;
  space.holds_all = true;
  return space;
}

VertexSpace space_of_appearing(RawGraph& raw, const ReadContext& context) {
  if (context.options.vertices == VertexRule::Auto && raw.vertices_declared)
    if (auto declared = space_of_comment(raw, context)) return std::move(*declared);
  VertexSpace space;
  space.index = index_of_appearing(raw);
  const IdIndex& seen = *space.index;
  const VertexRule rule = context.options.vertices;
  if (rule == VertexRule::Range) {
    const std::uint64_t count =
        seen.size() == 0 ? raw.vertices_declared.value_or(0) : seen.largest() + 1;
    if (count == 0 && seen.size() > 0)
      throw refused_at_line(context.path, 0, "vertex ids reach 2^64 - 1");
    require_plausible_vertices(context, count, raw.edge_count(), 0);
    space.index.reset();
    space.count = count;
    return space;
  }
  space.count = seen.size();
  if (rule == VertexRule::Auto && raw.vertices_declared && *raw.vertices_declared != seen.size()) {
    const std::uint64_t declared = *raw.vertices_declared;
    if (declared < seen.size()) {
      throw refused_at_line(
          context.path, raw.header_line,
          fmt::format("a comment declares {} vertices, {} appear; --vertices seen takes those",
                      declared, seen.size()));
    }
    raw.notes.push_back(
        fmt::format("a comment declares {} vertices, {} appear", declared, seen.size()));
  }
  space.holds_all = true;
  return space;
}

VertexSpace vertex_space(RawGraph& raw, const ReadContext& context) {
  VertexSpace space;
  switch (raw.ids) {
    case IdSource::Counted:
      if (!raw.rows_present) {
        require_plausible_vertices(context, raw.vertex_count, raw.edge_count(), raw.header_line);
      }
      space.count = raw.vertex_count;
      space.id_base = raw.id_base;
      break;
    case IdSource::Listed:
      space.index.emplace(std::move(raw.listed_ids));
      space.count = space.index->size();
      break;
    case IdSource::Appear:
      space = space_of_appearing(raw, context);
      break;
    case IdSource::Named:
      space = space_of_names(raw);
      raw.texts = TextTable();
      break;
  }
  if (space.count > kMostVertices) {
    throw refused_at_line(
        context.path, 0,
        fmt::format("{} vertices; at most {} are supported", space.count, kMostVertices));
  }
  return space;
}

[[noreturn]] void refuse_unknown_vertex(const RawGraph& raw, const ReadContext& context,
                                        const VertexSpace& space) {
  for (const EdgeRun& run : raw.runs) {
    run.each([&](std::uint64_t source, std::uint64_t target, std::size_t) {
      for (const std::uint64_t id : {source, target}) {
        if (space.find(id) != kNoVertex) continue;
        throw Error(ExitCode::InputRefused,
                    raw.ids == IdSource::Listed
                        ? fmt::format("vertex {} is not listed in {}", id, raw.list_path)
                        : fmt::format("vertex {} is out of range: the graph has {}",
                                      id + space.id_base - space.shift,
                                      counted(space.count, "vertex", "vertices")),
                    locate_entry(context, source + space.id_base - space.shift,
                                 target + space.id_base - space.shift));
      }
    });
  }
  throw refused_at_line(context.path, 0, "an edge names an unknown vertex");
}

// Whether the run names a vertex that is not there.
bool names_unknown(const EdgeRun& run, const VertexSpace& space) {
  if (space.is_direct() && !run.is_wide()) {
    Vertex largest = 0;
    for (const Vertex id : run.narrow_sources()) largest = std::max(largest, id);
    for (const Vertex id : run.narrow_targets()) largest = std::max(largest, id);
    return run.size() > 0 && largest >= space.count;
  }
  bool unknown = false;
  run.each([&](std::uint64_t source, std::uint64_t target, std::size_t) {
    unknown = unknown || space.find(source) == kNoVertex || space.find(target) == kNoVertex;
  });
  return unknown;
}

// Ids of the runs become vertices.
void map_ids(RawGraph& raw, const ReadContext& context, const VertexSpace& space) {
  bool unknown = false;
#pragma omp parallel for schedule(dynamic, 1) reduction(|| : unknown)
  for (std::size_t r = 0; r < raw.runs.size(); ++r)
    unknown = unknown || (!space.holds_all && names_unknown(raw.runs[r], space));
  if (unknown) refuse_unknown_vertex(raw, context, space);
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t r = 0; r < raw.runs.size(); ++r) {
    EdgeRun& run = raw.runs[r];
    if (space.is_direct() && !run.is_wide()) continue;
    carrier.run([&] {
      if (space.index && !run.is_wide()) {
        space.index->find_all(run.narrow_sources());
        space.index->find_all(run.narrow_targets());
      } else {
        run.map([&](std::uint64_t id) { return space.find(id); });
      }
    });
  }
  carrier.rethrow();
}

// With `strict`, a policy that would change something is an error that names the first edge it
// would change.
void refuse_changes(const Graph& as_read, const BuildOptions& policies,
                    const ReadContext& context) {
  Requirements unchanged;
  unchanged.no_self_loops = policies.self_loops == SelfLoopPolicy::Drop;
  unchanged.no_duplicates = policies.duplicates != DuplicatePolicy::Keep;
  unchanged.symmetric = context.options.symmetrize;
  refuse_violation(as_read, unchanged, context, "; --strict refuses to change it");
}

Graph build(RawGraph& raw, const ReadContext& context, VertexSpace& space,
            const BuildOptions& policies, BuildCounts& counts) {
  const bool keep_weights = raw.weighted && !context.options.ignore_weights;
  if (raw.adjacency) {
    if (!keep_weights) raw.adjacency->weights = std::monostate{};
    const auto vertices = static_cast<Vertex>(space.count);
    if (!raw.facts) raw.facts = row_facts(vertices, *raw.adjacency);
    return build_graph(vertices, std::move(*raw.adjacency), *raw.facts, policies, &counts);
  }
  if (raw.on_device) {
    const auto vertices = static_cast<Vertex>(space.count);
    Adjacency lists =
        lists_of_device(raw, context, vertices, space.index ? &*space.index : nullptr, space.shift);
    return build_graph(vertices, std::move(lists), *raw.facts, policies, &counts);
  }
  map_ids(raw, context, space);
  return build_graph(static_cast<Vertex>(space.count),
                     lists_of_runs(raw, static_cast<Vertex>(space.count), keep_weights), policies,
                     &counts);
}

}  // namespace

namespace {

void forget_weights(Preparations& prepared) {
  prepared.degree_ordered_out.weights = std::monostate{};
  if (prepared.degree_ordered_in) prepared.degree_ordered_in->weights = std::monostate{};
  prepared.weight_sorted_out.reset();
  prepared.weight_sorted_in.reset();
}

}  // namespace

std::shared_ptr<const EdgeTable> take_table(RawGraph& raw, const ReadOptions& options) {
  std::shared_ptr<const EdgeTable> table = std::move(raw.table);
  if (!raw.record_fields_given.empty()) {
    EdgeTable read{std::move(raw.records).take_bytes(), std::move(raw.record_fields_given), {}};
    for (const EdgeField& field : options.edge_fields)
      read.fields.push_back({field.name, field.kind});
    table = std::make_shared<const EdgeTable>(std::move(read));
  }
  raw.records = TextTable();
  return options.ignore_weights ? nullptr : table;
}

NamedVertices name_vertices(const RawGraph& raw) {
  NamedVertices vertices;
  const auto numbers = raw.number_texts ? raw.texts.as_numbers() : std::nullopt;
  if (!numbers) {
    vertices.order = raw.texts.in_order();
    vertices.ids = IdMap::text(raw.texts.to_ids(vertices.order));
    return vertices;
  }
  vertices.order.resize(numbers->size());
  std::iota(vertices.order.begin(), vertices.order.end(), Vertex{0});
  std::sort(vertices.order.begin(), vertices.order.end(),
            [&](Vertex a, Vertex b) { return (*numbers)[a] < (*numbers)[b]; });
  std::vector<std::uint64_t> ascending;
  ascending.reserve(numbers->size());
  for (const Vertex number : vertices.order) ascending.push_back((*numbers)[number]);
  vertices.ids = IdMap::sparse(std::move(ascending));
  return vertices;
}

Graph assemble(RawGraph raw, const ReadContext& context) {
  const ReadOptions& options = context.options;
  IntakeReport& report = context.report;
  if (raw.undirected && options.direction == Direction::Directed) {
    throw refused_at_line(
        context.path, 0, "the file says that its edges are undirected, and directed was asked for");
  }
  report.vertices_declared = raw.vertices_declared;
  report.edges_declared = raw.edges_declared;
  report.edges_read = raw.edge_count();
  report.weights_ignored = raw.weighted && options.ignore_weights;
  VertexSpace space = vertex_space(raw, context);

  BuildOptions policies;
  policies.self_loops = options.self_loops;
  policies.duplicates = options.duplicates;
  const bool make_symmetric = (raw.undirected && !raw.both_directions) ||
                              options.direction == Direction::Undirected || options.symmetrize;
  policies.symmetrize = make_symmetric;
  BuildCounts counts;
  Graph graph;
  IdMap ids = raw.cached_ids.size() > 0 ? raw.cached_ids : space.ids();
  policies.ids = &ids;
  if (options.strict) {
    graph = build(raw, context, space, {}, counts);
    graph.ids = ids;
    refuse_changes(graph, policies, context);
    if (make_symmetric) {
      policies.duplicates = DuplicatePolicy::Keep;
      BuildCounts again;
      graph = build_graph(graph.vertex_count, std::move(graph.out), policies, &again);
      counts.added_reverse_edges = again.added_reverse_edges;
    }
  } else {
    graph = build(raw, context, space, policies, counts);
  }
  graph.ids = std::move(ids);
  const bool unchanged =
      counts.dropped_self_loops + counts.merged_duplicates + counts.added_reverse_edges == 0;
  if (raw.cached_in && unchanged) {
    if (options.ignore_weights) raw.cached_in->weights = std::monostate{};
    graph.in_adjacency = std::move(raw.cached_in);
  }
  if (unchanged) graph.prepared = std::move(raw.prepared);
  if (options.ignore_weights) forget_weights(graph.prepared);
  report.self_loops = counts.self_loops;
  report.duplicates = counts.duplicates;
  report.self_loops_dropped = counts.dropped_self_loops;
  report.duplicates_merged = counts.merged_duplicates;
  report.reverse_edges_added = counts.added_reverse_edges;
  report.notes.insert(report.notes.end(), raw.notes.begin(), raw.notes.end());
  if (raw.undirected && raw.both_directions && !make_symmetric) {
    if (!raw.symmetry_known) {
      refuse_violation(graph, {.symmetric = true}, context,
                       ", but the file says that it is undirected");
    }
    graph.symmetric = true;
  }
  return graph;
}

}  // namespace vertigo::graph
