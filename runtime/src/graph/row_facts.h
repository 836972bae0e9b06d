#pragma once
// What one pass over the lists of a graph tells.

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "vertigo/graph/builder.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

struct RowFacts {
  bool ascending = true;  ///< in every list
  EdgeIndex self_loops = 0;
  EdgeIndex duplicates =
      0;               ///< edges beyond the first of each (source, target), where lists ascend
  Vertex largest = 0;  ///< target, where lists ascend
};

/// The facts of lists that are brought in pieces: each is looked at while it is in the cache of
/// whoever brought it. Targets may be anything; offsets have been checked, and outlive this.
class FactsOfPieces {
 public:
  explicit FactsOfPieces(std::span<const EdgeIndex> offsets) : offsets_(offsets) {}

  /// The targets of the edges from `first` on. Several threads may call it.
  void look(EdgeIndex first, std::span<const Vertex> targets);
  /// Once each edge was in a piece.
  RowFacts finished();

 private:
  // A list may go on from one piece into the next.
  struct Ends {
    EdgeIndex begin;
    Vertex first;
    Vertex last;
  };

  std::span<const EdgeIndex> offsets_;
  std::mutex mutex_;
  RowFacts facts_;
  EdgeIndex descents_ = 0;
  std::vector<Ends> pieces_;
};

/// Of lists that are there.
RowFacts row_facts(Vertex vertex_count, const Adjacency& adjacency);

/// build_graph() (vertigo/graph/builder.h) of lists whose facts are known.
Graph build_graph(Vertex vertex_count, Adjacency adjacency, RowFacts facts,
                  const BuildOptions& options, BuildCounts* counts);

/// Whether every edge u -> v with weight w is there as often as v -> u with w, by two sums over
/// mixed edges: true is wrong once in 2^64 times, whoever made the graph, as the mixture is another
/// one in each call. False where weights are equal but differ in their bits (0.0 and -0.0).
/// Lists must ascend.
bool sums_are_symmetric(Vertex vertex_count, const Adjacency& adjacency);

}  // namespace vertigo::graph
