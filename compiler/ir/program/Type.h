#pragma once
// Types of the language: one scalar, or a tuple of scalars that is ordered lexicographically.

#include <string>
#include <string_view>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo::ir {

using vertigo::ScalarKind;

struct Type {
  std::vector<ScalarKind> elements;  ///< one: a scalar; more: a tuple; none: no value

  Type() = default;
  Type(ScalarKind kind) : elements{kind} {}  // NOLINT: a scalar kind is a type
  explicit Type(std::vector<ScalarKind> kinds) : elements(std::move(kinds)) {}

  bool is_none() const { return elements.empty(); }
  bool is_scalar() const { return elements.size() == 1; }
  bool is_tuple() const { return elements.size() > 1; }
  ScalarKind scalar() const { return elements.front(); }
  bool operator==(const Type&) const = default;
};

inline bool is_float(ScalarKind kind) {
  return kind == ScalarKind::Float32 || kind == ScalarKind::Float64 || kind == ScalarKind::Wide64;
}
inline bool is_signed_integer(ScalarKind kind) {
  return kind == ScalarKind::Int32 || kind == ScalarKind::Int64;
}
inline bool is_unsigned_integer(ScalarKind kind) {
  return kind == ScalarKind::UInt32 || kind == ScalarKind::UInt64;
}
inline bool is_integer(ScalarKind kind) {
  return is_signed_integer(kind) || is_unsigned_integer(kind);
}
inline bool is_numeric(ScalarKind kind) { return is_integer(kind) || is_float(kind); }

/// In memory; of a tuple its elements, without padding.
unsigned bytes_of(const Type& type);
/// And of one that lies in memory as a structure: its elements in order, each aligned.
unsigned layout_bytes(const Type& type);

/// Spelling in the language: "int32", "vertex", "(int32, vertex)".
std::string to_string(const Type& type);
std::string_view to_string(ScalarKind kind);
/// False where the word names no scalar type.
bool parse_scalar(std::string_view word, ScalarKind& kind);

}  // namespace vertigo::ir
