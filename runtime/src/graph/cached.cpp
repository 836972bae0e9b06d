// Reading and writing the cached form; cached_layout.h has its layout.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "binary_input.h"
#include "cached_layout.h"
#include "declared.h"
#include "prepared.h"
#include "readers.h"
#include "vertigo/core/descriptor.h"
#include "vertigo/core/failure.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/id_text.h"
#include "weights.h"

static_assert(std::endian::native == std::endian::little,
              "graph files are little-endian and read as they are");

namespace vertigo::graph {
namespace {

constexpr std::uint8_t kSymmetric = 1;
constexpr std::uint8_t kHasIn = 2;
constexpr std::uint8_t kListedIds = 4;
constexpr std::uint8_t kDegreeOrdered = 8;
constexpr std::uint8_t kWeightSorted = 16;
constexpr std::uint8_t kTextIds = 32;
constexpr std::array<const char*, kCachedSections> kSectionNames = {"name",
                                                                    "ids",
                                                                    "offsets",
                                                                    "targets",
                                                                    "weights",
                                                                    "in-offsets",
                                                                    "in-targets",
                                                                    "in-weights",
                                                                    "degree-order",
                                                                    "degree-ordered offsets",
                                                                    "degree-ordered targets",
                                                                    "degree-ordered weights",
                                                                    "degree-ordered in-offsets",
                                                                    "degree-ordered in-targets",
                                                                    "degree-ordered in-weights",
                                                                    "weight-sorted targets",
                                                                    "weight-sorted weights",
                                                                    "weight-sorted in-targets",
                                                                    "weight-sorted in-weights",
                                                                    "offsets of the ids",
                                                                    "text of the ids"};

class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status{};
    if (!descriptor || ::fstat(descriptor.get(), &status) != 0)
      throw system_failure(ExitCode::InputRefused, "cannot open", errno, path);
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
    if (data_ == MAP_FAILED)
      throw system_failure(ExitCode::InputRefused, "cannot be mapped into memory", errno, path);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

std::size_t aligned(std::size_t offset) {
  return (offset + kCachedAlignment - 1) / kCachedAlignment * kCachedAlignment;
}

std::size_t weight_bytes(std::uint8_t kind) {
  constexpr std::array<std::size_t, std::variant_size_v<Weights>> kBytes = {0, 4, 8, 4, 8, 4, 8};
  return kBytes[kind];
}

// What each section must hold, from the counts of the header.
std::array<std::uint64_t, kCachedSections> expected_bytes(const CachedHeader& header) {
  const auto where = [&](std::uint8_t flags, std::uint64_t bytes) {
    return (header.flags & flags) == flags ? bytes : 0;
  };
  const std::uint64_t offsets = 8 * (header.vertex_count + 1);
  const std::uint64_t targets = 4 * header.edge_count;
  const std::uint64_t weights = weight_bytes(header.weight_kind) * header.edge_count;
  constexpr std::uint8_t kDegreeIn = kDegreeOrdered | kHasIn;
  constexpr std::uint8_t kWeightIn = kWeightSorted | kHasIn;
  return {header.sections[0].bytes,
          where(kListedIds, 8 * header.vertex_count),
          offsets,
          targets,
          weights,
          where(kHasIn, offsets),
          where(kHasIn, targets),
          where(kHasIn, weights),
          where(kDegreeOrdered, 4 * header.vertex_count),
          where(kDegreeOrdered, offsets),
          where(kDegreeOrdered, targets),
          where(kDegreeOrdered, weights),
          where(kDegreeIn, offsets),
          where(kDegreeIn, targets),
          where(kDegreeIn, weights),
          where(kWeightSorted, targets),
          where(kWeightSorted, weights),
          where(kWeightIn, targets),
          where(kWeightIn, weights),
          where(kTextIds, offsets),
          where(kTextIds, header.section(CachedSection::IdText).bytes)};
}

// The header of a version that is known, its checksum compared.
CachedHeader read_header(const std::string& path, std::span<const std::byte> file) {
  CachedHeader header;
  if (file.size() < cached_header_bytes(1))
    throw refused_at_byte(path, file.size(), "the file ends within its header");
  std::memcpy(static_cast<CachedPrefix*>(&header), file.data(), sizeof(CachedPrefix));
  if (std::string_view(header.magic.data(), header.magic.size()) != kCachedMagic) {
    throw refused_at_byte(path, 0, "not a cached graph");
  }
  if (header.endianness != kEndiannessMark) {
    throw refused_at_byte(path, 8, "the file was written on a machine of the other byte order");
  }
  if (header.version == 0 || header.version > kNewestCachedVersion) {
    throw refused_at_byte(
        path, 12,
        fmt::format("version {} of the cached form is not known (the newest is {}): convert again",
                    header.version, kNewestCachedVersion));
  }
  const std::size_t bytes = cached_header_bytes(header.version);
  if (file.size() < bytes)
    throw refused_at_byte(path, file.size(), "the file ends within its header");
  std::memcpy(header.sections.data(), file.data() + sizeof(CachedPrefix),
              cached_sections(header.version) * sizeof(CachedSectionEntry));
  const std::vector<std::byte> image = cached_header_image(header);
  if (!std::equal(image.begin(), image.end(), file.begin()))
    throw refused_at_byte(path, 0, "the header is damaged");
  return header;
}

CachedHeader checked_header(const std::string& path, std::span<const std::byte> file) {
  CachedHeader header = read_header(path, file);
  const std::uint8_t known_flags = header.version == 1 ? 7 : header.version == 2 ? 31 : 63;
  if (header.header_bytes != cached_header_bytes(header.version) ||
      header.vertex_bytes != sizeof(Vertex) || header.offset_bytes != sizeof(EdgeIndex) ||
      header.weight_kind >= std::variant_size_v<Weights> || (header.flags & ~known_flags) != 0 ||
      header.vertex_count > kMostVertices || header.edge_count > (std::uint64_t{1} << 48)) {
    throw refused_at_byte(path, 16, "the header asks for widths or counts that are not supported");
  }
  if (header.file_bytes != file.size()) {
    throw refused_at_byte(path, std::min<std::uint64_t>(file.size(), header.file_bytes),
                          fmt::format("the header declares {} bytes, the file has {}",
                                      header.file_bytes, file.size()));
  }
  return header;
}

// Sections in order, of the expected sizes, zero between them, with right checksums.
void check_sections(const std::string& path, std::span<const std::byte> file,
                    const CachedHeader& header) {
  const auto expected = expected_bytes(header);
  std::uint64_t end = header.header_bytes;
  for (std::size_t s = 0; s <= kCachedSections; ++s) {
    const bool last = s == kCachedSections;
    if (!last && expected[s] == 0 && header.sections[s].bytes == 0) continue;
    const std::uint64_t begin = last ? file.size() : header.sections[s].offset;
    if (begin < end || begin > file.size() || begin - end >= kCachedAlignment ||
        (!last && (begin % kCachedAlignment != 0 || header.sections[s].bytes != expected[s] ||
                   expected[s] > file.size() - begin))) {
      throw refused_at_byte(path, end,
                            fmt::format("the section '{}' is not where it should be",
                                        last ? "end" : kSectionNames[s]));
    }
    for (std::uint64_t i = end; i < begin; ++i) {
      if (file[i] != std::byte{0}) throw refused_at_byte(path, i, "the padding is damaged");
    }
    if (last) break;
    if (checksum_of(file.data() + begin, expected[s]) != header.sections[s].checksum) {
      throw refused_at_byte(
          path, begin,
          fmt::format("the section '{}' is damaged: its checksum differs", kSectionNames[s]));
    }
    end = begin + expected[s];
  }
}

template <class T>
std::vector<T> copy_section(std::span<const std::byte> file, const CachedHeader& header,
                            CachedSection which) {
  const CachedSectionEntry& entry = header.section(which);
  std::vector<T> values(entry.bytes / sizeof(T));
  constexpr std::size_t kStep = std::size_t{4} << 20;
  const std::byte* const from = file.data() + entry.offset;
  auto* const to = reinterpret_cast<std::byte*>(values.data());
#pragma omp parallel for schedule(static)
  for (std::size_t at = 0; at < entry.bytes; at += kStep) {
    std::memcpy(to + at, from + at, std::min<std::size_t>(kStep, entry.bytes - at));
  }
  return values;
}

template <std::size_t kIndex = 0>
Weights copy_weights(std::span<const std::byte> file, const CachedHeader& header,
                     CachedSection which) {
  if constexpr (kIndex == std::variant_size_v<Weights>) {
    return std::monostate{};
  } else {
    using Column = std::variant_alternative_t<kIndex, Weights>;
    if (header.weight_kind != kIndex) return copy_weights<kIndex + 1>(file, header, which);
    if constexpr (std::is_same_v<Column, std::monostate>) {
      return std::monostate{};
    } else {
      return copy_section<typename Column::value_type>(file, header, which);
    }
  }
}

Adjacency copy_adjacency(const std::string& path, std::span<const std::byte> file,
                         const CachedHeader& header, CachedSection offsets, CachedSection targets,
                         CachedSection weights) {
  Adjacency adjacency;
  adjacency.offsets = copy_section<EdgeIndex>(file, header, offsets);
  adjacency.targets = copy_section<Vertex>(file, header, targets);
  adjacency.weights = copy_weights(file, header, weights);
  // The checksums only show that nothing changed since some program wrote it.
  check_offsets(path, adjacency.offsets, header.edge_count, header.section(offsets).offset);
  check_targets(path, adjacency.targets, header.vertex_count, header.section(targets).offset,
                sizeof(Vertex));
  return adjacency;
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
  void plan(CachedSection section, const std::vector<T>& values) {
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

// The ids' bytes are those of text that ascends, whoever wrote the file.
IdMap read_text_ids(const std::string& path, std::span<const std::byte> file,
                    const CachedHeader& header) {
  const CachedSectionEntry& text = header.section(CachedSection::IdText);
  const std::uint64_t place = header.section(CachedSection::IdTextOffsets).offset;
  auto offsets = copy_section<EdgeIndex>(file, header, CachedSection::IdTextOffsets);
  check_offsets(path, offsets, text.bytes, place);
  const TextIds ids(copy_section<char>(file, header, CachedSection::IdText), std::move(offsets));
  for (std::uint64_t i = 0; i < ids.size(); ++i) {
    if (const char* const problem = id_problem(ids[i])) {
      throw refused_at_byte(path, text.offset + ids.offsets()[i], fmt::format("an id {}", problem));
    }
    if (i > 0 && ids[i] <= ids[i - 1]) {
      throw refused_at_byte(path, text.offset + ids.offsets()[i], "the ids do not ascend");
    }
  }
  return IdMap::text(ids);
}

ReorderedEdges copy_edges(const std::string& path, std::span<const std::byte> file,
                          const CachedHeader& header, CachedSection targets,
                          CachedSection weights) {
  ReorderedEdges edges;
  edges.targets = copy_section<Vertex>(file, header, targets);
  edges.weights = copy_weights(file, header, weights);
  check_targets(path, edges.targets, header.vertex_count, header.section(targets).offset,
                sizeof(Vertex));
  return edges;
}

// Checksums show that a copy is what some program wrote; these checks, that it is of this graph.
void read_preparations(const std::string& path, std::span<const std::byte> file,
                       const CachedHeader& header, RawGraph& raw) {
  Preparations& prepared = raw.prepared;
  const bool in = (header.flags & kHasIn) != 0;
  if ((header.flags & kDegreeOrdered) != 0) {
    prepared.degree_order = copy_section<Vertex>(file, header, CachedSection::DegreeOrder);
    prepared.degree_ordered_out =
        copy_adjacency(path, file, header, CachedSection::DegreeOutOffsets,
                       CachedSection::DegreeOutTargets, CachedSection::DegreeOutWeights);
    if (in)
      prepared.degree_ordered_in =
          copy_adjacency(path, file, header, CachedSection::DegreeInOffsets,
                         CachedSection::DegreeInTargets, CachedSection::DegreeInWeights);
  }
  if ((header.flags & kWeightSorted) != 0) {
    prepared.weight_sorted_out = copy_edges(path, file, header, CachedSection::WeightOutTargets,
                                            CachedSection::WeightOutWeights);
    if (in)
      prepared.weight_sorted_in = copy_edges(path, file, header, CachedSection::WeightInTargets,
                                             CachedSection::WeightInWeights);
  }
  const std::string problem =
      preparation_problem(*raw.adjacency, raw.cached_in ? &*raw.cached_in : nullptr, prepared);
  if (!problem.empty())
    throw refused_at_byte(path, header.section(CachedSection::DegreeOrder).offset, problem);
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

RawGraph read_cached(StreamPtr stream, const ReadContext& context) {
  if (stream->compression() != Compression::None) {
    throw refused_at_byte(context.path, 0,
                          "the cached form is mapped into memory and cannot be compressed");
  }
  const MappedFile mapped(context.path);
  const auto file = mapped.bytes();
  const CachedHeader header = checked_header(context.path, file);
  check_sections(context.path, file, header);
  context.report.bytes_read += file.size();
  RawGraph raw;
  raw.ids = IdSource::Counted;
  raw.vertex_count = header.vertex_count;
  raw.vertices_declared = header.vertex_count;
  raw.edges_declared = header.edge_count;
  raw.id_base = header.id_base;
  raw.rows_present = true;
  raw.weighted = header.weight_kind != 0;
  raw.undirected = raw.both_directions = raw.symmetry_known = (header.flags & kSymmetric) != 0;
  raw.adjacency = copy_adjacency(context.path, file, header, CachedSection::OutOffsets,
                                 CachedSection::OutTargets, CachedSection::OutWeights);
  if ((header.flags & kHasIn) != 0) {
    raw.cached_in = copy_adjacency(context.path, file, header, CachedSection::InOffsets,
                                   CachedSection::InTargets, CachedSection::InWeights);
  }
  raw.cached_ids = IdMap::contiguous(header.id_base, header.vertex_count);
  if ((header.flags & kListedIds) != 0) {
    auto ids = copy_section<std::uint64_t>(file, header, CachedSection::Ids);
    if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) != ids.end()) {
      throw refused_at_byte(context.path, header.sections[1].offset,
                            "the listed ids do not ascend");
    }
    raw.cached_ids = IdMap::sparse(std::move(ids));
  }
  if ((header.flags & kTextIds) != 0) {
    raw.id_base = 0;
    raw.cached_ids = read_text_ids(context.path, file, header);
  }
  if ((header.flags & kDegreeOrdered) != 0) raw.notes.emplace_back("prepared: degree-order");
  if ((header.flags & kWeightSorted) != 0) raw.notes.emplace_back("prepared: weight-sorted");
  if (context.options.preparations) read_preparations(context.path, file, header, raw);
  return raw;
}

void write_cached(const Graph& graph, const std::string& path, OverwriteRule rule) {
  CachedWriter writer(path, rule);
  CachedHeader& header = writer.header;
  std::copy(kCachedMagic.begin(), kCachedMagic.end(), header.magic.begin());
  const Preparations& prepared = graph.prepared;
  header.version = graph.ids.is_text()                                          ? 3
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
  writer.write();
}

}  // namespace vertigo::graph
