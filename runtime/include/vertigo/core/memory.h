#pragma once
// How much memory this process may still use, and sizes as people write them.

#include <cstdint>
#include <string>
#include <string_view>

namespace vertigo {

/// Bytes that can be allocated without swapping: the kernel's estimate (MemAvailable), at most the
/// limits of the process's control group and address space. Where nothing can be read: the largest
/// number.
std::uint64_t available_memory();

/// Throws ExitCode::OutOfMemory where `bytes` exceeds available_memory(); `purpose` completes "...
/// needs 3.2 GiB".
void require_memory(std::uint64_t bytes, std::string_view purpose);

/// "812 B", "3.2 GiB".
std::string format_bytes(std::uint64_t bytes);

}  // namespace vertigo
