#pragma once
// Attributes of edges that a program reads by name: several numbers and truth values per edge, each
// from its own column of a table. They lie in one record per edge (vertigo/core/record_layout.h),
// in the order of the adjacency that they belong to.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/core/value.h"

namespace vertigo::graph {

/// An attribute as a program declares it. Numbers (but Wide64) and Bool.
struct EdgeField {
  std::string name;
  ScalarKind kind = ScalarKind::Int32;
  std::optional<Value> otherwise = {};  ///< of graphs that lack it; nothing: they are refused
  bool non_negative = false;            ///< what is below zero is refused,
  std::string reason = {};              ///< and why; may be empty
};

struct LoadedGraph;

/// The names of columns and data that stand for a weight wherever one is meant: weight, w, value.
bool is_usual_weight(const std::string& name);

struct Graph;

/// The first edge whose attribute of that name is below zero; nothing where there is none, or where
/// the records have no such attribute.
std::optional<EdgeIndex> first_negative(const Graph& graph, std::string_view name);

/// Gives every edge its record. Where the graph comes from a table, they are that table's; else the
/// graph's weight becomes the field that is named like one (is_usual_weight), and all others have
/// their defaults. Afterwards the graph has no weights. Throws ExitCode::InputRefused where a field
/// without a default is not given, where a weight does not fit its type, and where a default is
/// below zero that must not be.
void attach_records(LoadedGraph& loaded, const std::vector<EdgeField>& fields);

/// The attributes that a file has and that the cached form can keep, with their types.
struct AttributeSurvey {
  std::vector<EdgeField> fields;   ///< what ReadOptions::edge_fields may say to read all of them
  std::vector<std::string> notes;  ///< which others there are, and why they are none
};

struct ReadOptions;

/// Looks at all edges of a CSV, TSV or GraphML file, or at what a cached form says; any other has
/// no attributes. Throws what load_graph() would.
AttributeSurvey survey_attributes(const std::string& source, const ReadOptions& options);

}  // namespace vertigo::graph
