#include "host/output_records.h"

#include <bit>

#include "host/text_piece.h"
#include "host/values.h"
#include "vertigo/core/error.h"
#include "vertigo/core/write_in_order.h"

static_assert(std::endian::native == std::endian::little, "records are little-endian");

namespace vertigo::host {
namespace {

// The type as NumPy spells it; empty where it has none.
std::string_view numpy_type(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return "|b1";
    case ScalarKind::Int32:
      return "<i4";
    case ScalarKind::Int64:
      return "<i8";
    case ScalarKind::UInt32:
      return "<u4";
    case ScalarKind::UInt64:
    case ScalarKind::Vertex:
      return "<u8";
    case ScalarKind::Float32:
      return "<f4";
    case ScalarKind::Float64:
      return "<f8";
    case ScalarKind::Wide64:
      break;
  }
  return "";
}

template <class Text, class T>
void append_bytes(Text& to, const T& value) {
  to.append({reinterpret_cast<const char*>(&value), sizeof value});
}

void append_id(TextPiece& to, Vertex vertex, const graph::IdMap& ids) {
  append_bytes(to, vertex == kNoVertex ? ~std::uint64_t{0} : ids.to_input(vertex));
}

// Magic, version 1.0, length, and a Python literal, ended such that data begins at a multiple
// of 64.
std::string npy_header(std::span<const OutputColumn> columns, Vertex count) {
  std::string literal = "{'descr': [('vertex', '<u8')";
  for (const OutputColumn& output : columns)
    literal +=
        ", ('" + output.column->name + "', '" + std::string(numpy_type(output.column->kind)) + "')";
  literal += "], 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  constexpr std::size_t kInFront = 10;
  while ((kInFront + literal.size() + 1) % 64 != 0) literal += ' ';
  literal += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  append_bytes(header, static_cast<std::uint16_t>(literal.size()));
  return header + literal;
}

}  // namespace

void refuse_records(const ProgramInfo& info, const graph::IdMap& ids, OutputFormat format) {
  if (format != OutputFormat::Npy && format != OutputFormat::Bin) return;
  const std::string option = format == OutputFormat::Npy ? "output as npy" : "output as bin";
  if (info.outputs.empty())
    throw Error(ExitCode::Usage, option + ": the program has reports alone, no output of vertices");
  if (ids.is_text())
    throw Error(ExitCode::Usage, option + ": the ids of this graph are text, a record has numbers");
  for (const OutputInfo& output : info.outputs)
    for (const ScalarKind kind : output.kinds)
      if (numpy_type(kind).empty())
        throw Error(ExitCode::Usage,
                    option + ": " + std::string(output.state) +
                        " is of a type that NumPy has not: " + std::string(kind_name(kind)));
}

void write_records(std::span<const OutputColumn> columns, const graph::Graph& graph,
                   OutputFormat format, const Sink& sink) {
  if (format == OutputFormat::Npy) sink(npy_header(columns, graph.vertex_count));
  const auto record = [&](TextPiece& to, std::uint64_t i) {
    const auto v = static_cast<Vertex>(i);
    append_id(to, v, graph.ids);
    for (const OutputColumn& output : columns) {
      const Column& column = *output.column;
      if (column.kind == ScalarKind::Vertex)
        append_id(to, column.as<Vertex>()[v], graph.ids);
      else
        with_kind(column.kind, [&]<class T>(T) { append_bytes(to, column.as<T>()[v]); });
    }
  };
  write_in_order<TextPiece>(graph.vertex_count, record, pass_to(sink));
}

}  // namespace vertigo::host
