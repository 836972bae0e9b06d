#pragma once
// Values of a state as numbers of slices, for vertices that are sorted by it. Each of the values
// from the first one on, as many as the range is wide, has a slice of its own. All others, infinite
// ones and those that lie far apart, share one more, the last.

#include <limits>

#include "vertigo/core/host_device.h"
#include "vertigo/core/scalar.h"

namespace vertigo {

struct SliceRange {
  long long first = 0;
  unsigned long long width = 0;
};

/// Different values of one integer type are different numbers.
template <class T>
VERTIGO_HOST_DEVICE constexpr long long slice_key(T value) {
  return static_cast<long long>(value);
}

/// How far a key lies behind another. It wraps around, so that no two keys are equally far.
VERTIGO_HOST_DEVICE constexpr unsigned long long distance_from(long long first, long long key) {
  return static_cast<unsigned long long>(key) - static_cast<unsigned long long>(first);
}

VERTIGO_HOST_DEVICE constexpr unsigned long long slice_of_key(const SliceRange& range,
                                                              long long key) {
  const unsigned long long distance = distance_from(range.first, key);
  return distance < range.width ? distance : range.width;
}

template <class T>
inline constexpr T kLeastOf = std::numeric_limits<T>::lowest();

/// Whether a value is at an end of its type, where it stays when something is added to it.
template <class T>
VERTIGO_HOST_DEVICE constexpr bool is_end(T value) {
  return value == kInfinity<T> || value == kLeastOf<T>;
}

/// A range is no wider than there are vertices, and begins at the smallest value that does not lie
/// further below zero than that: `-inf` does not spoil it.
VERTIGO_HOST_DEVICE constexpr long long least_first(unsigned vertices) {
  return -static_cast<long long>(vertices);
}

}  // namespace vertigo
