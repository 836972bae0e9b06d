#include "preparation.h"

#include "vertigo/graph/depth.h"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu {

namespace {

/// The engine `distances` numbers edges with 32 bits.
constexpr EdgeIndex kMostEdgesOfDistances = 0xffffffff;

/// Nanoseconds per edge on an H200 (2026-11-21; kron21, lj and rmat24): once, and saved by each run
/// against the best path that takes the graph as it is.
struct Measured {
  std::string_view engine;
  double cost;
  double saved;
};

constexpr Measured kMeasured[] = {
    {"distances", 0.10, 0.11},  // lists sorted by weight: 9.9, 8.9 and 28.4 ms
    {"levels", 0.03, 0.035},    // first in-neighbours: 5.9, 3.6 and 10.2 ms
    {"solve", 0.10, 1.0},       // rows by length: 11.0, 8.3 and 18.0 ms
};

const Measured* find(std::string_view variant) {
  for (const Measured& known : kMeasured)
    if (known.engine == variant) return &known;
  return nullptr;
}

}  // namespace

Sharing sharing_of(host::Balance asked, EdgeIndex longest) {
  Sharing sharing;
  if (asked == host::Balance::Mixed) return sharing;
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
  if (variant.name == "distances" && request.graph.edge_count > kMostEdgesOfDistances)
    return {false, "the best that numbers edges with 64 bits: engine 'distances' does not"};
  const Measured* const measured = find(variant.name);
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
