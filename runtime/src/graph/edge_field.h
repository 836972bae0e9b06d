#pragma once
// The text of one attribute of an edge, read into its record.

#include <cstddef>
#include <string_view>

#include "vertigo/graph/builder.h"
#include "vertigo/graph/edge_records.h"
#include "weights.h"

namespace vertigo::graph {

/// Throws a LineError where the text is empty, is no value of the field's type, or is below zero
/// and must not be.
void read_field(std::string_view text, const EdgeField& field, std::byte* to);

/// Refuses to merge parallel edges by their weights: of several attributes nobody knows which is
/// the least. Throws ExitCode::Usage.
void refuse_merging(DuplicatePolicy policy);

/// true or false, in upper or lower case.
bool is_truth_word(std::string_view text);

/// The value, whose kind is the field's, in the field's bytes.
void store_field(const Value& value, ScalarKind kind, std::byte* to);

/// Calls use(T{}) with the type of a field: bool, or one that weights may have.
template <class Use>
decltype(auto) with_field_type(ScalarKind kind, Use&& use) {
  if (kind == ScalarKind::Bool) return use(bool{});
  return with_weight_type(kind, use);
}

}  // namespace vertigo::graph
