#include "sources.h"

#include "rows.h"

namespace vertigo::gpu::lists {

namespace {
constexpr const char* kSpread = "find the sources of edges";
}

DeviceArray<EdgeIndex> sent(const graph::Array<EdgeIndex>& offsets, SharedDevice& shared) {
  DeviceArray<EdgeIndex> place(offsets.size(), kSpread);
  shared.device.staging.to_device(place.data(), offsets.data(), offsets.size_bytes(),
                                  shared.device.stream);
  return place;
}

DeviceArray<Vertex> sources_of(const DeviceArray<EdgeIndex>& offsets, Vertex vertices,
                               EdgeIndex count, SharedDevice& shared) {
  DeviceArray<Vertex> sources(count, kSpread);
  launch_sources(shared.device.stream, offsets.data(), vertices, count, sources.data());
  check(cudaStreamSynchronize(shared.device.stream), kSpread);
  return sources;
}

}  // namespace vertigo::gpu::lists
