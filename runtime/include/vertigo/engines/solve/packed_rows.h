#pragma once
// Rows in few bits, for rows that the device has no room for: what travels over the link in every
// sweep is as short as one pass over it can still be decoded by all threads at once.
//
// A *unit* is what a warp sums: a piece of a long row, a row, or several short rows. The sources of
// each row ascend. A unit's first word is its base, the smallest source that it has; its values
// follow: of the first source of a row (or piece) the distance from the base, of each other one the
// distance from the source before. Values come in *chunks*; all values of a chunk have the same
// number of bits, its width. A chunk of a row has kChunk values; several short rows are one chunk.
// The first chunk's width stands in the unit's entry, that of each other one in a word before it.
//
// A *tile* is kTileWords words: one entry for each of its units, then the units. Units do not cross
// the borders of tiles.

#include <cstdint>

#include "vertigo/core/host_device.h"

namespace vertigo::gpu::solve {

/// A block of threads brings a tile in one go: 16 bytes a thread.
inline constexpr unsigned kTileWords = 4096;
inline constexpr unsigned kTileBytes = 4 * kTileWords;
/// Of a row that is packed alone: four for each lane of a warp.
inline constexpr unsigned kChunk = 128;
/// Rows that are longer are cut into pieces of kPackedPiece sources: short units fill tiles well.
inline constexpr unsigned kPackedLongRow = 1024;
inline constexpr unsigned kPackedPiece = 512;
/// A value's last word may be read together with the word behind it.
inline constexpr unsigned kPadWords = 4;
/// Of shared memory: one tile is summed while the next one comes.
inline constexpr unsigned kTileRoomWords = 2 * (kTileWords + kPadWords);
inline constexpr unsigned kTileRoom = 4 * kTileRoomWords;

/// Bits that a value takes.
VERTIGO_HOST_DEVICE inline unsigned packed_width(std::uint32_t value) {
  unsigned width = 0;
  for (; value != 0; value >>= 1) ++width;
  return width;
}

/// Words that a chunk's values take.
VERTIGO_HOST_DEVICE inline unsigned packed_words(unsigned values, unsigned width) {
  return (values * width + 31) / 32;
}

/// Word `at` of a chunk of `count` values of `width` bits; `value(i)` is the i-th.
template <class Value>
VERTIGO_HOST_DEVICE std::uint32_t packed_word(unsigned at, unsigned count, unsigned width,
                                              const Value& value) {
  const unsigned first_bit = at * 32;
  std::uint32_t word = 0;
  for (unsigned i = first_bit / width; i < count && i * width < first_bit + 32; ++i) {
    const unsigned bit = i * width;
    word |= bit >= first_bit ? value(i) << (bit - first_bit) : value(i) >> (first_bit - bit);
  }
  return word;
}

/// Value i of a chunk.
VERTIGO_HOST_DEVICE inline std::uint32_t packed_value(const std::uint32_t* chunk, unsigned i,
                                                      unsigned width) {
  const unsigned bit = i * width;
  const std::uint64_t both = chunk[bit / 32] | std::uint64_t{chunk[bit / 32 + 1]} << 32;
  const std::uint32_t mask = width >= 32 ? ~0u : (1u << width) - 1;
  return static_cast<std::uint32_t>(both >> bit % 32) & mask;
}

/// The first word of a unit in its tile, and the width of its first chunk.
struct UnitEntry {
  unsigned begin;
  unsigned width;
};
VERTIGO_HOST_DEVICE inline std::uint32_t unit_entry(UnitEntry entry) {
  return entry.begin | entry.width << 16;
}
VERTIGO_HOST_DEVICE inline UnitEntry unit_entry(std::uint32_t word) {
  return {word & 0xffffu, word >> 16};
}

/// Most words that a unit takes, with its entry.
inline constexpr unsigned kMostUnitWords = 2 + kPackedLongRow + kPackedLongRow / kChunk;

/// At most so many units have rows of `edges` sources in all. But for units of the shortest rows,
/// which have 32 of them, each has more than 64 sources.
constexpr std::uint64_t most_units(std::uint64_t vertices, std::uint64_t edges) {
  return (edges + vertices) / 32 + 2 * (edges / kPackedPiece) + 8;
}
/// Words that these take, with their entries, where no value is wider than `width`.
constexpr std::uint64_t most_packed_words(std::uint64_t vertices, std::uint64_t edges,
                                          unsigned width) {
  // In each unit and chunk a word more is begun.
  return edges / 32 * width + width + 3 * most_units(vertices, edges) + 2 * (edges / kChunk);
}
/// Tiles that they take: a tile is closed where the next unit does not fit, and where one of
/// `windows` ends.
constexpr std::uint64_t most_tiles(std::uint64_t vertices, std::uint64_t edges, unsigned width,
                                   std::uint64_t windows) {
  return most_packed_words(vertices, edges, width) / (kTileWords - kMostUnitWords) + windows;
}
/// Windows of so many edges and rows at most that all rows take: two that follow each other have
/// more than one together.
constexpr std::uint64_t most_windows(std::uint64_t vertices, std::uint64_t edges,
                                     std::uint64_t window) {
  return 2 * ((edges + vertices) / window) + 2;
}

/// A tile in the order in which a sweep reads them.
struct alignas(16) TileTurn {
  const std::uint32_t* words = nullptr;
  unsigned first_unit = 0;
  unsigned units = 0;
};

/// The packed rows as kernels find them.
struct PackedRows {
  const std::uint32_t* const* tiles =
      nullptr;                           ///< in the order of units; null: rows are not packed
  const unsigned* first_unit = nullptr;  ///< of each tile, and the end
  /// Dealt out to blocks in turn: tiles that come over the link and those on the device alternate.
  const TileTurn* turns = nullptr;
  unsigned tile_count = 0;
};

}  // namespace vertigo::gpu::solve
