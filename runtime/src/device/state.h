#pragma once
// What a Session stands on. Shared by the files of this folder only.

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device_memory.h"
#include "kept_records.h"
#include "preparation.h"
#include "transfer.h"
#include "vertigo/device/loop_state.cuh"
#include "vertigo/host/program.h"

namespace vertigo::gpu::detail {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A host array that allocate() sends to the device.
struct Upload {
  void** place;
  const void* from;
  std::uint64_t bytes;
};

struct State {
  State(const host::RunRequest& r, const host::ProgramInfo& i, Room for_preparing, bool dry);
  ~State();
  State(const State&) = delete;

  void declare_word(void** place, const char* name);
  std::uint64_t word_bytes() const { return words.size() * kTurns * sizeof(std::uint64_t); }
  /// Waits for the stream and returns all words as they are then.
  const std::uint64_t* read_words();
  /// The variant that the phase runs (execute/choose_variant.h). Asked at the beginning of every
  /// run of a phase; the graph is looked at once.
  const execute::Chosen& choose(unsigned phase) const;
  void begin_run();
  /// Adds what is kept to the trace.
  void fetch_records();
  /// The run is over: the first result is asked for.
  void finish_run();
  /// Only the results of the last run are taken from the device. Asked when a run is over.
  bool is_last_run() const {
    return runs_begun >= request.runs || result.timing.run > request.longest_repeated;
  }

  const host::RunRequest& request;
  const host::ProgramInfo& info;
  const Room room;
  const bool dry_run;

  cudaStream_t stream = nullptr;  ///< all work of this run, in order
  unsigned processors = 0;
  unsigned most_blocks = 0;  ///< that the device runs at once, at kBlock threads each
  DeviceMemory memory;
  std::vector<Upload> uploads;
  /// Places of an adjacency's pointers; `attributes` is null where there are none to send.
  struct Places {
    const EdgeIndex** offsets = nullptr;
    const Vertex** targets = nullptr;
    const void** attributes = nullptr;
  };
  Places out_places;
  Places in_places;  ///< of a symmetric graph: they become copies of the out-adjacency's
  Staging staging;

  // Flags, counters and lengths of worklists lie side by side, so that one copy of a few hundred
  // bytes tells the host everything about a step.
  struct Word {
    void** place;
    std::string name;
  };
  std::vector<Word> words;
  std::uint64_t* device_words = nullptr;
  std::uint64_t* host_words = nullptr;  ///< pinned

  host::RunResult result;
  std::vector<Column>* seen = nullptr;  ///< where outputs go while a phase runs; null: the result
  host::Footprint footprint;
  std::string balance;  ///< host::RunResult::balance of every run
  /// The worklist whose length the host knows, and the length; null where it knows none.
  const void* known_list = nullptr;
  std::uint32_t known_length = 0;
  std::map<unsigned, std::size_t> summary_of_phase;
  mutable std::map<unsigned, execute::Chosen> choices;
  std::map<unsigned, execute::Controller> learnt;  ///< of phases that ran before in this run
  KeptRecords kept;
  Clock::time_point run_start{};
  bool running = false;
  unsigned runs_begun = 0;
};

/// What the summary says of a phase; added when the phase first runs.
host::PhaseSummary& summary_of(State& state, unsigned phase);
/// Adds the variant's name unless it is there.
void note_variant(host::PhaseSummary& summary, std::string_view variant);

}  // namespace vertigo::gpu::detail
