#pragma once
// Room for arrays that are about to be written. Nobody zeroes it first, and where it is large it
// lies in huge pages: a thread that writes to it for the first time gets 2 MiB at once, near to
// where it runs, where 4 KiB at a time take longer than reading the values.

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "vertigo/graph/array.h"

namespace vertigo::graph {

/// Bytes that nobody has written yet. Large ones go back to the system when the owner lets go.
/// Throws std::bad_alloc.
std::shared_ptr<void> uninitialised(std::size_t bytes);

/// The same for owners of their own kind: memory of `bytes` bytes, freed by the same number.
void* allocate_column(std::size_t bytes);
void free_column(void* column, std::size_t bytes) noexcept;

/// Values that are being written; they become an Array when all are.
template <class T>
class Room {
 public:
  using value_type = T;
  static_assert(std::is_trivially_copyable_v<T>);

  Room() = default;
  explicit Room(std::size_t size) : size_(size) {
    if (size > kMost) throw std::bad_alloc();
    if (size > 0) owner_ = uninitialised(size * sizeof(T));
  }

  T* data() { return static_cast<T*>(owner_.get()); }
  const T* data() const { return static_cast<const T*>(owner_.get()); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  operator std::span<const T>() const { return {data(), size_}; }

  /// The values, which nobody may write any more.
  Array<T> finished() && {
    const std::span<const T> values(data(), std::exchange(size_, 0));
    return {values, std::move(owner_)};
  }

 private:
  static constexpr std::size_t kMost = ~std::size_t{0} / sizeof(T);
  std::shared_ptr<void> owner_;
  std::size_t size_ = 0;
};

}  // namespace vertigo::graph
