#pragma once
// All vertices by the value of a state, for loops whose rounds visit those of one value. Sorted
// before such a loop begins, by counting; the vertices of a slice ascend.

#include <algorithm>
#include <span>
#include <vector>

#include "vertigo/core/slice_range.h"
#include "vertigo/cpu/buffers.h"
#include "vertigo/cpu/parallel.h"

namespace vertigo::cpu {

using vertigo::is_end;

template <class T>
class SortedVertices {
 public:
  void allocate(std::size_t vertices) { order_.resize(vertices); }

  void sort(const VertexBuffer<T>& buffer) {
    const std::span<const T> values = buffer.values();
    find_range(values);
    begins_.assign(range_.width + 2, 0);
    for (const T value : values) ++begins_[number_of(value) + 1];
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    std::vector<Vertex> next(begins_.begin(), begins_.end() - 1);
    for (std::size_t v = 0; v < values.size(); ++v)
      order_[next[number_of(values[v])]++] = static_cast<Vertex>(v);
  }

  /// All vertices of the value; where that shares its slice with others, also those.
  std::span<const Vertex> slice(T value) const {
    const std::size_t number = number_of(value);
    return std::span(order_).subspan(begins_[number], begins_[number + 1] - begins_[number]);
  }

 private:
  std::size_t number_of(T value) const { return slice_of_key(range_, slice_key(value)); }

  void find_range(std::span<const T> values) {
    const auto count = static_cast<Vertex>(values.size());
    range_ = {.first = kInfinity<long long>, .width = 0};
    for (const T value : values)
      if (slice_key(value) >= least_first(count))
        range_.first = std::min(range_.first, slice_key(value));
    for (const T value : values)
      if (const auto distance = distance_from(range_.first, slice_key(value)); distance < count)
        range_.width = std::max(range_.width, distance + 1);
  }

  SliceRange range_;
  std::vector<Vertex> order_;
  std::vector<Vertex> begins_;  ///< of every slice, and where the last one ends
};

/// The vertices of a slice in a reduction: in no more chunks than all vertices have, each of which
/// has a place.
template <class Body>
inline void for_each_left(std::span<const Vertex> slice, const Body& body) {
  detail::parallel_chunks(slice.size(), kVertexChunk, [=](std::size_t i) { body(slice[i]); });
}

}  // namespace vertigo::cpu
