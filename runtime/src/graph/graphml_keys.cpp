#include "graphml_keys.h"

#include <fmt/format.h>

#include "scan.h"
#include "table_layout.h"
#include "vertigo/graph/id_text.h"

namespace vertigo::graph {
namespace {

template <class Test>
std::optional<std::size_t> the_key(const std::vector<EdgeKey>& keys, const EdgeField& field,
                                   const Test& test) {
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (!test(keys[k])) continue;
    if (found)
      throw LineError{fmt::format("'{}' and '{}' could both be '{}'", shown(keys[*found].name),
                                  shown(keys[k].name), field.name)};
    found = k;
  }
  return found;
}

}  // namespace

std::optional<std::size_t> key_of(const std::vector<EdgeKey>& keys, const EdgeField& field) {
  const std::string plain = plain_name(field.name);
  const auto same = [&](const EdgeKey& key) { return plain_name(key.name) == plain; };
  const auto weight = [](const EdgeKey& key) { return usual_role(key.name) == Role::Weight; };
  auto found = the_key(keys, field, same);
  if (!found && usual_role(field.name) == Role::Weight) found = the_key(keys, field, weight);
  if (found || field.otherwise) return found;
  std::string names;
  for (const EdgeKey& key : keys)
    names += fmt::format("{}'{}'", names.empty() ? "; there are " : ", ", shown(key.name));
  throw LineError{
      fmt::format("no <key> of edges is named '{}', which the program needs of every edge{}",
                  field.name, names)};
}

std::optional<ScalarKind> declared_kind(std::string_view type) {
  if (type == "boolean") return ScalarKind::Bool;
  if (type == "int") return ScalarKind::Int32;
  if (type == "long") return ScalarKind::Int64;
  if (type == "float") return ScalarKind::Float32;
  if (type == "double") return ScalarKind::Float64;
  return std::nullopt;
}

}  // namespace vertigo::graph
