#include "read_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "declared.h"
#include "edge_field.h"
#include "readers.h"
#include "record_scan.h"
#include "scan.h"
#include "table_layout.h"
#include "vertigo/core/number_text.h"
#include "vertigo/core/record_layout.h"
#include "vertigo/graph/id_text.h"

namespace vertigo::graph {
namespace {

// A piece of the file, parsed by one thread. Texts have numbers of the piece's own at first.
struct Part {
  EdgeRun run;
  TextTable texts;
  TextTable records;
  std::uint64_t lines = 0;
  bool failed = false;
  std::string message;
};

class PieceParser {
 public:
  PieceParser(const TableLayout& layout, const ReadContext& context)
      : layout_(layout),
        wanted_(context.options.edge_fields),
        record_lines_(context.record_lines),
        // Edge lists always took 007 for 7; in tables it may be a code, and was asked about.
        zeros_(context.options.ids == IdKind::Numbers || layout.separator == kBlanks) {
    columns_ = {layout.source, layout.target, layout.weight.value_or(layout.columns)};
    if (has_fields(layout)) lay_out_record();
    fields_.resize(columns_.size());
    scratch_.resize(columns_.size());
  }

  void parse(std::string_view text, Part& part) {
    RecordScanner scanner(text, layout_.separator);
    try {
      while (scanner.next_record()) {
        part.lines = scanner.lines();
        read_record(scanner);
        if (record_lines_) part.run.add_line(part.lines);
        add_edge(part);
      }
      part.lines = scanner.lines();
    } catch (LineError& error) {
      part.failed = true;
      part.message = std::move(error.message);
    }
  }

 private:
  void read_record(RecordScanner& scanner) {
    std::size_t column = 0;
    for (bool last = false; !last; ++column) {
      std::size_t use = 0;
      while (use < columns_.size() && columns_[use] != column) ++use;
      const Field field = scanner.next_field(use < columns_.size() ? scratch_[use] : skipped_);
      if (use < columns_.size()) fields_[use] = field.text;
      last = field.last;
    }
    if (column != layout_.columns) {
      throw LineError{fmt::format("{}, where the first line has {}", counted(column, "column"),
                                  layout_.columns)};
    }
  }

  void add_edge(Part& part) {
    if (layout_.text_ids) {
      part.run.add(text_id(fields_[0], part), text_id(fields_[1], part));
    } else {
      part.run.add(number_id(fields_[0]), number_id(fields_[1]));
    }
    if (!record_.empty()) add_record(part);
    if (!layout_.weight) return;
    if (fields_[2].empty()) throw LineError{"the weight is missing"};
    add_weight_word(fields_[2], part.run);
  }

  // The defaults of a record, where the fields lie in it, and in which columns.
  void lay_out_record() {
    std::vector<ScalarKind> kinds;
    for (const EdgeField& field : wanted_) kinds.push_back(field.kind);
    const RecordLayout record = layout_of(kinds);
    record_.resize(record.bytes);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i].otherwise)
        store_field(*wanted_[i].otherwise, wanted_[i].kind, record_.data() + record.offsets[i]);
      if (!layout_.fields[i]) continue;
      columns_.push_back(*layout_.fields[i]);
      read_.push_back({i, record.offsets[i]});
    }
  }

  void add_record(Part& part) {
    for (std::size_t i = 0; i < read_.size(); ++i)
      read_field(fields_[3 + i], wanted_[read_[i].field], record_.data() + read_[i].offset);
    part.run.add_weight(std::int64_t{
        part.records.intern({reinterpret_cast<const char*>(record_.data()), record_.size()})});
  }

  static std::uint64_t text_id(std::string_view text, Part& part) {
    if (text.empty()) throw LineError{"a vertex id is missing"};
    if (const char* const problem = id_problem(text)) {
      throw LineError{fmt::format("the id '{}' {}", shown(text), problem)};
    }
    return part.texts.intern(text);
  }

  std::uint64_t number_id(std::string_view text) const {
    std::string_view digits = text;
    while (zeros_ && digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    if (const auto number = printed_number(digits)) return *number;
    if (text.empty()) throw LineError{"a vertex id is missing"};
    throw LineError{fmt::format(
        "expected a whole number below 2^64, found '{}'; --ids text takes ids as they are written",
        shown(text))};
  }

  struct ReadField {
    std::size_t field;
    unsigned offset;
  };

  const TableLayout& layout_;
  const std::vector<EdgeField>& wanted_;
  bool record_lines_;
  bool zeros_;
  std::vector<std::size_t> columns_;  // source, target, weight, then the fields that are read
  std::vector<std::string_view> fields_;
  std::vector<std::string> scratch_;
  std::vector<std::byte> record_;
  std::vector<ReadField> read_;
  std::string skipped_;
};

// Records get numbers of the file, as texts do.
void number_records(Part& part, std::uint64_t line, const ReadContext& context, RawGraph& raw) {
  if (part.records.size() == 0) return;
  std::vector<std::int64_t> numbers(part.records.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Vertex number = raw.records.intern(part.records[i]);
    if (number == kNoVertex)
      throw refused_at_line(context.path, line,
                            fmt::format("more than {} different edges", kMostVertices));
    numbers[i] = number;
  }
  for (std::int64_t& weight : part.run.integers())
    weight = numbers[static_cast<std::size_t>(weight)];
  part.records = TextTable();
}

// Puts the parts of a piece of the file behind what was read before, in file order: so texts get
// their numbers in the order of the file, whatever the parts were.
void append_parts(std::vector<Part>& parts, std::uint64_t line, const ReadContext& context,
                  RawGraph& raw) {
  for (Part& part : parts) {
    if (part.failed) {
      throw refused_at_line(context.path, line + part.lines, std::move(part.message));
    }
    for (std::uint64_t& of_edge : part.run.lines()) of_edge += line;
    line += part.lines;
    if (part.texts.size() > 0) {
      std::vector<Vertex> numbers(part.texts.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = raw.texts.intern(part.texts[i]);
        if (numbers[i] == kNoVertex) {
          throw refused_at_line(context.path, line,
                                fmt::format("more than {} vertices", kMostVertices));
        }
      }
      part.run.renumber(numbers);
      part.texts = TextTable();
    }
    number_records(part, line, context, raw);
    if (part.run.size() > 0) raw.runs.push_back(std::move(part.run));
  }
}

void read_piece(const TextBlock& piece, const TableLayout& layout, const ReadContext& context,
                RawGraph& raw) {
  // More parts than threads, so that uneven records even out; small pieces stay whole.
  const std::size_t most = 4 * static_cast<std::size_t>(thread_count());
  const auto texts = split_at_records(piece.text(), std::min(most, piece.text().size() / 65536 + 1),
                                      layout.separator);
  std::vector<Part> parts(texts.size());
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1) if (texts.size() > 1)
  for (std::size_t i = 0; i < texts.size(); ++i) {
    carrier.run([&] { PieceParser(layout, context).parse(texts[i], parts[i]); });
  }
  carrier.rethrow();
  append_parts(parts, piece.first_line, context, raw);
}

// The piece without its first record, which is a header.
TextBlock behind_header(const TextBlock& piece, char separator) {
  RecordScanner scanner(piece.text(), separator);
  (void)scan_record(scanner);
  return {scanner.rest().data(), piece.end, piece.first_line + scanner.lines()};
}

// What stands in every column but the ends of the edges.
void survey_part(std::string_view text, const TableLayout& layout, SurveyedColumns& columns) {
  RecordScanner scanner(text, layout.separator);
  std::string scratch;
  while (scanner.next_record()) {
    std::size_t column = 0;
    for (bool last = false; !last; ++column) {
      const Field field = scanner.next_field(scratch);
      if (column < columns.size()) columns[column].found.take(field.text);
      last = field.last;
    }
    for (; column < columns.size(); ++column) columns[column].found.take("");
  }
}

void survey_piece(const TextBlock& piece, const TableLayout& layout, SurveyedColumns& columns) {
  const std::size_t most = 4 * static_cast<std::size_t>(thread_count());
  const auto texts = split_at_records(piece.text(), std::min(most, piece.text().size() / 65536 + 1),
                                      layout.separator);
  std::vector<SurveyedColumns> parts(texts.size(), SurveyedColumns(columns.size()));
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1) if (texts.size() > 1)
  for (std::size_t i = 0; i < texts.size(); ++i)
    carrier.run([&] {
      try {
        survey_part(texts[i], layout, parts[i]);
      } catch (const LineError&) {  // told where edges are read
      }
    });
  carrier.rethrow();
  for (const SurveyedColumns& part : parts)
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].found.take(part[c].found);
}

void survey_columns(RecordBlocks& records, TextBlock piece, const TableLayout& layout,
                    SurveyedColumns& found) {
  if (!layout.header) return;
  SurveyedColumns columns(layout.columns);
  std::optional<TextBlock> next = behind_header(piece, layout.separator);
  for (; next; next = records.next()) survey_piece(*next, layout, columns);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c == layout.source || c == layout.target) continue;
    columns[c].name = layout.names[c];
    found.push_back(std::move(columns[c]));
  }
}

}  // namespace

void read_table(TextBlocks& blocks, const ReadContext& context, const TableSyntax& syntax,
                RawGraph& raw) {
  RecordBlocks records(blocks, syntax.separators.front());
  auto piece = records.next();
  if (!piece) throw refused_at_line(context.path, 0, "the file holds no edges");
  const TableLayout layout =
      find_table_layout(context.path, piece->text(), piece->first_line, syntax, context.options);
  if (context.survey != nullptr) return survey_columns(records, *piece, layout, *context.survey);
  raw.weighted = layout.weight.has_value() || has_fields(layout);
  if (has_fields(layout)) {
    refuse_merging(context.options.duplicates);
    for (const auto& field : layout.fields) raw.record_fields_given.push_back(field.has_value());
  }
  if (layout.text_ids) {
    raw.ids = IdSource::Named;
    if (context.options.vertices == VertexRule::Range) {
      throw Error(ExitCode::Usage, "--vertices range: the ids of this file are text, not numbers",
                  context.path);
    }
  }
  if (layout.header) *piece = behind_header(*piece, layout.separator);
  for (; piece; piece = records.next()) read_piece(*piece, layout, context, raw);
  report_line_ends(blocks, context);
  if (raw.runs.empty()) throw refused_at_line(context.path, 0, "the file holds no edges");
  if (layout.header || !context.options.columns.empty()) report_columns(layout, context.report);
}

namespace {

RawGraph read_separated(StreamPtr stream, const ReadContext& context, std::string_view separators) {
  TextBlocks blocks(std::move(stream), CarriageReturns::Quotes);
  RawGraph raw;
  read_table(blocks, context, {separators}, raw);
  return raw;
}

}  // namespace

RawGraph read_csv(StreamPtr stream, const ReadContext& context) {
  return read_separated(std::move(stream), context, ",;");
}

RawGraph read_tsv(StreamPtr stream, const ReadContext& context) {
  return read_separated(std::move(stream), context, "\t");
}

}  // namespace vertigo::graph
