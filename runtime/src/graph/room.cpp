#include "room.h"

#include <sys/mman.h>

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

}  // namespace vertigo::graph
