#pragma once
// Whether a variant fits the graph, and its preparation of it is worth its time.

#include <string>
#include <string_view>

#include "memory_plan.h"
#include "vertigo/device/buffers.cuh"
#include "vertigo/execute/choose_variant.h"
#include "vertigo/host/program.h"

namespace vertigo::gpu {

/// Whether engines run in their form for graphs of large diameter: what the user says, else
/// `estimated`.
inline bool is_deep(host::Diameter asked, bool estimated) {
  return asked == host::Diameter::Estimated ? estimated : asked == host::Diameter::Large;
}

/// How lists are shared out where the longest one of an adjacency has that many edges.
Sharing sharing_of(host::EdgeSharing asked, EdgeIndex longest);
/// The same in words, beginning with the length.
std::string in_words(const Sharing& sharing, EdgeIndex longest);

/// The variant that a phase runs under a plan for the device's memory. Throws Error(Usage) where
/// the user asks for edges in parts, and the variant takes none.
execute::Chosen choose_variant(const host::PhaseInfo& phase, const host::RunRequest& request,
                               const MemoryPlan& plan);

}  // namespace vertigo::gpu
