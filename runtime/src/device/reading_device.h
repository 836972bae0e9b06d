#pragma once
// A GPU that takes part in reading (vertigo/graph/reading_device.h).

#include <memory>

#include "vertigo/graph/reading_device.h"

namespace vertigo::gpu {

/// The device of that number; it is looked at when something is read.
std::shared_ptr<graph::ReadingDevice> make_reading_device(unsigned device);

}  // namespace vertigo::gpu
