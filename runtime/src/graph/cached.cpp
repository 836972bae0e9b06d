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
#include "readers.h"
#include "vertigo/graph/cache.h"
#include "weights.h"

static_assert(std::endian::native == std::endian::little,
              "graph files are little-endian and read as they are");

namespace vertigo::graph {
namespace {

constexpr std::uint8_t kSymmetric = 1;
constexpr std::uint8_t kHasIn = 2;
constexpr std::uint8_t kListedIds = 4;
constexpr std::array kSectionNames = {"name",    "ids",        "offsets",    "targets",
                                      "weights", "in-offsets", "in-targets", "in-weights"};

class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
      const int error_number = errno;
      if (descriptor >= 0) ::close(descriptor);
      throw Error(ExitCode::InputRefused,
                  fmt::format("cannot open: {}", std::strerror(error_number)), path);
    }
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    ::close(descriptor);
    if (data_ == MAP_FAILED) {
      data_ = nullptr;
      throw Error(ExitCode::InputRefused, "cannot be mapped into memory", path);
    }
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

std::uint64_t header_checksum(CachedHeader header) {
  header.checksum = 0;
  return checksum_of(&header, sizeof header);
}

// What each section must hold, from the counts of the header.
std::array<std::uint64_t, kCachedSections> expected_bytes(const CachedHeader& header) {
  const bool in = (header.flags & kHasIn) != 0;
  const std::uint64_t offsets = 8 * (header.vertex_count + 1);
  const std::uint64_t targets = 4 * header.edge_count;
  const std::uint64_t weights = weight_bytes(header.weight_kind) * header.edge_count;
  return {header.sections[0].bytes,
          (header.flags & kListedIds) != 0 ? 8 * header.vertex_count : 0,
          offsets,
          targets,
          weights,
          in ? offsets : 0,
          in ? targets : 0,
          in ? weights : 0};
}

CachedHeader checked_header(const std::string& path, std::span<const std::byte> file) {
  CachedHeader header;
  if (file.size() < sizeof header)
    throw refused_at_byte(path, file.size(), "the file ends within its header");
  std::memcpy(&header, file.data(), sizeof header);
  if (std::string_view(header.magic.data(), header.magic.size()) != kCachedMagic) {
    throw refused_at_byte(path, 0, "not a cached graph");
  }
  if (header.endianness != kEndiannessMark) {
    throw refused_at_byte(path, 8, "the file was written on a machine of the other byte order");
  }
  if (header.version != kCachedVersion) {
    throw refused_at_byte(
        path, 12,
        fmt::format("version {} of the cached form is not version {}: convert again",
                    header.version, kCachedVersion));
  }
  if (header.checksum != header_checksum(header))
    throw refused_at_byte(path, 0, "the header is damaged");
  if (header.header_bytes != sizeof header || header.vertex_bytes != sizeof(Vertex) ||
      header.offset_bytes != sizeof(EdgeIndex) ||
      header.weight_kind >= std::variant_size_v<Weights> || header.vertex_count > kMostVertices ||
      header.edge_count > (std::uint64_t{1} << 48)) {
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
  std::uint64_t end = sizeof header;
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
  const CachedSectionEntry& entry = header.sections[static_cast<std::size_t>(which)];
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
  check_offsets(path, adjacency.offsets, header.edge_count,
                header.sections[static_cast<std::size_t>(offsets)].offset);
  check_targets(path, adjacency.targets, header.vertex_count,
                header.sections[static_cast<std::size_t>(targets)].offset, sizeof(Vertex));
  return adjacency;
}

class CachedWriter {
 public:
  CachedWriter(const std::string& path, OverwriteRule rule) : file_(path, rule) {}

  void plan(CachedSection section, const void* data, std::uint64_t bytes) {
    if (bytes == 0) return;
    CachedSectionEntry& entry = header.sections[static_cast<std::size_t>(section)];
    end_ = aligned(end_);
    entry = {end_, bytes, checksum_of(data, bytes)};
    end_ += bytes;
    planned_.push_back({entry.offset, data, bytes});
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

  void write() {
    header.file_bytes = end_;
    header.checksum = header_checksum(header);
    file_.write(&header, sizeof header);
    std::uint64_t at = sizeof header;
    constexpr std::array<char, kCachedAlignment> kPadding{};
    for (const auto& [offset, data, bytes] : planned_) {
      file_.write(kPadding.data(), offset - at);
      file_.write(data, bytes);
      at = offset + bytes;
    }
    file_.commit();
  }

  CachedHeader header;

 private:
  struct Planned {
    std::uint64_t offset;
    const void* data;
    std::uint64_t bytes;
  };
  AtomicFile file_;
  std::uint64_t end_ = sizeof(CachedHeader);
  std::vector<Planned> planned_;
};

}  // namespace

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
  return raw;
}

void write_cached(const Graph& graph, const std::string& path, OverwriteRule rule) {
  CachedWriter writer(path, rule);
  CachedHeader& header = writer.header;
  std::copy(kCachedMagic.begin(), kCachedMagic.end(), header.magic.begin());
  header.header_bytes = sizeof header;
  header.weight_kind = static_cast<std::uint8_t>(graph.out.weights.index());
  header.flags = static_cast<std::uint8_t>((graph.symmetric ? kSymmetric : 0) |
                                           (graph.in_adjacency ? kHasIn : 0) |
                                           (graph.ids.is_contiguous() ? 0 : kListedIds));
  header.vertex_count = graph.vertex_count;
  header.edge_count = graph.edge_count;
  header.id_base = graph.ids.is_contiguous() ? graph.ids.base() : 0;
  const auto ids = graph.ids.ids();
  writer.plan(CachedSection::Name, graph.name.data(), graph.name.size());
  writer.plan(CachedSection::Ids, ids.data(), ids.size_bytes());
  writer.plan(CachedSection::OutOffsets, graph.out.offsets);
  writer.plan(CachedSection::OutTargets, graph.out.targets);
  writer.plan(CachedSection::OutWeights, graph.out.weights);
  if (graph.in_adjacency) {
    writer.plan(CachedSection::InOffsets, graph.in_adjacency->offsets);
    writer.plan(CachedSection::InTargets, graph.in_adjacency->targets);
    writer.plan(CachedSection::InWeights, graph.in_adjacency->weights);
  }
  writer.write();
}

}  // namespace vertigo::graph
