#pragma once
// The name that a misspelt one probably meant.

#include <algorithm>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace vertigo::compiler {

/// The candidate nearest to `name`, or nothing when none is within a third of its length (at least
/// one edit).
inline std::optional<std::string> near_miss(llvm::StringRef name,
                                            llvm::ArrayRef<std::string> candidates) {
  // Changing every letter is not a near miss: short names have none.
  auto length = static_cast<unsigned>(name.size());
  unsigned best = std::min(std::max(1u, length / 3), length - std::min(length, 1u)) + 1;
  std::optional<std::string> found;
  for (const std::string& candidate : candidates) {
    if (candidate == name) continue;
    unsigned distance = name.edit_distance_insensitive(candidate, /*AllowReplacements=*/true,
                                                       /*MaxEditDistance=*/best);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

}  // namespace vertigo::compiler
