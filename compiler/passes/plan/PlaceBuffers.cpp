#include "compiler/passes/plan/PlaceBuffers.h"

#include "compiler/ir/plan/Placement.h"

namespace vertigo::compiler::passes {

void place_buffers(plan::Plan& plan, PassContext&) {
  const auto placements = plan::placements_of(plan);
  for (plan::Buffer& buffer : plan.buffers) {
    const auto found = placements.find(buffer.name);
    if (found != placements.end()) buffer.placement = found->second.placement;
  }
}

}  // namespace vertigo::compiler::passes
