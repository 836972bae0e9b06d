// Vertices sorted by the value of a state, by counting. How wide the range of the values is, only
// the device knows: the host launches and does not look.

#include "check.h"
#include "vertigo/device/block_sums.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/sorted_vertices.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu {

namespace {

using detail::kScanThreads;

/// As many slices are counted by each block for itself: levels of a search among friends are a
/// dozen, and all vertices would add to the same few words.
constexpr unsigned kFewSlices = 1024;

constexpr long long kNoKey = kInfinity<long long>;

__global__ void begin_slices(SliceRange* range) { *range = {kNoKey, 0}; }

template <class T>
__global__ void __launch_bounds__(kBlock)
    find_first_slice(const T* values, Vertex count, SliceRange* range) {
  long long first = kNoKey;
  for (const Vertex v : detail::AllVertices{0, count}) {
    const long long key = slice_key(values[v]);
    if (key >= least_first(count) && key < first) first = key;
  }
  first = detail::combine_warp(first, Min{});
  if (lane() == 0) atomicMin(&range->first, first);
}

template <class T>
__global__ void __launch_bounds__(kBlock)
    find_width(const T* values, Vertex count, SliceRange* range) {
  unsigned long long width = 0;
  const long long first = range->first;
  for (const Vertex v : detail::AllVertices{0, count}) {
    const unsigned long long distance = distance_from(first, slice_key(values[v]));
    if (distance < count && distance >= width) width = distance + 1;
  }
  width = detail::combine_warp(width, Max{});
  if (lane() == 0) atomicMax(&range->width, width);
}

__global__ void __launch_bounds__(kBlock) clear_sizes(const SliceArrays arrays) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i <= arrays.range->width; i += stride)
    arrays.sizes[i] = 0;
}

/// Where the vertices of each slice end; they are taken from there.
__global__ void __launch_bounds__(kScanThreads) place_slices(const SliceArrays arrays) {
  detail::sum_before_each(
      arrays.range->width + 1, [&](std::uint64_t i) { return arrays.sizes[i]; },
      [&](std::uint64_t i, std::uint32_t before, std::uint32_t size) {
        arrays.begins[i] = before + size;
      });
}

/// The lanes of a warp whose vertices are of one slice.
struct Together {
  unsigned lanes;
  __device__ __forceinline__ explicit Together(unsigned slice)
      : lanes(__match_any_sync(kAllLanes, slice)) {}
  __device__ __forceinline__ bool leads() const { return lane() == __ffs(lanes) - 1u; }
  __device__ __forceinline__ unsigned before() const { return __popc(lanes & lanes_below()); }
  __device__ __forceinline__ unsigned count() const { return __popc(lanes); }
  /// What the first of them got, and how many stand before the caller.
  __device__ __forceinline__ std::uint32_t share(std::uint32_t got) const {
    return __shfl_sync(kAllLanes, got, __ffs(lanes) - 1) + before();
  }
};

/// The vertices of a block: a stretch, so that those of a slice nearly ascend.
template <class T>
class OfBlock {
 public:
  __device__ __forceinline__ OfBlock(const T* values, Vertex count, const SliceRange& range)
      : values_(values), range_(range) {
    const std::uint64_t tiles = (std::uint64_t{count} + blockDim.x - 1) / blockDim.x;
    const std::uint64_t of_each = (tiles + gridDim.x - 1) / gridDim.x * blockDim.x;
    begin_ = blockIdx.x * of_each;
    end_ = begin_ + of_each < count ? begin_ + of_each : count;
  }
  /// visit(vertex, slice) by whole warps; the slice of a lane without a vertex is kNoSlice.
  template <class Visit>
  __device__ __forceinline__ void each(const Visit& visit) const {
    for (std::uint64_t base = begin_; base < end_; base += blockDim.x) {
      const std::uint64_t v = base + threadIdx.x;
      const bool inside = v < end_;
      visit(static_cast<Vertex>(v),
            inside ? static_cast<unsigned>(slice_of_key(range_, slice_key(values_[v]))) : kNoSlice);
    }
  }
  static constexpr unsigned kNoSlice = ~0u;

 private:
  const T* values_;
  SliceRange range_;
  std::uint64_t begin_, end_;
};

/// To `counts`: how many vertices the block has of each slice.
template <class T>
__device__ __forceinline__ void add_counts(const OfBlock<T>& own, std::uint32_t* counts) {
  own.each([&](Vertex, unsigned slice) {
    const Together same(slice);
    if (slice != own.kNoSlice && same.leads()) atomicAdd(counts + slice, same.count());
  });
}

/// The same into `counts` of the block's own.
template <class T>
__device__ __forceinline__ void count_own(const OfBlock<T>& own, unsigned slices,
                                          std::uint32_t* counts) {
  for (unsigned i = threadIdx.x; i < slices; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  add_counts(own, counts);
  __syncthreads();
}

template <class T>
__global__ void __launch_bounds__(kBlock)
    count_slices(const T* values, Vertex count, const SliceArrays arrays) {
  __shared__ std::uint32_t counts[kFewSlices];
  const SliceRange range = *arrays.range;
  const OfBlock<T> own(values, count, range);
  if (range.width < kFewSlices) {
    const auto slices = static_cast<unsigned>(range.width + 1);
    count_own(own, slices, counts);
    for (unsigned i = threadIdx.x; i < slices; i += blockDim.x)
      if (counts[i] != 0) atomicAdd(arrays.sizes + i, counts[i]);
    return;
  }
  add_counts(own, arrays.sizes);
}

/// Each slice is filled from its end, so that `begins` is what it says when all stand there.
template <class T>
__global__ void __launch_bounds__(kBlock)
    fill_slices(const T* values, Vertex count, const SliceArrays arrays) {
  __shared__ std::uint32_t places[kFewSlices];
  const SliceRange range = *arrays.range;
  const OfBlock<T> own(values, count, range);
  const bool few = range.width < kFewSlices;
  if (few) {
    const auto slices = static_cast<unsigned>(range.width + 1);
    count_own(own, slices, places);
    for (unsigned i = threadIdx.x; i < slices; i += blockDim.x)
      if (places[i] != 0) places[i] = atomicSub(arrays.begins + i, places[i]) - places[i];
    __syncthreads();
  }
  own.each([&](Vertex v, unsigned slice) {
    const Together same(slice);
    std::uint32_t place = 0;
    if (slice != own.kNoSlice && same.leads())
      place = few ? atomicAdd(places + slice, same.count())
                  : atomicSub(arrays.begins + slice, same.count()) - same.count();
    place = same.share(place);
    if (slice != own.kNoSlice) arrays.vertices[place] = v;
  });
}

template <class T>
void sort(Session& session, const SliceArrays& arrays, const T* values) {
  const Vertex count = session.vertex_count();
  const unsigned blocks = session.blocks();
  const Stream stream = session.stream();
  begin_slices<<<1, 1, 0, stream>>>(arrays.range);
  session.launched("begin_slices");
  find_first_slice<<<blocks, kBlock, 0, stream>>>(values, count, arrays.range);
  session.launched("find_first_slice");
  find_width<<<blocks, kBlock, 0, stream>>>(values, count, arrays.range);
  session.launched("find_width");
  clear_sizes<<<blocks, kBlock, 0, stream>>>(arrays);
  session.launched("clear_sizes");
  count_slices<<<blocks, kBlock, 0, stream>>>(values, count, arrays);
  session.launched("count_slices");
  place_slices<<<1, kScanThreads, 0, stream>>>(arrays);
  session.launched("place_slices");
  fill_slices<<<blocks, kBlock, 0, stream>>>(values, count, arrays);
  session.launched("fill_slices");
}

}  // namespace

void declare_slices(Session& session, SliceArrays& arrays, const char* name) {
  const std::uint64_t vertices = session.vertex_count();
  session.declare(arrays.vertices, vertices, name);
  session.declare(arrays.begins, vertices + 1, "begins of slices");
  session.declare(arrays.sizes, vertices + 1, "sizes of slices");
  session.declare(arrays.range, 1, "range of slices");
}

Worklist HostSlices::find(Session& session, const SliceArrays& arrays, long long key) {
  constexpr const char* kWhat = "read the places of slices";
  const auto read = [&](void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, session.stream()), kWhat);
    check(cudaStreamSynchronize(session.stream()), kWhat);
  };
  if (begins_ == nullptr) {
    read(&range_, arrays.range, sizeof range_);
    begins_ = new std::uint32_t[range_.width + 1];
    read(begins_, arrays.begins, (range_.width + 1) * sizeof *begins_);
  }
  const unsigned long long number = slice_of_key(range_, key);
  return arrays.slice(number, begins_[number]);
}

void HostSlices::forget() {
  delete[] begins_;
  begins_ = nullptr;
}

void sort_into_slices(Session& session, const SliceArrays& arrays, const void* values,
                      ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return sort(session, arrays, static_cast<const bool*>(values));
    case ScalarKind::Int32:
      return sort(session, arrays, static_cast<const std::int32_t*>(values));
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      return sort(session, arrays, static_cast<const std::uint32_t*>(values));
    default:
      return sort(session, arrays, static_cast<const std::int64_t*>(values));
  }
}

}  // namespace vertigo::gpu
