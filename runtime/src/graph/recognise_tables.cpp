// What shows tables and GraphML: separators, names of columns, elements.

#include <fmt/format.h>

#include <algorithm>

#include "recognise.h"
#include "record_scan.h"
#include "scan.h"
#include "table_layout.h"

namespace vertigo::graph {
namespace {

/// The first records of a text, as one separator cuts them.
struct Shape {
  char separator = ',';
  std::vector<std::string> first;
  std::size_t records = 0;
  std::size_t strays = 0;        ///< with another number of fields than the first
  std::uint64_t stray_line = 0;  ///< of the first of them
  bool fields_hold_more =
      false;  ///< quotes, blanks or nothing: lines of words do not look like that
};

Shape shape_of(std::string_view text, char separator) {
  constexpr std::size_t kMostRecords = 1000;
  Shape shape;
  shape.separator = separator;
  RecordScanner scanner(text, separator);
  try {
    while (shape.records < kMostRecords && scanner.next_record()) {
      const std::uint64_t line = scanner.lines() + 1;
      std::vector<std::string> fields = *scan_record(scanner);
      if (shape.records++ == 0) shape.first = fields;
      if (fields.size() != shape.first.size() && shape.strays++ == 0) shape.stray_line = line;
      for (const std::string& field : fields) {
        shape.fields_hold_more = shape.fields_hold_more || field.empty() ||
                                 field.find_first_of(" \t\n\"") != std::string::npos;
      }
    }
  } catch (const LineError&) {  // quotes that are cut with the sample, or that the reader refuses
  }
  return shape;
}

bool names_an_edge(const std::vector<std::string>& header) {
  const auto has = [&](Role role) {
    return std::any_of(header.begin(), header.end(),
                       [&](const std::string& name) { return usual_role(name) == role; });
  };
  return has(Role::Source) && has(Role::Target);
}

Verdict judge_table(const Sample& sample, std::string_view separators, const char* what) {
  const std::string_view head = sample.head();
  if (head.find_first_of(separators) == std::string_view::npos) return {};
  std::string text(head);
  if (sample.complete()) {
    text += '\n';
  } else {
    text.resize(text.rfind('\n') + 1);
  }
  Shape best;
  for (const char separator : separators) {
    Shape shape = shape_of(text, separator);
    if (shape.first.size() > best.first.size()) best = std::move(shape);
  }
  const std::size_t columns = best.first.size();
  if (columns < 2) return {};
  if (names_an_edge(best.first)) {
    return {score::kMarked, "a header that names source and target"};
  }
  // Numbers and words between tabs are an edge list as well, and mean the same there.
  if (best.separator == '\t' && !best.fields_hold_more) return {};
  const std::string every = fmt::format("{} columns on every line, {}", columns, what);
  if (best.strays == 0) return {score::kShaped, every};
  if (best.strays > best.records / 10) return {};
  return {score::kDamaged, fmt::format("{} but line {}", every, best.stray_line), best.stray_line};
}

}  // namespace

Verdict judge_csv(const Sample& sample) {
  return judge_table(sample, ",;", "separated by commas or semicolons");
}

Verdict judge_tsv(const Sample& sample) { return judge_table(sample, "\t", "separated by tabs"); }

Verdict judge_graphml(const Sample& sample) {
  const std::string_view head = sample.head();
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] != '<' ||
      head.find("<graphml") == std::string_view::npos)
    return {};
  return {score::kMarked, "its element <graphml>"};
}

}  // namespace vertigo::graph
