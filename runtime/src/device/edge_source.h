#pragma once
// Where the edges of a part come from. Kernels read them by addresses of the device; what lies
// behind these is the source's business. The one that there is keeps the whole graph within reach
// (whole_edges.h). Sources that bring parts from the host while kernels work on others, or that
// hold what one of several devices owns, fit behind the same two calls.

#include "vertigo/core/scalar.h"
#include "vertigo/graph/part.h"

namespace vertigo::gpu::detail {

/// The lists of a part in one direction on the device. The vertex `first` has list 0, whose edges
/// begin at offsets[0]; the edge of number `base` lies at targets[0].
struct HeldLists {
  Vertex first = 0;
  EdgeIndex base = 0;
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  const void* attributes = nullptr;  ///< null: the graph has no weights, or nobody reads them
};

/// All of a part that a kernel reads.
struct HeldEdges {
  HeldLists out;
  HeldLists in;  ///< of a symmetric graph: `out`; without offsets where nobody reads it
};

class EdgeSource {
 public:
  EdgeSource() = default;
  virtual ~EdgeSource() = default;
  EdgeSource(const EdgeSource&) = delete;

  /// The part's edges, for kernels that are launched after this on the session's stream, until the
  /// part is released. `part`: of the graph that the source was made for.
  virtual HeldEdges acquire(const graph::Part& part) = 0;
  /// After the last launch that reads the part.
  virtual void release(const graph::Part& part) = 0;
};

}  // namespace vertigo::gpu::detail
