#include "whole_edges.h"

#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "vertigo/graph/device_lists.h"

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

WholeEdges::WholeEdges(const graph::Graph& graph, bool in, unsigned attribute_bytes,
                       unsigned device, Arrays& arrays)
    : graph_(graph), attribute_bytes_(attribute_bytes), device_(device) {
  declare(out_, false, arrays);
  if (in && !graph.symmetric) declare(in_, true, arrays);
}

hybrid::HostLists WholeEdges::on_host(bool in) const {
  const graph::Adjacency& from = adjacency(in);
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
  const graph::Adjacency& of = adjacency(in);
  const std::string name = in ? "in-edges" : "out-edges";
  const auto untyped = [](auto*& place) {
    return const_cast<void**>(reinterpret_cast<const void**>(&place));
  };
  const auto declare_filled = [&](auto*& place, const char* part, const void* data,
                                  std::uint64_t bytes, Home home) {
    arrays.declare_filled(untyped(place), name + part, data, bytes, home);
  };
  const graph::OnDevice there = graph_.on_file ? graph::OnDevice{} : graph::on_device(of);
  const bool is_here = there.device == device_;
  // A graph without vertices may lack even the one offset.
  const std::uint64_t offset_bytes = graph_.out.offsets.size_bytes();
  if (is_here && there.offsets != nullptr) {
    arrays.memory.declare_held(untyped(lists.offsets), name + " (offsets)", offset_bytes,
                               there.offsets);
    lists.owners[2] = there.owner_of_offsets;
  } else {
    declare_filled(lists.offsets, " (offsets)", of.offsets.data(), offset_bytes, Home::Device);
  }
  const std::uint64_t target_bytes = graph_.edge_count * sizeof(Vertex);
  const std::uint64_t attribute_bytes = graph_.edge_count * attribute_bytes_;
  if (graph_.on_file) {
    arrays.declare(untyped(lists.targets), name + " (targets)", target_bytes, Home::File);
    if (graph_.has_weights())
      arrays.declare(untyped(lists.attributes), name + " (weights)", attribute_bytes, Home::File);
    return;
  }
  const bool weighted = attribute_bytes_ != 0 && graph_.has_weights();
  if (is_here && (!weighted || there.weights != nullptr) && of.records.empty()) {
    arrays.memory.declare_held(untyped(lists.targets), name + " (targets)", target_bytes,
                               there.targets);
    if (weighted)
      arrays.memory.declare_held(untyped(lists.attributes), name + " (weights)", attribute_bytes,
                                 there.weights);
    lists.owners[0] = there.owner_of_targets;
    lists.owners[1] = there.owner_of_weights;
    return;
  }
  const hybrid::HostLists from = on_host(in);
  declare_filled(lists.targets, " (targets)", from.targets, target_bytes, Home::Either);
  if (from.attributes != nullptr)
    declare_filled(lists.attributes, graph_.has_weights() ? " (weights)" : " (attributes)",
                   from.attributes, attribute_bytes, Home::Either);
}

HeldEdges WholeEdges::held() const {
  const auto lists = [](const Lists& of) {
    return HeldLists{0, 0, of.offsets, of.targets, of.attributes};
  };
  return {lists(out_), lists(graph_.symmetric ? out_ : in_)};
}

}  // namespace vertigo::gpu::detail
