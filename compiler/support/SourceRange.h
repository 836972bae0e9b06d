#pragma once
// Where something stands in a source file: the one type by which AST, IR and diagnostics name
// places.

#include <algorithm>
#include <cstdint>

namespace vertigo::compiler {

/// Bytes [begin, end) of a buffer of the diagnostic engine. A range without a place has file
/// kNoFile.
struct SourceRange {
  static constexpr std::uint32_t kNoFile = ~0u;

  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t file = kNoFile;

  bool valid() const { return file != kNoFile; }

  /// The smallest range that holds both.
  SourceRange joined(SourceRange other) const {
    if (!valid()) return other;
    if (!other.valid()) return *this;
    return {std::min(begin, other.begin), std::max(end, other.end), file};
  }
};

}  // namespace vertigo::compiler
