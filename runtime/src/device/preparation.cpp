#include "preparation.h"

#include "check.h"
#include "vertigo/core/error.h"
#include "vertigo/engines/engines.h"
#include "vertigo/graph/depth.h"
#include "vertigo/graph/edges_on_file.h"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu {

namespace {

/// What an engine prepares; null where the variant prepares nothing that is worth a choice.
const engines::Preparation* preparation_of(const engines::Contract* engine) {
  return engine == nullptr || engine->preparation.what.empty() ? nullptr : &engine->preparation;
}

/// The user asked for edges in parts, and all of them in the same way.
bool is_one_way(host::Transfer transfer) {
  return transfer == host::Transfer::Filter || transfer == host::Transfer::Compaction;
}

}  // namespace

Sharing sharing_of(host::EdgeSharing asked, EdgeIndex longest) {
  Sharing sharing;
  if (asked == host::EdgeSharing::Mixed) return sharing;
  if (longest < sharing.by_block) sharing.by_block = kNoList;
  if (longest < sharing.by_warp) sharing.by_warp = kNoList;
  if (longest < sharing.by_grid) sharing.by_grid = kNoList;
  return sharing;
}

std::string in_words(const Sharing& sharing, EdgeIndex longest) {
  return std::to_string(longest) + (sharing.by_warp == kNoList ? ": none for a block or a warp"
                                    : sharing.by_block == kNoList
                                        ? ": none for a block"
                                        : ": long ones for a block, medium ones for a warp");
}

namespace {

execute::Payoff payoff(const host::VariantInfo& variant, const host::RunRequest& request,
                       const MemoryPlan& plan) {
  const engines::Contract* const engine = engines::find(variant.name);
  if (engine != nullptr && engine->edges_below != 0 &&
      request.graph.edge_count >= engine->edges_below)
    return {false, "the best for so many edges: the engine that the plan prefers takes fewer"};
  if (request.graph.on_file && variant.parts == host::EdgeParts::Whole)
    return {false, "the best that takes edges in parts: they stay in the file"};
  const engines::Preparation* const measured = preparation_of(engine);
  if (plan.edges == Edges::InParts && variant.parts == host::EdgeParts::Whole && engine == nullptr)
    return {false, "the best that takes edges in parts: device memory does not hold all of them"};
  if (is_one_way(request.transfer) && variant.parts == host::EdgeParts::Whole)
    return {false, "the best that takes edges in parts, as --transfer asks"};
  if (variant.prepares && request.prepare != host::Prepare::Never)
    return {true, "preferred by the plan, which was compiled with its preparation pinned"};
  if (variant.prepares) return {false, "the best that prepares nothing, as --prepare never asks"};
  if (measured == nullptr || request.prepare == host::Prepare::Always)
    return {true, "preferred by the plan"};
  if (request.prepare == host::Prepare::Never)
    return {false, "the best that prepares nothing, as --prepare never asks"};
  if (plan.room == Room::Short)
    return {false, "the best that prepares nothing: device memory does not allow the preparation"};
  // Where paths are long, engines save a launch per step, whatever the number of edges.
  if (measured->saved * request.runs >= measured->cost ||
      is_deep(request.diameter, graph::is_deep(request.graph)))
    return {true, "preferred by the plan; its preparation pays"};
  return {false, "the best that prepares nothing: preparation does not pay for so few runs"};
}

}  // namespace

execute::Chosen choose_variant(const host::PhaseInfo& phase, const host::RunRequest& request,
                               const MemoryPlan& plan) {
  const execute::Chosen chosen = execute::choose_variant(
      phase, request,
      [&](const host::VariantInfo& variant) { return payoff(variant, request, plan); });
  if (request.graph.on_file && phase.variants[chosen.variant].parts == host::EdgeParts::Whole)
    throw Error(
        ExitCode::OutOfMemory,
        "phase '" + std::string(phase.name) + "' runs by '" + std::string(chosen.name) +
            "', which reads all edges in memory: " + in_words(request.graph.on_file->bytes()) +
            " of them stay in the file; more --host-memory holds them, and so may a program "
            "compiled with --schedules=all",
        request.graph.name);
  if (is_one_way(request.transfer) &&
      phase.variants[chosen.variant].parts == host::EdgeParts::Whole)
    throw Error(ExitCode::Usage, "--transfer: phase '" + std::string(phase.name) + "' runs by '" +
                                     std::string(chosen.name) + "', which takes no edges in parts");
  return chosen;
}

}  // namespace vertigo::gpu
