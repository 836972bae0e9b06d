#pragma once
// Numbers as people read them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vertigo {

/// 733846 -> "733,846".
std::string grouped(std::uint64_t number);

/// 1 of "edge" -> "1 edge", 2000 -> "2,000 edges"; `plural` where the word takes no s.
std::string counted(std::uint64_t number, std::string_view word, std::string_view plural = {});

/// "8GiB", "500M", "1.5GB", "4096": powers of 1024 with `i` or without a B, of 1000 with a plain B.
/// Nothing for what is no size of at least a byte.
std::optional<std::uint64_t> parse_size(std::string_view text);

}  // namespace vertigo
