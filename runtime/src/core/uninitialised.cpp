#include "vertigo/core/uninitialised.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace vertigo {

std::shared_ptr<void> uninitialised(std::size_t bytes) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (bytes < kHugePage / 2) return std::make_unique_for_overwrite<std::byte[]>(bytes);
  if (bytes > PTRDIFF_MAX - 2 * kHugePage) throw std::bad_alloc();
  // The last page is a huge one where at least half of it is written.
  const std::size_t huge = (bytes + kHugePage / 2) / kHugePage * kHugePage;
  // One page more than is needed, so that the values can begin with a page. What nobody writes to
  // takes no memory.
  const std::size_t mapped = std::max(bytes, huge) + kHugePage;
  void* const block =
      ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  const std::shared_ptr<void> owner(block, [mapped](void* begin) { ::munmap(begin, mapped); });
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + kHugePage - 1) & ~(kHugePage - 1);
  // A wish: without huge pages everything works, slower.
  (void)::madvise(reinterpret_cast<void*>(begin), huge, MADV_HUGEPAGE);
  return {owner, reinterpret_cast<void*>(begin)};
}

}  // namespace vertigo
