#pragma once
// What the beginning of a file shows of tables and GraphML, which have separators, names of columns
// and elements to be known by.

#include <cstdint>
#include <string>
#include <string_view>

namespace vertigo::graph {

/// How much speaks for a table, from nothing upwards.
enum class TableSign : std::uint8_t {
  None,
  Damaged,  ///< most records have the same number of fields
  Even,     ///< all have
  Numbers,  ///< all have, two or three, and the first holds a number
  Named,    ///< a header names source and target
};

struct TableSigns {
  TableSign sign = TableSign::None;
  std::string reason;
  std::uint64_t line = 0;  ///< that breaks the shape; 0: none
};

/// `head`: the first bytes of the decompressed data; `complete`: there are no more.
TableSigns csv_signs(std::string_view head, bool complete);
/// Nothing where lines of words mean the same in an edge list.
TableSigns tsv_signs(std::string_view head, bool complete);
bool shows_graphml(std::string_view head);

}  // namespace vertigo::graph
