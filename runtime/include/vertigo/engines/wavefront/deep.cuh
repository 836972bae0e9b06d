#pragma once
// The wave over graphs of large diameter and small degrees whose lists run both ways: thousands of
// steps of a few thousand vertices. One cooperative launch of few blocks. A block keeps the
// vertices that it claims in its shared memory and visits them itself in the next step; what does
// not fit goes to a pool that all blocks share.
//
// What a step waits for is one round of claims and one barrier, which carries the number of
// vertices claimed. All else happens while the barrier is waited for: a vertex that was visited
// reads what its neighbours of the step before sent (values that say themselves whether they are
// there, so that no fence is needed), runs its body and sends; the neighbours of a vertex that was
// claimed are fetched, and their steps brought closer.
//
// A vertex claims before it knows what it sends. So the program must be one whose vertices always
// have something to send: bool always_sends() const.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/common/counting_barrier.cuh"
#include "vertigo/engines/common/records.cuh"
#include "vertigo/engines/common/sent_values.cuh"
#include "vertigo/engines/common/traced_edges.cuh"
#include "vertigo/engines/wavefront/wave.cuh"

namespace vertigo::gpu::wavefront {

inline constexpr unsigned kDeepThreads = 512;
inline constexpr unsigned kDeepBlocks = 64;
/// Vertices of a step that a block keeps to itself: the lanes that they leave take the pool's.
inline constexpr unsigned kLocal = 256;
static_assert(kLocal <= CountingBarrier::kMostKept);

/// Words that the blocks share; 0 when the launch begins.
struct DeepWords {
  std::uint32_t pool_counters[2];
  unsigned long long barriers[2];
  unsigned long long traced_edges[TracedEdges::kCounters];
};

template <class Program, class Attribute>
struct DeepWave {
  using Message = decltype(Program{}.identity());

  Program program;
  Adjacency<Attribute> lists;  ///< both ways
  const uint4* records;
  Worklist asked;  ///< whom the phase starts; their inboxes hold what they start with
  const Message* inbox;
  gpu::detail::SentValue<Message>* sent;
  std::uint32_t run;
  std::int32_t* step;  ///< in which each vertex was active, or will be
  Vertex* pools[2];
  DeepWords* words;
  StepLog log;
  std::uint64_t limit;
};

namespace detail {

using namespace gpu::detail;

/// What a block shares.
struct LocalFront {
  uint4 records[2][kLocal];
  Vertex vertices[2][kLocal];
  unsigned sizes[2];  ///< may count past kLocal; the rest is in the pool
  /// Of the pools' counters before the step: they are never reset.
  unsigned pool_bases[2];
  CountingBarrier::Sum sum;  ///< of the last vertices claimed, over all blocks
  unsigned edges[2];         ///< visited, where a trace wants to know them of every step
};

template <class Program, class Attribute>
class DeepWalk {
 public:
  using Message = decltype(Program{}.identity());
  using Combine = CombineOf<Program>;

  __device__ __forceinline__ DeepWalk(const DeepWave<Program, Attribute>& wave, LocalFront& local)
      : wave_(wave),
        local_(local),
        barrier_(wave.words->barriers),
        traced_edges_(wave.words->traced_edges, wave.log) {}

  __device__ __forceinline__ void run() {
    if (threadIdx.x == 0) {
      local_.sizes[0] = local_.sizes[1] = 0;
      local_.pool_bases[0] = local_.pool_bases[1] = 0;
      local_.sum = {0, 0};
      local_.edges[0] = local_.edges[1] = 0;
    }
    __syncthreads();
    // Nobody is active twice, so there are no more steps than vertices.
    for (step_ = -1;; ++step_) {
      const unsigned vertices = local_.sum.kept + local_.sum.pooled;
      if (step_ >= 0 && (vertices == 0 || static_cast<std::uint64_t>(step_) == wave_.limit)) break;
      one_step();
      active_vertices_ += vertices;
      if (is_tracer()) trace(vertices);
    }
    hand_in();
  }

 private:
  static constexpr unsigned kNoPlace = ~0u;

  /// A vertex that has claimed its neighbours and not read its messages yet.
  struct Visited {
    Vertex vertex = kNoVertex;
    Handful handful;       ///< the first of its neighbours
    unsigned awaited = 0;  ///< of the handful: those that have sent to it
    AwaitedValues<Message> values;
    bool has_list = false;  ///< the neighbours are not in the handful but in its list
    /// Its claims: places in the next front, and neighbours of those, still on their way.
    unsigned places[kInFlight] = {kNoPlace, kNoPlace, kNoPlace, kNoPlace};
    uint4 records[kInFlight];
  };

  /// Visits the front: the block's own vertices, and its share of the pool. All vertices of the
  /// next step are claimed once every block is at the barrier. Those asked are claimed before the
  /// first step.
  __device__ __forceinline__ void one_step() {
    const bool asks = step_ < 0;
    const Vertex* const queue = asks ? wave_.asked.items : pool(turn());
    const unsigned queued = asks ? *wave_.asked.count : local_.sum.pooled;
    const unsigned share = queued / gridDim.x + (blockIdx.x < queued % gridDim.x);
    const unsigned mine = local_.sizes[turn()] < kLocal ? local_.sizes[turn()] : kLocal;
    const std::uint64_t all = std::uint64_t{mine} + share;
    for (std::uint64_t begin = 0;; begin += workers()) {
      const std::uint64_t i = begin + threadIdx.x - kWarp;
      if (threadIdx.x >= kWarp && i < all) {
        Vertex v;
        uint4 record;
        if (i < mine) {
          v = local_.vertices[turn()][i];
          record = local_.records[turn()][i];
        } else {
          v = load_relaxed(queue[(i - mine) * gridDim.x + blockIdx.x]);
          record =
              asks ? uint4{v, kNoVertex, kNoVertex, kNoVertex} : load_constant(wave_.records + v);
        }
        claim(asks ? kNoVertex : v, record);
      }
      const bool last = begin + workers() >= all;
      if (last) meet();
      finish();
      if (last) break;
    }
    __syncthreads();
  }

  /// Threads that visit: the first warp is left to the barrier.
  __device__ __forceinline__ static unsigned workers() { return blockDim.x - kWarp; }
  __device__ __forceinline__ unsigned turn() const { return static_cast<unsigned>(step_) & 1; }
  __device__ __forceinline__ Vertex* pool(unsigned turn) const {
    return turn == 0 ? wave_.pools[0] : wave_.pools[1];
  }

  /// Claims neighbours that wait.
  __device__ __forceinline__ void claim(Vertex v, const uint4& record) {
    visited_.vertex = v;
    visited_.has_list = record.x == kMore;
    visited_.handful = Handful{{record.x, record.y, record.z, record.w}};
    EdgeIndex edge = 0, end = 0;
    if (visited_.has_list) {
      const Stretch list = list_of(wave_.lists, v);
      visited_.handful = Handful::take(wave_.lists.targets, list.begin, list.end);
      edge = list.begin + kInFlight;
      end = list.end;
    }
#pragma unroll 1
    while (true) {
      claim_handful();
      if (edge >= end) break;
      put_records();
      visited_.handful = Handful::take(wave_.lists.targets, edge, end);
      edge += kInFlight;
    }
    if (visited_.has_list) visited_.awaited = 0;  // the list is read once more
  }

  /// Those of the handful that wait join the next front.
  __device__ __forceinline__ void claim_handful() {
    const Vertex(&neighbours)[kInFlight] = visited_.handful.neighbours;
    std::int32_t before[kInFlight];
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k)  // all on their way before the first is waited for
      before[k] = neighbours[k] != kNoVertex
                      ? atomicCAS(&wave_.step[neighbours[k]], kWaiting, step_ + 1)
                      : step_ + 1;
    unsigned joining = 0;
    visited_.awaited = 0;
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) {
      edges_ += step_ >= 0 && neighbours[k] != kNoVertex;
      joining += before[k] == kWaiting;
      visited_.awaited |= (before[k] == step_ - 1 ? 1u : 0u) << k;
    }
    visited_.values.look(wave_.sent, visited_.handful, visited_.awaited);
    if (joining == 0) return;
    const unsigned next = turn() ^ 1;
    unsigned place = atomicAdd(&local_.sizes[next], joining);
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) {
      if (before[k] != kWaiting) continue;
      if (place < kLocal) {
        visited_.places[k] = place;
        visited_.records[k] = load_constant(wave_.records + neighbours[k]);
        prefetch(wave_.sent + neighbours[k]);  // it will be written in part, and read at once
        local_.vertices[next][place] = neighbours[k];
      } else {
        const unsigned ticket = atomicAdd(&wave_.words->pool_counters[next], 1u);
        store_relaxed(pool(next)[ticket - local_.pool_bases[next]], neighbours[k]);
      }
      ++place;
    }
  }

  /// The records that were on their way.
  __device__ __forceinline__ void put_records() {
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) {
      if (visited_.places[k] == kNoPlace) continue;
      local_.records[turn() ^ 1][visited_.places[k]] = visited_.records[k];
      bring_closer(visited_.records[k]);
      visited_.places[k] = kNoPlace;
    }
  }

  /// What is left to do for the vertex that was visited last, before the next one.
  __device__ __forceinline__ void finish() {
    if (visited_.vertex != kNoVertex) activate();
    put_records();
  }

  __device__ __forceinline__ void activate() {
    Message inbox = wave_.program.identity();
    if (step_ == 0)
      inbox = wave_.inbox[visited_.vertex];
    else
      receive(inbox);
    const Message sent =
        wave_.program.activate(visited_.vertex, wave_.program.own(visited_.vertex), inbox, step_);
    send_value(wave_.sent[visited_.vertex], sent, wave_.run);
    visited_.vertex = kNoVertex;
  }

  __device__ __forceinline__ void bring_closer(const uint4& record) const {
    if (record.x == kMore) return;
    const Vertex neighbours[kRecord] = {record.x, record.y, record.z, record.w};
#pragma unroll
    for (unsigned k = 0; k < kRecord; ++k)
      if (neighbours[k] != kNoVertex) prefetch(wave_.step + neighbours[k]);
  }

  /// Combines what the neighbours sent that were active in the step before.
  __device__ __forceinline__ void receive(Message& inbox) {
    EdgeIndex edge = 0, end = 0;
    if (visited_.has_list) {
      const Stretch list = list_of(wave_.lists, visited_.vertex);
      edge = list.begin;
      end = list.end;
    }
#pragma unroll 1
    while (true) {
      visited_.values.wait_and_combine(wave_.sent, wave_.run, visited_.handful, visited_.awaited,
                                       Combine{wave_.program}, inbox);
      if (edge >= end) return;
      visited_.handful = Handful::take(wave_.lists.targets, edge, end);
      edge += kInFlight;
      visited_.awaited = 0;
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) {
        const Vertex u = visited_.handful.neighbours[k];
        if (u != kNoVertex && load_relaxed(wave_.step[u]) == step_ - 1) visited_.awaited |= 1u << k;
      }
      visited_.values.look(wave_.sent, visited_.handful, visited_.awaited);
    }
  }

  /// The first thread goes to the barrier for its block.
  __device__ __forceinline__ void meet() {
    if (is_traced()) count_edges();
    __syncthreads();
    if (is_traced() && threadIdx.x == kWarp && local_.edges[turn()] != 0) {
      traced_edges_.add(static_cast<std::uint64_t>(step_), local_.edges[turn()]);
      local_.edges[turn()] = 0;
    }
    if (threadIdx.x != 0) return;
    const unsigned next = turn() ^ 1;
    const unsigned claimed = local_.sizes[next];
    const unsigned kept = claimed < kLocal ? claimed : kLocal;
    local_.sizes[next ^ 1] = 0;
    local_.sum = barrier_.meet(kept, claimed - kept);
    local_.pool_bases[next] += local_.sum.pooled;
  }

  // ---- the log

  __device__ __forceinline__ bool is_traced() const { return wave_.log.records != nullptr; }

  /// Of the last warp: the first one is at the barrier.
  __device__ __forceinline__ bool is_tracer() const {
    return is_traced() && blockIdx.x == 0 && threadIdx.x == blockDim.x - kWarp;
  }

  /// Of this step. The whole warp calls.
  __device__ __forceinline__ void count_edges() {
    const auto of_step = static_cast<unsigned>(edges_ - edges_before_);
    edges_before_ = edges_;
    const unsigned edges = __reduce_add_sync(kAllLanes, of_step);
    if (lane() == 0 && edges != 0) atomicAdd(&local_.edges[turn()], edges);
  }

  __device__ __forceinline__ void trace(unsigned vertices) {
    const std::uint64_t now = global_nanoseconds();
    if (step_ >= 0) record(static_cast<std::uint64_t>(step_), now, vertices);
    last_ns_ = now;
  }
  __device__ __forceinline__ void record(std::uint64_t step, std::uint64_t now, unsigned vertices) {
    traced_edges_.follow(step);
    if (step >= wave_.log.capacity) return;
    StepRecord record{};
    record.begin_ns = last_ns_;
    record.end_ns = now;
    record.active_vertices = vertices;
    record.mode = kLocalMode;
    wave_.log.records[step] = record;
  }

  __device__ __forceinline__ void hand_in() {
    if (is_traced()) {
      grid_sync();  // the last step's edges have arrived
      if (is_tracer()) traced_edges_.finish(static_cast<std::uint64_t>(step_));
    }
    const std::uint64_t edges = combine_warp(edges_, gpu::Sum{});
    if (lane() == 0 && edges != 0)
      atomicAdd(reinterpret_cast<unsigned long long*>(&wave_.log.totals->edges), edges);
    if (thread() != 0) return;
    LoopTotals& all = *wave_.log.totals;  // others may still be adding to its edges
    all.steps = static_cast<std::uint64_t>(step_);
    all.active_vertices = active_vertices_;
    all.modes = 1u << kLocalMode;
    all.end = local_.sum.kept + local_.sum.pooled == 0 ? LoopEnd::Done : LoopEnd::StepLimit;
  }

  const DeepWave<Program, Attribute>& wave_;
  LocalFront& local_;
  CountingBarrier barrier_;
  Visited visited_;
  std::int32_t step_ = 0;
  TracedEdges traced_edges_;
  std::uint64_t edges_ = 0;         ///< visited by this thread
  std::uint64_t edges_before_ = 0;  ///< this step, for the trace
  std::uint64_t last_ns_ = 0;       ///< when the last step ended, for the trace
  std::uint64_t active_vertices_ = 0;
};

}  // namespace detail

/// Who waits, on the states before the phase.
template <class Program>
__global__ void __launch_bounds__(kBlock)
    mark_waiting(const Program program, Vertex vertices, std::int32_t* step) {
  for (std::uint64_t v = gpu::detail::thread(); v < vertices; v += gpu::detail::threads())
    step[v] = program.waits(static_cast<Vertex>(v)) ? kWaiting : kNever;
}

template <class Program, class Attribute>
__global__ void __launch_bounds__(kDeepThreads, 1)
    run_deep_wave(const __grid_constant__ DeepWave<Program, Attribute> wave) {
  __shared__ detail::LocalFront local;
  detail::DeepWalk<Program, Attribute>(wave, local).run();
}

}  // namespace vertigo::gpu::wavefront
