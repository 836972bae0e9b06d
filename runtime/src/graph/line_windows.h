#pragma once
// The lines that begin in a range of a plain file, read window by window: whoever parses them finds
// them in the cache of its processor. Threads read ranges of one file without waiting for each
// other.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "raw_file.h"

namespace vertigo::graph {

class LineWindows {
 public:
  /// What a window holds at most: a part of the second-level cache.
  static constexpr std::size_t kBytes = std::size_t{256} << 10;

  /// Lines that begin at `begin` or behind it, and before `end`. A line begins at `first`, where
  /// the text does. The last line of the file has an end.
  LineWindows(const RawFile& file, std::uint64_t first, std::uint64_t begin, std::uint64_t end);

  /// Whole lines, more bytes behind the last that may be looked at; valid until the next call.
  /// Nothing at the end, and where is_odd() holds.
  std::optional<std::string_view> next();
  /// A line is longer than a window, or has a carriage return that is no part of its end.
  bool is_odd() const { return is_odd_; }

 private:
  void refill();
  std::size_t whole_lines();

  const RawFile& file_;
  std::uint64_t at_;    ///< of the next byte that is read
  std::uint64_t last_;  ///< the byte before the end of the range
  bool inside_;         ///< the first bytes belong to a line that began before the range
  bool is_done_ = false;
  bool is_odd_ = false;
  std::unique_ptr<char[]> bytes_;
  std::size_t used_ = 0;   ///< of what was read
  std::size_t given_ = 0;  ///< of it, given by next()
};

}  // namespace vertigo::graph
