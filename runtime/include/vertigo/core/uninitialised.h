#pragma once
// Memory that is about to be written. Nobody zeroes it first, and where it is large it lies in huge
// pages: a thread that writes to it for the first time gets 2 MiB at once, near to where it runs,
// where 4 KiB at a time take longer than reading the values.

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace vertigo {

/// Bytes that nobody has written yet. Large ones go back to the system when the owner lets go.
/// Throws std::bad_alloc.
std::shared_ptr<void> uninitialised(std::size_t bytes);

/// The same by hand: what was allocated is released with the same number of bytes.
void* allocate_uninitialised(std::size_t bytes);
void release_uninitialised(void* begin, std::size_t bytes) noexcept;

/// Has a vector take such memory, and leave elements that it is not given a value for as they are.
template <class T>
struct UninitialisedAllocator {
  using value_type = T;

  UninitialisedAllocator() = default;
  template <class U>
  explicit UninitialisedAllocator(const UninitialisedAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(allocate_uninitialised(count * sizeof(T)));
  }
  void deallocate(T* begin, std::size_t count) noexcept {
    release_uninitialised(begin, count * sizeof(T));
  }
  template <class U, class... Values>
  void construct(U* place, Values&&... values) {
    if constexpr (sizeof...(Values) == 0)
      ::new (static_cast<void*>(place)) U;
    else
      ::new (static_cast<void*>(place)) U(std::forward<Values>(values)...);
  }
  friend bool operator==(const UninitialisedAllocator&, const UninitialisedAllocator&) {
    return true;
  }
};

using UninitialisedBytes = std::vector<std::byte, UninitialisedAllocator<std::byte>>;

}  // namespace vertigo
