#pragma once
// Vertices to visit, with their number on the device. Lanes that append at the same time share one
// atomic addition.

#include "vertigo/device/buffers.cuh"
#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu {

/// Adds `amount` to a counter for every calling lane and returns where the caller's share begins.
/// The lanes that arrive together elect one that adds for all.
__device__ __forceinline__ std::uint32_t claim(std::uint32_t* counter) {
  const unsigned together = __activemask();
  const unsigned leader = __ffs(together) - 1;
  std::uint32_t base = 0;
  if (lane() == leader) base = atomicAdd(counter, __popc(together));
  return __shfl_sync(together, base, leader) + __popc(together & lanes_below());
}

__device__ __forceinline__ void append(const Worklist& list, Vertex v) {
  list.items[claim(list.count)] = v;
}

namespace detail {

/// Memory of the block, the same wherever it is asked for in a kernel: parts of one launch that
/// come one after the other use it in turn.
template <class T, unsigned kNumber>
__device__ __forceinline__ T& room() {
  __shared__ T memory;
  return memory;
}

}  // namespace detail

/// What a kernel's loop over vertices appends of these, several turns of a warp with one atomic
/// addition: where millions go to a list, additions to its length take longer than all else. The
/// vertices of a turn stand side by side, in the order of their lanes. Meanwhile each thread keeps
/// them in a column of its own: a kernel that runs a whole loop has no registers to spare. Those
/// that a kernel has at the same time differ in `kNumber`.
template <unsigned kNumber>
class Appender {
 public:
  __device__ __forceinline__ explicit Appender(const Worklist& list) : list_(list) {}
  __device__ __forceinline__ ~Appender() { hand_over(); }
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;

  /// The loop goes on to its next vertex. Threads that loop together call it together.
  __device__ __forceinline__ void turn() {
    if (turns_ == kTurns) hand_over();
    ++turns_;
  }
  /// One vertex a turn.
  __device__ __forceinline__ void append(Vertex v) {
    columns()[turns_ - 1][threadIdx.x] = v;
    appended_ |= 1u << (turns_ - 1);
  }

 private:
  static constexpr unsigned kTurns = 8;
  using Columns = Vertex[kTurns][kBlock];

  __device__ __forceinline__ static Columns& columns() { return detail::room<Columns, kNumber>(); }

  __device__ __forceinline__ void hand_over() {
    const unsigned together = __activemask();
    unsigned all = 0;
    for (unsigned i = 0; some_from(i, together); ++i) all += __popc(lanes_of(i, together));
    if (all != 0) {
      const unsigned leader = __ffs(together) - 1;
      std::uint32_t base = 0;
      if (lane() == leader) base = atomicAdd(list_.count, all);
      base = __shfl_sync(together, base, leader);
      for (unsigned i = 0; some_from(i, together); ++i) {
        const unsigned lanes = lanes_of(i, together);
        if ((appended_ >> i & 1) != 0)
          list_.items[base + __popc(lanes & lanes_below())] = columns()[i][threadIdx.x];
        base += __popc(lanes);
      }
    }
    turns_ = 0;
    appended_ = 0;
  }
  /// Whether someone appended in this turn or a later one.
  __device__ __forceinline__ bool some_from(unsigned turn, unsigned together) const {
    return __any_sync(together, (appended_ >> turn) != 0);
  }
  /// Those that appended in a turn.
  __device__ __forceinline__ unsigned lanes_of(unsigned turn, unsigned together) const {
    return __ballot_sync(together, (appended_ >> turn & 1) != 0);
  }

  const Worklist& list_;
  std::uint32_t appended_ = 0;  ///< a bit for each turn
  unsigned turns_ = 0;          ///< since vertices were handed over last
};

template <unsigned kNumber>
__device__ __forceinline__ void turn(Appender<kNumber>& appender) {
  appender.turn();
}
template <unsigned kNumber>
__device__ __forceinline__ void append(Appender<kNumber>& appender, Vertex v) {
  appender.append(v);
}

/// What a kernel appends of the edges that its blocks visit, some hundreds of vertices with one
/// atomic addition: where a step visits millions, additions to the length of a list take longer
/// than all else. The threads of a block make it, call turn() and end it together.
template <unsigned kNumber>
class BlockAppender {
  static constexpr unsigned kRoom = 512;
  static constexpr unsigned kFull = kRoom / 2;
  // A step over fewer vertices than this is over before it pays to collect.
  static constexpr std::uint32_t kMany = 1 << 14;

  struct Room {
    std::uint32_t count;  ///< of those who asked for a place; more than kRoom found none
    std::uint32_t begin;
    Vertex vertices[kRoom];
  };

 public:
  __device__ __forceinline__ explicit BlockAppender(const Worklist& list)
      : list_(list), collects_(true) {
    begin();
  }
  /// `visited`: the vertices that the kernel visits.
  __device__ __forceinline__ BlockAppender(const Worklist& list, const Worklist& visited)
      : list_(list), collects_(*visited.count >= kMany) {
    begin();
  }
  __device__ __forceinline__ ~BlockAppender() {
    if (!collects_) return;
    __syncthreads();
    if (room_.count != 0) hand_over();
  }
  BlockAppender(const BlockAppender&) = delete;
  BlockAppender& operator=(const BlockAppender&) = delete;

  /// The block goes on to its next vertices.
  __device__ __forceinline__ void turn() {
    if (collects_ && __syncthreads_or(full_)) hand_over();
  }
  __device__ __forceinline__ void append(Vertex v) {
    if (collects_) {
      const std::uint32_t place = claim(&room_.count);
      full_ = full_ || place >= kFull;
      if (place < kRoom) {
        room_.vertices[place] = v;
        return;
      }
    }
    gpu::append(list_, v);
  }

 private:
  __device__ __forceinline__ void begin() {
    if (!collects_) return;
    if (threadIdx.x == 0) room_.count = 0;
    __syncthreads();
  }
  // Nobody appends meanwhile.
  __device__ __forceinline__ void hand_over() {
    const std::uint32_t count = room_.count < kRoom ? room_.count : kRoom;
    if (threadIdx.x == 0) room_.begin = atomicAdd(list_.count, count);
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < count; i += kBlock)
      list_.items[room_.begin + i] = room_.vertices[i];
    if (threadIdx.x == 0) room_.count = 0;
    full_ = false;
    __syncthreads();
  }

  const Worklist& list_;
  Room& room_ = detail::room<Room, kNumber>();
  const bool collects_;  ///< the same in all threads
  bool full_ = false;
};

template <unsigned kNumber>
__device__ __forceinline__ void turn(BlockAppender<kNumber>& appender) {
  appender.turn();
}
template <unsigned kNumber>
__device__ __forceinline__ void append(BlockAppender<kNumber>& appender, Vertex v) {
  appender.append(v);
}

/// Raising a flag again costs one read.
__device__ __forceinline__ void raise(const Flag& flag) {
  if (load_relaxed(*flag.word) == 0) store_relaxed(*flag.word, 1u);
}

}  // namespace vertigo::gpu
