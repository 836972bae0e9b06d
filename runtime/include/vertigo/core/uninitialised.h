#pragma once
// Memory that is about to be written. Nobody zeroes it first, and where it is large it lies in huge
// pages: a thread that writes to it for the first time gets 2 MiB at once, near to where it runs,
// where 4 KiB at a time take longer than reading the values.

#include <cstddef>
#include <memory>

namespace vertigo {

/// Bytes that nobody has written yet. Large ones go back to the system when the owner lets go.
/// Throws std::bad_alloc.
std::shared_ptr<void> uninitialised(std::size_t bytes);

}  // namespace vertigo
