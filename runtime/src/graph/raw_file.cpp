#include "raw_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "vertigo/core/error.h"
#include "vertigo/core/failure.h"
#include "vertigo/core/parallel.h"
#include "vertigo/graph/progress.h"

namespace vertigo::graph {
namespace {

std::atomic<std::uint64_t> read_so_far{0};

void count(ssize_t bytes) {
  read_so_far.fetch_add(static_cast<std::uint64_t>(bytes), std::memory_order_relaxed);
}

}  // namespace

std::uint64_t bytes_read_so_far() { return read_so_far.load(std::memory_order_relaxed); }

RawFile::RawFile(const std::string& path) : path_(path) {
  // Without O_NONBLOCK, opening a pipe would wait for a writer before it can be refused.
  descriptor_.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor_) refuse("cannot open", errno);
  struct stat status{};
  if (::fstat(descriptor_.get(), &status) != 0) refuse("cannot look at", errno);
  if (!S_ISREG(status.st_mode))
    throw Error(ExitCode::InputRefused,
                S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file", path_);
  size_ = static_cast<std::uint64_t>(status.st_size);
  modified_ = status.st_mtim;
}

std::size_t RawFile::read(char* destination, std::size_t size) {
  std::size_t total = 0;
  while (total < size) {
    const ssize_t got =
        ::pread(descriptor_.get(), destination + total, size - total, static_cast<off_t>(offset_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse("cannot read", errno);
    count(got);
    total += static_cast<std::size_t>(got);
    offset_ += static_cast<std::uint64_t>(got);
    if (got == 0 || offset_ > size_) require_unchanged();
    if (got == 0) break;
  }
  return total;
}

void RawFile::read_at(std::uint64_t offset, void* destination, std::size_t size) const {
  auto* to = static_cast<char*>(destination);
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_.get(), to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse("cannot read", errno);
    if (got == 0) require_unchanged();
    if (got == 0) refuse("cannot read", EIO);  // a size that is not true
    count(got);
    to += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

void RawFile::read_all_at(std::uint64_t offset, void* destination, std::size_t size,
                          const std::function<void(std::size_t, std::size_t)>& seen) const {
  // A huge page, so that each has its first writer.
  constexpr std::size_t kPage = std::size_t{2} << 20;
  constexpr std::size_t kPiece = std::size_t{256} << 10;
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, kPage / kPiece) if (size > kPage)
  for (std::size_t at = 0; at < size; at += kPiece) {
    carrier.run([&] {
      const std::size_t here = std::min(kPiece, size - at);
      read_at(offset + at, static_cast<std::byte*>(destination) + at, here);
      if (seen) seen(at, here);
    });
  }
  carrier.rethrow();
}

void RawFile::bring_closer(std::uint64_t offset, std::uint64_t size) const {
  // Advice: where it cannot be taken, reading takes longer.
  ::posix_fadvise(descriptor_.get(), static_cast<off_t>(offset), static_cast<off_t>(size),
                  POSIX_FADV_WILLNEED);
}

Descriptor RawFile::another() const {
  return Descriptor(::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0));
}

bool RawFile::ends_with(char byte) const {
  char last = 0;
  if (size_ == 0) return false;
  read_at(size_ - 1, &last, 1);
  return last == byte;
}

void RawFile::require_unchanged() const {
  struct stat status{};
  if (::fstat(descriptor_.get(), &status) != 0) refuse("cannot look at", errno);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size == size_ && offset_ <= size_ && status.st_mtim.tv_sec == modified_.tv_sec &&
      status.st_mtim.tv_nsec == modified_.tv_nsec)
    return;
  const std::uint64_t now = std::max(size, offset_);
  throw FileChanged(ExitCode::InputRefused,
                    now == size_
                        ? "the file changed while it was read"
                        : fmt::format("the file changed while it was read: it had {} bytes, now "
                                      "it has {}",
                                      size_, now),
                    path_);
}

void RawFile::refuse(const char* action, int error_number) const {
  throw system_failure(ExitCode::InputRefused, action, error_number, path_);
}

}  // namespace vertigo::graph
