#pragma once
// Runs other programs, never through a shell.

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/driver/Interruption.h"

namespace vertigo::compiler::driver {

struct Command {
  std::string program;  ///< path of the executable
  std::vector<std::string> arguments;
  std::string folder;                    ///< where it runs; empty: here
  std::vector<std::string> environment;  ///< NAME=value, on top of what we have
  std::string log;                       ///< file that its output is appended to; empty: ours
  /// A tool dies with us, with all that it started; else the terminal's signals reach it as us.
  bool is_tool = true;
  std::string name{};  ///< what it is told that it is called; empty: the path
};

/// A program that was started and runs beside us, until somebody waits for it. One that nobody
/// waits for, because something else failed, is ended.
class Process {
 public:
  ~Process();
  Process(Process&& other) noexcept : id_(std::exchange(other.id_, kNone)) {}
  Process& operator=(Process&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  /// Nothing where it could not be started (`error` says why).
  static std::optional<Process> start(const Command& command, std::string& error);

  /// The exit status; 128 + the signal where one ended it; nothing where that cannot be known
  /// (`error` says why). Once.
  std::optional<int> wait(std::string& error);

 private:
  static constexpr pid_t kNone = -1;
  explicit Process(pid_t id) : id_(id) {}
  pid_t id_;
};

/// Starts it and waits.
std::optional<int> run(const Command& command, std::string& error);

/// True where no shell finds anything to do in it.
bool is_plain_name(const std::string& path);

/// Its path where the name has a '/', else the first of that name in PATH; empty where there is
/// none.
std::string find_program(const std::string& name);

/// As a person would type it, for --verbose.
std::string quoted_for_display(const Command& command);

/// Which names a folder for temporary files may have.
enum class FolderNames : std::uint8_t {
  Any,
  Plain,  ///< letters, digits and marks that mean nothing to a shell: nvcc hands the name to one
};

/// A folder of mode 0700 that is removed with the object, or when a signal ends the process, unless
/// it is kept. It lies in the folder that TMPDIR names; where that name has to be plain and is not,
/// in one of the system's.
class PrivateFolder {
 public:
  /// Throws nothing; where no folder could be made, `path()` is empty and `problem()` says why.
  explicit PrivateFolder(FolderNames names = FolderNames::Any);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::string& path() const { return folder_.path(); }
  const std::string& problem() const { return problem_; }
  std::string operator/(const std::string& name) const { return path() + "/" + name; }
  void keep();

 private:
  bool make_in(const std::string& base);

  EndingFolder folder_;
  std::string problem_;
};

}  // namespace vertigo::compiler::driver
