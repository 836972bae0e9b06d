#pragma once
// The name that a misspelt one probably meant.

#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace vertigo::compiler {

/// The candidate nearest to `name`, or nothing when none is within a third of its length (at least
/// one edit).
inline std::optional<std::string> near_miss(llvm::StringRef name,
                                            llvm::ArrayRef<std::string> candidates) {
  unsigned best = std::max<unsigned>(1, static_cast<unsigned>(name.size() / 3)) + 1;
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
