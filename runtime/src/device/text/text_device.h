#pragma once
// Text parsed by a GPU (vertigo/graph/text_device.h).

#include <memory>

#include "vertigo/graph/text_device.h"

namespace vertigo::gpu {

/// Makes the device's context where there is none when it is first asked to parse.
std::shared_ptr<graph::TextDevice> make_text_device(unsigned device);

}  // namespace vertigo::gpu
