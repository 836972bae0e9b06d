#include "compiler/driver/Interruption.h"

#include <pthread.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "vertigo/core/atomic_file.h"

namespace vertigo::compiler::driver {

namespace {

/// All that ends with the process. Never destroyed: a signal may come while statics are.
struct Unfinished {
  std::mutex mutex;
  std::set<std::string> folders;
  std::map<pid_t, bool> programs;  // true: a tool with a process group of its own
};

Unfinished& unfinished() {
  static auto& all = *new Unfinished;
  return all;
}

sigset_t& inherited() {
  static sigset_t signals = [] {
    sigset_t none;
    sigemptyset(&none);
    return none;
  }();
  return signals;
}

// A signal that the parent had ignored (nohup) stays ignored.
bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// The zombie is left to whoever waits for it by its id.
void await_end(pid_t id) {
  siginfo_t state{};
  while (waitid(P_PID, static_cast<id_t>(id), &state, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

void end_programs(const std::map<pid_t, bool>& programs, int signal) {
  for (const auto& [id, own_group] : programs) {
    if (own_group)
      kill(-id, SIGKILL);  // it and what it started write only into folders that go anyway
    else
      kill(id, signal);
    await_end(id);
  }
}

// What a tool that is just dying still makes is removed in another round.
void remove_folder(const std::string& folder) {
  constexpr int kRounds = 10;
  std::error_code failed;
  for (int round = 0; round < kRounds; ++round) {
    std::filesystem::remove_all(folder, failed);
    if (!failed) return;
  }
}

// The caller holds the mutex.
void end_all(int signal) {
  Unfinished& all = unfinished();
  end_programs(all.programs, signal);
  for (const std::string& folder : all.folders) remove_folder(folder);
  remove_unfinished_files();
}

}  // namespace

void clean_up_when_interrupted() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU})
    if (!is_ignored(signal)) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &inherited());
  std::thread([signals] {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) return;
    // Never given back: whoever waits for a tool must not go on and say how it ended.
    const std::lock_guard lock(unfinished().mutex);
    end_all(signal);
    // The parent sees which signal it was.
    ::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    ::raise(signal);
  }).detach();
}

const sigset_t& inherited_signals() { return inherited(); }

void remove_when_interrupted(const std::string& folder) {
  const std::lock_guard lock(unfinished().mutex);
  unfinished().folders.insert(folder);
}

void forget(const std::string& folder) {
  const std::lock_guard lock(unfinished().mutex);
  unfinished().folders.erase(folder);
}

int start_known(bool own_group, pid_t& id, const std::function<int(pid_t&)>& spawn) {
  const std::lock_guard lock(unfinished().mutex);
  const int failed = spawn(id);
  if (failed == 0) unfinished().programs[id] = own_group;
  return failed;
}

void program_ended(pid_t id) {
  const std::lock_guard lock(unfinished().mutex);
  unfinished().programs.erase(id);
}

void clean_up() {
  const std::lock_guard lock(unfinished().mutex);
  end_all(SIGTERM);
}

}  // namespace vertigo::compiler::driver
