#pragma once
// One call of a generated binary that reads a graph: the order of things, from the options to the
// exit code.

#include <memory>
#include <optional>
#include <thread>

#include "host/command_line.h"
#include "host/console.h"
#include "host/schedule.h"
#include "host/summary.h"
#include "host/target_choice.h"
#include "host/target_search.h"
#include "vertigo/core/atomic_file.h"
#include "vertigo/graph/graph_cache.h"
#include "vertigo/graph/reader.h"
#include "vertigo/host/run_main.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::host {

class Invocation {
 public:
  /// Throws Error(Usage) for whatever can be known to be wrong before the graph is read.
  Invocation(const CommandLine& line, const Options& options, const Streams& streams,
             const Targets& targets);

  /// Does the work and returns the exit code; failures that end it early are thrown.
  int run();

 private:
  TargetChoice choose(const Targets& targets) const;
  /// Whether anybody hears of the graph and the result; what only they want is not counted else.
  bool tells() const { return !options_.quiet || options_.json; }
  void take_threads();
  void open_files();
  void read();
  void transpose();
  void hold_lists();
  void load();
  RunRequest request();
  RunResult execute();
  bool check(const RunResult& result);
  std::jthread leave_device();
  void write(const RunResult& result);
  void commit();
  void write_traces();
  void dry_run();
  void say_comparison();
  int conclude();

  const CommandLine& line_;
  const Options& options_;
  const Streams& streams_;
  const ProgramInfo& info_;
  Console console_;
  TargetChoice choice_;
  Schedule schedule_;
  graph::ReadOptions read_options_;
  std::optional<graph::GraphCache> cache_;
  std::unique_ptr<AtomicFile> output_, trace_, report_;
  TargetSearch search_;
  graph::LoadedGraph loaded_;
  Arguments arguments_;
  bool negative_weights_ = false;
  bool turns_on_device_ = false;  ///< a device may turn lists round
  std::unique_ptr<CycleSearch> cycles_;
  trace::Recorder recorder_;
  Summary summary_;
};

}  // namespace vertigo::host
