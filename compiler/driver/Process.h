#pragma once
// Runs other programs, never through a shell.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace vertigo::compiler::driver {

struct Command {
  std::string program;  ///< path of the executable
  std::vector<std::string> arguments;
  std::string folder;                    ///< where it runs; empty: here
  std::vector<std::string> environment;  ///< NAME=value, on top of what we have
  std::string log;                       ///< file that its output is appended to; empty: ours
};

/// A program that was started and runs beside us, until somebody waits for it.
class Process {
 public:
  /// Nothing where it could not be started (`error` says why).
  static std::optional<Process> start(const Command& command, std::string& error);

  /// The exit status; 128 + the signal where one ended it; nothing where that cannot be known
  /// (`error` says why). Once.
  std::optional<int> wait(std::string& error);

 private:
  explicit Process(pid_t id) : id_(id) {}
  pid_t id_;
};

/// Starts it and waits.
std::optional<int> run(const Command& command, std::string& error);

/// Its path where the name has a '/', else the first of that name in PATH; empty where there is
/// none.
std::string find_program(const std::string& name);

/// As a person would type it, for --verbose.
std::string quoted_for_display(const Command& command);

/// A folder of mode 0700 that is removed with the object, unless it is kept.
class PrivateFolder {
 public:
  /// Throws nothing; `path()` is empty where the folder could not be made.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  void keep() { kept_ = true; }

 private:
  std::string path_;
  bool kept_ = false;
};

}  // namespace vertigo::compiler::driver
