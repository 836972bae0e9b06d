#pragma once
// All vertices by the value of a state, for loops whose rounds visit those of one value:
//
//   by_depth.sort(session, depth);             before the loop
//   update<<<…>>>(graph, by_depth.slice(session, d), …);
//
// and in a kernel that is the whole loop, `slice_of(by_depth, d)`. A slice is a worklist that
// nobody appends to. The counting sort lies in the library.

#include "vertigo/core/slice_range.h"
#include "vertigo/device/arithmetic.cuh"
#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

using vertigo::is_end;

/// What kernels take, and where the sort lies.
struct SliceArrays {
  Vertex* vertices = nullptr;       ///< slice by slice
  std::uint32_t* begins = nullptr;  ///< of every slice in `vertices`
  std::uint32_t* sizes = nullptr;   ///< of every slice
  SliceRange* range = nullptr;      ///< one

  VERTIGO_HOST_DEVICE Worklist slice(std::uint64_t number, std::uint32_t begin) const {
    return {vertices + begin, sizes + number};
  }
};
template <class T>
struct Slices : SliceArrays {};

void declare_slices(Session& session, SliceArrays& arrays, const char* name);
/// In stream order; the values are of a kind of 32 or 64 bits, or bool.
void sort_into_slices(Session& session, const SliceArrays& arrays, const void* values,
                      ScalarKind kind);

/// Where slices begin, as the host knows it.
class HostSlices {
 public:
  HostSlices() = default;
  HostSlices(const HostSlices&) = delete;
  ~HostSlices() { forget(); }

  /// Waits for everything before it, where nothing is known yet.
  Worklist find(Session& session, const SliceArrays& arrays, long long key);
  void forget();

 private:
  SliceRange range_;
  std::uint32_t* begins_ = nullptr;
};

template <class T>
class SortedVertices {
 public:
  void declare(Session& session, const char* name) { declare_slices(session, arrays_, name); }
  void sort(Session& session, const T* values) {
    sort_into_slices(session, arrays_, values, detail::KindOf<T>::kKind);
    known_.forget();
  }
  /// All vertices of the value; where that shares its slice with others, also those.
  Worklist slice(Session& session, T value) {
    return known_.find(session, arrays_, slice_key(value));
  }
  operator Slices<T>() const { return {arrays_}; }  // NOLINT: kernels take the light handle

 private:
  SliceArrays arrays_;
  HostSlices known_;
};

template <class T>
__device__ __forceinline__ Worklist slice_of(const Slices<T>& sorted, detail::Same<T> value) {
  const std::uint64_t number = slice_of_key(*sorted.range, slice_key(value));
  return sorted.slice(number, sorted.begins[number]);
}

}  // namespace vertigo::gpu
