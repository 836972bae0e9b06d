#include "compiler/driver/Process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

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

}  // namespace

std::optional<Process> Process::start(const Command& command, std::string& error) {
  std::vector<std::string> words = {command.program};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment = merged_environment(command.environment);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!command.folder.empty())
    posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  if (!command.log.empty()) {
    posix_spawn_file_actions_addopen(&actions, 1, command.log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
  }
  pid_t child = 0;
  const int failed = posix_spawn(&child, command.program.c_str(), &actions, nullptr,
                                 pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    error = std::strerror(failed);
    return std::nullopt;
  }
  return Process(child);
}

std::optional<int> Process::wait(std::string& error) {
  int status = 0;
  while (waitpid(id_, &status, 0) < 0)
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

PrivateFolder::PrivateFolder() {
  std::error_code failed;
  const std::filesystem::path base = std::filesystem::temp_directory_path(failed);
  if (failed) return;
  std::string pattern = (base / "vertigo-XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;  // mode 0700
}

PrivateFolder::~PrivateFolder() {
  if (kept_ || path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace vertigo::compiler::driver
