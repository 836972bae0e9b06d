#pragma once
// The arrays of a graph: views of values that something owns. Copying an array, cutting a slice off
// it and handing it to another owner copy no value.

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "vertigo/graph/arrival.h"

namespace vertigo::graph {

/// Values that are read and never written. The owner is whatever keeps them in memory: a vector,
/// pinned pages, the arrays of whoever called the library. It lives as long as the last array that
/// views its values. Values that something else has so far (vertigo/graph/arrival.h) come to their
/// place when one of them is asked for; how many there are is known before.
template <class T>
class Array {
 public:
  using value_type = T;
  using const_iterator = const T*;

  Array() = default;
  /// The vector becomes the owner.
  Array(std::vector<T> values) : Array(std::make_shared<std::vector<T>>(std::move(values))) {}
  Array(std::initializer_list<T> values) : Array(std::vector<T>(values)) {}
  /// `owner` keeps the values alive. Null: the caller does, as long as anything views them.
  Array(std::span<const T> values, std::shared_ptr<const void> owner)
      : values_(values), owner_(std::move(owner)) {}
  /// `arrival` writes to the place of the values, which `owner` keeps.
  Array(std::span<const T> values, std::shared_ptr<const void> owner,
        std::shared_ptr<const Arrival> arrival)
      : values_(values), owner_(std::move(owner)), arrival_(std::move(arrival)) {}

  const T* data() const { return values().data(); }
  std::size_t size() const { return values_.size(); }
  std::size_t size_bytes() const { return values_.size_bytes(); }
  bool empty() const { return values_.empty(); }
  /// Whether asking for a value waits for nothing.
  bool is_there() const { return arrival_ == nullptr || arrival_->is_there(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t i) const { return values()[i]; }
  const T& front() const { return values().front(); }
  const T& back() const { return values().back(); }
  operator std::span<const T>() const { return values(); }

  /// Values [first, first + count).
  Array slice(std::size_t first, std::size_t count) const {
    return {values_.subspan(first, count), owner_, arrival_};
  }
  /// The values as a vector that may be written. They are moved where a vector owns them that
  /// nothing else views, else copied. This array is empty afterwards.
  std::vector<T> take() && {
    std::vector<T> taken;
    if (vector_ != nullptr && owner_.use_count() == 1)
      taken = std::move(*vector_);
    else
      taken.assign(begin(), end());
    *this = {};
    return taken;
  }

  /// Whether the values are equal, whoever owns them.
  friend bool operator==(const Array& a, const Array& b) { return std::ranges::equal(a, b); }

 private:
  explicit Array(std::shared_ptr<std::vector<T>> vector)
      : values_(*vector), vector_(vector.get()), owner_(std::move(vector)) {}

  std::span<const T> values() const {
    if (arrival_ != nullptr) [[unlikely]]
      arrival_->await();
    return values_;
  }

  std::span<const T> values_;
  std::vector<T>* vector_ = nullptr;  ///< the owner, of a view of all of its values
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const Arrival> arrival_;  ///< null: the values are there
};

}  // namespace vertigo::graph
