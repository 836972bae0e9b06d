#pragma once
// What a GraphML file declares of the data of its edges, and which of them a program means.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/graph/edge_records.h"

namespace vertigo::graph {

/// What <key> declares of the data of edges.
struct EdgeKey {
  std::string id;
  std::string name;  // attr.name, or the id where there is none
  std::string type;
  std::optional<std::string> otherwise;  // <default>
};

/// The key of an attribute that is read by name; nothing where the attribute's default serves.
/// Throws a LineError where there is none or more than one.
std::optional<std::size_t> key_of(const std::vector<EdgeKey>& keys, const EdgeField& field);

/// The type that attr.type names; nothing for text.
std::optional<ScalarKind> declared_kind(std::string_view type);

}  // namespace vertigo::graph
