#include "vertigo/core/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include "vertigo/core/error.h"

namespace vertigo {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISFIFO(mode)) return "a pipe";
  return "not a regular file";
}

// A rename is on the disk only once the directory is. Some file systems cannot sync directories:
// not an error.
void sync_directory_of(const std::string& path) {
  std::filesystem::path directory = std::filesystem::path(path).parent_path();
  if (directory.empty()) directory = ".";
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  ::close(descriptor);
}

// What a chain of links ends in, also where nothing is there yet (canonical() wants it to exist).
std::string follow(std::filesystem::path path, std::error_code& error) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  for (int links = 0; std::filesystem::is_symlink(path, error); ++links) {
    if (links == kMostLinks) {
      error = std::make_error_code(std::errc::too_many_symbolic_link_levels);
      return "";
    }
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
    if (error) return "";
  }
  error.clear();  // a missing end is no error
  return path.string();
}

// Temporary files that exist now. Whoever changes one on the disk holds the mutex, so that a file
// is either renamed or removed when a signal arrives.
std::mutex unfinished_mutex;
std::set<std::string>& unfinished() {
  static auto& names = *new std::set<std::string>;  // a signal may come while statics are destroyed
  return names;
}

}  // namespace

void remove_unfinished_files() {
  const std::lock_guard lock(unfinished_mutex);
  for (const std::string& name : unfinished()) ::unlink(name.c_str());
  unfinished().clear();
}

AtomicFile::AtomicFile(std::string path, OverwriteRule rule)
    : path_(std::move(path)), target_(path_) {
  if (path_.empty()) throw Error(ExitCode::OutputFailed, "the name of the output file is empty");
  struct stat status{};
  if (::lstat(path_.c_str(), &status) != 0) {
    if (errno != ENOENT) fail("cannot look at the output file", errno);
    open_temporary();
    return;
  }
  if (S_ISDIR(status.st_mode) || (!S_ISREG(status.st_mode) && rule == OverwriteRule::RegularOnly)) {
    throw Error(ExitCode::OutputFailed,
                fmt::format("the output is {}, which is not replaced", kind_of(status.st_mode)),
                path_);
  }
  if (S_ISLNK(status.st_mode)) {
    std::error_code error;
    target_ = follow(path_, error);
    if (error) fail("cannot follow the symbolic link", error.value());
    if (::stat(path_.c_str(), &status) != 0) status.st_mode = S_IFREG;  // dangling: created there
    if (S_ISDIR(status.st_mode)) {
      throw Error(ExitCode::OutputFailed, "the output is a link to a directory", path_);
    }
  }
  if (S_ISREG(status.st_mode)) {
    open_temporary();
    return;
  }
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot open the output", errno);
}

void AtomicFile::open_temporary() {
  const std::filesystem::path target(target_);
  temporary_ = (target.parent_path() / fmt::format(".{}.XXXXXX", target.filename().string()));
  const std::lock_guard lock(unfinished_mutex);
  descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    const int error_number = errno;
    temporary_.clear();
    fail("cannot create the output file", error_number);
  }
  unfinished().insert(temporary_);
  // mkostemp creates with mode 0600; the result gets what any new file would have, or what the old
  // one had.
  struct stat status{};
  mode_t mode = 0;
  if (::stat(target_.c_str(), &status) == 0) {
    mode = status.st_mode & 0777;
  } else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666 & ~mask;
  }
  (void)::fchmod(descriptor_, mode);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_.empty()) return;
  const std::lock_guard lock(unfinished_mutex);
  ::unlink(temporary_.c_str());
  unfinished().erase(temporary_);
}

void AtomicFile::write(const void* data, std::size_t size) {
  constexpr std::size_t kLargestWrite = std::size_t{1} << 30;
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, next, std::min(size, kLargestWrite));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("cannot write", errno);
    }
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail("cannot sync", errno);
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0) fail("cannot close", errno);
  if (temporary_.empty()) return;
  {
    const std::lock_guard lock(unfinished_mutex);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot rename into place", errno);
    unfinished().erase(temporary_);
  }
  temporary_.clear();
  sync_directory_of(target_);
}

void AtomicFile::fail(std::string_view action, int error_number) const {
  throw Error(ExitCode::OutputFailed, fmt::format("{}: {}", action, std::strerror(error_number)),
              path_);
}

}  // namespace vertigo
