#pragma once
// The state of a loop of steps on the device, which the host sets up and reads back. Host code
// reads this header without CUDA; step_loop.cuh is the loop.

#include "vertigo/device/donation_board.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/execute/controller.h"

namespace vertigo::gpu {

/// Words of 64 bits that lists, flags and counters of a loop use in turn, side by side and aligned
/// to their sum, so that clearing one needs no barrier of its own.
inline constexpr unsigned kTurns = 4;

/// Where StepRecord::mode of such a loop holds execute::Why; below it stands the variant.
inline constexpr unsigned kWhyShift = 16;

/// What has to be done before the next step: its variant asks other vertices than the last one did.
enum class Change : std::uint8_t {
  None,
  ToList,  ///< the vertices to ask must be listed
  ToAll,   ///< they were listed, and all vertices will be looked at
};

/// Before the first step: what is to be asked stands where the first of all paths looks for it.
VERTIGO_HOST_DEVICE inline Change change_at_begin(const execute::Controller& controller) {
  if (controller.path().data_driven == controller.paths[0].data_driven) return Change::None;
  return controller.path().data_driven ? Change::ToList : Change::ToAll;
}

/// Buffers that trade places; nothing moves in memory.
template <class T>
VERTIGO_HOST_DEVICE void swap(T& a, T& b) {
  const T kept = a;
  a = b;
  b = kept;
}

/// Counts of the step that runs; each is renewed when it ends.
struct StepCounters {
  Counter active;          ///< vertices activated
  Counter edges;           ///< visited
  Counter out_edges;       ///< of the vertices activated
  Counter asked;           ///< vertices that the next step asks
  Counter frontier_edges;  ///< out-edges of those
  Counter deferred;        ///< active vertices below the threshold of the step
};

struct LoopState : StepCounters {
  execute::Controller controller;
  execute::StepDone done;
  execute::Frontier frontier;

  std::uint64_t step;       ///< steps done
  std::uint64_t last_step;  ///< the host wants to see the loop after that many
  std::uint64_t pending;    ///< 0: nothing is active
  std::uint64_t visited;    ///< edges of the step that ended
  const std::uint32_t* pending_word;
  Threshold threshold;  ///< of the step; null: there is none
  Worklist list;        ///< of pending vertices, where there is one
  DonationBoard board;  ///< null where no list of the graph is long enough
  std::uint64_t begin_ns;
  std::uint64_t work_begin_ns;

  StepLog log;
  LoopTotals totals;
  float* nanoseconds;  ///< of the last step, as block 0 measured it
  void* shown;         ///< the loop as block 0 left it

  Change change;
  bool news;      ///< a step has ended that the controller does not know of
  bool measures;  ///< the controller wants the out-edges of the frontier
  bool timed;
  bool alone;  ///< block 0 runs the steps
  bool over;

  VERTIGO_HOST_DEVICE unsigned variant() const { return controller.path().variant; }
  /// Whether the controller learns from times.
  VERTIGO_HOST_DEVICE bool learns() const {
    return controller.control == execute::Control::Iterative;
  }
};

/// With the buffers that change names.
template <class Buffers>
struct StepLoop : LoopState {
  Buffers buffers;
};

/// Device memory of a loop.
template <class Buffers>
struct LoopMemory {
  StepLog log;
  StepLoop<Buffers>* shown = nullptr;
  std::uint32_t* nanoseconds = nullptr;
  StepCounters counters;
};

}  // namespace vertigo::gpu
