#pragma once
// The reverse edges that a graph lacks, added on the device (vertigo/graph/builder.h says which).

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "both_ways.h"
#include "device_array.h"

namespace vertigo::gpu::lists {

/// In device memory, by source and target; no two are parallel.
struct ListedEdges {
  const Vertex* sources;
  const Vertex* targets;
  EdgeIndex count;
  Vertex vertices;
};

struct JoinedEdges {
  EdgeIndex count = 0;
  EdgeIndex duplicates = 0;  ///< edges beyond the first of each (source, target)
  DeviceArray<EdgeIndex> offsets;
  DeviceArray<Vertex> targets;
  DeviceArray<std::byte> weights;  ///< values of the type of those that came
};

/// Nothing where no reverse edge is missing. `W`: the type of the weights, or NoWeight. Takes up to
/// 56 bytes for each edge while it lasts, 88 with weights of 64 bits.
template <class W>
std::optional<JoinedEdges> join_reverses(cudaStream_t stream, const ListedEdges& edges,
                                         const W* weights);

}  // namespace vertigo::gpu::lists
