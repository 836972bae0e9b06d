#pragma once
// What a run does with the device's memory. Plans are tried in order until one fits: making copies
// of the graph needs most, leaving edges in host memory least.

#include <vector>

#include "vertigo/host/program.h"

namespace vertigo::gpu {

/// Preparing needs memory: the graph may fit where its prepared form does not.
enum class Room { Ample, Short };

/// Where the arrays that are as long as the graph has edges lie.
enum class Edges {
  OnDevice,
  WhereTheyFit,  ///< on the device as far as its memory goes, else on the host
  OnHost,
};

struct MemoryPlan {
  Room room = Room::Ample;
  Edges edges = Edges::OnDevice;
};

/// In the order in which they are tried; the last one's failure is the run's. `copies`: what the
/// program prefers to run reads copies that it makes of the edges, and the edges themselves once.
std::vector<MemoryPlan> memory_plans(host::Transfer transfer, host::Prepare prepare, bool copies);

}  // namespace vertigo::gpu
