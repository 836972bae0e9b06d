#pragma once
// How far reading has come, for displays.

#include <cstdint>

namespace vertigo::graph {

/// Bytes of input files that this process has read so far, as they lie on the disk. May be asked
/// while other threads read.
std::uint64_t bytes_read_so_far();

}  // namespace vertigo::graph
