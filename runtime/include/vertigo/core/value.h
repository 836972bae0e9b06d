#pragma once
// Values that cross the boundary between the host layer and generated or interpreted programs: one
// scalar (parameters, reports) and one scalar per vertex (results, vertex inputs).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "vertigo/core/scalar.h"
#include "vertigo/core/uninitialised.h"
#include "vertigo/core/wide.h"

namespace vertigo {

/// Size in bytes of one element as it is stored; bool takes one byte.
std::size_t size_of(ScalarKind kind);

/// "int32", "vertex" ...
std::string_view kind_name(ScalarKind kind);

/// A scalar with its kind. Vertex values are internal ids (kNoVertex for `none`).
struct Value {
  ScalarKind kind = ScalarKind::Int32;
  std::variant<bool, std::int64_t, std::uint64_t, double, Wide64> data = std::int64_t{0};

  /// Converts to T; the value is known to fit because its kind was checked when it was made.
  template <class T>
  T as() const {
    return std::visit([](auto v) { return static_cast<T>(v); }, data);
  }
};

/// One scalar per vertex in internal order. A tuple state has one column per element, named
/// "state.0", "state.1".
struct Column {
  std::string name;
  ScalarKind kind = ScalarKind::Int32;
  UninitialisedBytes bytes;

  template <class T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  std::size_t size() const { return bytes.size() / size_of(kind); }
};

}  // namespace vertigo
