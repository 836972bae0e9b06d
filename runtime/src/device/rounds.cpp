#include "vertigo/device/rounds.cuh"

#include <algorithm>
#include <span>

#include "state.h"

namespace vertigo::gpu {

namespace {

/// A sweep along more edges takes longer than a launch and a look from the host, and is up to a
/// quarter slower in a launch whose threads wait for each other, which fewer of them can (hits on
/// an H200, 2026-11-23: 20 rounds of 181 M, 69 M and 58 M edges in 77, 52 and 24.6 ms, launched by
/// the host in 69, 41 and 20.8).
constexpr EdgeIndex kEdgesOfALook = EdgeIndex{1} << 22;
/// The same of a pass over so many vertices. Pointer jumping in spanning_forest, 45 rounds on an
/// H200 (2026-11-27): of 23.9 M vertices 6 ms longer in a launch, of 4.2 M half a millisecond
/// shorter.
constexpr Vertex kVerticesOfALook = Vertex{3} << 21;

/// Why the host has to go through the rounds; null where it need not.
const char* problem_of(const detail::State& state, std::span<const RoundPart> parts) {
  if (state.request.trace != nullptr) return "round by round: a trace is written";
  if (state.request.step_limit != 0) return "round by round: steps are limited";
  if (state.transfer != nullptr) return "round by round: the host brings the edges";
  for (const RoundPart& part : parts)
    if (state.choose(part.phase).variant != part.variant)
      return "round by round: not all phases run as the plan prefers";
  for (const RoundPart& part : parts) {
    if (part.reach == Reach::AllEdges && state.request.graph.edge_count > kEdgesOfALook)
      return "round by round: a sweep along so many edges takes longer than a look";
    if (part.reach == Reach::AllVertices && state.request.graph.vertex_count > kVerticesOfALook)
      return "round by round: a pass over so many vertices takes longer than a look";
  }
  return nullptr;
}

}  // namespace

bool Rounds::on_device() const {
  detail::State& state = session_.state_;
  const std::span<const RoundPart> parts(parts_, part_count_);
  const char* const problem = problem_of(state, parts);
  for (const RoundPart& part : parts) {
    state.run.reason_of_rounds.erase(part.phase);
    if (problem != nullptr) state.run.reason_of_rounds[part.phase] = problem;
  }
  return problem == nullptr;
}

void Rounds::begin(LoopState& loop, RoundPhase* phases) {
  detail::State& state = session_.state_;
  state.run.known_list = nullptr;
  for (const Counter& counter :
       {loop.active, loop.edges, loop.out_edges, loop.asked, loop.frontier_edges, loop.deferred})
    session_.clear(counter);
  loop.board = detail::cleared_board(session_, state);
  for (unsigned i = 0; i < part_count_; ++i) {
    const RoundPart& part = parts_[i];
    phases[i] = {};
    phases[i].variant = part.variant;
    if (part.paths.size() != 0)
      phases[i].controller = detail::controller_of(state, part.phase, part.control, part.paths);
  }
}

unsigned Rounds::blocks(unsigned resident) const {
  // A block without a part of a reduction could be behind those that begin the next.
  return std::min(resident, session_.reduction_blocks());
}

void Rounds::end(LoopState& loop, std::uint64_t bytes, const RoundPhase* phases) {
  session_.read_bytes(&loop, loop.shown, bytes);
  for (unsigned i = 0; i < part_count_; ++i)
    if (phases[i].runs != 0) add_to_summary(parts_[i], phases[i]);
}

void Rounds::add_to_summary(const RoundPart& part, const RoundPhase& phase) {
  detail::State& state = session_.state_;
  const host::PhaseInfo& info = state.info.phases[part.phase];
  host::PhaseSummary& summary = detail::summary_of(state, part.phase);
  detail::note_variant(summary, info.variants[part.variant].name);
  for (std::size_t i = 0; i < info.variants.size(); ++i)
    if ((phase.totals.modes >> i & 1) != 0) detail::note_variant(summary, info.variants[i].name);
  summary.reason = "all rounds in one launch";
  summary.steps += phase.totals.steps;
  summary.edges += phase.totals.edges;
  summary.active_vertices += phase.totals.active_vertices;
  if (phase.controller.path_count > 1) state.run.learnt[part.phase] = phase.controller;
}

}  // namespace vertigo::gpu
