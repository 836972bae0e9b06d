#pragma once
// The header of KONECT's files: "% asym posweighted", then "% EDGES LEFT RIGHT" where the counts
// are known.

#include <cstdint>
#include <optional>
#include <string_view>

namespace vertigo::graph {

enum class KonectShape : std::uint8_t {
  Directed,    ///< asym
  Undirected,  ///< sym: every edge once
  Bipartite,   ///< bip: left and right vertices are each counted from 1; undirected
};

struct KonectHeader {
  KonectShape shape = KonectShape::Directed;
  bool weighted = true;  ///< a third column is a weight
};

/// Nothing where the line is no such header.
std::optional<KonectHeader> konect_header(std::string_view line);
inline bool is_konect_header(std::string_view line) { return konect_header(line).has_value(); }

struct KonectSizes {
  std::uint64_t edges = 0;
  std::uint64_t left = 0;
  std::uint64_t right = 0;
};
/// "% EDGES LEFT RIGHT"; nothing for other comments.
std::optional<KonectSizes> konect_sizes(std::string_view line);

}  // namespace vertigo::graph
