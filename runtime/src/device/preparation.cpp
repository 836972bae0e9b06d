#include "preparation.h"

#include "vertigo/engines/engines.h"
#include "vertigo/graph/depth.h"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu {

namespace {

/// What an engine prepares; null where the variant prepares nothing that is worth a choice.
const engines::Preparation* preparation_of(const engines::Contract* engine) {
  return engine == nullptr || engine->preparation.what.empty() ? nullptr : &engine->preparation;
}

}  // namespace

Sharing sharing_of(host::EdgeSharing asked, EdgeIndex longest) {
  Sharing sharing;
  if (asked == host::EdgeSharing::Mixed) return sharing;
  if (longest < sharing.by_block) sharing.by_block = kNoList;
  if (longest < sharing.by_warp) sharing.by_warp = kNoList;
  return sharing;
}

std::string in_words(const Sharing& sharing, EdgeIndex longest) {
  return std::to_string(longest) + (sharing.by_warp == kNoList ? ": none for a block or a warp"
                                    : sharing.by_block == kNoList
                                        ? ": none for a block"
                                        : ": long ones for a block, medium ones for a warp");
}

execute::Payoff payoff_of_preparation(const host::VariantInfo& variant,
                                      const host::RunRequest& request, Room room) {
  const engines::Contract* const engine = engines::find(variant.name);
  if (engine != nullptr && engine->edges_below != 0 &&
      request.graph.edge_count >= engine->edges_below)
    return {false, "the best for so many edges: the engine that the plan prefers takes fewer"};
  const engines::Preparation* const measured = preparation_of(engine);
  if (variant.prepares && request.prepare != host::Prepare::Never)
    return {true, "preferred by the plan, which was compiled with its preparation pinned"};
  if (variant.prepares) return {false, "the best that prepares nothing, as --prepare never asks"};
  if (measured == nullptr || request.prepare == host::Prepare::Always)
    return {true, "preferred by the plan"};
  if (request.prepare == host::Prepare::Never)
    return {false, "the best that prepares nothing, as --prepare never asks"};
  if (room == Room::Short)
    return {false, "the best that prepares nothing: device memory does not allow the preparation"};
  // Where paths are long, engines save a launch per step, whatever the number of edges.
  if (measured->saved * request.runs >= measured->cost ||
      is_deep(request.diameter, graph::is_deep(request.graph)))
    return {true, "preferred by the plan; its preparation pays"};
  return {false, "the best that prepares nothing: preparation does not pay for so few runs"};
}

}  // namespace vertigo::gpu
