#pragma once
// Lists that go from a file to a device as they stand there (vertigo/graph/reading_device.h).

#include <cstdint>
#include <string>

#include "input_stream.h"
#include "raw_graph.h"
#include "vertigo/graph/reading_device.h"

namespace vertigo::graph {

/// The file that a device may take lists of; null where it may not.
const RawFile* file_for_device(const InputStream& stream, const ReadContext& context);

/// Bytes [begin, begin + bytes) of a file that outlives the function. The system may read them
/// while the device is waited for.
Deliver deliver_from(const RawFile& file, std::uint64_t begin, std::uint64_t bytes);

/// The same of the next `count` values of the stream that reads the file. Refuses where it ends
/// before.
Deliver deliver_next(InputStream& stream, const RawFile& file, std::uint64_t count,
                     std::uint64_t value_bytes, const char* what);

/// Lists that a device takes. `facts`: of them. Throws DeviceDoubt where they are not as they are
/// kept, and what else `device->take()` throws.
Adjacency take_on_device(const ReadContext& context, const StoredLists& stored, RowFacts& facts);

}  // namespace vertigo::graph
