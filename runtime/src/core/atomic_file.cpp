#include "vertigo/core/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

#include "vertigo/core/failure.h"
#include "vertigo/core/secret_number.h"

namespace vertigo {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISFIFO(mode)) return "a pipe";
  return "not a regular file";
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

// By this name the kernel links a file that has none. Where /proc is missing it has no name at all.
std::array<char, 32> descriptor_name(int descriptor) {
  std::array<char, 32> name{};
  fmt::format_to_n(name.data(), name.size() - 1, "/proc/self/fd/{}", descriptor);
  return name;
}

// Files that exist under a temporary name, or may get one. Whoever changes such a name on the disk
// holds the mutex, so that a file is either in its place or removed when the process ends.
std::mutex unfinished_mutex;

}  // namespace

AtomicFile::UnfinishedFile* AtomicFile::unfinished = nullptr;

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

void remove_unfinished_files() {
  // A thread that never lets go of the mutex must not keep a dying process alive.
  std::unique_lock lock(unfinished_mutex, std::defer_lock);
  for (int tries = 0; !lock.try_lock(); ++tries) {
    if (tries == 1000) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (const auto* each = AtomicFile::unfinished; each != nullptr; each = each->next)
    if (each->file.temporary_[0] != '\0')
      ::unlinkat(each->file.directory_.get(), each->file.temporary_.data(), 0);
}

AtomicFile::UnfinishedFile::UnfinishedFile(const AtomicFile& one) : file(one) {
  const std::lock_guard lock(unfinished_mutex);
  next = std::exchange(unfinished, this);
}

AtomicFile::UnfinishedFile::~UnfinishedFile() {
  const std::lock_guard lock(unfinished_mutex);
  UnfinishedFile** each = &unfinished;
  while (*each != this) each = &(*each)->next;
  *each = next;
}

AtomicFile::AtomicFile(std::string path, OverwriteRule rule)
    : path_(std::move(path)), target_(path_), listed_(*this) {
  if (path_.empty()) throw Error(ExitCode::OutputFailed, "the name of the output file is empty");
  find_target(rule);
}

void AtomicFile::find_target(OverwriteRule rule) {
  struct stat status{};
  if (::lstat(path_.c_str(), &status) != 0) {
    if (errno != ENOENT) fail("cannot look at the output file", errno);
    open_temporary(std::nullopt);
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
    if (::stat(path_.c_str(), &status) != 0) {
      open_temporary(std::nullopt);  // dangling: created where it leads
      return;
    }
    if (S_ISDIR(status.st_mode))
      throw Error(ExitCode::OutputFailed, "the output is a link to a directory", path_);
  }
  replaced_ = FileIdentity{status.st_dev, status.st_ino};
  if (S_ISREG(status.st_mode)) {
    if (rule == OverwriteRule::RegularOnly &&
        ::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0)
      fail("the output exists and may not be written", errno);
    open_temporary(status.st_mode & 0777);
    return;
  }
  // By the user's name: what /dev/stdout leads to may have none of its own.
  descriptor_.reset(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
  if (!descriptor_) fail("cannot open the output", errno);
}

void AtomicFile::open_directory() {
  const std::filesystem::path target(target_);
  name_ = target.filename().string();
  if (name_.empty()) fail("cannot create the output file", EISDIR);
  const std::string folder =
      target.has_parent_path() ? target.parent_path().string() : std::string(".");
  directory_.reset(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Files can be made in a directory that may not be listed.
  if (!directory_ && errno == EACCES)
    directory_.reset(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat status{};
  if (!directory_ || ::fstat(directory_.get(), &status) != 0)
    fail("cannot create the output file", errno);
  place_ = {status.st_dev, status.st_ino};
}

// The file gets the mode that any new file would have, or what the old one had.
void AtomicFile::open_temporary(std::optional<mode_t> mode) {
  open_directory();
  if (!open_unnamed()) open_named();
  if (mode) (void)::fchmod(descriptor_.get(), *mode);
}

// False where the file system, or this machine, has no files without a name.
bool AtomicFile::open_unnamed() {
  descriptor_.reset(::openat(directory_.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (!descriptor_) {
    if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT) return false;
    fail("cannot create the output file", errno);
  }
  if (::access(descriptor_name(descriptor_.get()).data(), F_OK) == 0) return true;
  descriptor_.reset();
  return false;
}

void AtomicFile::open_named() {
  constexpr int kTries = 100;
  for (int tries = 0; tries < kTries; ++tries) {
    const std::lock_guard lock(unfinished_mutex);
    temporary_ = random_name();
    descriptor_.reset(::openat(directory_.get(), temporary_.data(),
                               O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
    if (descriptor_) return;
    temporary_ = {};
    if (errno != EEXIST) break;
  }
  fail("cannot create the output file", errno);
}

AtomicFile::TemporaryName AtomicFile::random_name() {
  TemporaryName name{};
  fmt::format_to_n(name.data(), name.size() - 1, ".vertigo-{:016x}", secret_number());
  return name;
}

AtomicFile::~AtomicFile() {
  const std::lock_guard lock(unfinished_mutex);
  if (temporary_[0] != '\0') ::unlinkat(directory_.get(), temporary_.data(), 0);
  temporary_ = {};
}

void AtomicFile::write(const void* data, std::size_t size) {
  constexpr std::size_t kLargestWrite = std::size_t{1} << 30;
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor_.get(), next, std::min(size, kLargestWrite));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("cannot write", errno);
    }
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::make_executable() {
  struct stat status{};
  if (::fstat(descriptor_.get(), &status) != 0 ||
      ::fchmod(descriptor_.get(), (status.st_mode & 0777) | ((status.st_mode & 0444) >> 2)) != 0)
    fail("cannot make the output executable", errno);
}

void AtomicFile::finish() {
  if (std::exchange(finished_, true)) return;
  if (!name_.empty()) {
    if (synced_ && ::fsync(descriptor_.get()) != 0) fail("cannot sync", errno);
  } else if (::close(descriptor_.release()) != 0) {  // what a device refuses late
    fail("cannot close", errno);
  }
}

void AtomicFile::commit() {
  finish();
  if (name_.empty()) return;
  temporary_[0] == '\0' ? publish_unnamed() : publish_named();
  descriptor_.reset();  // all is on the disk: closing has nothing more to tell
  // A name is on the disk only once the directory is. Some file systems cannot sync directories:
  // not an error.
  if (synced_) (void)::fsync(directory_.get());
}

int AtomicFile::link_as(const char* name) const {
  return ::linkat(AT_FDCWD, descriptor_name(descriptor_.get()).data(), directory_.get(), name,
                  AT_SYMLINK_FOLLOW);
}

// A link never replaces a file: what is there already is replaced by a second name that is renamed.
void AtomicFile::publish_unnamed() {
  if (!replaced_) {
    if (link_as(name_.c_str()) == 0) return;
    if (errno != EEXIST) fail("cannot put the file in its place", errno);
  }
  {
    const std::lock_guard lock(unfinished_mutex);
    temporary_ = random_name();
    if (link_as(temporary_.data()) != 0) {
      const int error_number = errno;
      temporary_ = {};
      fail("cannot put the file in its place", error_number);
    }
  }
  publish_named();
}

void AtomicFile::publish_named() {
  const std::lock_guard lock(unfinished_mutex);
  if (::renameat(directory_.get(), temporary_.data(), directory_.get(), name_.c_str()) != 0)
    fail("cannot rename into place", errno);
  temporary_ = {};
}

bool AtomicFile::same_place(const AtomicFile& other) const {
  if (replaced_ && replaced_ == other.replaced_) return true;
  return !name_.empty() && name_ == other.name_ && place_ == other.place_;
}

void AtomicFile::fail(std::string_view action, int error_number) const {
  throw system_failure(ExitCode::OutputFailed, action, error_number, path_);
}

}  // namespace vertigo
