#pragma once
// The one exception type of the runtime. Every failure that a user can cause, or must be told of,
// is an Error; the command line turns it into one line on stderr and the exit code of its category.

#include <stdexcept>
#include <string>

namespace vertigo {

/// Exit codes of every program of the project (docs/running.md). They are a contract with scripts.
enum class ExitCode : int {
  Done = 0,
  Other = 1,           ///< anything that has no code of its own
  Usage = 2,           ///< unknown option, malformed option value
  InputRefused = 3,    ///< graph or parameter refused
  DeviceUnusable = 4,  ///< no driver, driver too old, no visible GPU, wrong architecture
  OutOfMemory = 5,     ///< host or device memory
  NotConverged = 6,  ///< the limit of steps was reached, or no fixed point exists (negative cycle)
  OutputFailed = 7,  ///< the result could not be written
  CheckFailed = 8,   ///< --check found the result wrong
};

/// A failure with its exit code and, where there is one, its place ("file:line" or "file").
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, std::string message, std::string place = "");

  ExitCode code() const { return code_; }
  const std::string& place() const { return place_; }
  const std::string& message() const { return message_; }

 private:
  ExitCode code_;
  std::string message_;
  std::string place_;
};

}  // namespace vertigo
