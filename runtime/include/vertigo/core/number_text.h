#pragma once
// Numbers as people read them.

#include <cstdint>
#include <string>
#include <string_view>

namespace vertigo {

/// 733846 -> "733,846".
std::string grouped(std::uint64_t number);

/// 1 of "edge" -> "1 edge", 2000 -> "2,000 edges"; `plural` where the word takes no s.
std::string counted(std::uint64_t number, std::string_view word, std::string_view plural = {});

}  // namespace vertigo
