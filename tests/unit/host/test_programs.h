#pragma once
// What the tests of the command line run: targets whose behaviour a parameter chooses, stand-ins
// for the reference library, and a way to call the command line in process.

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "vertigo/host/run_main.h"
#include "vertigo/reference/reference.h"

namespace vertigo::host::test {

/// The program of bfs_program.cpp, as the registry has it.
Targets bfs();

/// A program with everything that ProgramInfo can declare. What it returns follows from its
/// parameter `mode`: see everything_program.cpp.
Targets everything();

/// The same program as a CPU and a GPU target, or as a GPU target alone; `reason` against the GPU.
Targets with_gpu(const std::string& reason);
Targets gpu_alone(const std::string& reason);

/// What the stand-in for reference::check_text answers, and how often it was asked.
inline reference::CheckReport check_answer;
inline int checks = 0;
/// And those for reference::open_results and reference::phases_in_step.
inline reference::OpenResults open_answer;
inline std::map<std::string, std::string> in_step_answer;

/// The request of the last run.
struct SeenRequest {
  std::map<std::string, std::string> schedule;
  std::uint64_t step_limit = 0;
  unsigned device = 0;
  std::uint64_t device_memory = 0;
  bool deterministic = false;
  bool traced = false;
  int threads = 0;
  Arguments arguments;
};
inline SeenRequest seen;
/// Devices that were started, and whether a thread of its own did so.
inline std::vector<unsigned> started_devices;
inline bool started_elsewhere = false;
inline const std::thread::id caller = std::this_thread::get_id();
inline int runs = 0;

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

Outcome call(const Targets& targets, const std::vector<std::string>& words);

/// A fresh directory that goes away with the object.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  /// Names of the files in it, hidden ones too.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

std::string read(const std::string& path);

}  // namespace vertigo::host::test
