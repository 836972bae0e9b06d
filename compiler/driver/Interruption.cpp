#include "compiler/driver/Interruption.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "vertigo/core/atomic_file.h"
#include "vertigo/core/remove_folder.h"

namespace vertigo::compiler::driver {

namespace {

/// All that ends with the process. Never destroyed: a signal may come while statics are.
struct Unfinished {
  std::mutex mutex;
  EndingFolder* folders = nullptr;
  std::map<pid_t, bool> programs;  // true: a tool with a process group of its own
};

Unfinished& unfinished() {
  alignas(Unfinished) static std::byte room[sizeof(Unfinished)];
  static auto& all = *new (room) Unfinished;
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

void end_one(pid_t id, bool own_group, int signal) {
  if (own_group)
    kill(-id, SIGKILL);  // it and what it started write only into folders that go anyway
  else
    kill(id, signal);
  await_end(id);
}

void end_programs(const std::map<pid_t, bool>& programs, int signal) {
  for (const auto& [id, own_group] : programs) end_one(id, own_group, signal);
}

}  // namespace

// The caller holds the mutex.
void remove_ending_folders() {
  for (EndingFolder* each = unfinished().folders; each != nullptr; each = each->next_)
    each->remove_known();
}

namespace {

// The caller holds the mutex.
void end_all(int signal) {
  end_programs(unfinished().programs, signal);
  remove_ending_folders();
  remove_unfinished_files();
}

}  // namespace

void clean_up_when_interrupted() {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU})
    if (!is_ignored(signal)) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &inherited());
  const auto wait = [signals] {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) return;
    // Never given back: whoever waits for a tool must not go on and say how it ended.
    const std::lock_guard lock(unfinished().mutex);
    end_all(signal);
    // The parent sees which signal it was.
    ::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    ::raise(signal);
  };
  try {
    std::thread(wait).detach();
  } catch (const std::exception&) {
    // Without a thread the signals do what they always do.
    pthread_sigmask(SIG_SETMASK, &inherited(), nullptr);
  }
}

const sigset_t& inherited_signals() { return inherited(); }

EndingFolder::EndingFolder() {
  const std::lock_guard lock(unfinished().mutex);
  next_ = std::exchange(unfinished().folders, this);
}

EndingFolder::~EndingFolder() {
  const std::lock_guard lock(unfinished().mutex);
  EndingFolder** each = &unfinished().folders;
  while (*each != this) each = &(*each)->next_;
  *each = next_;
}

std::error_code EndingFolder::make(std::string pattern) {
  const std::lock_guard lock(unfinished().mutex);
  if (mkdtemp(pattern.data()) == nullptr) return {errno, std::generic_category()};  // mode 0700
  path_ = std::move(pattern);
  folder_.reset(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder_) return {};
  const std::error_code failed(errno, std::generic_category());
  ::rmdir(path_.c_str());
  path_.clear();
  return failed;
}

void EndingFolder::remove_known() noexcept {
  if (folder_) remove_folder(folder_.get(), path_.c_str());
}

void EndingFolder::remove() {
  const std::lock_guard lock(unfinished().mutex);
  remove_known();
  folder_.reset();
}

void EndingFolder::keep() {
  const std::lock_guard lock(unfinished().mutex);
  folder_.reset();
}

int start_known(bool own_group, pid_t& id, const std::function<int(pid_t&)>& spawn) {
  const std::lock_guard lock(unfinished().mutex);
  // The entry is made first: once the program runs, nothing may fail before it is known.
  std::map<pid_t, bool> entry = {{0, own_group}};
  const int failed = spawn(id);
  if (failed != 0) return failed;
  auto node = entry.extract(entry.begin());
  node.key() = id;
  unfinished().programs.insert(std::move(node));
  return 0;
}

void program_ended(pid_t id) {
  const std::lock_guard lock(unfinished().mutex);
  unfinished().programs.erase(id);
}

void end_program(pid_t id) {
  const std::lock_guard lock(unfinished().mutex);
  const auto known = unfinished().programs.find(id);
  if (known == unfinished().programs.end()) return;
  end_one(id, known->second, SIGTERM);
  unfinished().programs.erase(known);
  ::waitpid(id, nullptr, 0);
}

void clean_up() {
  const std::lock_guard lock(unfinished().mutex);
  end_all(SIGTERM);
}

}  // namespace vertigo::compiler::driver
