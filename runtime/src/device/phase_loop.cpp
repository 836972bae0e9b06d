#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "check.h"
#include "state.h"
#include "vertigo/device/session.cuh"
#include "vertigo/execute/cycle_watch.h"
#include "vertigo/execute/phase_run.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::gpu {

namespace {

/// The next step count at which the host looks at the values of a phase that may diverge.
std::uint64_t next_checkpoint(std::uint64_t steps) {
  std::uint64_t next = std::bit_ceil(steps + 1);
  while (!execute::is_checkpoint(next)) next *= 2;
  return next;
}

}  // namespace

execute::Controller detail::controller_of(const State& state, unsigned phase,
                                          execute::Control control, ListOf<execute::Path> paths) {
  if (const auto learnt = state.run.learnt.find(phase); learnt != state.run.learnt.end()) {
    execute::Controller controller = learnt->second;
    controller.begin_again();
    return controller;
  }
  execute::Controller controller{};
  controller.path_count = static_cast<std::uint8_t>(paths.size());
  std::copy(paths.begin(), paths.end(), controller.paths);
  controller.begin(control, state.request.graph.vertex_count, state.request.graph.edge_count);
  return controller;
}

DonationBoard detail::laid_out(DonationBoard board) {
  board.finished = board.offered + kBoardLine;
  board.stamps = reinterpret_cast<std::uint64_t*>(board.offered + 2 * kBoardLine);
  return board;
}

DonationBoard detail::cleared_board(Session& session, const State& state) {
  DonationBoard board = state.board;
  if (board.donations == nullptr) return board;
  session.clear(board.offered, kBoardWords);
  return laid_out(board);
}

void Phase::begin(LoopState& loop, execute::Control control, ListOf<execute::Path> paths) {
  detail::State& state = session_.state_;
  if (state.run.kept.would_lose(loop.log)) state.fetch_records();
  for (const Counter& counter :
       {loop.active, loop.edges, loop.out_edges, loop.asked, loop.frontier_edges, loop.deferred})
    session_.clear(counter);
  loop.board = detail::cleared_board(session_, state);
  loop.controller = detail::controller_of(state, index_, control, paths);
  loop.change = change_at_begin(loop.controller);
  loop.timed = state.request.trace != nullptr || loop.learns();
}

bool Phase::more(LoopState& loop, std::uint64_t bytes) {
  if (launched_) {
    session_.read_bytes(&loop, loop.shown, bytes);
    steps_ = loop.step;
    if (loop.totals.end != LoopEnd::StepLimit || steps_ >= limit_) {
      end(loop);
      return false;
    }
    look();
  }
  launched_ = true;
  loop.last_step = std::min(limit_, next_checkpoint(steps_));
  if (watch_ != nullptr) loop.last_step = std::min(loop.last_step, watch_->next_look());
  return true;
}

void Phase::end(const LoopState& loop) {
  detail::State& state = session_.state_;
  const double now = detail::seconds_since(state.run.start);
  const host::PhaseInfo& info = state.info.phases[index_];
  host::PhaseSummary& summary = detail::summary_of(state, index_);
  summary.steps += loop.step;
  summary.edges += loop.totals.edges;
  summary.active_vertices += loop.totals.active_vertices;
  if (loop.controller.path_count > 1) state.run.learnt[index_] = loop.controller;
  for (std::size_t i = 0; i < info.variants.size(); ++i)
    if ((loop.totals.modes >> i & 1) != 0) detail::note_variant(summary, info.variants[i].name);
  if (state.request.trace != nullptr && loop.log.records != nullptr) {
    const bool chosen = loop.controller.path_count > 1;
    state.run.kept.keep(loop.log,
                        {.phase = info.name,
                         .steps = loop.step,
                         .first_step = 0,
                         .ended = now,
                         .end_ns = loop.begin_ns},
                        [chosen, &info, fixed = state.choose(index_).reason](
                            std::uint32_t mode) -> detail::KeptRecords::Name {
                          const auto why = static_cast<execute::Why>(mode >> kWhyShift);
                          return {info.variants[mode & ((1u << kWhyShift) - 1)].name,
                                  chosen ? std::string_view(text_of(why)) : fixed};
                        });
  }
  if (loop.totals.end == LoopEnd::StepLimit)
    stop();
  else
    rest();
}

unsigned Phase::blocks(unsigned resident) const {
  const std::uint64_t tiles = (std::uint64_t{session_.vertex_count()} + kBlock - 1) / kBlock;
  const auto wanted = static_cast<unsigned>(std::clamp<std::uint64_t>(tiles, 1, resident));
  const bool sparse =
      session_.edge_count() < std::uint64_t{session_.vertex_count()} * execute::kSparseDegree;
  return sparse ? std::min(wanted, session_.state_.device.processors) : wanted;
}

}  // namespace vertigo::gpu
