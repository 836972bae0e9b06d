#include "compiler/emit/common/EdgeColumns.h"

#include <vector>

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/Names.h"
#include "vertigo/core/record_layout.h"

namespace vertigo::compiler::emit {

namespace {

constexpr const char* kRecord = "EdgeColumns";

RecordLayout layout_of_columns(const ir::Program& program) {
  std::vector<ir::ScalarKind> kinds;
  for (const ir::EdgeAttribute& column : program.edge_columns) kinds.push_back(column.kind);
  return layout_of(kinds);
}

}  // namespace

bool has_edge_attribute(const ir::Program& program) {
  return program.edge || !program.edge_columns.empty();
}

std::string edge_type(const ir::Program& program, const std::string& none) {
  if (program.edge) return cpp_type(program.edge->kind);
  return program.edge_columns.empty() ? none : kRecord;
}

std::string edge_variable(const ir::Program& program) {
  // No name of a program ends with an underscore here.
  return program.edge ? cpp_name(program.edge->name) : "edge_";
}

std::string edge_default(const ir::Program& program) {
  if (program.edge) return program.edge->initial ? ", " + expr_text(*program.edge->initial) : "";
  std::string values;
  for (const std::size_t i : layout_of_columns(program).order) {
    const ir::EdgeAttribute& column = program.edge_columns[i];
    values += (values.empty() ? "" : ", ") + std::string(".") + cpp_name(column.name) + " = ";
    values += column.initial ? expr_text(*column.initial) : cpp_type(column.kind) + "{}";
  }
  return values.empty() ? "" : ", " + std::string(kRecord) + "{" + values + "}";
}

void print_edge_columns(Writer& out, const ir::Program& program) {
  if (program.edge_columns.empty()) return;
  const RecordLayout layout = layout_of_columns(program);
  out.comment(
      "What every edge comes with, as the host lays it out (vertigo/core/record_layout.h).");
  out.open(std::string("struct ") + kRecord);
  for (const std::size_t i : layout.order) {
    const ir::EdgeAttribute& column = program.edge_columns[i];
    out.line(cpp_type(column.kind) + " " + cpp_name(column.name) + ";");
  }
  out.close(";");
  out.line(std::string("static_assert(sizeof(") + kRecord + ") == " + std::to_string(layout.bytes) +
           ");");
}

}  // namespace vertigo::compiler::emit
