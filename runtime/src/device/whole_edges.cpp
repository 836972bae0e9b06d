#include "whole_edges.h"

#include <optional>
#include <string>
#include <type_traits>
#include <variant>

namespace vertigo::gpu::detail {

namespace {

const void* data_of(const graph::Weights& weights) {
  return std::visit(
      [](const auto& values) -> const void* {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>)
          return nullptr;
        else
          return values.data();
      },
      weights);
}

}  // namespace

WholeEdges::WholeEdges(const graph::Graph& graph, bool in, unsigned attribute_bytes, Arrays& arrays)
    : graph_(graph), attribute_bytes_(attribute_bytes) {
  declare(out_, false, arrays);
  if (in && !graph.symmetric) declare(in_, true, arrays);
}

hybrid::HostLists WholeEdges::on_host(bool in) const {
  const graph::Adjacency& from = in && graph_.in_adjacency ? *graph_.in_adjacency : graph_.out;
  const bool own = in && graph_.in_adjacency;
  const std::optional<graph::ReorderedEdges>& sorted =
      own ? graph_.prepared.weight_sorted_in : graph_.prepared.weight_sorted_out;
  const bool weighted = attribute_bytes_ != 0 && graph_.has_weights();
  // The order inside a list means nothing to a program, so the sorted copy serves for the list.
  const bool by_weight = weighted && sorted;
  hybrid::HostLists lists;
  lists.offsets = from.offsets.data();
  lists.targets = by_weight ? sorted->targets.data() : from.targets.data();
  if (weighted)
    lists.attributes =
        static_cast<const std::byte*>(data_of(by_weight ? sorted->weights : from.weights));
  if (attribute_bytes_ != 0 && !from.records.empty()) lists.attributes = from.records.data();
  lists.attribute_bytes = attribute_bytes_;
  return lists;
}

void WholeEdges::declare(Lists& lists, bool in, Arrays& arrays) {
  const hybrid::HostLists from = on_host(in);
  const std::string name = in ? "in-edges" : "out-edges";
  const auto declare_one = [&](auto*& place, const char* part, const void* data,
                               std::uint64_t bytes, Home home) {
    auto** const untyped = const_cast<void**>(reinterpret_cast<const void**>(&place));
    arrays.declare_filled(untyped, name + part, data, bytes, home);
  };
  // A graph without vertices may lack even the one offset.
  const std::uint64_t offsets = graph_.out.offsets.size_bytes();
  declare_one(lists.offsets, " (offsets)", from.offsets, offsets, Home::Device);
  const std::uint64_t edges = graph_.edge_count;
  if (graph_.on_file) {
    const auto declare_away = [&](auto*& place, const char* part, std::uint64_t bytes) {
      auto** const untyped = const_cast<void**>(reinterpret_cast<const void**>(&place));
      arrays.declare(untyped, name + part, bytes, Home::File);
    };
    declare_away(lists.targets, " (targets)", edges * sizeof(Vertex));
    if (graph_.has_weights())
      declare_away(lists.attributes, " (weights)", edges * attribute_bytes_);
    return;
  }
  declare_one(lists.targets, " (targets)", from.targets, edges * sizeof(Vertex), Home::Either);
  if (from.attributes != nullptr)
    declare_one(lists.attributes, graph_.has_weights() ? " (weights)" : " (attributes)",
                from.attributes, edges * attribute_bytes_, Home::Either);
}

HeldEdges WholeEdges::held() const {
  const auto lists = [](const Lists& of) {
    return HeldLists{0, 0, of.offsets, of.targets, of.attributes};
  };
  return {lists(out_), lists(graph_.symmetric ? out_ : in_)};
}

}  // namespace vertigo::gpu::detail
