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
  declare(out_, false, attribute_bytes, arrays);
  if (in && !graph.symmetric) declare(in_, true, attribute_bytes, arrays);
}

void WholeEdges::declare(Lists& lists, bool in, unsigned attribute_bytes, Arrays& arrays) {
  const graph::Adjacency& from = in ? graph_.in() : graph_.out;
  const std::optional<graph::ReorderedEdges>& sorted =
      in ? graph_.prepared.weight_sorted_in : graph_.prepared.weight_sorted_out;
  const std::string name = in ? "in-edges" : "out-edges";
  const auto declare_one = [&](auto*& place, const char* part, const void* data,
                               std::uint64_t bytes, Home home) {
    auto** const untyped = const_cast<void**>(reinterpret_cast<const void**>(&place));
    arrays.declare_filled(untyped, name + part, data, bytes, home);
  };
  declare_one(lists.offsets, " (offsets)", from.offsets.data(), from.offsets.size_bytes(),
              Home::Device);
  const bool weighted = attribute_bytes != 0 && graph_.has_weights();
  // The order inside a list means nothing to a program, so the sorted copy serves for the list.
  const bool by_weight = weighted && sorted;
  declare_one(lists.targets, " (targets)", by_weight ? sorted->targets.data() : from.targets.data(),
              from.targets.size_bytes(), Home::Either);
  if (weighted)
    declare_one(lists.attributes, " (weights)", data_of(by_weight ? sorted->weights : from.weights),
                from.targets.size() * attribute_bytes, Home::Either);
}

HeldLists WholeEdges::held(const Lists& lists, const graph::AdjacencySlice& slice) const {
  const auto* const attributes = static_cast<const std::byte*>(lists.attributes);
  return {slice.first, slice.base, lists.offsets + slice.first, lists.targets + slice.base,
          attributes == nullptr ? nullptr : attributes + slice.base * attribute_bytes_};
}

HeldEdges WholeEdges::acquire(const graph::Part& part) {
  HeldEdges edges;
  edges.out = held(out_, part.out);
  if (graph_.symmetric)
    edges.in = edges.out;
  else if (in_.offsets != nullptr)
    edges.in = held(in_, *part.in);
  return edges;
}

}  // namespace vertigo::gpu::detail
