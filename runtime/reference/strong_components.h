#pragma once
// Strongly connected components of a graph that is given by its edges, sorted by their tails.

#include <cstddef>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo::reference {

class StrongComponents {
 public:
  /// `Edge` has members `from` and `to`.
  template <class Edge>
  StrongComponents(Vertex vertices, const std::vector<Edge>& edges) : first_(vertices + 1, 0) {
    for (const Edge& edge : edges) {
      heads_.push_back(edge.to);
      ++first_[edge.from + 1];
    }
    for (Vertex v = 0; v < vertices; ++v) first_[v + 1] += first_[v];
    find();
  }

  /// Whether there is a way from either to the other.
  bool joins(Vertex a, Vertex b) const { return component_[a] == component_[b]; }
  /// Edges of a shortest way, as indices, between two vertices that are joined.
  std::vector<std::size_t> path(Vertex from, Vertex to) const;

 private:
  void find();

  std::vector<std::size_t> first_;  ///< edges of v: first_[v] to first_[v + 1]
  std::vector<Vertex> heads_;
  std::vector<Vertex> component_;
};

}  // namespace vertigo::reference
