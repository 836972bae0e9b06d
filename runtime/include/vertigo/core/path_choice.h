#pragma once
// How a user writes what paths a run walks along, and how.

#include <optional>
#include <string>
#include <string_view>

namespace vertigo {

/// Most walks along paths between hubs in a step.
inline constexpr unsigned kMostHubTurns = 1024;

/// In place of what the program was compiled with.
struct PathChoice {
  double hub_share = 0;    ///< of all vertices; 0: as compiled
  double hub_sample = 0;   ///< the same
  unsigned hub_turns = 0;  ///< the same
  /// An edge and its reverse lie on paths of their own, which are walked forward alone.
  bool forward = false;
};

/// "hub-share=0.01,hub-sample=0.1,hub-turns=3,walk=forward", each where it is wanted. Nothing where
/// it is none of these; `problem` says why.
std::optional<PathChoice> parse_path_choice(std::string_view text, std::string& problem);

}  // namespace vertigo
