#pragma once
// The command line of a generated binary as a function, so that tests can call it in process.

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>

#include "vertigo/host/program.h"

namespace vertigo::host {

/// Where a binary talks to. Results asked for with `--output -` and summaries of `--json` go to
/// `out`, everything else to `err`.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;  ///< then long work shows its progress
  /// The process ends with this call: results of so many vertices leave time to end what the target
  /// has on its device.
  std::optional<std::uint64_t> ends_beside = {};
};

/// One program: the targets that a binary has code for; at least one is not null.
struct Targets {
  const Target* cpu = nullptr;
  const Target* gpu = nullptr;

  const ProgramInfo& info() const { return *(cpu != nullptr ? cpu : gpu)->info; }
};

/// Runs the command line and returns the exit code; throws nothing.
int run_main(int argc, const char* const* argv, const Streams& streams, const Targets& program);
/// The same of a binary with several programs, each of another name.
int run_main(int argc, const char* const* argv, const Streams& streams,
             std::span<const Targets> programs);

}  // namespace vertigo::host
