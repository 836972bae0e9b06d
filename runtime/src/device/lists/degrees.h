#pragma once
// What the lengths of lists tell on a device (vertigo/graph/degrees.h).

#include <cstdint>
#include <vector>

#include "device_array.h"
#include "shared_device.h"
#include "vertigo/core/scalar.h"
#include "vertigo/graph/degrees.h"

namespace vertigo::gpu::lists {

/// `offsets`: of as many lists as `vertices`, which have `edges` edges. Throws Error(OutOfMemory).
graph::DegreeFacts degree_facts_of(const DeviceArray<EdgeIndex>& offsets, Vertex vertices,
                                   EdgeIndex edges, SharedDevice& shared);

/// Bit v % 64 of word v / 64 is set where the list of v is not empty. Throws Error(OutOfMemory).
std::vector<std::uint64_t> filled_of(const DeviceArray<EdgeIndex>& offsets, Vertex vertices,
                                     SharedDevice& shared);

}  // namespace vertigo::gpu::lists
