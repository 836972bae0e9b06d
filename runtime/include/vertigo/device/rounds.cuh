#pragma once
// The host's side of a loop of the host level that runs in one launch. Host code reads this header
// without CUDA; round_loop.cuh is what the launch does.

#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// What an update visits every time that it runs.
enum class Reach : std::uint8_t { Some, AllVertices, AllEdges };

/// A phase that such a loop runs.
struct RoundPart {
  unsigned phase;               ///< index into ProgramTables::phases
  unsigned variant;             ///< what runs of it, counted from the phase's first
  execute::Control control;     ///< of steps
  ListOf<execute::Path> paths;  ///< none: it updates vertices once
  Reach reach = Reach::Some;
};

/// What is left of a phase when a round is over.
struct RoundPhase {
  execute::Controller controller;
  LoopTotals totals;   ///< of all rounds; block 0 counts
  std::uint64_t runs;  ///< how often it has begun
  unsigned variant;    ///< of an update
};

/// The state of the loop: that of the steps which run, and of all phases.
template <class Buffers, unsigned kPhases>
struct RoundLoop : StepLoop<Buffers> {
  RoundPhase phases[kPhases];
  unsigned current;  ///< phase
};

/// Device memory of it.
template <class Buffers, unsigned kPhases>
struct RoundMemory : LoopMemory<Buffers> {
  RoundLoop<Buffers, kPhases>* all = nullptr;

  void declare(Session& session, const char* name) {
    session.declare(static_cast<LoopMemory<Buffers>&>(*this), name);
    session.declare(all, 1, name);
  }
};

/// One run of the loop.
class Rounds {
 public:
  template <unsigned kPhases>
  Rounds(Session& session, const RoundPart (&parts)[kPhases])
      : session_(session), parts_(parts), part_count_(kPhases) {}

  /// Whether the host has nothing to look at between two rounds: no trace is written, no limit of
  /// steps counts, all edges are at hand, and the phases run by the variants that the launch knows.
  bool on_device() const;

  /// Sets the loop up; its buffers are the caller's.
  template <class Buffers, unsigned kPhases>
  void begin(RoundLoop<Buffers, kPhases>& loop, const RoundMemory<Buffers, kPhases>& memory) {
    loop.nanoseconds = reinterpret_cast<float*>(memory.nanoseconds);
    loop.shown = memory.all;
    static_cast<StepCounters&>(loop) = memory.counters;
    begin(loop, loop.phases);
  }
  /// Blocks of the launch, where the device runs `resident` at once.
  unsigned blocks(unsigned resident) const;
  /// Waits for the launch, and takes over where the loop has come to.
  template <class Buffers, unsigned kPhases>
  void end(RoundLoop<Buffers, kPhases>& loop) {
    end(loop, sizeof loop, loop.phases);
  }

 private:
  void begin(LoopState& loop, RoundPhase* phases);
  void end(LoopState& loop, std::uint64_t bytes, const RoundPhase* phases);
  void add_to_summary(const RoundPart& part, const RoundPhase& phase);

  Session& session_;
  const RoundPart* parts_;
  unsigned part_count_;
};

}  // namespace vertigo::gpu
