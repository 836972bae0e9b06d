#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>

#include "vertigo/core/error.h"
#include "vertigo/core/value.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/edges_on_file.h"
#include "vertigo/graph/reader.h"
#include "weight_fits.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

[[noreturn]] void refuse(const Graph& graph, const Adjacency& adjacency, EdgeIndex at,
                         bool incoming, const std::string& value, std::string_view type) {
  const auto& offsets = adjacency.offsets;
  auto source = static_cast<Vertex>(std::upper_bound(offsets.begin(), offsets.end(), at) -
                                    offsets.begin() - 1);
  Vertex target = adjacency.targets[at];
  if (incoming) std::swap(source, target);
  throw Error(ExitCode::InputRefused,
              fmt::format("the edge {} -> {} has the weight {}, which does not fit {}",
                          graph.ids.label(source), graph.ids.label(target), value, type),
              graph.name);
}

template <class To, class From>
Array<To> converted(const Graph& graph, const Adjacency& adjacency, bool incoming,
                    const Array<From>& from, std::string_view type) {
  Room<To> to(from.size());
  await_all(adjacency);
  std::uint64_t bad = kInfinity<std::uint64_t>;
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (fits<To>(from[i])) {
      to[i] = static_cast<To>(from[i]);
    } else {
      bad = std::min<std::uint64_t>(bad, i);
    }
  }
  if (bad != kInfinity<std::uint64_t>) {
    refuse(graph, adjacency, bad, incoming, fmt::format("{}", from[bad]), type);
  }
  return std::move(to).finished();
}

/// Where a device has them and all fit.
bool convert_on_device(Adjacency& adjacency, ScalarKind kind) {
  if (adjacency.on_device == nullptr || std::holds_alternative<std::monostate>(adjacency.weights))
    return false;
  if (adjacency.on_device->weight_kind() == kind) return true;
  std::shared_ptr<const DeviceLists> lists = adjacency.on_device->with_weights(kind);
  if (lists == nullptr) return false;
  // Offsets that have not come yet would come from the lists as they were, and keep those.
  adjacency = adjacency.offsets.is_there()
                  ? adjacency_of(std::move(adjacency.offsets), std::move(lists))
                  : adjacency_of(std::move(lists));
  return true;
}

template <class To>
void convert(const Graph& graph, Adjacency& adjacency, bool incoming, ScalarKind kind) {
  const std::string_view type = kind_name(kind);
  if (convert_on_device(adjacency, kind)) return;
  const std::size_t before = adjacency.weights.index();
  Weights result = std::visit(
      [&](auto& column) -> Weights {
        using Column = std::remove_cvref_t<decltype(column)>;
        if constexpr (std::is_same_v<Column, std::monostate> || std::is_same_v<Column, Array<To>>) {
          return std::move(column);
        } else {
          return converted<To>(graph, adjacency, incoming, column, type);
        }
      },
      adjacency.weights);
  // What a device has are the weights as they were.
  if (result.index() != before) adjacency.on_device.reset();
  adjacency.weights = std::move(result);
}

/// Of copies in another order: their weights are those of the adjacency, which fitted.
template <class To>
void convert_copy(Weights& weights) {
  Weights result = std::visit(
      [](auto& column) -> Weights {
        using Column = std::remove_cvref_t<decltype(column)>;
        if constexpr (std::is_same_v<Column, std::monostate> || std::is_same_v<Column, Array<To>>) {
          return std::move(column);
        } else {
          Room<To> to(column.size());
#pragma omp parallel for schedule(static)
          for (std::size_t i = 0; i < column.size(); ++i) to[i] = static_cast<To>(column[i]);
          return std::move(to).finished();
        }
      },
      weights);
  weights = std::move(result);
}

template <class To>
void convert_all(Graph& graph, ScalarKind kind) {
  if (graph.on_file && graph.has_weights()) graph.on_file = graph.on_file->with_weights(kind);
  convert<To>(graph, graph.out, false, kind);
  if (graph.in_adjacency) convert<To>(graph, *graph.in_adjacency, true, kind);
  Preparations& prepared = graph.prepared;
  convert_copy<To>(prepared.degree_ordered_out.weights);
  if (prepared.degree_ordered_in) convert_copy<To>(prepared.degree_ordered_in->weights);
  if (prepared.weight_sorted_out) convert_copy<To>(prepared.weight_sorted_out->weights);
  if (prepared.weight_sorted_in) convert_copy<To>(prepared.weight_sorted_in->weights);
}

}  // namespace

void convert_weights(Graph& graph, ScalarKind kind) {
  with_weight_type(kind, [&]<class To>(To) { convert_all<To>(graph, kind); });
}

}  // namespace vertigo::graph
