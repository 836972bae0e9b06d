#pragma once
// A number that nobody knows beforehand, for sums by which files are compared.

#include <cstdint>

namespace vertigo {

/// Another one in each call, from the system's random numbers; from its clock where there are none.
std::uint64_t secret_number();

}  // namespace vertigo
