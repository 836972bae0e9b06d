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
#include "vertigo/graph/builder.h"
#include "vertigo/graph/weight_types.h"

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
