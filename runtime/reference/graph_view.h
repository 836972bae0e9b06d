#pragma once
// The graph as resolved code walks it: both adjacencies, with weights of the program's type.

#include <memory>
#include <vector>

#include "code.h"

namespace vertigo::reference {

class GraphView {
 public:
  /// `needs_in`: in-neighbours are read; they are built here where the graph lacks them. Weights
  /// are converted where their type is not `weight`'s; null: the program has no edge attribute.
  GraphView(const graph::Graph& graph, const ScalarKind* weight, bool needs_in);

  Vertex vertex_count() const { return graph_->vertex_count; }
  EdgeIndex edge_count() const { return graph_->edge_count; }
  /// The number that `random` draws from.
  std::uint64_t input_id(Vertex v) const { return graph_->ids.to_input(v); }
  std::string label(Vertex v) const { return graph_->ids.label(v); }
  const EdgeSide& out() const { return out_; }
  const EdgeSide& in() const { return in_; }
  bool has_weights() const { return out_.weights != nullptr; }

 private:
  struct Owned {
    std::vector<EdgeIndex> offsets;
    std::vector<Vertex> targets;
    std::vector<std::byte> out_weights, in_weights;
  };

  void transpose(std::size_t weight_size);

  const graph::Graph* graph_;
  EdgeSide out_, in_;
  Owned owned_;
};

/// Whether anything in the program reads or sends to in-neighbours.
bool reads_in_neighbours(const ir::Program& program);

}  // namespace vertigo::reference
