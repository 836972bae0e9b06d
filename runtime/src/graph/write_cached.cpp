// Writing the cached form; cached_layout.h has its layout.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "cached_layout.h"
#include "cached_layouts.h"
#include "room.h"
#include "vertigo/core/error.h"
#include "vertigo/core/record_layout.h"
#include "vertigo/graph/cache.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

class CachedWriter {
 public:
  CachedWriter(const std::string& path, OverwriteRule rule) : file_(path, rule) {}

  void plan(CachedSection section, const void* data, std::uint64_t bytes) {
    if (bytes == 0) return;
    header.sections[static_cast<std::size_t>(section)] = {0, bytes, checksum_of(data, bytes)};
    planned_.push_back({section, data, bytes});
  }
  template <class T>
  void plan(CachedSection section, const Array<T>& values) {
    plan(section, values.data(), values.size() * sizeof(T));
  }
  void plan(CachedSection section, const Weights& weights) {
    with_column(weights, [&](const auto& column) {
      if constexpr (kHasWeights<decltype(column)>) plan(section, column);
    });
  }

  void plan(const ReorderedEdges& edges, CachedSection targets, CachedSection weights) {
    plan(targets, edges.targets);
    plan(weights, edges.weights);
  }
  void plan(const Adjacency& adjacency, CachedSection offsets, CachedSection targets,
            CachedSection weights) {
    plan(offsets, adjacency.offsets);
    plan(targets, adjacency.targets);
    plan(weights, adjacency.weights);
  }

  /// The same of bytes that nobody else keeps.
  void plan(CachedSection section, Array<std::byte> bytes) {
    plan(section, bytes.data(), bytes.size());
    kept_.push_back(std::move(bytes));
  }

  void write() {
    header.header_bytes = static_cast<std::uint32_t>(cached_header_bytes(header.version));
    std::uint64_t end = header.header_bytes;
    for (const Planned& planned : planned_) {
      CachedSectionEntry& entry = header.sections[static_cast<std::size_t>(planned.section)];
      entry.offset = aligned_in_cache(end);
      end = entry.offset + planned.bytes;
    }
    header.file_bytes = end;
    const std::vector<std::byte> image = cached_header_image(header);
    file_.write(image.data(), image.size());
    std::uint64_t at = image.size();
    constexpr std::array<char, kCachedAlignment> kPadding{};
    for (const Planned& planned : planned_) {
      const std::uint64_t offset = header.section(planned.section).offset;
      file_.write(kPadding.data(), offset - at);
      file_.write(planned.data, planned.bytes);
      at = offset + planned.bytes;
    }
    file_.commit();
  }

  void leave_to_the_system() { file_.leave_to_the_system(); }

  CachedHeader header;

 private:
  struct Planned {
    CachedSection section;
    const void* data;
    std::uint64_t bytes;
  };
  AtomicFile file_;
  std::vector<Planned> planned_;
  std::vector<Array<std::byte>> kept_;
};

void plan_preparations(CachedWriter& writer, const Preparations& prepared) {
  if (prepared.has_degree_order()) {
    writer.plan(CachedSection::DegreeOrder, prepared.degree_order);
    writer.plan(prepared.degree_ordered_out, CachedSection::DegreeOutOffsets,
                CachedSection::DegreeOutTargets, CachedSection::DegreeOutWeights);
  }
  if (prepared.degree_ordered_in)
    writer.plan(*prepared.degree_ordered_in, CachedSection::DegreeInOffsets,
                CachedSection::DegreeInTargets, CachedSection::DegreeInWeights);
  if (prepared.weight_sorted_out)
    writer.plan(*prepared.weight_sorted_out, CachedSection::WeightOutTargets,
                CachedSection::WeightOutWeights);
  if (prepared.weight_sorted_in)
    writer.plan(*prepared.weight_sorted_in, CachedSection::WeightInTargets,
                CachedSection::WeightInWeights);
}

}  // namespace

std::vector<std::byte> cached_header_image(const CachedHeader& header) {
  const std::size_t bytes = cached_header_bytes(header.version);
  const std::size_t table = cached_sections(header.version) * sizeof(CachedSectionEntry);
  std::vector<std::byte> image(bytes, std::byte{0});
  std::memcpy(image.data(), static_cast<const CachedPrefix*>(&header), sizeof(CachedPrefix));
  std::memcpy(image.data() + sizeof(CachedPrefix), header.sections.data(), table);
  const std::uint64_t checksum = checksum_of(image.data(), bytes, cached_checksum(header.version));
  std::memcpy(image.data() + sizeof(CachedPrefix) + table, &checksum, sizeof checksum);
  return image;
}

namespace {

// Numbers of records take 32 bits in the file.
Array<std::byte> narrow_numbers(const Weights& weights) {
  return with_column(weights, [](const auto& column) -> Array<std::byte> {
    if constexpr (kHasWeights<decltype(column)>) {
      Room<std::byte> bytes(column.size() * sizeof(std::uint32_t));
#pragma omp parallel for schedule(static)
      for (std::size_t e = 0; e < column.size(); ++e) {
        const auto number = static_cast<std::uint32_t>(column[e]);
        std::memcpy(bytes.data() + e * sizeof number, &number, sizeof number);
      }
      return std::move(bytes).finished();
    } else {
      return {};  // of no edges
    }
  });
}

void plan_lists(CachedWriter& writer, const Adjacency& lists, bool numbers, CachedSection offsets,
                CachedSection targets, CachedSection weights) {
  if (!numbers) return writer.plan(lists, offsets, targets, weights);
  writer.plan(offsets, lists.offsets);
  writer.plan(targets, lists.targets);
  writer.plan(weights, narrow_numbers(lists.weights));
}

CachedAttribute named(const RecordField& field) {
  CachedAttribute attribute;
  if (field.name.size() > attribute.name.size())
    throw Error(ExitCode::OutputFailed,
                fmt::format("the cached form keeps names of at most {} letters, and not '{}'",
                            attribute.name.size(), field.name));
  std::copy(field.name.begin(), field.name.end(), attribute.name.begin());
  attribute.kind = static_cast<std::uint32_t>(
      std::find(kAttributeKinds.begin(), kAttributeKinds.end(), field.kind) -
      kAttributeKinds.begin());
  return attribute;
}

// Of the fields that the table has, a column each.
void plan_attributes(CachedWriter& writer, const EdgeTable& table) {
  std::vector<ScalarKind> kinds;
  for (const RecordField& field : table.fields) kinds.push_back(field.kind);
  const RecordLayout layout = layout_of(kinds);
  const std::uint64_t records = table.records.size() / layout.bytes;
  std::vector<CachedAttribute> names;
  std::vector<std::uint64_t> begins;
  std::vector<std::size_t> kept;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!table.given[i]) continue;
    kept.push_back(i);
    names.push_back(named(table.fields[i]));
    begins.push_back(aligned_in_cache(end));
    end = begins.back() + records * record_bytes_of(kinds[i]);
  }
  Room<std::byte> values(end);
  std::uint64_t at = 0;
  for (std::size_t c = 0; c < kept.size(); ++c) {
    const std::size_t bytes = record_bytes_of(kinds[kept[c]]);
    std::byte* const column = values.data() + begins[c];
    std::fill(values.data() + at, column, std::byte{0});
#pragma omp parallel for schedule(static)
    for (std::uint64_t r = 0; r < records; ++r)
      std::memcpy(column + r * bytes,
                  table.records.data() + r * layout.bytes + layout.offsets[kept[c]], bytes);
    names[c].checksum = checksum_of(column, records * bytes);
    at = begins[c] + records * bytes;
  }
  const CachedAttributes head{records, names.size()};
  Room<std::byte> said(sizeof head + names.size() * sizeof names[0]);
  std::memcpy(said.data(), &head, sizeof head);
  std::memcpy(said.data() + sizeof head, names.data(), names.size() * sizeof names[0]);
  writer.plan(CachedSection::Attributes, std::move(said).finished());
  writer.plan(CachedSection::AttributeValues, std::move(values).finished());
}

template <class T>
void plan_values(CachedWriter& writer, CachedSection section, const std::vector<T>& values) {
  writer.plan(section, values.data(), values.size() * sizeof(T));
}

void plan_classes(CachedWriter& writer, const ColourClasses& classes, CachedSection colours,
                  CachedSection vertices) {
  writer.plan(colours, image_of(classes));
  plan_values(writer, vertices, classes.vertices);
}

void plan_layouts(CachedWriter& writer, const Preparations& prepared) {
  if (prepared.paths) {
    const PathSketch& paths = *prepared.paths;
    writer.plan(CachedSection::Paths, image_of(paths));
    plan_values(writer, CachedSection::PathHubs, paths.hubs);
    plan_values(writer, CachedSection::PathVertices, paths.vertices);
    plan_values(writer, CachedSection::PathEdgeIds, paths.edges);
    plan_values(writer, CachedSection::PathBreaks, paths.breaks);
    plan_values(writer, CachedSection::PathBegins, paths.begins);
  }
  if (prepared.all_colours)
    plan_classes(writer, *prepared.all_colours, CachedSection::AllColours,
                 CachedSection::AllColourVertices);
  if (prepared.few_colours)
    plan_classes(writer, *prepared.few_colours, CachedSection::FewColours,
                 CachedSection::FewColourVertices);
}

void write_graph(const Graph& graph, CachedWriter& writer, const CachedOrigin* origin) {
  CachedHeader& header = writer.header;
  std::copy(kCachedMagic.begin(), kCachedMagic.end(), header.magic.begin());
  const Preparations& prepared = graph.prepared;
  const bool attributes = graph.table != nullptr;
  const std::uint32_t level = prepared.has_layouts() && !attributes                        ? 6
                              : attributes                                                 ? 5
                              : origin != nullptr                                          ? 4
                              : graph.ids.is_text()                                        ? 3
                              : prepared.has_degree_order() || prepared.has_weight_order() ? 2
                                                                                           : 1;
  header.version = kCachedLevels + level;
  header.weight_kind =
      attributes ? kWeightKindOfNumbers : static_cast<std::uint8_t>(graph.out.weights.index());
  header.flags = static_cast<std::uint8_t>(
      (graph.symmetric ? kSymmetric : 0) | (graph.in_adjacency ? kHasIn : 0) |
      (graph.ids.is_contiguous() ? 0 : kListedIds) |
      (prepared.has_degree_order() ? kDegreeOrdered : 0) |
      (prepared.has_weight_order() ? kWeightSorted : 0) | (graph.ids.is_text() ? kTextIds : 0) |
      (attributes ? kHasAttributes : 0) |
      (prepared.has_layouts() && !attributes ? kHasLayouts : 0));
  header.vertex_count = graph.vertex_count;
  header.edge_count = graph.edge_count;
  header.id_base = graph.ids.is_contiguous() ? graph.ids.base() : 0;
  const auto ids = graph.ids.ids();
  writer.plan(CachedSection::Name, graph.name.data(), graph.name.size());
  writer.plan(CachedSection::Ids, ids.data(), ids.size_bytes());
  plan_lists(writer, graph.out, attributes, CachedSection::OutOffsets, CachedSection::OutTargets,
             CachedSection::OutWeights);
  if (graph.in_adjacency)
    plan_lists(writer, *graph.in_adjacency, attributes, CachedSection::InOffsets,
               CachedSection::InTargets, CachedSection::InWeights);
  if (!attributes) plan_preparations(writer, prepared);
  if (graph.ids.is_text()) {
    writer.plan(CachedSection::IdTextOffsets, graph.ids.texts().offsets());
    writer.plan(CachedSection::IdText, graph.ids.texts().bytes());
  }
  if (origin != nullptr) {
    writer.plan(CachedSection::Origin, origin->key.data(), origin->key.size());
    writer.plan(CachedSection::Intake, origin->intake.data(), origin->intake.size());
  }
  if (attributes)
    plan_attributes(writer, *graph.table);
  else
    plan_layouts(writer, prepared);
  writer.write();
}

}  // namespace

void write_cached(const Graph& graph, const std::string& path, OverwriteRule rule) {
  CachedWriter writer(path, rule);
  write_graph(graph, writer, nullptr);
}

void write_cached(const Graph& graph, const std::string& path, const CachedOrigin& origin) {
  CachedWriter writer(path, OverwriteRule::RegularOnly);
  writer.leave_to_the_system();
  write_graph(graph, writer, &origin);
}

}  // namespace vertigo::graph
