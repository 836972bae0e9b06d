#pragma once
// The graph as resolved code walks it: both adjacencies, with weights of the program's type.

#include <cstddef>
#include <optional>
#include <vector>

#include "code.h"

namespace vertigo::reference {

class GraphView {
 public:
  /// Weights are converted where their type is not `weight`'s; nothing: the program has no edge
  /// attribute.
  GraphView(const graph::Graph& graph, std::optional<ScalarKind> weight)
      : graph_(&graph), weight_(weight) {}

  Vertex vertex_count() const { return graph_->vertex_count; }
  EdgeIndex edge_count() const { return graph_->edge_count; }
  /// The number that `random` draws from.
  std::uint64_t input_id(Vertex v) const { return graph_->ids.to_input(v); }
  std::string label(Vertex v) const { return graph_->ids.label(v); }
  /// Edges are looked at when code that reads them is resolved, by one thread: a device may have
  /// them, and what parameters alone tell leaves them there.
  const EdgeSide& out() const;
  /// Built here where the graph lacks them.
  const EdgeSide& in() const;
  bool has_weights() const {
    return !graph_->out.records.empty() || (weight_ && graph_->has_weights());
  }

 private:
  struct Owned {
    std::vector<EdgeIndex> offsets;
    std::vector<Vertex> targets;
    std::vector<std::byte> out_weights, in_weights;
  };

  EdgeSide side_of(const graph::Adjacency& adjacency, std::vector<std::byte>& storage) const;
  EdgeSide transposed() const;
  /// Of an edge, as the out-edges have them; 0: none.
  std::size_t weight_size() const;

  const graph::Graph* graph_;
  std::optional<ScalarKind> weight_;
  mutable std::optional<EdgeSide> out_, in_;
  mutable Owned owned_;
};

/// Whether anything in the program reads or sends to in-neighbours.
bool reads_in_neighbours(const ir::Program& program);

}  // namespace vertigo::reference
