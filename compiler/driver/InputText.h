#pragma once
// Texts that a user hands in, read with a bound: nothing that never ends is read to its end, and
// nothing is waited for that nobody will write.

#include <cstddef>
#include <optional>
#include <string>

namespace vertigo::compiler::driver {

/// The text of `path` ("-" is standard input): a file, or what another program writes into a pipe
/// without a name (`<(…)`); named pipes, devices and folders are refused. Of a text that is longer
/// than `most` bytes, the first `most + 1`. Nothing where it cannot be had: `why` says why.
std::optional<std::string> read_text(const std::string& path, std::size_t most, std::string& why);

}  // namespace vertigo::compiler::driver
