#pragma once
// What is left behind when a signal ends the compiler: nothing. Folders, unfinished outputs and
// the tools that were started are known here; a thread waits for the signals.

#include <signal.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <system_error>

#include "vertigo/core/descriptor.h"

namespace vertigo::compiler::driver {

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU end the started programs, remove what
/// is unfinished, and end this process as they would have. A pipe that nobody reads any more is an
/// error of the write. Call it before the first thread is started.
void clean_up_when_interrupted();

/// The signals that this process was started with, which is what its children get.
const sigset_t& inherited_signals();

/// A folder that ends with the process. It is known before it is made, and open, so that its end
/// needs no memory and no descriptor, which may be what the process ends for.
class EndingFolder {
 public:
  EndingFolder();
  ~EndingFolder();
  EndingFolder(const EndingFolder&) = delete;
  EndingFolder& operator=(const EndingFolder&) = delete;

  /// Makes it, as mkdtemp does.
  std::error_code make(std::string pattern);
  void remove();
  /// It stays, also when the process ends.
  void keep();
  const std::string& path() const { return path_; }

 private:
  friend void remove_ending_folders();
  void remove_known() noexcept;

  std::string path_;
  Descriptor folder_;
  EndingFolder* next_ = nullptr;
};

/// Starts a program by `spawn`, which gives posix_spawn's result, so that no signal comes between
/// its start and its being known. With a process group of its own it is a tool, which dies together
/// with all that it started; otherwise it is told of the signal, and waited for.
int start_known(bool own_group, pid_t& id, const std::function<int(pid_t&)>& spawn);
/// It has ended; call this before its id is free for others.
void program_ended(pid_t id);
/// Ends a known program as a signal to this one would, and waits for it.
void end_program(pid_t id);

/// Removes everything, ends everything: for a process that cannot go on.
void clean_up();

}  // namespace vertigo::compiler::driver
