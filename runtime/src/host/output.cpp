#include "host/output.h"

#include <algorithm>
#include <cmath>

#include "host/output_records.h"
#include "host/text.h"
#include "host/text_piece.h"
#include "host/values.h"
#include "vertigo/core/error.h"
#include "vertigo/core/write_in_order.h"

namespace vertigo::host {
namespace {

/// A column, and how its values are written; chosen once, not for every value.
struct CellWriter {
  const Column* column;
  void (*write)(TextPiece& to, const Column& column, Vertex v, const graph::IdMap& ids);
};

/// The same where ids are numbers, so that kLongestValue bytes have room for any value. Returns the
/// end.
struct NumberWriter {
  const Column* column;
  char* (*write)(char* to, const Column& column, Vertex v, const graph::IdMap& ids);
};

char* write_vertex(char* to, Vertex vertex, const graph::IdMap& ids) {
  if (vertex != kNoVertex) return write_value(to, ids.to_input(vertex));
  constexpr std::string_view kNone = "none";
  return std::ranges::copy(kNone, to).out;
}

NumberWriter number_writer_of(const Column& column) {
  if (column.kind == ScalarKind::Vertex)
    return {&column, [](char* to, const Column& of, Vertex v, const graph::IdMap& ids) {
              return write_vertex(to, of.as<Vertex>()[v], ids);
            }};
  return with_kind(column.kind, [&]<class T>(T) -> NumberWriter {
    return {&column, [](char* to, const Column& of, Vertex v, const graph::IdMap&) {
              return write_value(to, of.as<T>()[v]);
            }};
  });
}

/// Lines of ids that are numbers without gaps: each is made of the one before, in a tenth of the
/// time that a conversion takes.
class NumberedLines : public TextPiece {
 public:
  /// The next number is written, and what follows has `bytes` of room; returns where.
  char* next(std::uint64_t number, std::size_t bytes) {
    if (text().empty())
      number_.set(number);
    else
      number_.increment();
    return number_.write(room(kLongestValue + bytes));
  }

 private:
  AscendingNumber number_;
};

void append_vertex(TextPiece& to, Vertex vertex, const graph::IdMap& ids) {
  if (vertex == kNoVertex) return to.append("none");
  std::string word;
  ids.append_id(vertex, word);
  to.append(word);
}

// Where ids are text.
CellWriter writer_of(const Column& column) {
  if (column.kind == ScalarKind::Vertex)
    return {&column, [](TextPiece& to, const Column& of, Vertex v, const graph::IdMap& ids) {
              append_vertex(to, of.as<Vertex>()[v], ids);
            }};
  return with_kind(column.kind, [&]<class T>(T) -> CellWriter {
    return {&column, [](TextPiece& to, const Column& of, Vertex v, const graph::IdMap&) {
              to.written_to(write_value(to.room(kLongestValue), of.as<T>()[v]));
            }};
  });
}

// Ids that are text hold no control characters but tabs and line ends.
void append_json_string(std::string& to, std::string_view text) {
  to += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') to += '\\';
    if (c == '\n')
      to += "\\n";
    else if (c == '\r')
      to += "\\r";
    else if (c == '\t')
      to += "\\t";
    else
      to += c;
  }
  to += '"';
}

void append_json_vertex(std::string& to, Vertex vertex, const graph::IdMap& ids) {
  if (vertex == kNoVertex)
    to += "null";
  else if (ids.is_text())
    append_json_string(to, ids.texts()[vertex]);
  else
    ids.append_id(vertex, to);
}

// JSON has no infinities: strings stand for them.
void append_json_number(std::string& to, std::string_view text) {
  const bool infinite = text == "inf" || text == "-inf";
  if (infinite) to += '"';
  to += text;
  if (infinite) to += '"';
}

void append_json_cell(std::string& to, const Column& column, Vertex v, const graph::IdMap& ids) {
  if (column.kind == ScalarKind::Vertex) return append_json_vertex(to, column.as<Vertex>()[v], ids);
  with_kind(column.kind, [&]<class T>(T) {
    char text[kLongestValue];
    const char* const end = write_value(text, column.as<T>()[v]);
    append_json_number(to, {text, static_cast<std::size_t>(end - text)});
  });
}

void write_text_lines(std::span<const OutputColumn> columns, const graph::Graph& graph,
                      char separator, const Sink& sink) {
  std::vector<CellWriter> cells;
  for (const OutputColumn& output : columns) cells.push_back(writer_of(*output.column));
  const auto line = [&](TextPiece& to, std::uint64_t i) {
    const auto v = static_cast<Vertex>(i);
    append_vertex(to, v, graph.ids);
    for (const CellWriter& cell : cells) {
      to.append({&separator, 1});
      cell.write(to, *cell.column, v, graph.ids);
    }
    to.append("\n");
  };
  write_in_order<TextPiece>(graph.vertex_count, line, pass_to(sink));
}

void write_number_lines(std::span<const OutputColumn> columns, const graph::Graph& graph,
                        char separator, const Sink& sink) {
  std::vector<NumberWriter> cells;
  for (const OutputColumn& output : columns) cells.push_back(number_writer_of(*output.column));
  const std::size_t longest = cells.size() * (1 + kLongestValue) + 1;  // behind the id
  const auto write_cells = [&](char* to, Vertex v) {
    for (const NumberWriter& cell : cells) {
      *to++ = separator;
      to = cell.write(to, *cell.column, v, graph.ids);
    }
    *to++ = '\n';
    return to;
  };
  if (graph.ids.is_contiguous()) {
    const auto line = [&](NumberedLines& to, std::uint64_t i) {
      char* const cell = to.next(graph.ids.base() + i, longest);
      to.written_to(write_cells(cell, static_cast<Vertex>(i)));
    };
    return write_in_order<NumberedLines>(graph.vertex_count, line, pass_to(sink));
  }
  const auto line = [&](TextPiece& to, std::uint64_t i) {
    const auto v = static_cast<Vertex>(i);
    char* const cell = write_vertex(to.room(kLongestValue + longest), v, graph.ids);
    to.written_to(write_cells(cell, v));
  };
  write_in_order<TextPiece>(graph.vertex_count, line, pass_to(sink));
}

void write_lines(std::span<const OutputColumn> columns, const graph::Graph& graph, char separator,
                 const Sink& sink) {
  const auto write = graph.ids.is_text() ? write_text_lines : write_number_lines;
  write(columns, graph, separator, sink);
}

template <class Append>
void write_json_array(std::string_view name, Vertex count, const Append& cell, const Sink& sink) {
  sink(",\n\"" + std::string(name) + "\": [");
  const auto item = [&](TextPiece& to, std::uint64_t v) {
    std::string text;
    cell(text, static_cast<Vertex>(v));
    if (v > 0) to.append(",");
    to.append(text);
  };
  write_in_order<TextPiece>(count, item, pass_to(sink));
  sink("]");
}

void write_json(std::span<const OutputColumn> columns, const ProgramInfo& info,
                const RunResult& result, const graph::Graph& graph, const Sink& sink) {
  sink("{\"program\": \"" + std::string(info.name) + "\"");
  for (const ReportInfo& report : info.reports) {
    const Value* const value = find_report(result, report.name);
    std::string text;
    if (value == nullptr)
      text = "null";
    else if (value->kind == ScalarKind::Vertex)
      append_json_vertex(text, value->as<Vertex>(), graph.ids);
    else
      append_json_number(text, to_text(*value, graph.ids));
    sink(",\n\"" + std::string(report.name) + "\": " + text);
  }
  if (!columns.empty()) {
    write_json_array(
        "vertex", graph.vertex_count,
        [&](std::string& to, Vertex v) { append_json_vertex(to, v, graph.ids); }, sink);
    for (const OutputColumn& output : columns)
      write_json_array(
          output.column->name, graph.vertex_count,
          [&](std::string& to, Vertex v) { append_json_cell(to, *output.column, v, graph.ids); },
          sink);
  }
  sink("}\n");
}

std::string joined_names(std::span<const OutputColumn> columns, char separator) {
  std::string text;
  for (const OutputColumn& output : columns) text += separator + output.column->name;
  return text;
}

template <class T>
std::int64_t first_nan(const Column& column) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto values = column.as<T>();
    const auto found = std::ranges::find_if(values, [](T value) { return std::isnan(value); });
    if (found != values.end()) return found - values.begin();
  } else if constexpr (std::is_same_v<T, Wide64>) {
    const auto values = column.as<T>();
    const auto found = std::ranges::find_if(values, &Wide64::is_nan);
    if (found != values.end()) return found - values.begin();
  }
  return -1;
}

}  // namespace

std::vector<OutputColumn> output_columns(const ProgramInfo& info, const RunResult& result,
                                         Vertex vertex_count) {
  std::vector<OutputColumn> columns;
  for (const OutputInfo& output : info.outputs)
    for (std::size_t i = 0; i < output.kinds.size(); ++i) {
      std::string name(output.state);
      if (output.kinds.size() > 1) name += "." + std::to_string(i);
      const auto found = std::ranges::find(result.states, name, &Column::name);
      if (found == result.states.end() || found->kind != output.kinds[i] ||
          found->size() != vertex_count)
        throw Error(ExitCode::Other, "the target delivered no proper column '" + name + "'");
      columns.push_back({&*found, output.tolerance, output.state});
    }
  return columns;
}

const Value* find_report(const RunResult& result, std::string_view name) {
  const auto found = result.reports.find(std::string(name));
  return found == result.reports.end() ? nullptr : &found->second;
}

void refuse_nan(std::span<const OutputColumn> columns, const ProgramInfo& info,
                const RunResult& result, const graph::IdMap& ids) {
  for (const OutputColumn& output : columns) {
    const std::int64_t vertex =
        with_kind(output.column->kind, [&]<class T>(T) { return first_nan<T>(*output.column); });
    if (vertex >= 0)
      throw Error(ExitCode::Other, "the result is not a number: " + output.column->name +
                                       " of vertex " + ids.label(static_cast<Vertex>(vertex)) +
                                       " is NaN; nothing was written");
  }
  for (const ReportInfo& report : info.reports) {
    const Value* const value = find_report(result, report.name);
    if (value != nullptr && is_floating(report.kind) && std::isnan(value->as<double>()))
      throw Error(ExitCode::Other, "the result is not a number: " + std::string(report.name) +
                                       " is NaN; nothing was written");
  }
}

void write_result(const ProgramInfo& info, const RunResult& result, const graph::Graph& graph,
                  OutputFormat format, const Sink& sink) {
  const std::vector<OutputColumn> columns = output_columns(info, result, graph.vertex_count);
  if (format == OutputFormat::Json) return write_json(columns, info, result, graph, sink);
  if (format == OutputFormat::Npy || format == OutputFormat::Bin)
    return write_records(columns, graph, format, sink);
  const char separator = format == OutputFormat::Csv ? ',' : ' ';
  if (columns.empty()) {
    if (format == OutputFormat::Csv) sink("name,value\n");
    for (const ReportInfo& report : info.reports)
      if (const Value* const value = find_report(result, report.name))
        sink(std::string(report.name) + separator + to_text(*value, graph.ids) + '\n');
    return;
  }
  if (format == OutputFormat::Csv) sink("vertex" + joined_names(columns, ',') + '\n');
  if (format == OutputFormat::Text && columns.size() > 1)
    sink("# vertex" + joined_names(columns, ' ') + '\n');
  write_lines(columns, graph, separator, sink);
}

}  // namespace vertigo::host
