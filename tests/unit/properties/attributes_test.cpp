// Attributes of edges by name: what a run reads of the cached form is what it reads of the table
// that the form was made of, or both are refused.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "../graph/record_values.h"
#include "../graph/support.h"
#include "vertigo/graph/cache.h"

namespace vertigo::graph {
namespace {

using Texts = std::vector<std::string>;

struct Column {
  std::string name;
  Texts values;  // any of them may stand in it
};

/// Whole numbers at the ends of all types, fractions, and truth values.
Column any_column(const std::string& name) {
  static const std::array<Texts, 5> kPools = {{
      {"0", "1", "-1", "+7", "2147483647", "-2147483648"},
      {"0", "1", "2147483648", "-9223372036854775808", "9223372036854775807", "16777217"},
      {"1", "4294967295", "18446744073709551615", "9223372036854775808"},
      {"0", "1", "-0.5", "1e3", "7.0", "1e39", ".25", "-3e-40"},
      {"true", "FALSE", "True", "false"},
  }};
  const Texts& pool = kPools[*rc::gen::inRange<std::size_t>(0, kPools.size())];
  Column column{name, {}};
  const auto count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) column.values.push_back(*rc::gen::elementOf(pool));
  return column;
}

std::vector<EdgeField> any_fields(const std::vector<Column>& columns) {
  constexpr std::array kKinds = {ScalarKind::Bool,   ScalarKind::Int32,  ScalarKind::Int64,
                                 ScalarKind::UInt32, ScalarKind::UInt64, ScalarKind::Float32,
                                 ScalarKind::Float64};
  std::vector<EdgeField> fields;
  for (const Column& column : columns)
    if (*rc::gen::arbitrary<bool>())
      fields.push_back(test::field(column.name, *rc::gen::elementOf(kKinds)));
  for (EdgeField& field : fields) field.non_negative = *rc::gen::inRange(0, 4) == 0;
  if (fields.empty()) fields.push_back(test::field(columns[0].name, ScalarKind::Float64));
  return fields;
}

/// Nothing: refused.
std::optional<Texts> read(const std::string& path, const ReadOptions& options) {
  try {
    LoadedGraph loaded = load_graph(path, options);
    attach_records(loaded, options.edge_fields);
    build_transpose(loaded.graph);
    Texts values = test::values_of(loaded.graph);
    const Texts in = test::values_of(loaded.graph, loaded.graph.in(), !loaded.graph.symmetric);
    values.insert(values.end(), in.begin(), in.end());
    return values;
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ExitCode::InputRefused);
    return std::nullopt;
  }
}

RC_GTEST_PROP(Attributes, AreTheSameInTheCachedForm, ()) {
  std::vector<Column> columns;
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
    columns.push_back(any_column("a" + std::to_string(i)));
  std::string text = "from,to";
  for (const Column& column : columns) text += "," + column.name;
  text += "\n";
  for (int edges = *rc::gen::inRange(1, 12); edges > 0; --edges) {
    text += std::to_string(*rc::gen::inRange(3, 9)) + "," + std::to_string(*rc::gen::inRange(3, 9));
    for (const Column& column : columns) text += "," + *rc::gen::elementOf(column.values);
    text += "\n";
  }
  const test::Folder folder;
  const std::string table = folder.write("g.csv", text), form = folder / "g.vgg";
  ReadOptions keeping;
  keeping.edge_fields = survey_attributes(table, {}).fields;
  RC_ASSERT(keeping.edge_fields.size() == columns.size());
  Graph graph = load_graph(table, keeping).graph;
  if (*rc::gen::arbitrary<bool>()) build_transpose(graph);
  write_cached(graph, form);
  ReadOptions options;
  options.edge_fields = any_fields(columns);
  options.symmetrize = *rc::gen::arbitrary<bool>();
  options.in_edges = *rc::gen::arbitrary<bool>();
  auto of_table = read(table, options), of_form = read(form, options);
  RC_ASSERT(of_table == of_form);
  options.verify = true;
  RC_ASSERT(read(form, options) == of_table);
}

}  // namespace
}  // namespace vertigo::graph
