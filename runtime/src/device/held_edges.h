#pragma once
// Edges by their addresses for the device, wherever they lie.

#include "vertigo/core/scalar.h"

namespace vertigo::gpu::detail {

/// The lists of some vertices in one direction. The vertex `first` has list 0, whose edges begin at
/// offsets[0]; the edge of number `base` lies at targets[0].
struct HeldLists {
  Vertex first = 0;
  EdgeIndex base = 0;
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  const void* attributes = nullptr;  ///< null: the graph has no weights, or nobody reads them
};

struct HeldEdges {
  HeldLists out;
  HeldLists in;  ///< of a symmetric graph: `out`; without offsets where nobody reads it
};

}  // namespace vertigo::gpu::detail
