#include "vertigo/graph/edge_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <variant>

#include "edge_field.h"
#include "room.h"
#include "table_layout.h"
#include "vertigo/core/error.h"
#include "vertigo/core/record_layout.h"
#include "vertigo/graph/reader.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

bool is_negative(const Value& value) {
  return std::visit(
      []<class T>(const T& stored) {
        if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>)
          return stored < 0;
        else
          return false;
      },
      value.data);
}

class Records {
 public:
  Records(LoadedGraph& loaded, const std::vector<EdgeField>& fields)
      : graph_(loaded.graph),
        table_(std::exchange(loaded.graph.table, nullptr)),
        report_(loaded.report),
        fields_(fields) {
    std::vector<ScalarKind> kinds;
    for (const EdgeField& field : fields) {
      kinds.push_back(field.kind);
      graph_.record_fields.push_back({field.name, field.kind});
    }
    layout_ = layout_of(kinds);
  }

  void attach() {
    const std::size_t named = table_ ? fields_.size() : like_a_weight();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const bool given = table_ ? table_->given[i] : i == named && graph_.has_weights();
      if (!given) check_default(fields_[i]);
    }
    if (table_)
      graph_.out.records = of_table();
    else if (named < fields_.size() && graph_.has_weights())
      graph_.out.records = of_weights(named);
    else if (graph_.has_weights())
      report_.notes.emplace_back(
          "the weights are not read: the program has no attribute named weight");
    graph_.out.weights = std::monostate{};
    graph_.in_adjacency.reset();  // what reads it builds it, with records
    graph_.prepared = {};
  }

 private:
  std::size_t like_a_weight() const {
    std::size_t i = 0;
    while (i < fields_.size() && !is_usual_weight(fields_[i].name)) ++i;
    return i;
  }

  void check_default(const EdgeField& field) const {
    if (!field.otherwise)
      throw Error(ExitCode::InputRefused,
                  fmt::format("the graph has no attribute '{}', and the program needs it of every "
                              "edge; columns of CSV and TSV files, data of GraphML and attributes "
                              "of the cached form have names",
                              field.name),
                  graph_.name);
    if (field.non_negative && is_negative(*field.otherwise))
      throw Error(ExitCode::InputRefused,
                  fmt::format("the graph has no attribute '{}', whose default is below zero and "
                              "must not be{}",
                              field.name, field.reason.empty() ? "" : " (" + field.reason + ")"),
                  graph_.name);
  }

  Array<std::byte> of_table() const {
    return with_column(graph_.out.weights, [&](const auto& numbers) {
      const std::size_t bytes = layout_.bytes;
      Room<std::byte> records(graph_.edge_count * bytes);
      if constexpr (kHasWeights<decltype(numbers)>) {
#pragma omp parallel for schedule(static)
        for (std::size_t e = 0; e < numbers.size(); ++e)
          std::memcpy(records.data() + e * bytes,
                      table_->records.data() + static_cast<std::size_t>(numbers[e]) * bytes, bytes);
      }
      return std::move(records).finished();
    });
  }

  /// All defaults but one field, which is the weight.
  Array<std::byte> of_weights(std::size_t named) {
    const EdgeField& field = fields_[named];
    if (field.kind == ScalarKind::Bool)
      throw Error(ExitCode::InputRefused,
                  fmt::format("the graph's weights are numbers, and '{}' is bool", field.name),
                  graph_.name);
    convert_weights(graph_, field.kind);
    std::vector<std::byte> defaults(layout_.bytes);
    for (std::size_t i = 0; i < fields_.size(); ++i)
      if (i != named)
        store_field(*fields_[i].otherwise, fields_[i].kind, defaults.data() + layout_.offsets[i]);
    const std::size_t bytes = layout_.bytes, at = layout_.offsets[named];
    return with_column(graph_.out.weights, [&](const auto& column) {
      Room<std::byte> records(graph_.edge_count * bytes);
      if constexpr (kHasWeights<decltype(column)>) {
#pragma omp parallel for schedule(static)
        for (std::size_t e = 0; e < column.size(); ++e) {
          std::memcpy(records.data() + e * bytes, defaults.data(), bytes);
          std::memcpy(records.data() + e * bytes + at, &column[e], sizeof column[e]);
        }
      }
      return std::move(records).finished();
    });
  }

  Graph& graph_;
  std::shared_ptr<const EdgeTable> table_;
  IntakeReport& report_;
  const std::vector<EdgeField>& fields_;
  RecordLayout layout_;
};

}  // namespace

bool is_usual_weight(const std::string& name) { return usual_role(name) == Role::Weight; }

std::optional<EdgeIndex> first_negative(const Graph& graph, std::string_view name) {
  std::vector<ScalarKind> kinds;
  std::size_t field = graph.record_fields.size();
  for (const RecordField& each : graph.record_fields) {
    if (each.name == name) field = kinds.size();
    kinds.push_back(each.kind);
  }
  if (field == kinds.size()) return std::nullopt;
  const RecordLayout layout = layout_of(kinds);
  const std::byte* const first = graph.out.records.data() + layout.offsets[field];
  const std::size_t count = graph.out.records.size() / layout.bytes;
  std::uint64_t found = kInfinity<std::uint64_t>;
  with_field_type(kinds[field], [&]<class T>(T) {
    if constexpr (std::is_signed_v<T> && !std::is_same_v<T, bool>) {
#pragma omp parallel for schedule(static) reduction(min : found)
      for (std::size_t e = 0; e < count; ++e) {
        T value;
        std::memcpy(&value, first + e * layout.bytes, sizeof value);
        if (value < 0) found = std::min<std::uint64_t>(found, e);
      }
    }
  });
  if (found == kInfinity<std::uint64_t>) return std::nullopt;
  return found;
}

void attach_records(LoadedGraph& loaded, const std::vector<EdgeField>& fields) {
  Records(loaded, fields).attach();
}

}  // namespace vertigo::graph
