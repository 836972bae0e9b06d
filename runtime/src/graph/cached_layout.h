#pragma once
// The layout of the cached form. Everything is little-endian; sections begin at multiples of 64
// bytes, and the bytes between them are zero.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo::graph {

inline constexpr std::string_view kCachedMagic{"VERTIGO\x1a", 8};
/// What a file may hold: 1 is a graph alone, 2 has preparations as well, 3 has ids that are text, 4
/// says what it was made of, 5 has attributes of edges by name, 6 has paths or colour classes. A
/// file has the smallest level that can hold it.
inline constexpr std::uint32_t kCachedLevels = 6;
/// Versions 1 to 6 are these levels with Checksum::Lanes, 7 to 12 the same with Checksum::Xxh3,
/// which is what we write.
inline constexpr std::uint32_t kNewestCachedVersion = 2 * kCachedLevels;
constexpr std::uint32_t cached_level(std::uint32_t version) {
  return version > kCachedLevels ? version - kCachedLevels : version;
}
inline constexpr std::uint32_t kEndiannessMark = 0x01020304;
inline constexpr std::size_t kCachedAlignment = 64;

enum class CachedSection : std::size_t {
  Name,
  Ids,
  OutOffsets,
  OutTargets,
  OutWeights,
  InOffsets,
  InTargets,
  InWeights,
  // From version 2 on: the members of Preparations.
  DegreeOrder,
  DegreeOutOffsets,
  DegreeOutTargets,
  DegreeOutWeights,
  DegreeInOffsets,
  DegreeInTargets,
  DegreeInWeights,
  WeightOutTargets,
  WeightOutWeights,
  WeightInTargets,
  WeightInWeights,
  // From version 3 on: where each id begins, and where the last one ends, in the bytes of all.
  IdTextOffsets,
  IdText,
  // From version 4 on: the files and options that the graph was read with, and the intake report.
  Origin,
  Intake,
  // From version 5 on: a CachedAttributes with a CachedAttribute for each, and the values of one
  // behind those of the other, in each distinct record one. The weights are numbers of records.
  Attributes,
  AttributeValues,
  // From version 6 on: a CachedPaths and the members of PathSketch, and twice a CachedColours with
  // where each class begins behind it, and the vertices of all classes.
  Paths,
  PathHubs,
  PathVertices,
  PathEdgeIds,
  PathBreaks,
  PathBegins,
  AllColours,
  AllColourVertices,
  FewColours,
  FewColourVertices
};
inline constexpr std::size_t kCachedSections = 35;
/// Sections that a header of this version lists: the first ones.
constexpr std::size_t cached_sections(std::uint32_t version) {
  const std::uint32_t level = cached_level(version);
  return level == 1   ? 8
         : level == 2 ? 19
         : level == 3 ? 21
         : level == 4 ? 23
         : level == 5 ? 25
                      : kCachedSections;
}

/// Both are of pieces of 1 MiB, and the same over the results.
enum class Checksum : std::uint8_t {
  Lanes,  ///< four multiply-rotate lanes: every single changed word changes the result
  Xxh3,   ///< XXH3 of 64 bits (libxxhash)
};
constexpr Checksum cached_checksum(std::uint32_t version) {
  return version > kCachedLevels ? Checksum::Xxh3 : Checksum::Lanes;
}

/// Bits of CachedPrefix::flags.
inline constexpr std::uint8_t kSymmetric = 1;
inline constexpr std::uint8_t kHasIn = 2;
inline constexpr std::uint8_t kListedIds = 4;
inline constexpr std::uint8_t kDegreeOrdered = 8;
inline constexpr std::uint8_t kWeightSorted = 16;
inline constexpr std::uint8_t kTextIds = 32;
inline constexpr std::uint8_t kHasAttributes = 64;
inline constexpr std::uint8_t kHasLayouts = 128;

struct CachedSectionEntry {
  std::uint64_t offset = 0;  ///< 0 where the section is absent
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

/// What a file begins with. The table of sections follows, and a checksum of both with the checksum
/// taken as 0.
struct CachedPrefix {
  std::array<char, 8> magic{};
  std::uint32_t endianness = kEndiannessMark;
  std::uint32_t version = kCachedLevels + 1;
  std::uint32_t header_bytes = 0;  ///< prefix, table and checksum
  std::uint8_t vertex_bytes = 4;
  std::uint8_t offset_bytes = 8;
  std::uint8_t weight_kind = 0;  ///< index of the alternative of Weights, 0 for none
  std::uint8_t flags = 0;        ///< kSymmetric ... kHasLayouts
  std::uint64_t file_bytes = 0;
  std::uint64_t vertex_count = 0;
  std::uint64_t edge_count = 0;
  std::uint64_t id_base = 0;
};
static_assert(std::is_trivially_copyable_v<CachedPrefix> && sizeof(CachedPrefix) == 56);

/// What CachedSection::Attributes begins with.
struct CachedAttributes {
  std::uint64_t record_count = 0;
  std::uint64_t attribute_count = 0;
};

/// An attribute. Its values begin at the next multiple of kCachedAlignment in the values' section.
struct CachedAttribute {
  std::array<char, 112> name{};  ///< an identifier; zeros behind it
  std::uint64_t checksum = 0;    ///< of its values
  std::uint32_t kind = 0;        ///< place in kAttributeKinds
  std::uint32_t unused = 0;
};
static_assert(std::is_trivially_copyable_v<CachedAttribute> && sizeof(CachedAttribute) == 128);
inline constexpr std::array kAttributeKinds = {
    ScalarKind::Bool,   ScalarKind::Int32,   ScalarKind::Int64,  ScalarKind::UInt32,
    ScalarKind::UInt64, ScalarKind::Float32, ScalarKind::Float64};
/// CachedPrefix::weight_kind of numbers of records: uint32.
inline constexpr std::uint8_t kWeightKindOfNumbers = 3;
inline constexpr std::uint64_t kMostAttributes = 4096;

/// What CachedSection::Paths is: what a PathSketch has besides its arrays.
struct CachedPaths {
  double hub_share = 0;
  double sample_share = 0;
  double hub_importance = 0;
  std::uint64_t edges_per_part = 0;
  std::uint32_t of = 0;  ///< PathEdges
  std::uint32_t hub_turns = 0;
  std::uint32_t hub_chunks = 0;
  std::uint32_t lanes = 0;             ///< of a chunk: kPathLanes
  std::array<std::uint64_t, 4> hub{};  ///< PathTotals
  std::array<std::uint64_t, 4> cold{};
};
static_assert(std::is_trivially_copyable_v<CachedPaths> && sizeof(CachedPaths) == 112);

/// What CachedSection::AllColours and FewColours begin with.
struct CachedColours {
  std::uint64_t classes = 0;  ///< the rest included
  std::uint64_t has_rest = 0;
};
static_assert(std::is_trivially_copyable_v<CachedColours> && sizeof(CachedColours) == 16);

constexpr std::uint64_t aligned_in_cache(std::uint64_t offset) {
  return (offset + kCachedAlignment - 1) / kCachedAlignment * kCachedAlignment;
}

/// The header in memory; sections that its version does not list are absent.
struct CachedHeader : CachedPrefix {
  std::array<CachedSectionEntry, kCachedSections> sections{};
  const CachedSectionEntry& section(CachedSection which) const {
    return sections[static_cast<std::size_t>(which)];
  }
};

constexpr std::size_t cached_header_bytes(std::uint32_t version) {
  return sizeof(CachedPrefix) + cached_sections(version) * sizeof(CachedSectionEntry) +
         sizeof(std::uint64_t);
}
static_assert(cached_header_bytes(1) == 256);

/// The header as it stands in the file, its checksum with it.
std::vector<std::byte> cached_header_image(const CachedHeader& header);

/// Bytes that are summed by themselves: several threads sum a section.
inline constexpr std::size_t kChecksumPiece = std::size_t{1} << 20;
/// 64-bit checksum of a block of memory, computed in parallel.
std::uint64_t checksum_of(const void* data, std::size_t bytes, Checksum kind = Checksum::Xxh3);
/// The same of bytes that somebody brings: `piece(at, size)` says where they lie, and is called by
/// several threads at once. The bytes need not stay there for longer than the thread's next call.
std::uint64_t checksum_of(std::uint64_t bytes,
                          const std::function<const void*(std::uint64_t, std::size_t)>& piece,
                          Checksum kind = Checksum::Xxh3);

}  // namespace vertigo::graph
