#pragma once
// What the offsets of lists, which the host has, tell on a device.

#include "device_array.h"
#include "shared_device.h"
#include "vertigo/core/scalar.h"
#include "vertigo/graph/array.h"

namespace vertigo::gpu::lists {

DeviceArray<EdgeIndex> sent(const graph::Array<EdgeIndex>& offsets, SharedDevice& shared);

/// The source of each of `count` edges.
DeviceArray<Vertex> sources_of(const graph::Array<EdgeIndex>& offsets, EdgeIndex count,
                               SharedDevice& shared);

}  // namespace vertigo::gpu::lists
