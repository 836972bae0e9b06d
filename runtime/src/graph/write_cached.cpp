// Writing the cached form; cached_layout.h has its layout.

#include <algorithm>
#include <array>
#include <cstring>

#include "cached_layout.h"
#include "vertigo/graph/cache.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

std::size_t aligned(std::size_t offset) {
  return (offset + kCachedAlignment - 1) / kCachedAlignment * kCachedAlignment;
}

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

  void write() {
    header.header_bytes = static_cast<std::uint32_t>(cached_header_bytes(header.version));
    std::uint64_t end = header.header_bytes;
    for (const Planned& planned : planned_) {
      CachedSectionEntry& entry = header.sections[static_cast<std::size_t>(planned.section)];
      entry.offset = aligned(end);
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
  const std::uint64_t checksum = checksum_of(image.data(), bytes);
  std::memcpy(image.data() + sizeof(CachedPrefix) + table, &checksum, sizeof checksum);
  return image;
}

namespace {

void write_graph(const Graph& graph, CachedWriter& writer, const CachedOrigin* origin) {
  CachedHeader& header = writer.header;
  std::copy(kCachedMagic.begin(), kCachedMagic.end(), header.magic.begin());
  const Preparations& prepared = graph.prepared;
  header.version = origin != nullptr                                            ? 4
                   : graph.ids.is_text()                                        ? 3
                   : prepared.has_degree_order() || prepared.has_weight_order() ? 2
                                                                                : 1;
  header.weight_kind = static_cast<std::uint8_t>(graph.out.weights.index());
  header.flags = static_cast<std::uint8_t>(
      (graph.symmetric ? kSymmetric : 0) | (graph.in_adjacency ? kHasIn : 0) |
      (graph.ids.is_contiguous() ? 0 : kListedIds) |
      (prepared.has_degree_order() ? kDegreeOrdered : 0) |
      (prepared.has_weight_order() ? kWeightSorted : 0) | (graph.ids.is_text() ? kTextIds : 0));
  header.vertex_count = graph.vertex_count;
  header.edge_count = graph.edge_count;
  header.id_base = graph.ids.is_contiguous() ? graph.ids.base() : 0;
  const auto ids = graph.ids.ids();
  writer.plan(CachedSection::Name, graph.name.data(), graph.name.size());
  writer.plan(CachedSection::Ids, ids.data(), ids.size_bytes());
  writer.plan(graph.out, CachedSection::OutOffsets, CachedSection::OutTargets,
              CachedSection::OutWeights);
  if (graph.in_adjacency)
    writer.plan(*graph.in_adjacency, CachedSection::InOffsets, CachedSection::InTargets,
                CachedSection::InWeights);
  plan_preparations(writer, prepared);
  if (graph.ids.is_text()) {
    writer.plan(CachedSection::IdTextOffsets, graph.ids.texts().offsets());
    writer.plan(CachedSection::IdText, graph.ids.texts().bytes());
  }
  if (origin != nullptr) {
    writer.plan(CachedSection::Origin, origin->key.data(), origin->key.size());
    writer.plan(CachedSection::Intake, origin->intake.data(), origin->intake.size());
  }
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
