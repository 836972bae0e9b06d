#include "vertigo/core/uninitialised.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

namespace vertigo {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

bool is_mapped(std::size_t bytes) { return bytes >= kHugePage / 2; }

/// The last page is a huge one where at least half of it is written.
std::size_t in_huge_pages(std::size_t bytes) {
  return (bytes + kHugePage / 2) / kHugePage * kHugePage;
}
std::size_t mapped_bytes(std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  return std::max((bytes + kPage - 1) / kPage * kPage, in_huge_pages(bytes));
}
void give_back(std::uintptr_t begin, std::uintptr_t end) noexcept {
  if (begin < end) (void)::munmap(reinterpret_cast<void*>(begin), end - begin);
}

}  // namespace

void* allocate_uninitialised(std::size_t bytes) {
  if (!is_mapped(bytes)) return ::operator new(bytes);
  if (bytes > PTRDIFF_MAX - 2 * kHugePage) throw std::bad_alloc();
  // One page more than is needed, so that the values can begin with a page; the rest goes back.
  const std::size_t kept = mapped_bytes(bytes), mapped = kept + kHugePage;
  void* const block =
      ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  const auto at = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t begin = (at + kHugePage - 1) & ~(kHugePage - 1);
  give_back(at, begin);
  give_back(begin + kept, at + mapped);
  // A wish: without huge pages everything works, slower.
  (void)::madvise(reinterpret_cast<void*>(begin), in_huge_pages(bytes), MADV_HUGEPAGE);
  return reinterpret_cast<void*>(begin);
}

void release_uninitialised(void* begin, std::size_t bytes) noexcept {
  if (!is_mapped(bytes)) return ::operator delete(begin);
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  give_back(at, at + mapped_bytes(bytes));
}

std::shared_ptr<void> uninitialised(std::size_t bytes) {
  void* const begin = allocate_uninitialised(bytes);
  return {begin, [bytes](void* given) { release_uninitialised(given, bytes); }};
}

}  // namespace vertigo
