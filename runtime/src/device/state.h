#pragma once
// What a Session stands on: a device, the arrays on it, and the run at hand. Shared by the files of
// this folder only.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "device.h"
#include "hybrid/hybrid_transfer.h"
#include "memory_plan.h"
#include "preparation.h"
#include "run_state.h"
#include "vertigo/device/session.cuh"
#include "vertigo/host/program.h"
#include "whole_edges.h"

namespace vertigo::gpu::detail {

struct State {
  State(const host::RunRequest& r, const host::ProgramInfo& i, const MemoryPlan& p, bool dry);
  State(const State&) = delete;

  /// The graph is declared: the addresses of its edges are to go to `to`.
  void hold_edges(const GraphPlaces& to, bool transpose);
  /// In which directions the launches of the phases ask for edges in parts; nothing where none
  /// does.
  std::optional<Along> asked_in_parts() const;
  /// The arrays are allocated: the addresses go to their places.
  void show_edges();

  /// The variant that the phase runs (execute/choose_variant.h). Asked at the beginning of every
  /// run of a phase; the graph is looked at once.
  const execute::Chosen& choose(unsigned phase) const;
  void begin_run();
  /// Adds what is kept to the trace.
  void fetch_records();
  /// What came to the device for the step that has ended, where edges come in parts.
  std::vector<trace::Moved> moved_in_step() {
    return transfer ? transfer->moved_since_shown() : std::vector<trace::Moved>{};
  }
  /// The run is over: the first result is asked for.
  void finish_run();
  /// Only the results of the last run are taken from the device. Asked when a run is over.
  bool is_last_run() const {
    return runs_begun >= request.runs || run.result.timing.run > request.longest_repeated;
  }

  const host::RunRequest& request;
  const host::ProgramInfo& info;
  const MemoryPlan plan;
  const bool dry_run;
  host::Footprint footprint;  ///< of a dry run

  Device device;
  Arrays arrays;
  std::unique_ptr<WholeEdges> edges;  ///< null until the graph is declared
  /// Null where edges do not come to the device in parts.
  std::unique_ptr<hybrid::HybridTransfer> transfer;
  GraphPlaces places;
  std::unique_ptr<const graph::Graph> both_directions;  ///< null until an engine asks for it
  const graph::Graph* shown = nullptr;  ///< that the session speaks of; null: the request's
  std::vector<std::pair<void (*)(Session&, void*), void*>> once_prepared;
  RunState run;
  bool has_loop = false;     ///< steps or rounds run in one launch
  bool has_classes = false;  ///< a launch goes through colour classes
  DonationBoard board;       ///< of theirs; null where no list is long enough

  mutable std::map<unsigned, execute::Chosen> choices;
  std::string balance;  ///< host::RunResult::balance of every run
  std::string colours;  ///< the same of host::RunResult::colours
  std::string paths;    ///< the same of host::RunResult::paths
  unsigned runs_begun = 0;
};

/// The board with the places of its words in `offered`.
DonationBoard laid_out(DonationBoard board);
/// The board for a loop that begins: nothing has been offered.
DonationBoard cleared_board(Session& session, const State& state);
/// What the summary says of a phase; added when the phase first runs.
host::PhaseSummary& summary_of(State& state, unsigned phase);
/// The controller of a phase that begins: as it was when the phase ran last in this run, or new.
execute::Controller controller_of(const State& state, unsigned phase, execute::Control control,
                                  ListOf<execute::Path> paths);
/// Adds the variant's name unless it is there.
void note_variant(host::PhaseSummary& summary, std::string_view variant);

}  // namespace vertigo::gpu::detail
