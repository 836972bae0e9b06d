#pragma once
// The values of reading options as they are written on a command line, for every program that reads
// graphs.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vertigo/graph/reader.h"

namespace vertigo::graph {

template <class Value>
using NamedValues = std::vector<std::pair<std::string, Value>>;

/// --self-loops keep|drop
inline const NamedValues<SelfLoopPolicy>& self_loop_names() {
  static const NamedValues<SelfLoopPolicy> names = {{"keep", SelfLoopPolicy::Keep},
                                                    {"drop", SelfLoopPolicy::Drop}};
  return names;
}

/// --duplicates keep|first|min|max|sum; "drop" is another word for first.
inline const NamedValues<DuplicatePolicy>& duplicate_names() {
  static const NamedValues<DuplicatePolicy> names = {
      {"keep", DuplicatePolicy::Keep},  {"first", DuplicatePolicy::First},
      {"drop", DuplicatePolicy::First}, {"min", DuplicatePolicy::Min},
      {"max", DuplicatePolicy::Max},    {"sum", DuplicatePolicy::Sum}};
  return names;
}

/// --vertices auto|seen|range
inline const NamedValues<VertexRule>& vertex_rule_names() {
  static const NamedValues<VertexRule> names = {
      {"auto", VertexRule::Auto}, {"seen", VertexRule::Seen}, {"range", VertexRule::Range}};
  return names;
}

/// --ids auto|numbers|text
inline const NamedValues<IdKind>& id_kind_names() {
  static const NamedValues<IdKind> names = {
      {"auto", IdKind::Auto}, {"numbers", IdKind::Numbers}, {"text", IdKind::Text}};
  return names;
}

/// --columns SOURCE,TARGET[,WEIGHT] or --columns WEIGHT; a name that holds a comma stands in
/// quotes. `fields` are the names of ReadOptions::edge_fields, whose columns stand in place of the
/// weight's. Throws ExitCode::Usage.
std::vector<std::string> columns_of(const std::string& text,
                                    std::span<const std::string> fields = {});

/// --format NAME: every format that a file can have.
std::vector<std::string> format_names();

}  // namespace vertigo::graph
