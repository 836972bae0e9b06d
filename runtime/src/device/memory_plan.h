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
  InParts,  ///< on the host; parts come to the device as launches ask for them (hybrid/)
};

struct MemoryPlan {
  Room room = Room::Ample;
  Edges edges = Edges::OnDevice;
};

/// What plans depend on besides the request.
struct Reads {
  /// What the program prefers to run reads copies that it makes of the edges, and the edges
  /// themselves once.
  bool copies = false;
  /// With all memory that it wants, some phase reads edges that do not come in parts.
  bool whole = true;
  /// Some phase would take edges in parts where there is no memory to prepare anything.
  bool parts = false;
};

/// In the order in which they are tried; the last one's failure is the run's.
std::vector<MemoryPlan> memory_plans(host::Transfer transfer, host::Prepare prepare, Reads reads);

}  // namespace vertigo::gpu
