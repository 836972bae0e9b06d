#pragma once
// Code that handles graphs with and without weights once: a column of weights, to be read
// (Weights) or written (WeightVectors), or a column of nothing.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "room.h"
#include "vertigo/core/error.h"
#include "vertigo/core/value.h"
#include "vertigo/graph/builder.h"

namespace vertigo::graph {

/// Stands for the weights of a graph that has none; every operation is free.
struct NoWeight {
  friend bool operator<(NoWeight, NoWeight) { return false; }
  friend bool operator==(NoWeight, NoWeight) { return true; }
};

struct NoColumn {
  using value_type = NoWeight;
  NoColumn() = default;
  explicit NoColumn(std::size_t) {}
  void resize(std::size_t) {}
  struct Ignore {
    Ignore& operator=(NoWeight) { return *this; }
    operator NoWeight() const { return {}; }
  };
  Ignore operator[](std::size_t) const { return {}; }
};

/// Calls use(T{}) with the type of that kind of weight. Throws ExitCode::Usage where weights cannot
/// be of that kind.
template <class Use>
decltype(auto) with_weight_type(ScalarKind kind, Use&& use) {
  switch (kind) {
    case ScalarKind::Int32:
      return use(std::int32_t{});
    case ScalarKind::Int64:
      return use(std::int64_t{});
    case ScalarKind::UInt32:
      return use(std::uint32_t{});
    case ScalarKind::UInt64:
      return use(std::uint64_t{});
    case ScalarKind::Float32:
      return use(float{});
    case ScalarKind::Float64:
      return use(double{});
    case ScalarKind::Bool:
    case ScalarKind::Vertex:
    case ScalarKind::Wide64:
      break;
  }
  throw Error(ExitCode::Usage, "edge weights cannot be of type " + std::string(kind_name(kind)));
}

/// Calls body(column) with what is inside, or with a NoColumn.
template <class WeightsRef, class Body>
decltype(auto) with_column(WeightsRef&& weights, Body&& body) {
  return std::visit(
      [&](auto& column) -> decltype(auto) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(column)>, std::monostate>) {
          NoColumn none;
          return body(none);
        } else {
          return body(column);
        }
      },
      weights);
}

template <class Column>
using WeightOf = typename std::remove_cvref_t<Column>::value_type;

template <class Column>
inline constexpr bool kHasWeights = !std::is_same_v<std::remove_cvref_t<Column>, NoColumn>;

/// What a column of the same weights is while it is written.
template <class Column>
using Written = std::conditional_t<kHasWeights<Column>, Room<WeightOf<Column>>, NoColumn>;

inline Weights to_weights(NoColumn) { return std::monostate{}; }
template <class W>
Weights to_weights(Room<W> column) {
  return std::move(column).finished();
}

}  // namespace vertigo::graph
