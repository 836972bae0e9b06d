#pragma once
// A search that ends early, on a device (vertigo/graph/bounded_search.h).

#include "device_array.h"
#include "shared_device.h"
#include "vertigo/core/scalar.h"
#include "vertigo/graph/bounded_search.h"

namespace vertigo::gpu::lists {

/// Lists on the device.
struct ListsThere {
  const EdgeIndex* offsets;
  const Vertex* targets;
  Vertex vertices;
  EdgeIndex edges;
};

/// Throws Error(OutOfMemory).
graph::BoundedSearch search_within(const ListsThere& lists, Vertex source,
                                   const graph::SearchBounds& bounds, SharedDevice& shared);

}  // namespace vertigo::gpu::lists
