#pragma once
// Room for arrays that are about to be written (vertigo/core/uninitialised.h).

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "vertigo/core/uninitialised.h"
#include "vertigo/graph/array.h"

namespace vertigo::graph {

/// Memory for owners of their own kind, freed by the same number of bytes.
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
  /// The same, where `arrival` writes them.
  Array<T> finished(std::shared_ptr<const Arrival> arrival) && {
    const std::span<const T> values(data(), std::exchange(size_, 0));
    return {values, std::move(owner_), std::move(arrival)};
  }

 private:
  static constexpr std::size_t kMost = ~std::size_t{0} / sizeof(T);
  std::shared_ptr<void> owner_;
  std::size_t size_ = 0;
};

}  // namespace vertigo::graph
