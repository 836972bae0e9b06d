#include "room.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace vertigo::graph {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

// From here on a block is mapped by itself.
constexpr std::size_t kMapped = std::size_t{256} << 10;

}  // namespace

void* allocate_column(std::size_t bytes) {
  if (bytes < kMapped) return ::operator new(bytes);
  void* const block =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  // Room that is taken at once is written soon.
  if (bytes >= 2 * kHugePage) (void)::madvise(block, bytes, MADV_HUGEPAGE);
  return block;
}

void free_column(void* column, std::size_t bytes) noexcept {
  if (bytes < kMapped)
    ::operator delete(column);
  else
    ::munmap(column, bytes);
}

std::shared_ptr<void> uninitialised(std::size_t bytes) {
  if (bytes < 2 * kHugePage) return std::make_unique_for_overwrite<std::byte[]>(bytes);
  if (bytes > PTRDIFF_MAX - kHugePage) throw std::bad_alloc();
  // One page more than is needed, so that the values can begin with a page. What nobody writes to
  // takes no memory.
  const std::size_t mapped = bytes + kHugePage;
  void* const block =
      ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  const std::shared_ptr<void> owner(block, [mapped](void* begin) { ::munmap(begin, mapped); });
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + kHugePage - 1) & ~(kHugePage - 1);
  // A wish: without huge pages everything works, slower.
  (void)::madvise(reinterpret_cast<void*>(begin), bytes, MADV_HUGEPAGE);
  return {owner, reinterpret_cast<void*>(begin)};
}

}  // namespace vertigo::graph
