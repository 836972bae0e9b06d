#pragma once
// Differences between what the device finds and what the host does, counted and printed.

#include <cstdio>
#include <string>

namespace vertigo {

inline int failures = 0;

inline void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::printf("differs: %s\n", what.c_str());
}

}  // namespace vertigo
