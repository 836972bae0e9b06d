#pragma once
// Which columns of a table are an edge's source, target and weight, and whether ids are text.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "raw_graph.h"

namespace vertigo::graph {

struct TableLayout {
  char separator = ',';  ///< kBlanks: any run of blanks
  bool header = false;   ///< the first record names the columns
  std::size_t columns = 0;
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
  /// Of every one of ReadOptions::edge_fields, where they are read by name; else empty.
  std::vector<std::optional<std::size_t>> fields;
  bool text_ids = false;
  std::vector<std::string> names;  ///< of the header
};

/// What a format says of its tables.
struct TableSyntax {
  /// Those that a table may have; of several, the one with more fields in the first record is
  /// taken.
  std::string_view separators;
  /// Its first line is an edge, and ids are text.
  bool bare_text = false;
};

/// The layout of a table that begins with `head`, whole records of it; `first_line`: the number of
/// its first line. Throws InputRefused where it is not known what is source and target.
TableLayout find_table_layout(const std::string& path, std::string_view head,
                              std::uint64_t first_line, const TableSyntax& syntax,
                              const ReadOptions& options);

/// Whether the table has one of the fields.
bool has_fields(const TableLayout& layout);

/// A number of any kind: 12, -3, 1e5, .5.
bool looks_like_number(std::string_view text);

/// Letters and digits alone, in lower case: "From_Node-ID" is "fromnodeid". Names whose plain forms
/// are equal mean the same; a name with other letters than ASCII's means nothing, "".
std::string plain_name(std::string_view name);

/// Whether a program can declare an attribute of this name.
bool is_identifier(std::string_view name);

/// What a column or an edge's datum of this name usually holds: from, dst, w …; upper and lower
/// case and signs between letters do not matter.
enum class Role : std::uint8_t { None, Source, Target, Weight };
Role usual_role(std::string_view name);

/// Files the columns' names in the report.
void report_columns(const TableLayout& layout, IntakeReport& report);

}  // namespace vertigo::graph
