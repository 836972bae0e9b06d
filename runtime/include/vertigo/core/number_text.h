#pragma once
// Numbers as people read them.

#include <cstdint>
#include <string>

namespace vertigo {

/// 733846 -> "733,846".
std::string grouped(std::uint64_t number);

}  // namespace vertigo
