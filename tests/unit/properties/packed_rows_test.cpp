// Rows that are packed for engine `solve` come back as they were.

#include "vertigo/engines/solve/packed_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
// rapidcheck's header of GoogleTest's names needs those of GoogleTest before it.
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace vertigo::gpu::solve {
namespace {

using Rows = std::vector<std::vector<std::uint32_t>>;

constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();

/// A row as it is packed: ascending, with parallel edges.
std::vector<std::uint32_t> any_row(std::size_t most) {
  const auto id = rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 40),
                                 rc::gen::inRange<std::uint32_t>(kLargest - 40, kLargest),
                                 rc::gen::arbitrary<std::uint32_t>());
  const auto length = *rc::gen::inRange<std::size_t>(0, most + 1);
  auto row = *rc::gen::container<std::vector<std::uint32_t>>(length, id);
  std::ranges::sort(row);
  return row;
}

/// A unit: its entry, then its words; as the kernels that pack do it.
std::vector<std::uint32_t> packed(const Rows& rows) {
  std::uint32_t base = kLargest;
  for (const auto& row : rows)
    if (!row.empty()) base = std::min(base, row.front());
  std::vector<std::uint32_t> values;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      values.push_back(row[i] - (i == 0 ? base : row[i - 1]));
  std::vector<std::uint32_t> words{0, base};
  const std::size_t chunk = rows.size() == 1 ? kChunk : std::max<std::size_t>(values.size(), 1);
  for (std::size_t first = 0; first < values.size(); first += chunk) {
    const auto count = static_cast<unsigned>(std::min(chunk, values.size() - first));
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < count; ++i) bits |= values[first + i];
    const unsigned width = packed_width(bits);
    if (first == 0)
      words[0] = unit_entry({1, width});
    else
      words.push_back(width);
    for (unsigned at = 0; at < packed_words(count, width); ++at)
      words.push_back(packed_word(at, count, width, [&](unsigned i) { return values[first + i]; }));
  }
  return words;
}

/// As the kernels that sum read it.
Rows unpacked(std::vector<std::uint32_t> words, const Rows& of) {
  words.resize(words.size() + kPadWords);
  const UnitEntry entry = unit_entry(words[0]);
  const std::uint32_t* at = words.data() + entry.begin;
  const std::uint32_t base = *at++;
  unsigned width = entry.width;
  unsigned in_chunk = 0;
  Rows rows;
  for (const auto& original : of) {
    auto& row = rows.emplace_back();
    std::uint32_t last = base;
    for (std::size_t i = 0; i < original.size(); ++i) {
      if (of.size() == 1 && in_chunk == kChunk) {
        at += packed_words(kChunk, width);
        width = *at++;
        in_chunk = 0;
      }
      last += packed_value(at, in_chunk++, width);
      row.push_back(last);
    }
  }
  return rows;
}

RC_GTEST_PROP(PackedRows, ARowComesBack, ()) {
  const Rows rows{any_row(kPackedLongRow)};
  RC_ASSERT(unpacked(packed(rows), rows) == rows);
}

RC_GTEST_PROP(PackedRows, ShortRowsOfAUnitComeBack, ()) {
  Rows rows(*rc::gen::inRange<std::size_t>(2, 33));
  for (auto& row : rows) row = any_row(12);
  RC_ASSERT(unpacked(packed(rows), rows) == rows);
}

RC_GTEST_PROP(PackedRows, AUnitIsNotLongerThanTilesAllowFor, ()) {
  const Rows rows{any_row(kPackedLongRow)};
  RC_ASSERT(packed(rows).size() <= kMostUnitWords);
}

TEST(PackedRows, HubOfAllIdsThereAre) {
  Rows rows{{}};
  for (unsigned i = 0; i < kPackedLongRow; ++i)
    rows[0].push_back(kLargest / (kPackedLongRow - 1) * i);
  rows[0].back() = kLargest;
  EXPECT_EQ(unpacked(packed(rows), rows), rows);
  rows[0].assign(kPackedLongRow, kLargest);
  EXPECT_EQ(packed(rows).size(), 2 + kPackedLongRow / kChunk - 1) << "equal ids take no bits";
  EXPECT_EQ(unpacked(packed(rows), rows), rows);
}

TEST(PackedRows, BoundsOfWordsHold) {
  EXPECT_EQ(packed_width(0), 0u);
  EXPECT_EQ(packed_width(kLargest), 32u);
  // Rows of one source each: 32 of them are a unit, its base and its entry beside 32 values.
  EXPECT_GE(most_packed_words(1u << 20, 1u << 20, 20), (1u << 15) * (2 + 20));
  // Long rows alone.
  EXPECT_GE(most_packed_words(1, 1u << 20, 32), (1u << 20) + (1u << 13) + 2 * (1u << 11));
}

}  // namespace
}  // namespace vertigo::gpu::solve
