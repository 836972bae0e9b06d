#pragma once
// The engine `distances` on graphs of small degrees and long paths, roads above all: a window of
// values slides over the graph like a wave.
//
// Blocks of one warp take equal parts of a common queue and follow improvements on their own for
// `hops` rounds, through queues in shared memory; what lies behind the window's threshold, and what
// is left after the last hop, goes to the common queue of the next round. Nobody waits for the
// window to be empty: the threshold moves once per round, so that there is work for all lanes, and
// a vertex that was reached by a detour is corrected later. How far it moves decides everything: a
// window that runs ahead of the wave visits vertices many times over, one that lags leaves lanes
// idle. So the width is not fixed: it follows from the share of entries that were left over in
// front of the threshold (see next_window).
//
// The common queue holds `queue_capacity` entries. Where a round produces more, the rest is
// dropped and the next round takes every vertex for an entry: nothing is lost but time.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/distances/edges.cuh"

namespace vertigo::gpu::distances {

inline constexpr unsigned kWindowThreads = 32;

/// Counters of one round. They are cleared two rounds before they are used, as Round's.
template <class Value>
struct WindowRound {
  std::uint32_t queued;  ///< entries for the next round, beyond the capacity too
  std::uint32_t ahead;   ///< of them, in front of the threshold
  Value held;            ///< the best value among the others
  std::uint32_t active;  ///< entries that were not stale
  unsigned long long edges;
};

/// Modes in the log. A sweep takes all vertices, because the queue was full.
enum WindowMode : std::uint32_t { kQueueMode, kSweepMode };

template <class P>
struct WindowRun : P {
  using Value = typename P::Value;
  using Edge = typename P::Edge;

  const Heads<Edge>* heads = nullptr;
  Entry<Value>* queues[2] = {};
  std::uint32_t queue_capacity = 0;
  WindowRound<Value>* rounds = nullptr;  ///< kRounds of them
  unsigned hops = 16;                    ///< inner rounds between two barriers
};

template <class Value>
inline constexpr unsigned kLocalQueue = 8192 / sizeof(Entry<Value>);

template <class Value>
struct WindowShared {
  Entry<Value> local[2][kLocalQueue<Value>];
  Entry<Value> held[kLocalQueue<Value>];
  std::uint32_t local_count[3];
  std::uint32_t held_count;
  std::uint32_t base;
  std::uint32_t ahead;
};

namespace detail {

template <class Edge>
__device__ __forceinline__ Heads<Edge> load_heads(const Heads<Edge>* place) {
  constexpr unsigned kPieces = sizeof(Heads<Edge>) / 16;
  union Image {
    uint4 pieces[kPieces];
    Heads<Edge> heads;
    __device__ Image() {}
  } image;
#pragma unroll
  for (unsigned i = 0; i < kPieces; ++i)
    image.pieces[i] = load_constant(reinterpret_cast<const uint4*>(place) + i);
  return image.heads;
}

/// One block's work in one round.
template <class R>
struct WindowBlock {
  using Value = typename R::Value;
  using Order = typename R::Order;
  static constexpr std::uint32_t kLocal = kLocalQueue<Value>;

  const R& r;
  WindowShared<Value>& shared;
  WindowRound<Value>* round;
  Entry<Value>* queue;  ///< of the next round
  Value threshold;
  unsigned hop = 0;
  Value held;  ///< this thread's share of the round's
  std::uint32_t visited = 0;
  std::uint32_t edges = 0;

  /// For the next round.
  __device__ __forceinline__ void hold(Entry<Value> entry) {
    const bool is_ahead = Order::better(entry.value, threshold);
    if (!is_ahead) held = Order::best(held, entry.value);
    const std::uint32_t at = atomicAdd(&shared.held_count, 1u);
    if (at < kLocal) {
      shared.held[at] = entry;
      return;
    }
    // A full queue is as good as any: the next round takes all vertices. So the count stays small.
    if (load_relaxed(round->queued) > r.queue_capacity) return;
    if (is_ahead) atomicAdd(&round->ahead, 1u);
    const std::uint32_t place = atomicAdd(&round->queued, 1u);
    if (place < r.queue_capacity) queue[place] = entry;
  }

  /// For this block's next hop, where it is in front of the threshold.
  __device__ __forceinline__ void list(Entry<Value> entry) {
    if (Order::better(entry.value, threshold)) {
      const std::uint32_t at = atomicAdd(&shared.local_count[(hop + 1) % 3], 1u);
      if (at < kLocal) {
        shared.local[(hop + 1) % 2][at] = entry;
        return;
      }
    }
    hold(entry);
  }

  __device__ __forceinline__ void send(Vertex v, Value value, const typename R::Edge& edge) {
    const Vertex target = r.code.target(edge);
    const Value message = r.message(value, edge, v, target);
    if (!Order::better(message, load_once(r.state + target))) return;
    if (!r.reaches(value, v, target, edge, message)) return;
    if (Order::better(message, Order::improve(r.state + target, message))) list({target, message});
  }

  /// Bit i: a message along the i-th of the first edges arrives. What conditions need of memory is
  /// asked for at once.
  __device__ __forceinline__ unsigned reached_heads(const Entry<Value>& entry,
                                                    const Heads<typename R::Edge>& heads) const {
    unsigned reached = 0;
#pragma unroll
    for (unsigned i = 0; i < kHeads; ++i) {
      const Vertex target = r.code.target(heads.edges[i]);
      if (target >= r.vertex_count) continue;
      const Value message = r.message(entry.value, heads.edges[i], entry.vertex, target);
      if (r.reaches(entry.value, entry.vertex, target, heads.edges[i], message)) reached |= 1u << i;
    }
    return reached;
  }

  __device__ __forceinline__ void visit(Entry<Value> entry) {
    const Heads<typename R::Edge> heads = load_heads(r.heads + entry.vertex);
    if (load_once(r.state + entry.vertex) != entry.value) return;
    ++visited;
    if (!r.program.sends(entry.vertex)) return;
    Value messages[kHeads];
    Value before[kHeads];
    unsigned sent = 0;
    [[maybe_unused]] unsigned reached = 0;
    if constexpr (R::Program::kAsks) reached = reached_heads(entry, heads);
#pragma unroll
    for (unsigned i = 0; i < kHeads; ++i) {
      const Vertex target = r.code.target(heads.edges[i]);
      messages[i] = before[i] = Order::template unbeaten<Value>();
      if (target >= r.vertex_count) continue;
      ++sent;
      if constexpr (R::Program::kAsks)
        if ((reached >> i & 1) == 0) continue;
      messages[i] = r.message(entry.value, heads.edges[i], entry.vertex, target);
      before[i] = Order::improve(r.state + target, messages[i]);
      prefetch(r.heads + target);
    }
    edges += sent;
#pragma unroll
    for (unsigned i = 0; i < kHeads; ++i)
      if (Order::better(messages[i], before[i])) list({r.code.target(heads.edges[i]), messages[i]});
    if (r.out.edges == nullptr || sent < kHeads) return;
    const std::uint32_t end = load_constant(r.out.offsets + entry.vertex + 1);
#pragma unroll 1
    for (std::uint32_t at = load_constant(r.out.offsets + entry.vertex) + kHeads; at < end; ++at) {
      send(entry.vertex, entry.value, load_constant(r.out.edges + at));
      ++edges;
    }
  }

  /// What falls to this block of `count` entries, or of all vertices: `length` from `first` on.
  struct Share {
    std::uint32_t first;
    std::uint32_t length;
  };
  __device__ __forceinline__ static Share share_of(std::uint32_t count) {
    const std::uint32_t share = count / gridDim.x + (count % gridDim.x != 0);
    const std::uint64_t first = std::uint64_t{share} * blockIdx.x;
    if (first >= count) return {0, 0};
    const auto left = static_cast<std::uint32_t>(count - first);
    return {static_cast<std::uint32_t>(first), share < left ? share : left};
  }

  // Whether a vertex, whatever the threshold, or an entry of the common queue is visited now.
  __device__ __forceinline__ bool take_vertex(Vertex v, Entry<Value>& entry) const {
    entry = {v, load_once(r.state + v)};
    return entry.value != Order::template worst<Value>();
  }
  __device__ __forceinline__ bool take_queued(const Entry<Value>* place, Entry<Value>& entry) {
    entry = load_once(place);
    if (Order::better(entry.value, threshold)) return true;
    if (load_once(r.state + entry.vertex) == entry.value) hold(entry);
    return false;
  }

  /// The entries of the common queue, or all vertices (`everything`), that fall to this block; then
  /// follows improvements within it and passes on what is left. A visit is long code, so there is
  /// one place for those of all hops: three of them made half of the kernel.
  __device__ __forceinline__ void run(const Entry<Value>* entries, std::uint32_t count,
                                      bool everything) {
    held = Order::template worst<Value>();
    if (threadIdx.x == 0) {
      shared.local_count[0] = shared.local_count[1] = shared.local_count[2] = 0;
      shared.held_count = 0;
      shared.ahead = 0;
    }
    __syncthreads();
    const Share share = share_of(everything ? r.vertex_count : count);
    std::uint32_t left = share.length;
    for (hop = 0;;) {
      for (std::uint32_t i = threadIdx.x; i < left; i += blockDim.x) {
        Entry<Value> entry;
        bool visits = true;
        if (hop != 0)
          entry = shared.local[hop % 2][i];
        else if (everything)
          visits = take_vertex(share.first + i, entry);
        else
          visits = take_queued(entries + share.first + i, entry);
        if (visits) visit(entry);
      }
      ++hop;
      __syncthreads();
      left = shared.local_count[hop % 3];
      left = left < kLocal ? left : kLocal;
      if (left == 0 || hop >= r.hops) break;
      // Two hops old, and not written before the next.
      if (threadIdx.x == 0) shared.local_count[(hop + 2) % 3] = 0;
    }
    pass_on(left);
  }

  __device__ __forceinline__ void pass_on(std::uint32_t left) {
    const std::uint32_t kept = shared.held_count < kLocal ? shared.held_count : kLocal;
    const Value best = best_of_warp<Order>(held);
    if (lane() == 0 && Order::better(best, load_relaxed(round->held)))
      Order::improve(&round->held, best);
    if (threadIdx.x == 0 && kept + left != 0) shared.base = atomicAdd(&round->queued, kept + left);
    __syncthreads();
    std::uint32_t ahead = 0;
    for (std::uint32_t i = threadIdx.x; i < kept + left; i += blockDim.x) {
      const Entry<Value> entry = i < kept ? shared.held[i] : shared.local[hop % 2][i - kept];
      ahead += Order::better(entry.value, threshold);
      const std::uint64_t place = std::uint64_t{shared.base} + i;
      if (place < r.queue_capacity) queue[place] = entry;
    }
    ahead = sum_of_warp(ahead);
    const std::uint32_t active = sum_of_warp(visited);
    const std::uint32_t sent_edges = sum_of_warp(edges);
    if (lane() != 0) return;
    if (ahead != 0) atomicAdd(&round->ahead, ahead);
    if (active != 0) atomicAdd(&round->active, active);
    if (sent_edges != 0) atomicAdd(&round->edges, static_cast<unsigned long long>(sent_edges));
  }
};

/// Where the window goes, decided by every thread alike. `share` is the part of the entries that
/// the blocks left in front of the threshold: the wave did not get there. Constants from runs on a
/// grid of 24 M vertices: widths that keep the share between an eighth and a half visit each vertex
/// 1.2 to 1.5 times; at three times the best fixed width and no control it is 35.
template <class R>
struct Window {
  using Value = typename R::Value;
  using Order = typename R::Order;

  Value threshold;
  double width;

  __device__ __forceinline__ Value width_now() const {
    const Value now = convert<Value>(width);
    return now > Value{0} ? now : Value{1};
  }

  __device__ __forceinline__ void move(const R& r, const WindowRound<Value>& seen) {
    if (seen.queued == 0) return;
    const float share = static_cast<float>(seen.ahead) / static_cast<float>(seen.queued);
    if (r.adapts) width *= share > 0.5f ? 0.9 : share > 0.25f ? 0.97 : 1.05;
    if (seen.ahead == 0)
      threshold = Order::behind(seen.held, width_now());
    else if (share <= 0.5f)
      threshold = Order::behind(threshold, width_now());
  }
};

template <class R>
__device__ __forceinline__ void clear_window(WindowRound<typename R::Value>* round) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *round = {0, 0, R::Order::template worst<typename R::Value>(), 0, 0};
}

/// Start values become states, and their vertices the first entries.
template <class R>
__device__ __forceinline__ void begin_window(const R& r) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < r.vertex_count;
       v += threads) {
    const Value start = r.inbox[v];
    if (!Order::better(start, r.state[v]) || !r.program.begins(start, static_cast<Vertex>(v)))
      continue;
    r.state[v] = start;
    WindowRound<Value>* const round = r.rounds + kRounds - 1;
    if (Order::better(start, load_relaxed(round->held))) Order::improve(&round->held, start);
    const std::uint32_t place = atomicAdd(&round->queued, 1u);
    if (place < r.queue_capacity) r.queues[0][place] = {static_cast<Vertex>(v), start};
  }
}

}  // namespace detail

/// Brings the states to the fixed point of the program, from the start values in the inboxes.
template <class R>
__global__ void __launch_bounds__(kWindowThreads, 9) improve_in_window(const R r) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  __shared__ WindowShared<Value> shared;
  for (unsigned i = 0; i < kRounds; ++i) detail::clear_window<R>(r.rounds + i);
  grid_sync();
  detail::begin_window(r);
  grid_sync();
  detail::Window<R> window{Order::template unbeaten<Value>(),
                           static_cast<double>(r.window_width())};
  LoopTotals totals{};
  bool finished = false;
  while (totals.steps < r.most_rounds) {
    const std::uint64_t begin_ns = r.log.records != nullptr ? global_nanoseconds() : 0;
    const std::uint64_t step = totals.steps;
    const WindowRound<Value>* const before = r.rounds + (step + kRounds - 1) % kRounds;
    const WindowRound<Value> seen{load_relaxed(before->queued), load_relaxed(before->ahead),
                                  load_relaxed(before->held), 0, 0};
    finished = seen.queued == 0;
    if (finished) break;
    window.move(r, seen);
    const bool everything = seen.queued > r.queue_capacity;
    WindowRound<Value>* const round = r.rounds + step % kRounds;
    detail::clear_window<R>(r.rounds + (step + 1) % kRounds);
    detail::WindowBlock<R> block{.r = r,
                                 .shared = shared,
                                 .round = round,
                                 .queue = r.queues[(step + 1) % 2],
                                 .threshold = window.threshold};
    block.run(r.queues[step % 2], seen.queued, everything);
    grid_sync();
    detail::log_round(r.log, totals,
                      {begin_ns, 0, load_relaxed(round->active), load_relaxed(round->edges), 0, 0,
                       everything ? kSweepMode : kQueueMode, 0});
  }
  detail::end_log(r.log, totals, finished, r.limited);
}

}  // namespace vertigo::gpu::distances
