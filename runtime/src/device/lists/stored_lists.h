#pragma once
// Lists that stand in a file as they are kept (vertigo/graph/reading_device.h), on a GPU.

#include "vertigo/graph/reading_device.h"

namespace vertigo::gpu::lists {

/// Sends them to the device of that number. Throws Error(OutOfMemory) where it has too little
/// memory, and what reading the file throws.
graph::TakenLists take_lists(unsigned device, const graph::StoredLists& stored);

}  // namespace vertigo::gpu::lists
