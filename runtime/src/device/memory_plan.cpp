#include "memory_plan.h"

namespace vertigo::gpu {

std::vector<MemoryPlan> memory_plans(host::Transfer transfer, host::Prepare prepare, Reads reads) {
  std::vector<MemoryPlan> plans;
  const auto add = [&](Room room, Edges edges) {
    // What the user asked for is not left out for want of memory.
    if (room == Room::Ample || prepare != host::Prepare::Always) plans.push_back({room, edges});
  };
  if (transfer == host::Transfer::ZeroCopy) {
    add(Room::Ample, Edges::OnHost);
    add(Room::Short, Edges::OnHost);
    return plans;
  }
  if (transfer == host::Transfer::Filter || transfer == host::Transfer::Compaction)
    return {{Room::Short, Edges::InParts}};
  const bool may_leave = transfer == host::Transfer::Auto;
  add(Room::Ample, Edges::OnDevice);
  if (may_leave && reads.copies) add(Room::Ample, Edges::WhereTheyFit);
  add(Room::Short, Edges::OnDevice);
  if (may_leave && !reads.copies && reads.whole) add(Room::Ample, Edges::WhereTheyFit);
  if (may_leave && reads.parts) add(Room::Short, Edges::InParts);
  if (may_leave) add(Room::Short, Edges::WhereTheyFit);
  return plans;
}

}  // namespace vertigo::gpu
