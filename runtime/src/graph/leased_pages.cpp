#include "leased_pages.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

#include "vertigo/core/failure.h"
#include "vertigo/core/process.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

namespace vertigo::graph {
namespace {

constexpr std::uint64_t kPage = 4096;
// A writer waits so long at most before we notice. The system would take the lease away after
// /proc/sys/fs/lease-break-time, 45 s.
constexpr std::chrono::milliseconds kBetweenLooks{20};

constexpr const char* kNoRoomForCopy =
    "not enough memory to go on while another process writes to the graph's file";

std::uint64_t down_to_page(std::uint64_t at) { return at / kPage * kPage; }

// Linux 5.14 and later: else nobody could tell before it is touched whether a page can be read.
bool tells_what_is_readable() {
  void* const page = ::mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  const bool tells = ::madvise(page, kPage, MADV_POPULATE_READ) == 0;
  ::munmap(page, kPage);
  return tells;
}

}  // namespace

std::shared_ptr<LeasedPages> LeasedPages::of(const RawFile& file, const std::string& path) {
  if (!tells_what_is_readable()) return nullptr;
  Descriptor descriptor = file.another();
  if (!descriptor) return nullptr;
  // Whoever wants to write sends a signal, which would end the process: one that does nothing, and
  // then to nobody. We look ourselves.
  if (::fcntl(descriptor.get(), F_SETSIG, SIGURG) != 0 ||
      ::fcntl(descriptor.get(), F_SETLEASE, F_RDLCK) != 0)
    return nullptr;
  (void)::fcntl(descriptor.get(), F_SETOWN, 0);
  // From here on it stays as it is: so it must be what was opened.
  file.require_unchanged();
  return std::shared_ptr<LeasedPages>(new LeasedPages(std::move(descriptor), path));
}

LeasedPages::~LeasedPages() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  ends_.notify_all();
  if (waits_.joinable()) waits_.join();
  (void)::fcntl(file_.get(), F_SETLEASE, F_UNLCK);
}

std::shared_ptr<const std::byte> LeasedPages::map(std::uint64_t offset, std::size_t bytes) {
  const std::uint64_t first = down_to_page(offset);
  std::byte* const pages = map_pages(first, bytes + (offset - first));
  if (pages == nullptr) return nullptr;
  // Where there is no memory for it, the owner lets go of the pages.
  const std::shared_ptr<const void> owner(
      pages, [self = shared_from_this(), pages](const void*) { self->release(pages); });
  return {owner, pages + (offset - first)};
}

std::byte* LeasedPages::map_pages(std::uint64_t first, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (is_wanted_back()) return nullptr;
  try {
    if (!waits_.joinable()) waits_ = std::thread([this] { wait_for_writers(); });
  } catch (const std::system_error&) {
    return nullptr;
  }
  mappings_.reserve(mappings_.size() + 1);
  void* const begin =
      ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file_.get(), static_cast<off_t>(first));
  if (begin == MAP_FAILED) return nullptr;
  mappings_.push_back({static_cast<std::byte*>(begin), bytes});
  return mappings_.back().begin;
}

void LeasedPages::bring(const std::byte* begin, std::size_t bytes) const {
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = down_to_page(at);
  while (::madvise(reinterpret_cast<void*>(first), at + bytes - first, MADV_POPULATE_READ) != 0) {
    if (errno == EINTR || errno == EAGAIN) continue;
    throw system_failure(ExitCode::InputRefused, "cannot read", errno == EFAULT ? EIO : errno,
                         path_);
  }
}

void LeasedPages::release(std::byte* begin) {
  const std::lock_guard lock(mutex_);
  const auto mapping = std::ranges::find(mappings_, begin, &Mapping::begin);
  ::munmap(mapping->begin, mapping->bytes);
  mappings_.erase(mapping);
}

bool LeasedPages::is_wanted_back() const { return ::fcntl(file_.get(), F_GETLEASE) != F_RDLCK; }

void LeasedPages::wait_for_writers() {
  std::unique_lock lock(mutex_);
  while (!is_ending_ && !is_wanted_back()) ends_.wait_for(lock, kBetweenLooks);
  if (!is_ending_) give_back();
}

// Each mapping becomes a copy in one step, whoever reads it meanwhile.
void LeasedPages::give_back() {
  for (const Mapping& mapping : mappings_) {
    void* const copy =
        ::mmap(nullptr, mapping.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) end_process(ExitCode::OutOfMemory, kNoRoomForCopy);
    std::memcpy(copy, mapping.begin, mapping.bytes);
    (void)::mprotect(copy, mapping.bytes, PROT_READ);
    if (::mremap(copy, mapping.bytes, mapping.bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                 mapping.begin) == MAP_FAILED)
      end_process(ExitCode::OutOfMemory, kNoRoomForCopy);
  }
  (void)::fcntl(file_.get(), F_SETLEASE, F_UNLCK);
}

}  // namespace vertigo::graph
