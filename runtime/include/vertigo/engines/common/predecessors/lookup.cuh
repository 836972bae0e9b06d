#pragma once
// The pass over in-edges of device.cuh: one cooperative launch, in which lists are shared out
// by length, to lanes, warps and blocks.

#include "vertigo/engines/common/predecessors/task.cuh"

namespace vertigo::gpu::predecessors::detail {

/// Splits what the engine of the values begins with off the pairs.
template <class Operators, class Pair, class Inbox, class Value>
__global__ void __launch_bounds__(kBlock)
    take_first_elements(const Operators operators, const Vertex vertex_count, const Inbox* starts,
                        Value* values, Value* start_values, Words* words) {
  using Order = detail::Order<Operators, Value>;
  const Value initial = get<0>(operators.initial());
  typename Order::Rank best = 0;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < vertex_count;
       v += threads) {
    const Value start = get<0>(static_cast<Pair>(starts[v]));
    values[v] = initial;
    start_values[v] = start;
    const auto rank = Order::rank(start);
    best = rank > best ? rank : best;
  }
#pragma unroll
  for (unsigned distance = kWarp / 2; distance != 0; distance /= 2) {
    const auto other = shuffle(best, lane() ^ distance);
    best = other > best ? other : best;
  }
  if (lane() == 0 && best > load_relaxed(words->best_start))
    atomicMax(&words->best_start, static_cast<unsigned long long>(best));
}

template <class T>
class Lookup {
  using Operators = typename T::Operators;
  using Lists = typename T::Lists;
  using Pair = typename T::Pair;
  using Value = typename T::Value;
  using Witness = typename T::Witness;
  using Order = detail::Order<Operators, Value>;
  using Edge = typename Lists::Edge;

  static constexpr bool kOfSender = Operators::witness_is_sender;
  /// Edges that a lane has under way at once, and looks at alone; then its list goes on with the
  /// warp. Most lists are left before.
  static constexpr unsigned kAhead = 4;
  static constexpr unsigned kAlone = 16;
  static constexpr unsigned kByWarp = kAlone + kLongList;

 public:
  __device__ __forceinline__ explicit Lookup(const T& task)
      : task_(task),
        initial_(task.operators.initial()),
        bound_(Order::best_start(*task.words)),
        first_match_(kOfSender && task.lists.ids_ascend()) {}

  /// Every vertex; long lists only as far as a warp looks.
  __device__ __forceinline__ void look_up_all() {
    const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t base = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x - lane();
         base < task_.vertex_count; base += threads)
      look_up_warp(base);
  }

  /// The rest of the long lists, each by a block.
  __device__ __forceinline__ void look_up_long() {
    __shared__ Witness found[kLookupThreads / kWarp];
    const std::uint32_t lists = load_relaxed(task_.words->long_lists);
    for (std::uint32_t i = blockIdx.x; i < lists; i += gridDim.x) {
      const Vertex v = load_relaxed(task_.long_lists[i]);
      Sought sought = begin(v);
      Witness best = get<1>(load_relaxed(task_.states[v]));
      const EdgeIndex begin = task_.lists.begin(v);
      const EdgeIndex length = task_.lists.end(v) - begin;
      for (EdgeIndex at = kByWarp; at < length; at += kAhead * kLookupThreads) {
        const bool more = look_together(begin, length, at + threadIdx.x, kLookupThreads, sought);
        if (__syncthreads_or(!more)) break;
      }
      const Witness of_warp = best_of_warp(sought.witness);
      if (lane() == 0) found[threadIdx.x / kWarp] = of_warp;
      __syncthreads();
      if (threadIdx.x == 0) {
        for (const Witness witness : found) best = Order::best(best, witness);
        settle(v, sought.value, best, 0);
      }
      __syncthreads();
    }
  }

  /// What a witness alone makes active: vertices whose value is the first one, reached by messages
  /// of the same value (sums that saturate, capacities of zero). They send as others do, to
  /// vertices of that kind alone, so it is repeated until no witness changes. True where that may
  /// be.
  __device__ __forceinline__ bool look_up_late(std::uint32_t turn) {
    if (load_relaxed(task_.words->changed[(turn + 2) % 3]) == 0) return false;
    if (blockIdx.x == 0 && threadIdx.x == 0)
      store_relaxed(task_.words->changed[(turn + 1) % 3], 0u);
    const std::uint64_t warps = std::uint64_t{gridDim.x} * (kLookupThreads / kWarp);
    for (std::uint64_t v =
             std::uint64_t{blockIdx.x} * (kLookupThreads / kWarp) + threadIdx.x / kWarp;
         v < task_.vertex_count; v += warps) {
      if (load_constant(task_.values + v) != get<0>(initial_)) continue;
      const Witness before = get<1>(load_relaxed(task_.states[v]));
      Sought sought{get<0>(initial_), before, true};
      const EdgeIndex begin = task_.lists.begin(v);
      const EdgeIndex length = task_.lists.end(v) - begin;
      for (EdgeIndex e = lane(); e < length; e += kWarp) {
        const Edge edge = task_.lists.edge(begin + e);
        consider(edge, load_constant(task_.values + edge.sender), sought);
        ++edges_;
      }
      const Witness best = best_of_warp(sought.witness);
      if (lane() == 0 && best != before) settle(v, sought.value, best, turn);
    }
    return true;
  }

  __device__ __forceinline__ unsigned long long edges() const { return edges_; }

 private:
  struct Sought {
    Value value;
    Witness witness;    ///< the best so far
    bool late = false;  ///< neighbours count that a witness made active
  };

  __device__ __forceinline__ Sought begin(Vertex v) const {
    return {load_constant(task_.values + v), Order::template kWorst<Witness>};
  }

  __device__ __forceinline__ void look_up_warp(std::uint64_t base) {
    const std::uint64_t v = base + lane();
    Sought sought{};
    EdgeIndex begin = 0;
    EdgeIndex length = 0;
    bool there = v < task_.vertex_count;
    if (there) {
      sought = this->begin(static_cast<Vertex>(v));
      there = !task_.lists.is_known(sought.value);
    }
    if (there) {
      if (sought.value == get<0>(initial_)) sought.witness = get<1>(initial_);
      if (load_once(task_.start_values + v) == sought.value)
        sought.witness = Order::best(sought.witness, get<1>(static_cast<Pair>(task_.starts[v])));
      begin = task_.lists.begin(static_cast<Vertex>(v));
      length = task_.lists.end(static_cast<Vertex>(v)) - begin;
    }
    const bool goes_on = look_up_lists(begin, there ? length : 0, sought);
    if (!there) return;
    if (goes_on && length > kByWarp)
      store_relaxed(task_.long_lists[atomicAdd(&task_.words->long_lists, 1u)],
                    static_cast<Vertex>(v));
    settle(static_cast<Vertex>(v), sought.value, sought.witness, 0);
  }

  /// The lists of a warp's lanes: first every lane the beginning of its own, then all lanes one
  /// longer list after the other, from where its lane has left it. True where what a warp looks at
  /// was not enough.
  __device__ __forceinline__ bool look_up_lists(EdgeIndex begin, EdgeIndex length, Sought& mine) {
    bool goes_on = true;
    unsigned longer = 0;  // lanes whose lists are left
    unsigned owner = kWarp;
    Sought sought = mine;
    EdgeIndex first = begin;
    EdgeIndex end = length < kAlone ? length : kAlone;
    EdgeIndex at = 0;
    unsigned stride = 1;
#pragma unroll 1
    while (true) {
      bool more = true;
#pragma unroll 1
      for (bool goes = at < end; __any_sync(kAllLanes, goes);) {
        if (goes) more = look_together(first, end, at, stride, sought);
        at += kAhead * stride;
        if (stride != 1) more = !__any_sync(kAllLanes, !more);
        goes = more && at < end;
      }
      if (stride == 1) {
        mine.witness = sought.witness;
        goes_on = more;
        longer = __ballot_sync(kAllLanes, more && length > kAlone);
      } else {
        const Witness found = best_of_warp(sought.witness);
        if (lane() == owner) {
          mine.witness = Order::best(mine.witness, found);
          goes_on = more;
        }
      }
      if (longer == 0) return goes_on;
      owner = __ffs(static_cast<int>(longer)) - 1;
      longer &= longer - 1;
      first = shuffle(begin, owner);
      end = shuffle(length, owner);
      if (end > kByWarp) end = kByWarp;
      sought = {shuffle(mine.value, owner), Order::template kWorst<Witness>};
      at = kAlone + lane();
      stride = kWarp;
    }
  }

  /// kAhead edges of the list, `stride` apart. False where none behind them can be better.
  __device__ __forceinline__ bool look_together(EdgeIndex begin, EdgeIndex length, EdgeIndex at,
                                                unsigned stride, Sought& sought) {
    Edge edges[kAhead];
    Value values[kAhead];
    bool more = true;
    unsigned left = kAhead;
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i) {
      const EdgeIndex place = at + i * stride;
      if (place < length) edges[i] = task_.lists.edge(begin + place);
    }
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i)
      if (at + i * stride < length) values[i] = load_constant(task_.values + edges[i].sender);
    // The program's operators once in the code of a site: nvcc's time grows with what is inlined.
#pragma unroll 1
    for (; at < length && left != 0; at += stride, --left) {
      ++edges_;
      if (consider(edges[0], values[0], sought) && first_match_) more = false;
      if (task_.lists.weights_sorted())
        more = more && !Order::better(sought.value, sent(bound_, edges[0]));
#pragma unroll
      for (unsigned i = 0; i + 1 < kAhead; ++i) {
        edges[i] = edges[i + 1];
        values[i] = values[i + 1];
      }
    }
    return more;
  }

  __device__ __forceinline__ Value sent(Value value, const Edge& edge) const {
    if constexpr (Operators::sent_reads_edge)
      return task_.operators.sent(value, edge.weight);
    else
      return task_.operators.sent(value);
  }
  __device__ __forceinline__ Witness witness(const Edge& edge) const {
    if constexpr (kOfSender)
      return task_.operators.predecessor(edge.sender);
    else if constexpr (Operators::witness_reads_edge)
      return task_.operators.witness(edge.sender, edge.weight);
    else
      return task_.operators.witness(edge.sender);
  }

  /// True where the message along the edge has the value that is sought.
  __device__ __forceinline__ bool consider(const Edge& edge, Value value, Sought& sought) const {
    if (!(sent(value, edge) == sought.value)) return false;
    // Who was never active has sent nothing. No message from a first value is better than it.
    if (value == get<0>(initial_) &&
        !(sought.late && load_relaxed(task_.states[edge.sender]) != initial_))
      return false;
    sought.witness = Order::best(sought.witness, witness(edge));
    return true;
  }

  __device__ __forceinline__ void settle(Vertex v, Value value, Witness witness, unsigned turn) {
    store_relaxed(task_.states[v], Pair(value, witness));
    if (value == get<0>(initial_) && witness != get<1>(initial_))
      store_relaxed(task_.words->changed[turn], 1u);
  }

  __device__ __forceinline__ static Witness best_of_warp(Witness witness) {
#pragma unroll
    for (unsigned distance = kWarp / 2; distance != 0; distance /= 2)
      witness = Order::best(witness, shuffle(witness, lane() ^ distance));
    return witness;
  }

  const T& task_;
  const Pair initial_;
  const Value bound_;  ///< nobody has a better value
  const bool first_match_;
  unsigned long long edges_ = 0;
};

template <class T>
__global__ void __launch_bounds__(kLookupThreads)
    find_predecessors(const __grid_constant__ T task) {
  begin_trace(task.log, *task.words);
  Lookup<T> lookup(task);
  lookup.look_up_all();
  grid_sync();
  lookup.look_up_long();
  grid_sync();
  // Each round but the last makes some vertex active for the first time, or passes on what the last
  // ones sent.
  for (std::uint64_t round = 1; round <= task.vertex_count + std::uint64_t{1}; ++round) {
    if (!lookup.look_up_late(static_cast<std::uint32_t>(round % 3))) break;
    grid_sync();
  }
  add_edges(task.log, lookup.edges());
  if (task.log.records != nullptr) grid_sync();
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  task.log.totals->steps = 1;
  task.log.totals->modes = 1;
  if (task.log.records != nullptr && task.log.capacity != 0)
    task.log.records[0] = {load_relaxed(task.words->begin_ns),
                           global_nanoseconds(),
                           0,
                           load_relaxed(task.log.totals->edges),
                           0,
                           0,
                           0,
                           0};
}

}  // namespace vertigo::gpu::predecessors::detail
