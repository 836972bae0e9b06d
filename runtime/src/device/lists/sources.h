#pragma once
// What the offsets of lists tell on a device.

#include "device_array.h"
#include "shared_device.h"
#include "vertigo/core/scalar.h"
#include "vertigo/graph/array.h"

namespace vertigo::gpu::lists {

/// Offsets that the host has.
DeviceArray<EdgeIndex> sent(const graph::Array<EdgeIndex>& offsets, SharedDevice& shared);

/// The source of each of `count` edges in `vertices` lists.
DeviceArray<Vertex> sources_of(const DeviceArray<EdgeIndex>& offsets, Vertex vertices,
                               EdgeIndex count, SharedDevice& shared);

}  // namespace vertigo::gpu::lists
