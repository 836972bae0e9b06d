#include "host/output.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "host/text.h"
#include "host/values.h"
#include "vertigo/core/error.h"
#include "vertigo/core/parallel.h"

namespace vertigo::host {
namespace {

using Writer = std::function<char*(char*, Vertex)>;

// JSON has no infinities and no `none`: strings stand for them, and null for no vertex.
bool is_plain_number(std::string_view text) {
  return text != "inf" && text != "-inf" && text != "none";
}

char* write_cell(char* to, const Column& column, Vertex v, const graph::IdMap& ids) {
  if (column.kind == ScalarKind::Vertex) return write_vertex(to, column.as<Vertex>()[v], ids);
  return with_kind(column.kind, [&]<class T>(T) { return write_value(to, column.as<T>()[v]); });
}

char* write_json_cell(char* to, const Column& column, Vertex v, const graph::IdMap& ids) {
  char* end = write_cell(to, column, v, ids);
  const std::string_view text(to, static_cast<std::size_t>(end - to));
  if (text == "none") return std::ranges::copy(std::string_view("null"), to).out;
  if (is_plain_number(text)) return end;
  std::memmove(to + 1, to, text.size());
  *to = '"';
  end[1] = '"';
  return end + 2;
}

// Formats vertices [0, count) with `line` in parallel and hands the text to the sink in order.
void format_in_order(Vertex count, std::size_t longest_line, const Writer& line, const Sink& sink) {
  constexpr Vertex kBlock = 1 << 15;
  const auto blocks_at_once = static_cast<std::uint64_t>(thread_count()) * 4;
  std::vector<std::string> texts(blocks_at_once);
  for (std::uint64_t first = 0; first < count; first += blocks_at_once * kBlock) {
    ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic)
    for (std::uint64_t block = 0; block < blocks_at_once; ++block) {
      carrier.run([&] {
        const std::uint64_t begin = std::min<std::uint64_t>(count, first + block * kBlock);
        const std::uint64_t end = std::min<std::uint64_t>(count, begin + kBlock);
        std::string& text = texts[block];
        text.resize((end - begin) * longest_line);
        char* to = text.data();
        for (std::uint64_t v = begin; v < end; ++v) to = line(to, static_cast<Vertex>(v));
        text.resize(static_cast<std::size_t>(to - text.data()));
      });
    }
    carrier.rethrow();
    for (const std::string& text : texts)
      if (!text.empty()) sink(text);
  }
}

void write_lines(std::span<const OutputColumn> columns, const graph::Graph& graph, char separator,
                 const Sink& sink) {
  const std::size_t longest = (columns.size() + 1) * (kLongestValue + 1);
  const Writer line = [&](char* to, Vertex v) {
    to = write_vertex(to, v, graph.ids);
    for (const OutputColumn& output : columns) {
      *to++ = separator;
      to = write_cell(to, *output.column, v, graph.ids);
    }
    *to++ = '\n';
    return to;
  };
  format_in_order(graph.vertex_count, longest, line, sink);
}

void write_json_array(std::string_view name, Vertex count, const Writer& cell, const Sink& sink) {
  sink(",\n\"" + std::string(name) + "\": [");
  const Writer item = [&](char* to, Vertex v) {
    if (v > 0) *to++ = ',';
    return cell(to, v);
  };
  format_in_order(count, kLongestValue + 4, item, sink);
  sink("]");
}

void write_json(std::span<const OutputColumn> columns, const ProgramInfo& info,
                const RunResult& result, const graph::Graph& graph, const Sink& sink) {
  sink("{\"program\": \"" + std::string(info.name) + "\"");
  for (const ReportInfo& report : info.reports) {
    std::string text = to_text(result.reports.at(std::string(report.name)), graph.ids);
    if (text == "none") text = "null";
    if (!is_plain_number(text)) text = "\"" + text + "\"";
    sink(",\n\"" + std::string(report.name) + "\": " + text);
  }
  if (!columns.empty()) {
    write_json_array(
        "vertex", graph.vertex_count,
        [&](char* to, Vertex v) { return write_vertex(to, v, graph.ids); }, sink);
    for (const OutputColumn& output : columns)
      write_json_array(
          output.column->name, graph.vertex_count,
          [&](char* to, Vertex v) { return write_json_cell(to, *output.column, v, graph.ids); },
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
      columns.push_back({&*found, output.tolerance});
    }
  for (const ReportInfo& report : info.reports)
    if (!result.reports.contains(std::string(report.name)))
      throw Error(ExitCode::Other,
                  "the target delivered no report '" + std::string(report.name) + "'");
  return columns;
}

void refuse_nan(std::span<const OutputColumn> columns, const ProgramInfo& info,
                const RunResult& result, const graph::IdMap& ids) {
  for (const OutputColumn& output : columns) {
    const std::int64_t vertex =
        with_kind(output.column->kind, [&]<class T>(T) { return first_nan<T>(*output.column); });
    if (vertex >= 0)
      throw Error(ExitCode::Other, "the result is not a number: " + output.column->name +
                                       " of vertex " +
                                       std::to_string(ids.to_input(static_cast<Vertex>(vertex))) +
                                       " is NaN; nothing was written");
  }
  for (const ReportInfo& report : info.reports)
    if (is_floating(report.kind) &&
        std::isnan(result.reports.at(std::string(report.name)).as<double>()))
      throw Error(ExitCode::Other, "the result is not a number: " + std::string(report.name) +
                                       " is NaN; nothing was written");
}

void write_result(const ProgramInfo& info, const RunResult& result, const graph::Graph& graph,
                  OutputFormat format, const Sink& sink) {
  const std::vector<OutputColumn> columns = output_columns(info, result, graph.vertex_count);
  if (format == OutputFormat::Json) return write_json(columns, info, result, graph, sink);
  const char separator = format == OutputFormat::Csv ? ',' : ' ';
  if (columns.empty()) {
    if (format == OutputFormat::Csv) sink("name,value\n");
    for (const ReportInfo& report : info.reports)
      sink(std::string(report.name) + separator +
           to_text(result.reports.at(std::string(report.name)), graph.ids) + '\n');
    return;
  }
  if (format == OutputFormat::Csv) sink("vertex" + joined_names(columns, ',') + '\n');
  if (format == OutputFormat::Text && columns.size() > 1)
    sink("# vertex" + joined_names(columns, ' ') + '\n');
  write_lines(columns, graph, separator, sink);
}

}  // namespace vertigo::host
