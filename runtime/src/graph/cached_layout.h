#pragma once
// The layout of the cached form. Everything is little-endian; sections begin at multiples of 64
// bytes, and the bytes between them are zero.

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace vertigo::graph {

inline constexpr std::string_view kCachedMagic{"VERTIGO\x1a", 8};
inline constexpr std::uint32_t kCachedVersion = 1;
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
  InWeights
};
inline constexpr std::size_t kCachedSections = 8;

struct CachedSectionEntry {
  std::uint64_t offset = 0;  ///< 0 where the section is absent
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

struct CachedHeader {
  std::array<char, 8> magic{};
  std::uint32_t endianness = kEndiannessMark;
  std::uint32_t version = kCachedVersion;
  std::uint32_t header_bytes = 0;
  std::uint8_t vertex_bytes = 4;
  std::uint8_t offset_bytes = 8;
  std::uint8_t weight_kind = 0;  ///< index of the alternative of Weights, 0 for none
  std::uint8_t flags = 0;  ///< bit 0: symmetric; bit 1: has in-adjacency; bit 2: ids are listed
  std::uint64_t file_bytes = 0;
  std::uint64_t vertex_count = 0;
  std::uint64_t edge_count = 0;
  std::uint64_t id_base = 0;
  std::array<CachedSectionEntry, kCachedSections> sections{};
  std::uint64_t checksum = 0;  ///< of the header with this field 0
};
static_assert(std::is_trivially_copyable_v<CachedHeader> && sizeof(CachedHeader) == 256);

/// 64-bit checksum of a block of memory, computed in parallel: four multiply-rotate lanes over
/// pieces of 1 MiB, and the same over the results. Every single changed word changes the result.
std::uint64_t checksum_of(const void* data, std::size_t bytes);

}  // namespace vertigo::graph
