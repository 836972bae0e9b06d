#pragma once
// Kinds of weights and the types that hold them.

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <variant>

#include "vertigo/core/error.h"
#include "vertigo/core/value.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

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

/// Of an alternative of Weights that is not the first.
inline ScalarKind kind_of_alternative(std::size_t index) {
  static constexpr ScalarKind kKinds[] = {ScalarKind::Int32,   ScalarKind::Int64,
                                          ScalarKind::UInt32,  ScalarKind::UInt64,
                                          ScalarKind::Float32, ScalarKind::Float64};
  static_assert(std::variant_size_v<Weights> == 1 + std::size(kKinds));
  return kKinds[index - 1];
}
/// Of which kind they are; nothing where there are none.
inline std::optional<ScalarKind> kind_of(const Weights& weights) {
  if (weights.index() == 0) return std::nullopt;
  return kind_of_alternative(weights.index());
}

}  // namespace vertigo::graph
