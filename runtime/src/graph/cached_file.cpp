#include "cached_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "declared.h"
#include "vertigo/core/parallel.h"

static_assert(std::endian::native == std::endian::little,
              "graph files are little-endian and read as they are");

namespace vertigo::graph {
namespace {

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
                                                                    "text of the ids",
                                                                    "origin",
                                                                    "intake report",
                                                                    "attributes",
                                                                    "values of the attributes",
                                                                    "paths",
                                                                    "hubs of the paths",
                                                                    "vertices of the paths",
                                                                    "edges of the paths",
                                                                    "breaks of the paths",
                                                                    "chunks of the paths",
                                                                    "colours",
                                                                    "vertices by colour",
                                                                    "few colours",
                                                                    "vertices by few colours"};

// To copy less takes no time.
constexpr std::uint64_t kWorthMapping = std::uint64_t{1} << 20;

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
  // As long as the file says, which the readers of these sections compare with each other.
  const auto stated = [&](CachedSection section) {
    return where(kHasLayouts, header.section(section).bytes);
  };
  using enum CachedSection;
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
          where(kTextIds, header.section(CachedSection::IdText).bytes),
          header.section(CachedSection::Origin).bytes,
          header.section(CachedSection::Intake).bytes,
          where(kHasAttributes, header.section(CachedSection::Attributes).bytes),
          where(kHasAttributes, header.section(CachedSection::AttributeValues).bytes),
          stated(Paths),
          stated(PathHubs),
          stated(PathVertices),
          stated(PathEdgeIds),
          stated(PathBreaks),
          stated(PathBegins),
          stated(AllColours),
          stated(AllColourVertices),
          stated(FewColours),
          stated(FewColourVertices)};
}

}  // namespace

const char* name_of(CachedSection section) {
  return kSectionNames[static_cast<std::size_t>(section)];
}

CachedFile::CachedFile(const std::string& path, bool in_place) : path_(path), file_(path) {
  if (in_place && file_.size() >= kWorthMapping) pages_ = LeasedPages::of(file_, path_);
  read_header();
  check_header();
  check_places();
}

// The header of a version that is known, its checksum compared.
void CachedFile::read_header() {
  const auto ends_early = [&] {
    return refused_at_byte(path_, file_.size(), "the file ends within its header");
  };
  if (file_.size() < cached_header_bytes(1)) throw ends_early();
  file_.read_at(0, static_cast<CachedPrefix*>(&header_), sizeof(CachedPrefix));
  if (std::string_view(header_.magic.data(), header_.magic.size()) != kCachedMagic)
    throw refused_at_byte(path_, 0, "not a cached graph");
  if (header_.endianness != kEndiannessMark)
    throw refused_at_byte(path_, 8, "the file was written on a machine of the other byte order");
  if (header_.version == 0 || header_.version > kNewestCachedVersion) {
    throw refused_at_byte(
        path_, 12,
        fmt::format("version {} of the cached form is not known (the newest is {}): convert again",
                    header_.version, kNewestCachedVersion));
  }
  const std::size_t bytes = cached_header_bytes(header_.version);
  if (file_.size() < bytes) throw ends_early();
  std::vector<std::byte> stored(bytes);
  file_.read_at(0, stored.data(), bytes);
  std::memcpy(header_.sections.data(), stored.data() + sizeof(CachedPrefix),
              cached_sections(header_.version) * sizeof(CachedSectionEntry));
  if (cached_header_image(header_) != stored)
    throw refused_at_byte(path_, 0, "the header is damaged");
}

void CachedFile::check_header() const {
  const std::uint32_t level = cached_level(header_.version);
  const std::uint8_t known_flags = level == 1   ? 7
                                   : level == 2 ? 31
                                   : level < 5  ? 63
                                   : level == 5 ? 127
                                                : 255;
  // What is prepared is of edges with one weight, or none.
  constexpr std::uint8_t kPrepared = kDegreeOrdered | kWeightSorted | kHasLayouts;
  const bool attributes = (header_.flags & kHasAttributes) != 0;
  const bool mixed = attributes && ((header_.flags & kPrepared) != 0 ||
                                    header_.weight_kind != kWeightKindOfNumbers);
  if (header_.header_bytes != cached_header_bytes(header_.version) ||
      header_.vertex_bytes != sizeof(Vertex) || header_.offset_bytes != sizeof(EdgeIndex) ||
      header_.weight_kind >= std::variant_size_v<Weights> || (header_.flags & ~known_flags) != 0 ||
      mixed || header_.vertex_count > kMostVertices ||
      header_.edge_count > (std::uint64_t{1} << 48)) {
    throw refused_at_byte(path_, 16, "the header asks for widths or counts that are not supported");
  }
  if (header_.id_base > kInfinity<std::uint64_t> - header_.vertex_count)
    throw refused_at_byte(path_, 16, "the header declares vertex ids beyond 64 bits");
  if (header_.file_bytes != file_.size()) {
    throw refused_at_byte(path_, std::min<std::uint64_t>(file_.size(), header_.file_bytes),
                          fmt::format("the header declares {} bytes, the file has {}",
                                      header_.file_bytes, file_.size()));
  }
}

// Sections in order, of the expected sizes, zero between them.
void CachedFile::check_places() const {
  const auto expected = expected_bytes(header_);
  std::uint64_t end = header_.header_bytes;
  for (std::size_t s = 0; s <= kCachedSections; ++s) {
    const bool last = s == kCachedSections;
    if (!last && expected[s] == 0 && header_.sections[s].bytes == 0) continue;
    const std::uint64_t begin = last ? file_.size() : header_.sections[s].offset;
    if (begin < end || begin > file_.size() || begin - end >= kCachedAlignment ||
        (!last && (begin % kCachedAlignment != 0 || header_.sections[s].bytes != expected[s] ||
                   expected[s] > file_.size() - begin))) {
      throw refused_at_byte(path_, end,
                            fmt::format("the section '{}' is not where it should be",
                                        last ? "end" : kSectionNames[s]));
    }
    require_zeros(end, begin);
    if (!last) end = begin + expected[s];
  }
}

// Of less than kCachedAlignment bytes.
void CachedFile::require_zeros(std::uint64_t begin, std::uint64_t end) const {
  std::array<std::byte, kCachedAlignment> padding{};
  file_.read_at(begin, padding.data(), end - begin);
  for (std::uint64_t i = begin; i < end; ++i)
    if (padding[i - begin] != std::byte{0})
      throw refused_at_byte(path_, i, "the padding is damaged");
}

void CachedFile::check_padding(CachedSection section, std::uint64_t at, std::uint64_t end) const {
  const std::uint64_t begin = header_.section(section).offset;
  require_zeros(begin + at, begin + end);
}

void CachedFile::compare_checksum(CachedSection section, std::uint64_t checksum) const {
  if (checksum == header_.section(section).checksum) return;
  throw refused_at_byte(
      path_, header_.section(section).offset,
      fmt::format("the section '{}' is damaged: its checksum differs", name_of(section)));
}

std::string CachedFile::text(CachedSection section) {
  const auto bytes = read<char>(section);
  return {bytes.data(), bytes.size()};
}

// Each piece is summed up while it is in the cache.
std::uint64_t CachedFile::read_summed(std::uint64_t offset, std::uint64_t bytes, void* destination,
                                      const Look& look) const {
  const auto read_piece = [&](std::uint64_t at, std::size_t size) {
    std::byte* const to = static_cast<std::byte*>(destination) + at;
    file_.read_at(offset + at, to, size);
    if (look) look(at, to, size);
    return to;
  };
  return checksum_of(bytes, read_piece, cached_checksum(header_.version));
}

void CachedFile::read_section(CachedSection section, void* destination, const Look& look) {
  const CachedSectionEntry& entry = header_.section(section);
  read_[static_cast<std::size_t>(section)] = true;
  if (entry.bytes == 0) return;
  compare_checksum(section, read_summed(entry.offset, entry.bytes, destination, look));
}

// Null where it is to be copied.
std::shared_ptr<const std::byte> CachedFile::read_in_place(CachedSection section,
                                                           const Look& look) {
  const CachedSectionEntry& entry = header_.section(section);
  if (pages_ == nullptr || entry.bytes < kWorthMapping) return nullptr;
  auto mapped = pages_->map(entry.offset, entry.bytes);
  if (mapped == nullptr) return nullptr;
  read_[static_cast<std::size_t>(section)] = true;
  const auto bring = [&](std::uint64_t at, std::size_t size) {
    const std::byte* const piece = mapped.get() + at;
    pages_->bring(piece, size);
    if (look) look(at, piece, size);
    return piece;
  };
  compare_checksum(section, checksum_of(entry.bytes, bring, cached_checksum(header_.version)));
  return mapped;
}

Deliver CachedFile::deliver(CachedSection section) {
  const CachedSectionEntry& entry = header_.section(section);
  if (entry.bytes != 0) file_.bring_closer(entry.offset, entry.bytes);
  return [this, section](PieceSink& sink) { deliver_now(section, sink); };
}

void CachedFile::deliver_now(CachedSection section, PieceSink& sink) {
  const CachedSectionEntry& entry = header_.section(section);
  read_[static_cast<std::size_t>(section)] = true;
  if (entry.bytes == 0) return;
  // A piece is summed while it travels, and taken again no sooner.
  static_assert(kChecksumPiece <= PieceSink::kPiece);
  const auto pass_on = [&](std::uint64_t at, std::size_t size) {
    std::byte* const piece = sink.take();
    file_.read_at(entry.offset + at, piece, size);
    sink.send(at, size);
    return piece;
  };
  compare_checksum(section, checksum_of(entry.bytes, pass_on, cached_checksum(header_.version)));
}

void CachedFile::read_part(CachedSection section, std::uint64_t at, std::uint64_t bytes,
                           std::uint64_t checksum, std::string_view what, void* destination) {
  if (bytes == 0) return;
  const std::uint64_t offset = header_.section(section).offset + at;
  bytes_of_parts_ += bytes;
  if (read_summed(offset, bytes, destination) == checksum) return;
  throw refused_at_byte(path_, offset,
                        fmt::format("the section '{}' is damaged: the checksum of '{}' differs",
                                    name_of(section), what));
}

void CachedFile::check(CachedSection section) const {
  if (!read_[static_cast<std::size_t>(section)])
    scan(section, [](std::uint64_t, const std::byte*, std::size_t) {});
}

void CachedFile::scan(CachedSection section, const Look& look) const {
  const CachedSectionEntry& entry = header_.section(section);
  if (entry.bytes == 0) return;
  // One for each thread, and not thread_local: where memory is short, the C library aborts.
  std::vector<std::vector<std::byte>> buffers(static_cast<std::size_t>(thread_count()));
  const auto read_piece = [&](std::uint64_t at, std::size_t size) {
    std::vector<std::byte>& buffer = buffers[static_cast<std::size_t>(thread_index())];
    buffer.resize(size);
    file_.read_at(entry.offset + at, buffer.data(), size);
    look(at, buffer.data(), size);
    return buffer.data();
  };
  compare_checksum(section, checksum_of(entry.bytes, read_piece, cached_checksum(header_.version)));
}

void CachedFile::check_all() const {
  for (std::size_t s = 0; s < kCachedSections; ++s) check(static_cast<CachedSection>(s));
}

std::uint64_t CachedFile::bytes_read() const {
  std::uint64_t bytes = file_.size() + bytes_of_parts_;
  for (std::size_t s = 0; s < kCachedSections; ++s)
    if (!read_[s]) bytes -= header_.sections[s].bytes;
  return bytes;
}

}  // namespace vertigo::graph
