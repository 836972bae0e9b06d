// Matrix Market, coordinate form of square matrices: entry (i, j) is the edge i -> j with the value
// as its weight.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string>

#include "declared.h"
#include "device_text.h"
#include "readers.h"
#include "scan.h"

namespace vertigo::graph {
namespace {

enum class Field { Pattern, Integer, Real };
enum class Symmetry { General, Symmetric, Skew };
struct Banner {
  Field field = Field::Pattern;
  Symmetry symmetry = Symmetry::General;
};

std::string next_word(const char*& at) {
  skip_blanks(at);
  std::string word;
  for (; !is_blank(*at) && !at_line_end(at) && word.size() < 64; ++at) {
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(*at)));
  }
  return word;
}

Banner parse_banner(const char* at) {
  if (next_word(at) != "%%matrixmarket") throw LineError{"expected '%%MatrixMarket'"};
  if (const std::string object = next_word(at); object != "matrix") {
    throw LineError{fmt::format("a '{}' is not a graph: expected 'matrix'", object)};
  }
  if (const std::string layout = next_word(at); layout != "coordinate") {
    throw LineError{fmt::format("the layout '{}' is not supported: expected 'coordinate'", layout)};
  }
  Banner banner;
  const std::string field = next_word(at);
  if (field == "integer") {
    banner.field = Field::Integer;
  } else if (field == "real" || field == "double") {
    banner.field = Field::Real;
  } else if (field != "pattern") {
    throw LineError{
        fmt::format("the field '{}' is not supported: expected pattern, integer or real", field)};
  }
  const std::string symmetry = next_word(at);
  if (symmetry == "symmetric") {
    banner.symmetry = Symmetry::Symmetric;
  } else if (symmetry == "skew-symmetric") {
    banner.symmetry = Symmetry::Skew;
  } else if (symmetry != "general") {
    throw LineError{fmt::format(
        "the symmetry '{}' is not supported: expected general, symmetric or skew-symmetric",
        symmetry)};
  }
  finish_line(at, "the end of the banner");
  return banner;
}

void read_sizes(const char* at, RawGraph& raw) {
  const std::uint64_t rows = scan_id(at, "the number of rows");
  const std::uint64_t columns = scan_id(at, "the number of columns");
  raw.edges_declared = scan_id(at, "the number of entries");
  finish_line(at, "'ROWS COLUMNS ENTRIES'");
  if (rows != columns) {
    throw LineError{
        fmt::format("a {} x {} matrix is not a graph: it must be square", rows, columns)};
  }
  require_vertex_range(rows);
  raw.vertex_count = rows;
  raw.vertices_declared = rows;
}

template <Field kField>
void parse_entries(TextBlocks& blocks, const ReadContext& context, RawGraph& raw) {
  const std::uint64_t vertices = raw.vertex_count;
  const bool skew = raw.reverse_negated;
  parse_lines(blocks, context, raw.runs, [vertices, skew](const char*& at, EdgeRun& run) {
    if (*at == '%') {
      skip_line(at);
      return;
    }
    const std::uint64_t row = scan_counted_id(at, "a row", vertices);
    const std::uint64_t column = scan_counted_id(at, "a column", vertices);
    run.add(row, column);
    if constexpr (kField != Field::Pattern) scan_weight(at, run);
    if constexpr (kField == Field::Integer) {
      if (!run.reals().empty()) throw LineError{"a fraction in a matrix of integers"};
    }
    if (skew && !run.integers().empty() &&
        run.integers().back() == std::numeric_limits<std::int64_t>::min()) {
      throw LineError{"the opposite of this weight does not fit a 64-bit integer"};
    }
    if (skew && row == column)
      throw LineError{"a skew-symmetric matrix has no entries on its diagonal"};
    finish_line(at, kField == Field::Pattern ? "'ROW COLUMN'" : "'ROW COLUMN VALUE'");
  });
}

bool parse_entries_on_device(TextBlocks& blocks, const ReadContext& context, const Banner& banner,
                             RawGraph& raw) {
  if (context.device != nullptr && banner.symmetry == Symmetry::Skew)
    throw DeviceDoubt{"it is skew-symmetric"};
  EdgeText shape;
  shape.comments = {'%', '%'};
  shape.first_id = 1;
  shape.weights = banner.field == Field::Pattern   ? TextWeights::None
                  : banner.field == Field::Integer ? TextWeights::Integers
                                                   : TextWeights::Reals;
  return parse_on_device(blocks, context, std::move(shape), raw);
}

}  // namespace

RawGraph read_matrix_market(StreamPtr stream, const ReadContext& context) {
  TextBlocks blocks = text_blocks_of(std::move(stream), context);
  RawGraph raw;
  raw.ids = IdSource::Counted;
  raw.id_base = 1;
  Banner banner;
  bool sized = false;
  try {
    if (const auto line = blocks.next_line()) banner = parse_banner(line->data());
    while (!sized) {
      const auto line = blocks.next_line();
      if (!line) throw LineError{"the file ends before the line with the sizes"};
      const char* at = line->data();
      skip_blanks(at);
      if (at_line_end(at) || *at == '%') continue;
      read_sizes(at, raw);
      sized = true;
    }
  } catch (const LineError& error) {
    throw refused_at_line(context.path, blocks.line(), error.message);
  }
  raw.header_line = blocks.line();
  raw.weighted = banner.field != Field::Pattern;
  raw.real_weights = banner.field == Field::Real;
  raw.undirected = banner.symmetry == Symmetry::Symmetric;
  raw.reverse_negated = banner.symmetry == Symmetry::Skew;
  if (raw.reverse_negated && !raw.weighted) {
    throw refused_at_line(context.path, 1, "a skew-symmetric pattern is not defined");
  }
  if (parse_entries_on_device(blocks, context, banner, raw)) {
    require_edge_count(context, raw, raw.edge_count(), "entries");
    return raw;
  }
  switch (banner.field) {
    case Field::Pattern:
      parse_entries<Field::Pattern>(blocks, context, raw);
      break;
    case Field::Integer:
      parse_entries<Field::Integer>(blocks, context, raw);
      break;
    case Field::Real:
      parse_entries<Field::Real>(blocks, context, raw);
      break;
  }
  require_edge_count(context, raw, raw.edge_count(), "entries");
  return raw;
}

}  // namespace vertigo::graph
