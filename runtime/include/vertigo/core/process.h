#pragma once
// What every program of the project does first, so that however it ends it says why, by the
// documented exit code, and leaves no file behind.

#include "vertigo/core/error.h"

namespace vertigo {

/// Opens what is closed of the descriptors 0 to 2. Otherwise the first file that is opened gets the
/// number of standard error, say, and messages go into it.
void reserve_standard_descriptors();

/// How a failure is told that nothing can catch. May allocate nothing.
using LastWords = void (*)(ExitCode code, const char* message) noexcept;

/// "error: MESSAGE" on standard error, unless a program says otherwise.
void set_last_words(LastWords words);

/// Says the last words, removes unfinished files and ends the process with the code.
[[noreturn]] void end_process(ExitCode code, const char* message) noexcept;

/// From now until the ProcessGuard is gone, exit(1) is a library that gives up. For programs into
/// which OpenMP is linked, and initialises itself before main().
void watch_library_exits();

/// The first object of main(). While it lives:
/// - descriptors 0 to 2 are open;
/// - a limit on file sizes or a reader that has gone is an error of the write, not a signal;
/// - a page of a mapped file that cannot be read ends the process by end_process, and not by
/// SIGBUS;
/// - SIGINT, SIGTERM, SIGHUP and SIGXCPU remove unfinished files and end the process by the signal;
/// - an exception that nobody catches (no memory inside a parallel region), or a library that gives
///   up (OpenMP's), ends the process by end_process.
class ProcessGuard {
 public:
  ProcessGuard();
  ~ProcessGuard();
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;
};

}  // namespace vertigo
