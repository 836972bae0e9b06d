#include "table_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "record_scan.h"
#include "scan.h"
#include "text_table.h"
#include "vertigo/core/near_miss.h"
#include "vertigo/graph/id_text.h"
#include "vertigo/graph/read_option_names.h"

namespace vertigo::graph {
namespace {

using Record = std::vector<std::string>;

constexpr std::array<std::string_view, 14> kSources = {
    "source", "src",     "from",       "u",          "sourceid", "srcid", "fromid",
    "start",  "startid", "fromnodeid", "sourcenode", "fromnode", "node1", "id1"};
constexpr std::array<std::string_view, 16> kTargets = {
    "target", "dst",   "to",       "v",          "targetid", "dstid", "toid", "dest",
    "end",    "endid", "tonodeid", "targetnode", "tonode",   "node2", "id2",  "destination"};
constexpr std::array<std::string_view, 3> kWeights = {"weight", "w", "value"};

const char* name_of(Role role) {
  return role == Role::Source ? "source" : role == Role::Target ? "target" : "weight";
}

std::string quoted_names(const Record& names) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", shown(names[i]));
  }
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

// One way to look at the first records, by one separator.
class LayoutFinder {
 public:
  LayoutFinder(char separator, bool bare_text, const ReadOptions& options)
      : bare_text_(bare_text), options_(options) {
    layout_.separator = separator;
  }

  // Throws LineErrors; `lines` is set to the lines before what is wrong.
  TableLayout find(std::string_view head, std::uint64_t& lines) {
    RecordScanner scanner(head, layout_.separator);
    const auto first = read(scanner, lines);
    if (!first) throw LineError{"the file holds no edges"};
    layout_.columns = first->size();
    if (layout_.columns < 2) {
      throw LineError{fmt::format("expected columns of sources and targets, found one column{}",
                                  layout_.separator == kBlanks ? "" : "; tables have no comments")};
    }
    if (bare_text_) {
      layout_.text_ids = true;
      take_first_columns();
      return layout_;
    }
    const std::uint64_t line_of_first = lines;
    // Blanks separate what has no names, unless the user gives numbers of columns.
    by_name_ = !options_.edge_fields.empty() &&
               (layout_.separator != kBlanks || !options_.columns.empty());
    if (by_name_) layout_.fields.resize(options_.edge_fields.size());
    choose_columns(*first);
    if (by_name_) check_fields(*first);
    std::optional<Record> second;
    try {
      second = read(scanner, lines);
    } catch (const LineError&) {  // the reader comes to this line
    }
    if (layout_.header) {
      layout_.names = *first;
      if (second) {
        if (options_.columns.empty()) refuse_edge_as_header(*first, *second);
        choose_ids(*second);
      }
      return layout_;
    }
    lines = line_of_first;
    if (second) refuse_header(*first, *second);
    choose_ids(*first);
    return layout_;
  }

 private:
  static std::optional<Record> read(RecordScanner& scanner, std::uint64_t& lines) {
    const bool any = scanner.next_record();
    lines = scanner.lines();
    return any ? scan_record(scanner) : std::nullopt;
  }

  void choose_columns(const Record& first) {
    const auto& wanted = options_.columns;
    if (!wanted.empty()) {
      // An edge of numbers holds the words 1, 2 and 3 as well: numbers alone are never names.
      const bool named = std::any_of(wanted.begin(), wanted.end(),
                                     [](const std::string& word) { return !position(word); });
      return named ? take_named(first) : take_positions(first);
    }
    const auto source = usual_column(first, Role::Source);
    const auto target = usual_column(first, Role::Target);
    if (source && target) {
      layout_.header = true;
      layout_.source = *source;
      layout_.target = *target;
      take_attributes(first);
      return;
    }
    if (source || target) {
      throw LineError{fmt::format(
          "the header has a column for the {} ('{}') and none for the {}: name both by --columns "
          "SOURCE,TARGET[,WEIGHT]",
          name_of(source ? Role::Source : Role::Target), shown(first[source ? *source : *target]),
          name_of(source ? Role::Target : Role::Source))};
    }
    const bool data = layout_.separator == kBlanks ||
                      std::any_of(first.begin(), first.end(),
                                  [](const std::string& text) { return looks_like_number(text); });
    if (!data) {
      throw LineError{fmt::format(
          "no column is named source, from, src or u: say which by --columns "
          "SOURCE,TARGET[,WEIGHT], by the header's names ({}), or by their numbers from 1 where "
          "this line is an edge",
          quoted_names(first))};
    }
    take_first_columns();
  }

  void take_first_columns() {
    if (layout_.columns > (by_name_ ? 2 : 3)) {
      throw LineError{
          fmt::format("{} columns without names: say which are source, target and {} by --columns, "
                      "as numbers from 1",
                      layout_.columns, by_name_ ? field_names() : "weight")};
    }
    if (layout_.columns == 3) layout_.weight = 2;
  }

  // Columns by the names of the header: source, target and weight, or the weight alone.
  void take_named(const Record& header) {
    layout_.header = true;
    const auto& wanted = options_.columns;
    if (wanted.size() == 1) {
      layout_.source = required_usual(header, Role::Source);
      layout_.target = required_usual(header, Role::Target);
      take_attribute(0, named(header, wanted[0]));
      return;
    }
    layout_.source = named(header, wanted[0]);
    layout_.target = named(header, wanted[1]);
    for (std::size_t i = 2; i < wanted.size(); ++i) take_attribute(i - 2, named(header, wanted[i]));
    if (by_name_ && wanted.size() == 2) take_attributes(header);
  }

  // The weight, or the field of that number.
  void take_attribute(std::size_t number, std::size_t column) {
    if (by_name_)
      layout_.fields.at(number) = column;
    else
      layout_.weight = column;
  }

  // Of a header where nobody says which columns are attributes.
  void take_attributes(const Record& header) {
    if (!by_name_) {
      layout_.weight = usual_column(header, Role::Weight);
      return;
    }
    for (std::size_t i = 0; i < layout_.fields.size(); ++i) {
      const std::string& name = options_.edge_fields[i].name;
      layout_.fields[i] = column_of_field(header, name);
      if (!layout_.fields[i] && usual_role(name) == Role::Weight)
        layout_.fields[i] = usual_column(header, Role::Weight);
    }
  }

  std::optional<std::size_t> column_of_field(const Record& header, const std::string& name) const {
    std::optional<std::size_t> found;
    const std::string plain = plain_name(name);
    for (std::size_t i = 0; i < header.size() && !plain.empty(); ++i) {
      if (plain_name(header[i]) != plain) continue;
      if (found)
        throw LineError{fmt::format("'{}' and '{}' could both be '{}': say which by --columns {}",
                                    shown(header[*found]), shown(header[i]), name, all_columns())};
      found = i;
    }
    return found;
  }

  std::string field_names() const {
    std::string names;
    for (const EdgeField& field : options_.edge_fields)
      names += (names.empty() ? "" : ",") + field.name;
    return names;
  }
  std::string all_columns() const {
    return "SOURCE,TARGET," + (by_name_ ? field_names() : "WEIGHT");
  }

  // Every field that the program must have is there, and no column is two things.
  void check_fields(const Record& header) const {
    std::vector<std::size_t> taken{layout_.source, layout_.target};
    for (std::size_t i = 0; i < layout_.fields.size(); ++i) {
      const EdgeField& field = options_.edge_fields[i];
      if (layout_.fields[i]) {
        if (std::find(taken.begin(), taken.end(), *layout_.fields[i]) != taken.end())
          throw LineError{
              fmt::format("the column of '{}' is another one's already: name all by "
                          "--columns {}",
                          field.name, all_columns())};
        taken.push_back(*layout_.fields[i]);
      } else if (!field.otherwise) {
        throw LineError{fmt::format(
            "no column is named '{}', which the program needs of every edge{}", field.name,
            layout_.header ? fmt::format("; there are {}", quoted_names(header)) : "")};
      }
    }
  }

  // Columns of a file without a header, by their numbers.
  void take_positions(const Record& first) {
    const auto& wanted = options_.columns;
    const auto column = [&](const std::string& word) {
      const std::size_t number = *position(word);
      if (number == 0 || number > first.size()) {
        throw LineError{
            fmt::format("--columns: there is no column {}, the line has {}", word, first.size())};
      }
      return number - 1;
    };
    if (wanted.size() == 1) {
      take_attribute(0, column(wanted[0]));
    } else {
      layout_.source = column(wanted[0]);
      layout_.target = column(wanted[1]);
      for (std::size_t i = 2; i < wanted.size(); ++i) take_attribute(i - 2, column(wanted[i]));
    }
    const bool named = usual_role(first[layout_.source]) == Role::Source ||
                       usual_role(first[layout_.target]) == Role::Target;
    bool worded = layout_.weight && !looks_like_number(first[*layout_.weight]);
    for (std::size_t i = 0; i < layout_.fields.size(); ++i)
      worded = worded || (layout_.fields[i] && options_.edge_fields[i].kind != ScalarKind::Bool &&
                          !looks_like_number(first[*layout_.fields[i]]));
    if (named || worded) {
      throw LineError{fmt::format(
          "numbers of columns are for files without a header, and this line looks like one: name "
          "columns as it does ({})",
          quoted_names(first))};
    }
  }

  // Numbers below words: the words were names of columns that nobody knows, or damage.
  void refuse_header(const Record& first, const Record& second) const {
    if (second.size() <= std::max(layout_.source, layout_.target)) return;
    const bool worded =
        !looks_like_number(first[layout_.source]) || !looks_like_number(first[layout_.target]);
    if (options_.ids != IdKind::Auto || !worded || !printed_number(second[layout_.source]) ||
        !printed_number(second[layout_.target])) {
      return;
    }
    throw LineError{fmt::format(
        "a line of words ({}) above numbers: where it is a header, name its columns by --columns "
        "SOURCE,TARGET[,WEIGHT]; where it is an edge, say --ids text",
        quoted_names(first))};
  }

  // "u,v" above "v,w": as likely an edge as a header.
  void refuse_edge_as_header(const Record& header, const Record& edge) const {
    for (const std::size_t column : {layout_.source, layout_.target}) {
      if (column >= edge.size() || edge[column].size() > 1) continue;
      if (edge[column] != header[layout_.source] && edge[column] != header[layout_.target])
        continue;
      throw LineError{fmt::format(
          "the vertex '{}' is named like a column: is the line above a header or an edge? Say by "
          "--columns SOURCE,TARGET[,WEIGHT], as names of a header or as numbers from 1",
          shown(edge[column]))};
    }
  }

  void choose_ids(const Record& edge) {
    layout_.text_ids = options_.ids == IdKind::Text;
    if (options_.ids != IdKind::Auto) return;
    if (edge.size() <= std::max(layout_.source, layout_.target)) return;  // the reader refuses it
    const std::string& source = edge[layout_.source];
    const std::string& target = edge[layout_.target];
    layout_.text_ids = !looks_like_number(source) || !looks_like_number(target);
    if (layout_.text_ids || (printed_number(source) && printed_number(target))) return;
    throw LineError{fmt::format(
        "the id '{}' is no whole number below 2^64 as it is printed: --ids text takes ids as they "
        "are written",
        shown(printed_number(source) ? target : source))};
  }

  std::size_t named(const Record& header, const std::string& name) const {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) {
      // Numbers are fields of an edge, hardly names that somebody meant.
      std::vector<std::string> names;
      std::copy_if(header.begin(), header.end(), std::back_inserter(names),
                   [](const std::string& text) { return !looks_like_number(text); });
      const auto meant = near_miss(name, names);
      std::string hint = "there are " + quoted_names(header);
      if (meant)
        hint = fmt::format("did you mean '{}'?", shown(*meant));
      else if (names.size() < header.size())
        hint += "; where this line is an edge, columns are numbers from 1";
      throw LineError{fmt::format("--columns: no column is named '{}'; {}", shown(name), hint)};
    }
    if (std::find(found + 1, header.end(), name) != header.end()) {
      throw LineError{fmt::format("two columns are named '{}'", shown(name))};
    }
    return static_cast<std::size_t>(found - header.begin());
  }

  std::optional<std::size_t> usual_column(const Record& header, Role role) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (usual_role(header[i]) != role || (role != Role::Weight && is_field(header[i]))) continue;
      // Lines of blanks seldom have a header, and letters often name vertices.
      if (layout_.separator == kBlanks && header[i].size() == 1) continue;
      if (found) {
        throw LineError{fmt::format(
            "'{}' and '{}' could both be the {}: say which by --columns SOURCE,TARGET{}",
            shown(header[*found]), shown(header[i]), name_of(role), by_name_ ? "" : "[,WEIGHT]")};
      }
      found = i;
    }
    return found;
  }

  // A column that bears the name of an attribute is neither source nor target.
  bool is_field(const std::string& name) const {
    const std::string plain = plain_name(name);
    return by_name_ && !plain.empty() &&
           std::any_of(options_.edge_fields.begin(), options_.edge_fields.end(),
                       [&](const EdgeField& field) { return plain_name(field.name) == plain; });
  }

  std::size_t required_usual(const Record& header, Role role) const {
    if (const auto found = usual_column(header, role)) return *found;
    throw LineError{fmt::format(
        "no column is known to be the {}: name all by --columns SOURCE,TARGET,WEIGHT ({})",
        name_of(role), quoted_names(header))};
  }

  static std::optional<std::size_t> position(const std::string& word) {
    const auto number = printed_number(word);
    if (!number || *number > kMostFields) return std::nullopt;
    return static_cast<std::size_t>(*number);
  }

  bool bare_text_;
  bool by_name_ = false;  // attributes are fields
  const ReadOptions& options_;
  TableLayout layout_;
};

// As far as the record is well-formed.
std::size_t fields_of_first(std::string_view head, char separator) {
  RecordScanner scanner(head, separator);
  std::string scratch;
  std::size_t fields = 0;
  try {
    if (!scanner.next_record()) return 0;
    do {
      ++fields;
    } while (!scanner.next_field(scratch).last && fields <= kMostFields);
  } catch (const LineError&) {  // told where the record is read
  }
  return fields;
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      result += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      result += c;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return "";  // no usual name has other letters
    }
  }
  return result;
}

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !plain_name(name).empty() && !digit(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c) || c == '_'; });
}

TableLayout find_table_layout(const std::string& path, std::string_view head,
                              std::uint64_t first_line, const TableSyntax& syntax,
                              const ReadOptions& options) {
  const std::string_view separators = syntax.separators;
  char separator = separators.front();
  std::size_t most = 0;
  for (const char candidate : separators) {
    const std::size_t fields = separators.size() > 1 ? fields_of_first(head, candidate) : 1;
    if (fields > most) separator = candidate;
    most = std::max(most, fields);
  }
  std::uint64_t lines = 0;
  try {
    return LayoutFinder(separator, syntax.bare_text, options).find(head, lines);
  } catch (const LineError& error) {
    throw refused_at_line(path, first_line + lines, error.message);
  }
}

std::vector<std::string> columns_of(const std::string& text, std::span<const std::string> fields) {
  std::vector<std::string> columns;
  std::string_view rest = text;
  for (;;) {
    const auto word = take_word(rest, ",");
    if (!word) throw Error(ExitCode::Usage, "--columns: quotes are opened and not closed");
    if (word->text.empty()) throw Error(ExitCode::Usage, "--columns: a name is empty");
    if (std::find(columns.begin(), columns.end(), word->text) != columns.end()) {
      throw Error(ExitCode::Usage,
                  fmt::format("--columns: '{}' is named twice", shown(word->text)));
    }
    columns.push_back(word->text);
    if (rest.empty()) break;
    rest.remove_prefix(1);
  }
  const std::size_t attributes = fields.empty() ? 1 : fields.size();
  const bool alone = columns.size() == 1 && attributes == 1;
  if (!alone && columns.size() != 2 && columns.size() != 2 + attributes) {
    if (fields.empty())
      throw Error(ExitCode::Usage,
                  "--columns: expected SOURCE,TARGET, SOURCE,TARGET,WEIGHT or WEIGHT");
    throw Error(ExitCode::Usage,
                fmt::format("--columns: expected SOURCE,TARGET or SOURCE,TARGET,{}",
                            fmt::join(fields, ",")));
  }
  return columns;
}

bool has_fields(const TableLayout& layout) {
  return std::any_of(layout.fields.begin(), layout.fields.end(),
                     [](const auto& field) { return field.has_value(); });
}

bool looks_like_number(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  if (text.empty() || !((text.front() >= '0' && text.front() <= '9') || text.front() == '.')) {
    return false;
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

Role usual_role(std::string_view name) {
  const std::string plain = plain_name(name);
  const auto is_one_of = [&](const auto& names) {
    return std::find(names.begin(), names.end(), plain) != names.end();
  };
  if (is_one_of(kSources)) return Role::Source;
  if (is_one_of(kTargets)) return Role::Target;
  return is_one_of(kWeights) ? Role::Weight : Role::None;
}

void report_columns(const TableLayout& layout, IntakeReport& report) {
  report.columns_used.clear();
  report.columns_unused.clear();
  const auto name = [&](std::size_t column) {
    return layout.header ? layout.names[column] : std::to_string(column + 1);
  };
  report.columns_used = {name(layout.source), name(layout.target)};
  std::vector<bool> used(layout.columns, false);
  used[layout.source] = used[layout.target] = true;
  const auto use = [&](const std::optional<std::size_t>& column) {
    if (!column) return;
    report.columns_used.push_back(name(*column));
    used[*column] = true;
  };
  use(layout.weight);
  for (const auto& field : layout.fields) use(field);
  for (std::size_t column = 0; column < layout.columns; ++column) {
    if (!used[column]) report.columns_unused.push_back(name(column));
  }
}

}  // namespace vertigo::graph
