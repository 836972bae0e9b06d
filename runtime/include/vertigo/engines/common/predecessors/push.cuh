#pragma once
// Who reached whom, where few edges lead from one level to the next one: the vertices of the level
// name themselves to those that they reached. To ask the other way round, as device.cuh does,
// every vertex of the next level would look through half of its list for one of few. On kron 21 48
// the second level has 95 million edges, and one in a hundred comes from the first.
//
// Three passes over the vertices in one launch: edges are counted by level, of a sample, the levels
// for which pushing is less work are chosen by all threads alike, receivers get the witness of
// their start, and then senders push. Witnesses are combined by an atomic minimum, which is asked
// for only where it improves.

#include "vertigo/engines/common/predecessors/task.cuh"

namespace vertigo::gpu::predecessors {

/// Edges of a long list that a warp takes at a time.
inline constexpr unsigned kPushChunk = 1024;

struct PushChunk {
  Vertex sender;
  std::uint32_t number;  ///< among the chunks of its list
};

template <class OperatorsType, class WeightType, class InboxType>
struct PushTask {
  using Operators = OperatorsType;
  using Inbox = InboxType;
  using Pair = decltype(Operators{}.initial());
  using Value = decltype(get<0>(Pair{}));

  Operators operators;
  Vertex vertex_count;
  Adjacency<WeightType> out;
  const EdgeIndex* in_offsets;
  const Value* values;
  const Value* start_values;
  const Inbox* starts;
  Pair* states;
  Words* words;
  PushedLevels* levels;  ///< zero before
  PushChunk* chunks;
  StepLog log;
};

namespace detail {

template <class T>
class Pusher {
  using Operators = typename T::Operators;
  using Pair = typename T::Pair;
  using Value = typename T::Value;
  using Order = detail::Order<Operators, Value>;
  static_assert(Order::kDown);
  static constexpr unsigned kAhead = 4;
  /// Longer lists are for the warp.
  static constexpr unsigned kAlone = 16;
  /// Of so many groups of vertices one is counted: levels differ by more than that misses.
  static constexpr unsigned kSampled = 8;
  /// Pull where the edges of the level before are more than this share of the next one's: then
  /// lists are left after a few edges. On an H200 a fourth instead takes 0.69 ms for 0.56 (lj).
  static constexpr unsigned kShare = 16;

 public:
  struct Shared {
    Value values[kPushedLevels + 1];  ///< of the levels, in their order
    unsigned long long edges[2][kPushedLevels + 1];
    unsigned count;
    unsigned pushed;  ///< bit k: level k pushes to level k + 1
  };

  __device__ __forceinline__ Pusher(const T& task, Shared& shared) : task_(task), shared_(shared) {}

  __device__ __forceinline__ void count_edges() {
    if (threadIdx.x == 0) list_levels();
    if (threadIdx.x <= kPushedLevels)
      shared_.edges[0][threadIdx.x] = shared_.edges[1][threadIdx.x] = 0;
    __syncthreads();
    for_each_vertex(kSampled, [&](std::uint64_t v, unsigned level) {
      // Most lanes are of one of few levels: their edges are added up before.
      for (unsigned left = __ballot_sync(kAllLanes, level != kNone); left != 0;) {
        const unsigned chosen = shuffle(level, __ffs(static_cast<int>(left)) - 1);
        const bool mine = level == chosen;
        unsigned long long out = mine ? task_.out.offsets[v + 1] - task_.out.offsets[v] : 0;
        unsigned long long in = mine ? task_.in_offsets[v + 1] - task_.in_offsets[v] : 0;
#pragma unroll
        for (unsigned distance = kWarp / 2; distance != 0; distance /= 2) {
          out += shuffle(out, lane() ^ distance);
          in += shuffle(in, lane() ^ distance);
        }
        if (lane() == 0) {
          atomicAdd(&shared_.edges[0][chosen], out);
          atomicAdd(&shared_.edges[1][chosen], in);
        }
        left &= ~__ballot_sync(kAllLanes, mine);
      }
    });
    __syncthreads();
    if (threadIdx.x <= kPushedLevels) {
      for (unsigned side = 0; side < 2; ++side)
        if (shared_.edges[side][threadIdx.x] != 0)
          atomicAdd(&task_.levels->edges[side][threadIdx.x], shared_.edges[side][threadIdx.x]);
    }
  }

  /// After all have counted.
  __device__ __forceinline__ void choose() {
    if (threadIdx.x == 0) {
      unsigned pushed = 0;
      for (unsigned k = 0; k + 1 < shared_.count; ++k)
        if (kShare * load_relaxed(task_.levels->edges[0][k]) <
            load_relaxed(task_.levels->edges[1][k + 1]))
          pushed |= 1u << k;
      shared_.pushed = pushed;
      if (blockIdx.x == 0) {
        unsigned known = 0;
        for (unsigned k = 0; k + 1 < shared_.count; ++k)
          if (pushed >> k & 1) task_.levels->known[known++] = bits_of(shared_.values[k + 1]);
        task_.levels->known_count = known;
      }
    }
    __syncthreads();
  }

  __device__ __forceinline__ bool pushes() const { return shared_.pushed != 0; }

  __device__ __forceinline__ void give_starts() const {
    for_each_vertex(1, [&](std::uint64_t v, unsigned level) {
      if (level == kNone || level == 0 || (shared_.pushed >> (level - 1) & 1) == 0) return;
      const Value value = shared_.values[level];
      const bool is_start = load_once(task_.start_values + v) == value;
      store_relaxed(task_.states[v],
                    Pair(value, is_start ? get<1>(static_cast<Pair>(task_.starts[v])) : kNoVertex));
    });
  }

  __device__ __forceinline__ void push_lists() {
    for_each_vertex(1, [&](std::uint64_t v, unsigned level) {
      const bool pushes = level < kPushedLevels && (shared_.pushed >> level & 1) != 0;
      if (__ballot_sync(kAllLanes, pushes) == 0) return;
      const EdgeIndex begin = pushes ? task_.out.offsets[v] : 0;
      const EdgeIndex length = pushes ? task_.out.offsets[v + 1] - begin : 0;
      if (pushes && length <= kAlone)
        push(static_cast<Vertex>(v), shared_.values[level + 1], begin, 0, length, 1);
      for (unsigned left = __ballot_sync(kAllLanes, length > kAlone); left != 0; left &= left - 1) {
        const unsigned owner = __ffs(static_cast<int>(left)) - 1;
        const EdgeIndex edges = shuffle(length, owner);
        push(static_cast<Vertex>(v - lane() + owner), shared_.values[shuffle(level, owner) + 1],
             shuffle(begin, owner), lane(), edges < kPushChunk ? edges : kPushChunk, kWarp);
      }
      if (length > kPushChunk) {
        const auto more = static_cast<std::uint32_t>((length - 1) / kPushChunk);
        const std::uint32_t at = atomicAdd(&task_.levels->chunks, more);
        for (std::uint32_t i = 0; i < more; ++i)
          store_relaxed(task_.chunks[at + i], PushChunk{static_cast<Vertex>(v), i + 1});
      }
    });
  }

  __device__ __forceinline__ void push_chunks() {
    const std::uint32_t chunks = load_relaxed(task_.levels->chunks);
    const std::uint64_t warps = std::uint64_t{gridDim.x} * (kLookupThreads / kWarp);
    for (std::uint64_t i =
             std::uint64_t{blockIdx.x} * (kLookupThreads / kWarp) + threadIdx.x / kWarp;
         i < chunks; i += warps) {
      const PushChunk chunk = load_relaxed(task_.chunks[i]);
      const EdgeIndex begin =
          task_.out.offsets[chunk.sender] + std::uint64_t{chunk.number} * kPushChunk;
      const EdgeIndex left = task_.out.offsets[chunk.sender + 1] - begin;
      push(chunk.sender, task_.operators.sent(load_constant(task_.values + chunk.sender)), begin,
           lane(), left < kPushChunk ? left : kPushChunk, kWarp);
    }
  }

  __device__ __forceinline__ unsigned long long edges() const { return edges_; }

 private:
  static constexpr unsigned kNone = ~0u;

  /// Values that a search gives, as far as they ascend: the first one of all is given to nobody.
  __device__ __forceinline__ void list_levels() {
    const Value initial = get<0>(task_.operators.initial());
    Value value = Order::best_start(*task_.words);
    shared_.count = 0;
    while (shared_.count <= kPushedLevels && value < initial) {
      shared_.values[shared_.count++] = value;
      const Value next = task_.operators.sent(value);
      if (!(value < next)) break;
      value = next;
    }
  }

  /// visit(v, level) by all lanes of a warp together, each with a vertex of its own or none; of
  /// every `share`-th group of vertices.
  template <class Visit>
  __device__ __forceinline__ void for_each_vertex(unsigned share, const Visit& visit) const {
    constexpr unsigned kGroup = kAhead * kWarp;
    const std::uint64_t groups = (std::uint64_t{task_.vertex_count} + kGroup - 1) / kGroup;
    const std::uint64_t warps = std::uint64_t{gridDim.x} * (kLookupThreads / kWarp);
    const std::uint64_t first =
        std::uint64_t{blockIdx.x} * (kLookupThreads / kWarp) + threadIdx.x / kWarp;
    for (std::uint64_t group = first * share; group < groups; group += warps * share) {
      const std::uint64_t v = group * kGroup + lane();
      Value values[kAhead];
#pragma unroll
      for (unsigned i = 0; i < kAhead; ++i)
        if (v + i * kWarp < task_.vertex_count)
          values[i] = load_constant(task_.values + v + i * kWarp);
      // One visit in the code: nvcc's time grows with what is inlined here.
#pragma unroll 1
      for (unsigned i = 0; i < kAhead; ++i) {
        const std::uint64_t at = v + i * kWarp;
        visit(at, at < task_.vertex_count ? level_of(values[0]) : kNone);
#pragma unroll
        for (unsigned k = 0; k + 1 < kAhead; ++k) values[k] = values[k + 1];
      }
    }
  }

  __device__ __forceinline__ unsigned level_of(Value value) const {
    for (unsigned level = 0; level < shared_.count; ++level)
      if (shared_.values[level] == value) return level;
    return kNone;
  }

  /// Edges first, first + stride … of one list: those to vertices of value `sent` say who the
  /// sender is.
  __device__ __forceinline__ void push(Vertex sender, Value sent, EdgeIndex begin, EdgeIndex first,
                                       EdgeIndex length, unsigned stride) {
    const Vertex witness = task_.operators.predecessor(sender);
    for (EdgeIndex at = first; at < length; at += kAhead * stride) {
      Vertex receivers[kAhead];
      bool reached[kAhead];
#pragma unroll
      for (unsigned i = 0; i < kAhead; ++i)
        receivers[i] = at + i * stride < length
                           ? load_constant(task_.out.targets + begin + at + i * stride)
                           : kNoVertex;
#pragma unroll
      for (unsigned i = 0; i < kAhead; ++i)
        reached[i] =
            receivers[i] != kNoVertex && load_constant(task_.values + receivers[i]) == sent;
#pragma unroll
      for (unsigned i = 0; i < kAhead; ++i) {
        edges_ += receivers[i] != kNoVertex;
        if (!reached[i]) continue;
        Vertex& best = task_.states[receivers[i]].rest.first;
        if (witness < load_relaxed(best)) atomicMin(&best, witness);
      }
    }
  }

  const T& task_;
  Shared& shared_;
  unsigned long long edges_ = 0;
};

template <class T>
__global__ void __launch_bounds__(kLookupThreads)
    push_predecessors(const __grid_constant__ T task) {
  __shared__ typename Pusher<T>::Shared shared;
  begin_trace(task.log, *task.words);
  Pusher<T> pusher(task, shared);
  pusher.count_edges();
  grid_sync();
  pusher.choose();
  if (!pusher.pushes()) return;
  pusher.give_starts();
  grid_sync();
  pusher.push_lists();
  grid_sync();
  pusher.push_chunks();
  add_edges(task.log, pusher.edges());
}

}  // namespace detail
}  // namespace vertigo::gpu::predecessors
