#pragma once
// Text parsed by a GPU (vertigo/graph/reading_device.h).

#include <memory>

#include "vertigo/graph/reading_device.h"

namespace vertigo::gpu::text {

/// By the device of that number. Throws DeviceDoubt, and what delivering the text throws.
std::unique_ptr<graph::DeviceEdges> parse(unsigned device, const graph::EdgeText& text);

}  // namespace vertigo::gpu::text
