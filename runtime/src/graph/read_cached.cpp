// Reading the cached form. Checksums show that nothing changed since some program wrote the file,
// not that the program was ours: ids and offsets that memory is accessed by are checked in every
// load, and checksums of whatever is read. What only a wrong answer would show (whether the graph
// is as symmetric as it claims, whether the in-edges are the reverse of the out-edges) is checked
// where ReadOptions::verify asks for it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "binary_input.h"
#include "cached_attributes.h"
#include "cached_file.h"
#include "cached_layouts.h"
#include "device_lists_of_file.h"
#include "prepared.h"
#include "read_on_file.h"
#include "readers.h"
#include "vertigo/core/number_text.h"
#include "vertigo/graph/id_text.h"
#include "vertigo/graph/prepare.h"
#include "vertigo/graph/weight_types.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

// What is read of a file: what the run needs, or all of it.
struct Wanted {
  bool weights;
  bool in_edges;
  bool preparations;
  bool paths;
  bool colours;
};

template <std::size_t kIndex = 0>
Weights read_weights(CachedFile& file, CachedSection section) {
  if constexpr (kIndex == std::variant_size_v<Weights>) {
    return std::monostate{};
  } else {
    using Column = std::variant_alternative_t<kIndex, Weights>;
    if (file.header().weight_kind != kIndex) return read_weights<kIndex + 1>(file, section);
    if constexpr (std::is_same_v<Column, std::monostate>) {
      return std::monostate{};
    } else {
      return file.read<typename Column::value_type>(section);
    }
  }
}

// Sorting and comparing weights needs an order, which NaN has not.
void check_weights(const CachedFile& file, const Weights& weights, CachedSection section) {
  with_column(weights, [&](const auto& column) {
    using W = WeightOf<decltype(column)>;
    if constexpr (std::is_floating_point_v<W>) {
      std::uint64_t bad = kInfinity<std::uint64_t>;
#pragma omp parallel for schedule(static) reduction(min : bad)
      for (std::size_t i = 0; i < column.size(); ++i) {
        if (!std::isfinite(column[i])) bad = std::min<std::uint64_t>(bad, i);
      }
      if (bad == kInfinity<std::uint64_t>) return;
      throw refused_at_byte(
          file.path(), file.header().section(section).offset + bad * sizeof(W),
          fmt::format("the weight of edge {} is {}", bad,
                      std::isnan(column[bad]) ? "not a number (NaN)" : "infinite"));
    }
  });
}

// A device takes lists that no preparation or attribute of the file stands for.
bool goes_to_device(const CachedFile& file, const Wanted& wanted, const ReadContext& context) {
  const std::uint8_t flags = file.header().flags;
  const bool is_prepared = wanted.preparations && (flags & (kDegreeOrdered | kWeightSorted)) != 0;
  const bool has_layouts = (wanted.paths || wanted.colours) && (flags & kHasLayouts) != 0;
  return context.device != nullptr && !context.options.verify && !is_prepared && !has_layouts &&
         (flags & kHasAttributes) == 0;
}

Adjacency take_adjacency(CachedFile& file, const Wanted& wanted, const ReadContext& context,
                         CachedSection offsets, CachedSection targets, CachedSection weights,
                         RowFacts& facts) {
  const CachedHeader& header = file.header();
  StoredLists stored{.offsets = file.read<EdgeIndex>(offsets),
                     .deliver_targets = file.deliver(targets)};
  check_offsets(file.path(), stored.offsets, header.edge_count, header.section(offsets).offset);
  if (wanted.weights && header.weight_kind != 0) {
    const ScalarKind kind = kind_of_alternative(header.weight_kind);
    stored.weights = {kind, kind, file.deliver(weights)};
  }
  return take_on_device(context, stored, facts);
}

// `facts`: of the lists, for whoever wants them.
Adjacency read_adjacency(CachedFile& file, const Wanted& wanted, CachedSection offsets,
                         CachedSection targets, CachedSection weights,
                         std::optional<RowFacts>* facts = nullptr) {
  const CachedHeader& header = file.header();
  Adjacency adjacency;
  adjacency.offsets = file.read<EdgeIndex>(offsets);
  check_offsets(file.path(), adjacency.offsets, header.edge_count, header.section(offsets).offset);
  FactsOfPieces seen(adjacency.offsets);
  adjacency.targets = file.read<Vertex>(targets, [&](std::uint64_t at, const std::byte* bytes,
                                                     std::size_t size) {
    seen.look(at / sizeof(Vertex), {reinterpret_cast<const Vertex*>(bytes), size / sizeof(Vertex)});
  });
  const RowFacts checked = check_lists(file.path(), adjacency, seen.finished(),
                                       header.section(targets).offset, sizeof(Vertex));
  if (facts != nullptr) *facts = checked;
  if (wanted.weights) adjacency.weights = read_weights(file, weights);
  check_weights(file, adjacency.weights, weights);
  return adjacency;
}

ReorderedEdges read_edges(CachedFile& file, CachedSection targets, CachedSection weights) {
  ReorderedEdges edges;
  edges.targets = file.read<Vertex>(targets);
  edges.weights = read_weights(file, weights);
  check_targets(file.path(), edges.targets, file.header().vertex_count,
                file.header().section(targets).offset, sizeof(Vertex));
  check_weights(file, edges.weights, weights);
  return edges;
}

// A copy that runs will use must be one of this graph.
void read_preparations(CachedFile& file, const Wanted& wanted, RawGraph& raw) {
  const CachedHeader& header = file.header();
  Preparations& prepared = raw.prepared;
  const bool in = wanted.in_edges && (header.flags & kHasIn) != 0;
  if ((header.flags & kDegreeOrdered) != 0) {
    prepared.degree_order = file.read<Vertex>(CachedSection::DegreeOrder);
    prepared.degree_ordered_out =
        read_adjacency(file, wanted, CachedSection::DegreeOutOffsets,
                       CachedSection::DegreeOutTargets, CachedSection::DegreeOutWeights);
    if (in)
      prepared.degree_ordered_in =
          read_adjacency(file, wanted, CachedSection::DegreeInOffsets,
                         CachedSection::DegreeInTargets, CachedSection::DegreeInWeights);
  }
  if (wanted.weights && (header.flags & kWeightSorted) != 0) {
    prepared.weight_sorted_out =
        read_edges(file, CachedSection::WeightOutTargets, CachedSection::WeightOutWeights);
    if (in)
      prepared.weight_sorted_in =
          read_edges(file, CachedSection::WeightInTargets, CachedSection::WeightInWeights);
  }
  const std::string problem =
      preparation_problem(*raw.adjacency, raw.cached_in ? &*raw.cached_in : nullptr, prepared);
  if (!problem.empty())
    throw refused_at_byte(file.path(), header.section(CachedSection::DegreeOrder).offset, problem);
}

// The ids' bytes are those of text that ascends, whoever wrote the file.
IdMap read_text_ids(CachedFile& file) {
  const CachedSectionEntry& text = file.header().section(CachedSection::IdText);
  const auto offsets = file.read<EdgeIndex>(CachedSection::IdTextOffsets);
  check_offsets(file.path(), offsets, text.bytes,
                file.header().section(CachedSection::IdTextOffsets).offset);
  const TextIds ids(file.read<char>(CachedSection::IdText), offsets);
  for (std::uint64_t i = 0; i < ids.size(); ++i) {
    const std::uint64_t place = text.offset + ids.offsets()[i];
    if (const char* const problem = id_problem(ids[i]))
      throw refused_at_byte(file.path(), place, fmt::format("an id {}", problem));
    if (i > 0 && ids[i] <= ids[i - 1])
      throw refused_at_byte(file.path(), place, "the ids do not ascend");
  }
  return IdMap::text(ids);
}

}  // namespace

IdMap read_cached_ids(CachedFile& file) {
  const CachedHeader& header = file.header();
  if ((header.flags & kTextIds) != 0) return read_text_ids(file);
  if ((header.flags & kListedIds) == 0)
    return IdMap::contiguous(header.id_base, header.vertex_count);
  auto ids = file.read<std::uint64_t>(CachedSection::Ids);
  std::uint64_t bad = kInfinity<std::uint64_t>;
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (std::size_t i = 1; i < ids.size(); ++i) {
    if (ids[i - 1] >= ids[i]) bad = std::min<std::uint64_t>(bad, i);
  }
  if (bad != kInfinity<std::uint64_t>)
    throw refused_at_byte(file.path(), header.section(CachedSection::Ids).offset + 8 * bad,
                          "the listed ids do not ascend");
  return IdMap::sparse(std::move(ids));
}

namespace {

void require_ascending(const CachedFile& file, const Adjacency& adjacency, CachedSection section) {
  std::uint64_t bad = kInfinity<std::uint64_t>;
  const std::size_t vertices = adjacency.offsets.size() - 1;
#pragma omp parallel for schedule(dynamic, 4096) reduction(min : bad)
  for (std::size_t v = 0; v < vertices; ++v) {
    for (EdgeIndex e = adjacency.offsets[v] + 1; e < adjacency.offsets[v + 1]; ++e) {
      if (adjacency.targets[e - 1] > adjacency.targets[e]) bad = std::min<std::uint64_t>(bad, e);
    }
  }
  if (bad == kInfinity<std::uint64_t>) return;
  throw refused_at_byte(
      file.path(), file.header().section(section).offset + sizeof(Vertex) * bad,
      fmt::format("the section '{}' holds a list that does not ascend", name_of(section)));
}

// That the in-edges are what the reverse of the out-edges is: the writer keeps the order of
// parallel edges, so that equal graphs have equal arrays.
void require_reverse(const CachedFile& file, const Adjacency& out, const Adjacency& in) {
  const Adjacency reverse = transpose(static_cast<Vertex>(file.header().vertex_count), out);
  const auto refuse_where = [&](bool differ, CachedSection section) {
    if (!differ) return;
    throw refused_at_byte(
        file.path(), file.header().section(section).offset,
        fmt::format("the section '{}' is not that of the reverse of the edges", name_of(section)));
  };
  refuse_where(reverse.offsets != in.offsets, CachedSection::InOffsets);
  refuse_where(reverse.targets != in.targets, CachedSection::InTargets);
  refuse_where(reverse.weights != in.weights, CachedSection::InWeights);
}

// What memory is accessed by; and with `all`, what only a wrong answer would show.
void check_attributes(AttributeColumns& attributes, RawGraph& raw, bool all) {
  attributes.check_numbers(*raw.adjacency, CachedSection::OutWeights);
  if (raw.cached_in) attributes.check_numbers(*raw.cached_in, CachedSection::InWeights);
  if (all) attributes.verify();
  std::string names;
  for (const RecordField& field : attributes.fields())
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", field.name, kind_name(field.kind));
  raw.notes.push_back("attributes of edges: " + names);
}

// The notes say what is there, whether it is read or not.
void read_layouts(CachedFile& file, const Wanted& wanted, RawGraph& raw) {
  using enum CachedSection;
  const CachedHeader& header = file.header();
  const auto note = [&](CachedSection head, Preparation preparation,
                        std::initializer_list<CachedSection> sections) {
    if (header.section(head).bytes == 0) return;
    std::uint64_t bytes = header.section(head).bytes;
    for (const CachedSection section : sections) bytes += header.section(section).bytes;
    raw.notes.push_back(
        fmt::format("prepared: {} ({})", name_of(preparation), format_bytes(bytes)));
  };
  note(Paths, Preparation::Paths, {PathHubs, PathVertices, PathEdgeIds, PathBreaks, PathBegins});
  note(AllColours, Preparation::Colours, {AllColourVertices});
  note(FewColours, Preparation::FewColours, {FewColourVertices});
  // Of paths, the edges serve those that read weights.
  if (wanted.paths) raw.prepared.paths = read_paths(file, wanted.weights);
  if (!wanted.colours) return;
  raw.prepared.all_colours = read_classes(file, AllColours, AllColourVertices);
  raw.prepared.few_colours = read_classes(file, FewColours, FewColourVertices);
}

void verify_layouts(const CachedFile& file, const RawGraph& raw) {
  const Preparations& prepared = raw.prepared;
  if (prepared.paths) verify_paths(file, *raw.adjacency, *prepared.paths);
  if (prepared.all_colours)
    verify_classes(file, *raw.adjacency, *prepared.all_colours, CachedSection::AllColourVertices);
  if (prepared.few_colours)
    verify_classes(file, *raw.adjacency, *prepared.few_colours, CachedSection::FewColourVertices);
}

void verify(const CachedFile& file, const RawGraph& raw) {
  const bool attributes = (file.header().flags & kHasAttributes) != 0;
  if (attributes && raw.undirected)
    if (const auto edge =
            find_asymmetry(static_cast<Vertex>(file.header().vertex_count), *raw.adjacency))
      throw refused_at_byte(
          file.path(), file.header().section(CachedSection::OutWeights).offset,
          fmt::format("the edge {} -> {} has no reverse edge with the same attributes, but the "
                      "file says that it is undirected",
                      raw.cached_ids.label(edge->source), raw.cached_ids.label(edge->target)));
  require_ascending(file, *raw.adjacency, CachedSection::OutTargets);
  verify_layouts(file, raw);
  if (!raw.cached_in) return;
  require_ascending(file, *raw.cached_in, CachedSection::InTargets);
  require_reverse(file, *raw.adjacency, *raw.cached_in);
}

}  // namespace

RawGraph read_cached(StreamPtr stream, const ReadContext& context) {
  if (stream->compression() != Compression::None)
    throw refused_at_byte(context.path, 0, "the cached form cannot be compressed");
  stream.reset();
  CachedFile file(context.path, context.options.in_place);
  const CachedHeader& header = file.header();
  const ReadOptions& options = context.options;
  const Wanted wanted{options.verify || !options.ignore_weights, options.verify || options.in_edges,
                      options.preparations, options.verify || options.paths,
                      options.verify || options.colours};
  RawGraph raw;
  raw.ids = IdSource::Counted;
  raw.vertex_count = header.vertex_count;
  raw.vertices_declared = header.vertex_count;
  raw.edges_declared = header.edge_count;
  raw.id_base = (header.flags & kTextIds) != 0 ? 0 : header.id_base;
  raw.rows_present = true;
  raw.weighted = header.weight_kind != 0;
  raw.undirected = raw.both_directions = (header.flags & kSymmetric) != 0;
  raw.symmetry_known = raw.undirected && !options.verify;
  const bool has_in = wanted.in_edges && (header.flags & kHasIn) != 0;
  using enum CachedSection;
  if (goes_to_device(file, wanted, context)) {
    raw.adjacency = take_adjacency(file, wanted, context, OutOffsets, OutTargets, OutWeights,
                                   raw.facts.emplace());
    RowFacts of_in;
    if (has_in)
      raw.cached_in = take_adjacency(file, wanted, context, InOffsets, InTargets, InWeights, of_in);
  } else {
    raw.adjacency = read_adjacency(file, wanted, OutOffsets, OutTargets, OutWeights, &raw.facts);
    if (has_in) raw.cached_in = read_adjacency(file, wanted, InOffsets, InTargets, InWeights);
  }
  raw.cached_ids = read_cached_ids(file);
  std::optional<AttributeColumns> attributes;
  if ((header.flags & kHasAttributes) != 0) attributes.emplace(file);
  if (attributes) check_attributes(*attributes, raw, options.verify);
  if ((header.flags & kDegreeOrdered) != 0) raw.notes.emplace_back("prepared: degree-order");
  if ((header.flags & kWeightSorted) != 0) raw.notes.emplace_back("prepared: weight-sorted");
  if (wanted.preparations) read_preparations(file, wanted, raw);
  if ((header.flags & kHasLayouts) != 0) read_layouts(file, wanted, raw);
  file.check(CachedSection::Name);
  if (options.verify) file.check_all();
  if (options.verify) verify(file, raw);
  if (attributes && wanted.weights) attributes->attach(raw, context);
  context.report.bytes_read += file.bytes_read();
  file.require_unchanged();
  return raw;
}

}  // namespace vertigo::graph
