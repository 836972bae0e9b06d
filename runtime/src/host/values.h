#pragma once
// Scalars as users type them and as results print them. One spelling for both ways: that of the
// language (`inf`, `none`, `true`), floating numbers in the shortest form that reads back exactly.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "vertigo/core/value.h"
#include "vertigo/graph/graph.h"
#include "vertigo/graph/id_text.h"

namespace vertigo::host {

/// `-inf` of a signed or floating type: the lowest value. Unsigned types have none, since what they
/// begin with is the number 0.
template <class T>
inline constexpr T kLowest =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::lowest();

/// Neither `inf` nor `-inf`; of unsigned types and vertices, not the largest value.
template <class T>
bool is_finite(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isfinite(value);
  if constexpr (std::is_same_v<T, Wide64>) return value.is_finite();
  return value != kInfinity<T> && (std::is_unsigned_v<T> || value != kLowest<T>);
}

/// True for float32, float64 and wide64.
bool is_floating(ScalarKind kind);

/// Calls `use` with a value-initialised object of the C++ type that stores `kind`.
template <class Use>
decltype(auto) with_kind(ScalarKind kind, Use&& use) {
  switch (kind) {
    case ScalarKind::Bool:
      return use(bool{});
    case ScalarKind::Int32:
      return use(std::int32_t{});
    case ScalarKind::Int64:
      return use(std::int64_t{});
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      return use(std::uint32_t{});
    case ScalarKind::UInt64:
      return use(std::uint64_t{});
    case ScalarKind::Float32:
      return use(float{});
    case ScalarKind::Wide64:
      return use(Wide64{});
    case ScalarKind::Float64:
      break;
  }
  return use(double{});
}

/// Reads a scalar of any kind but Vertex (whose meaning depends on the graph: parse_vertex).
/// Returns false and says why ("is not a whole number", "does not fit int32") where it cannot.
bool parse_scalar(std::string_view text, ScalarKind kind, Value& value, std::string& why);

/// Reads a vertex id of the input file, or `none`. Throws Error(Usage) where the text is no id and
/// Error(InputRefused) where the graph has no such vertex, naming ids that it has; `what` opens the
/// message ("--source"). A word in quotes is never `none`.
Vertex parse_vertex(const graph::Word& word, const graph::Graph& graph, std::string_view what);

/// Longest text that write_value writes for one value.
inline constexpr std::size_t kLongestValue = 32;

/// Writes the value at `to` (kLongestValue bytes are there) and returns the end.
char* write_value(char* to, bool value);
char* write_value(char* to, std::int32_t value);
char* write_value(char* to, std::int64_t value);
char* write_value(char* to, std::uint32_t value);
char* write_value(char* to, std::uint64_t value);
char* write_value(char* to, float value);
char* write_value(char* to, double value);
char* write_value(char* to, Wide64 value);

/// Appends a value.
template <class T>
void append_value(std::string& to, T value) {
  char text[kLongestValue];
  to.append(text, write_value(text, value));
}
/// Appends the input's id of a vertex, in quotes where a list of words would cut it, or `none`.
void append_vertex(std::string& to, Vertex vertex, const graph::IdMap& ids);

/// The value as text; vertices as input ids.
std::string to_text(const Value& value, const graph::IdMap& ids);

}  // namespace vertigo::host
