#include "compiler/driver/Process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>

#include "compiler/driver/Interruption.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"

extern char** environ;  // NOLINT: POSIX

namespace vertigo::compiler::driver {

namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> merged_environment(const std::vector<std::string>& additions) {
  std::vector<std::string> merged = additions;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string known = *entry;
    const std::string name = known.substr(0, known.find('=') + 1);
    bool replaced = false;
    for (const std::string& addition : additions) replaced = replaced || addition.starts_with(name);
    if (!replaced) merged.push_back(known);
  }
  return merged;
}

/// How a child begins: with the signals that we were started with.
class Attributes {
 public:
  explicit Attributes(bool own_group) {
    posix_spawnattr_init(&attributes_);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    posix_spawnattr_setsigmask(&attributes_, &inherited_signals());
    sigset_t ignored_by_us;
    sigemptyset(&ignored_by_us);
    sigaddset(&ignored_by_us, SIGPIPE);
    sigaddset(&ignored_by_us, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes_, &ignored_by_us);
    if (own_group) {
      flags |= POSIX_SPAWN_SETPGROUP;
      posix_spawnattr_setpgroup(&attributes_, 0);
    }
    posix_spawnattr_setflags(&attributes_, flags);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// Where a child runs and where its output goes.
class FileActions {
 public:
  explicit FileActions(const Command& command) {
    posix_spawn_file_actions_init(&actions_);
    if (!command.folder.empty())
      need(posix_spawn_file_actions_addchdir_np(&actions_, command.folder.c_str()));
    if (command.log.empty()) return;
    need(posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, command.log.c_str(),
                                          O_WRONLY | O_CREAT | O_APPEND, 0600));
    need(posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO));
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  // An action that is not there would let the child write where the user stands.
  void need(int failed) {
    if (failed == 0) return;
    posix_spawn_file_actions_destroy(&actions_);
    throw std::bad_alloc();  // nothing else can fail here
  }

  posix_spawn_file_actions_t actions_{};
};

}  // namespace

std::optional<Process> Process::start(const Command& command, std::string& error) {
  std::vector<std::string> words = {command.name.empty() ? command.program : command.name};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment = merged_environment(command.environment);

  const FileActions actions(command);
  const Attributes attributes(command.is_tool);
  std::vector<char*> argument_words = pointers(words);
  std::vector<char*> environment_words = pointers(environment);
  pid_t child = 0;
  const int failed = start_known(command.is_tool, child, [&](pid_t& id) {
    return posix_spawn(&id, command.program.c_str(), actions.get(), attributes.get(),
                       argument_words.data(), environment_words.data());
  });
  if (failed == ENOMEM) throw std::bad_alloc();
  if (failed != 0) {
    error = std::strerror(failed);
    return std::nullopt;
  }
  return Process(child);
}

Process::~Process() {
  if (id_ != kNone) end_program(id_);
}

std::optional<int> Process::wait(std::string& error) {
  // First it is no longer ours to end, then its id is free for others.
  siginfo_t state{};
  while (waitid(P_PID, static_cast<id_t>(id_), &state, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  program_ended(id_);
  const pid_t id = std::exchange(id_, kNone);
  int status = 0;
  while (waitpid(id, &status, 0) < 0)
    if (errno != EINTR) {
      error = std::strerror(errno);
      return std::nullopt;
    }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::optional<int> run(const Command& command, std::string& error) {
  std::optional<Process> process = Process::start(command, error);
  return process ? process->wait(error) : std::nullopt;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const auto found = llvm::sys::findProgramByName(name);
  return found ? *found : "";
}

std::string quoted_for_display(const Command& command) {
  std::string text;
  const auto add = [&](const std::string& word) {
    if (!text.empty()) text += ' ';
    const bool plain =
        !word.empty() && word.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "-_=+./,:") == std::string::npos;
    if (plain) {
      text += word;
      return;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  };
  add(command.program);
  for (const std::string& argument : command.arguments) add(argument);
  return text;
}

bool is_plain_name(const std::string& path) {
  return llvm::all_of(
      path, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("/._-+,").contains(c); });
}

PrivateFolder::PrivateFolder(FolderNames names) {
  const char* chosen = std::getenv("TMPDIR");
  std::vector<std::string> bases = {chosen != nullptr && *chosen != '\0' ? chosen : "/tmp"};
  // What a shell sees is the real name, whatever links lead to it.
  std::error_code failed;
  const std::string real = std::filesystem::canonical(bases.front(), failed).string();
  if (names == FolderNames::Plain && !failed && !is_plain_name(real))
    bases = {"/tmp", "/var/tmp", "/dev/shm"};
  for (const std::string& base : bases)
    if (make_in(base)) return;
}

bool PrivateFolder::make_in(const std::string& base) {
  // Tools run elsewhere: a relative name would mean another folder to them.
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(base, failed);
  if (!failed) failed = folder_.make((real / "vertigo-XXXXXX").string());
  if (failed == std::errc::not_enough_memory) throw std::bad_alloc();
  if (failed) {
    problem_ = "no folder can be made in '" + base + "': " + failed.message();
    return false;
  }
  return true;
}

void PrivateFolder::keep() { folder_.keep(); }

PrivateFolder::~PrivateFolder() { folder_.remove(); }

}  // namespace vertigo::compiler::driver
