#pragma once
// The search for graphs of large diameter and small degrees: thousands of levels of a few thousand
// vertices. One cooperative launch of few blocks. A block keeps the vertices that it found in its
// shared memory and visits them itself in the next level; what does not fit goes to a pool that all
// blocks share. The neighbours of a vertex lie in one record of 16 bytes, whose copy to shared
// memory starts when the vertex is found, so that no level waits for it. The barrier between two
// levels carries the number of vertices found.

#include "vertigo/engines/common/counting_barrier.cuh"
#include "vertigo/engines/common/edge_condition.cuh"
#include "vertigo/engines/common/records.cuh"
#include "vertigo/engines/common/traced_edges.cuh"
#include "vertigo/engines/levels/task.cuh"

namespace vertigo::gpu::levels {

inline constexpr unsigned kDeepThreads = 512;
inline constexpr unsigned kDeepBlocks = 64;
/// Vertices of a level that a block keeps to itself.
inline constexpr unsigned kLocal = 256;
static_assert(kLocal <= CountingBarrier::kMostKept);

template <class Condition>
struct DeepGraph {
  const uint4* records;  ///< of edges that pass
  const EdgeIndex* offsets;
  const Vertex* targets;
  Condition condition;
};

struct DeepBuffers {
  std::uint32_t* visited;
  Vertex* pools[2];
  std::uint32_t* pool_counters;      ///< one per pool
  unsigned long long* barriers;      ///< two
  unsigned long long* traced_edges;  ///< TracedEdges::kCounters
};

/// What a block shares.
struct LocalFrontier {
  uint4 records[2][kLocal];
  unsigned sizes[2];  ///< may count past kLocal; the rest is in the pool
  /// Of the pools' counters before the level: they are never reset either.
  unsigned pool_bases[2];
  CountingBarrier::Sum sum;  ///< of the last level found, over all blocks
  unsigned looked_at[2];     ///< edges, where a trace wants to know them of every level
};

template <class Program, class T, class Condition>
class DeepSearch {
 public:
  __device__ __forceinline__ DeepSearch(const Task<Program, T>& task,
                                        const DeepGraph<Condition>& graph,
                                        const DeepBuffers& buffers, LocalFrontier& local)
      : task_(task),
        graph_(graph),
        buffers_(buffers),
        local_(local),
        value_(task),
        barrier_(buffers.barriers),
        traced_edges_(buffers.traced_edges, task.log) {}

  __device__ __forceinline__ void run() {
    for (unsigned w = blockIdx.x * blockDim.x + threadIdx.x; w < (task_.vertex_count + 31) / 32;
         w += gridDim.x * blockDim.x)
      buffers_.visited[w] = 0;
    value_.compare_states(task_);
    if (threadIdx.x == 0) {
      local_.sizes[0] = local_.sizes[1] = 0;
      local_.pool_bases[0] = local_.pool_bases[1] = 0;
      local_.looked_at[0] = local_.looked_at[1] = 0;
    }
    if (leads_grid()) {
      buffers_.pool_counters[0] = buffers_.pool_counters[1] = 0;
      buffers_.barriers[0] = buffers_.barriers[1] = 0;
      for (unsigned i = 0; i < TracedEdges::kCounters; ++i) buffers_.traced_edges[i] = 0;
      *task_.log.totals = LoopTotals{};
    }
    grid_sync();
    value_.learn_states(task_);
    start();
    search();
  }

 private:
  /// Level 0: the started vertices whose guards hold, shared out over the blocks.
  __device__ __forceinline__ void start() {
    writes_ = task_.most_levels > 0;
    const unsigned asked = *task_.asked.count;
    for (std::uint64_t i = threadIdx.x * gridDim.x + blockIdx.x; i < asked;
         i += blockDim.x * gridDim.x) {
      const Vertex v = task_.asked.items[i];
      if (!value_.improves_start(v)) continue;
      atomicOr(buffers_.visited + v / 32, 1u << (v % 32));
      keep(v, 0);
    }
    // Nobody waited for these marks, as one waits for a neighbour's. A block that came to its first
    // visit before them would find a vertex that was started a second time.
    __threadfence();
    end_level(0);
  }

  __device__ __forceinline__ void search() {
    if (is_tracer()) last_ns_ = global_nanoseconds();
    LoopTotals done{};
    done.modes = 1u << static_cast<std::uint32_t>(Mode::Local);
    for (std::uint32_t level = 0;; ++level) {
      const unsigned vertices = local_.sum.kept + local_.sum.pooled;
      if (vertices == 0) break;
      if (level == task_.most_levels) {
        done.end = LoopEnd::StepLimit;
        break;
      }
      done.steps = level + 1;
      done.active_vertices += vertices;
      value_.advance();
      const bool goes_on = !value_.is_useless();
      if (goes_on) {
        writes_ = level + 1 < task_.most_levels;
        visit(level);
        end_level(level + 1);
      }
      if (is_tracer()) trace(level, vertices);
      if (!goes_on) break;
    }
    if (is_traced()) {
      grid_sync();  // the last level's edges have arrived
      if (is_tracer()) traced_edges_.finish(done.steps);
    }
    const auto looked_at = sum_of_warp(looked_at_);
    if (lane() == 0 && looked_at != 0) add_edges(looked_at);
    if (!leads_grid()) return;
    // Others may still be adding to its edges.
    task_.log.totals->steps = done.steps;
    task_.log.totals->active_vertices = done.active_vertices;
    task_.log.totals->modes = done.modes;
    task_.log.totals->end = done.end;
  }

  __device__ __forceinline__ bool is_traced() const { return task_.log.records != nullptr; }
  /// Of the last warp, which has the least to visit: nobody waits for it.
  __device__ __forceinline__ bool is_tracer() const {
    return is_traced() && blockIdx.x == 0 && threadIdx.x == blockDim.x - kWarp;
  }
  __device__ __forceinline__ void add_edges(unsigned long long edges) const {
    atomicAdd(reinterpret_cast<unsigned long long*>(&task_.log.totals->edges), edges);
  }
  __device__ __forceinline__ void trace(std::uint32_t level, std::uint32_t vertices) {
    traced_edges_.follow(level);
    const std::uint64_t now = global_nanoseconds();
    if (level < task_.log.capacity) {
      StepRecord record{};
      record.begin_ns = last_ns_;
      record.end_ns = now;
      record.active_vertices = vertices;
      record.mode = static_cast<std::uint32_t>(Mode::Local);
      task_.log.records[level] = record;
    }
    last_ns_ = now;
  }

  /// Visits the neighbours of a level's vertices: the block's own, and its share of the pool.
  __device__ __forceinline__ void visit(std::uint32_t level) {
    const unsigned turn = level % 2;
    const unsigned mine = local_.sizes[turn] < kLocal ? local_.sizes[turn] : kLocal;
    const unsigned pooled = local_.sum.pooled;
    for (unsigned i = threadIdx.x; i < mine; i += blockDim.x)
      expand(local_.records[turn][i], level + 1);
    const Vertex* const pool = turn == 0 ? buffers_.pools[0] : buffers_.pools[1];
    for (std::uint64_t i = threadIdx.x * gridDim.x + blockIdx.x; i < pooled;
         i += blockDim.x * gridDim.x)
      expand(graph_.records[load_relaxed(pool[i])], level + 1);
  }

  __device__ __forceinline__ void expand(const uint4& record, std::uint32_t level) {
    if (record.x == kMore) {
      const Vertex v = record.y;
      for (EdgeIndex e = graph_.offsets[v]; e < graph_.offsets[v + 1]; ++e) {
        const Vertex u = graph_.targets[e];
        ++looked_at_;
        if (graph_.condition.passes(v, u, e) && !(mark(u) & bit(u))) find(u, level);
      }
      return;
    }
    const Vertex neighbours[kRecord] = {record.x, record.y, record.z, record.w};
    std::uint32_t before[kRecord];
#pragma unroll
    for (unsigned k = 0; k < kRecord; ++k)  // all on their way before the first is waited for
      before[k] = neighbours[k] != kNoVertex ? mark(neighbours[k]) : ~0u;
#pragma unroll
    for (unsigned k = 0; k < kRecord; ++k) {
      looked_at_ += neighbours[k] != kNoVertex;
      if (!(before[k] & bit(neighbours[k]))) find(neighbours[k], level);
    }
  }

  __device__ __forceinline__ static std::uint32_t bit(Vertex v) { return 1u << (v % 32); }
  __device__ __forceinline__ std::uint32_t mark(Vertex v) {
    return atomicOr(buffers_.visited + v / 32, bit(v));
  }

  __device__ __forceinline__ void find(Vertex v, std::uint32_t level) {
    if (value_.improves(v)) keep(v, level);
  }
  /// v is of `level`: it takes the value and is kept for the next visit.
  __device__ __forceinline__ void keep(Vertex v, std::uint32_t level) {
    const unsigned turn = level % 2;
    if (writes_) value_.give(v);
    const unsigned place = atomicAdd(&local_.sizes[turn], 1u);
    if (place < kLocal) {
      copy_async(&local_.records[turn][place], graph_.records + v);
    } else {
      Vertex* const pool = turn == 0 ? buffers_.pools[0] : buffers_.pools[1];
      const unsigned ticket = atomicAdd(buffers_.pool_counters + turn, 1u);
      store_relaxed(pool[ticket - local_.pool_bases[turn]], v);
    }
  }

  /// All vertices of `level` are found.
  __device__ __forceinline__ void end_level(std::uint32_t level) {
    const unsigned turn = level % 2;
    if (is_traced()) {
      const auto of_level = static_cast<unsigned>(looked_at_ - looked_at_before_);
      looked_at_before_ = looked_at_;
      const unsigned looked_at = __reduce_add_sync(kAllLanes, of_level);
      if (lane() == 0 && looked_at != 0) atomicAdd(&local_.looked_at[turn], looked_at);
    }
    __syncthreads();
    if (is_traced() && threadIdx.x == kWarp && local_.looked_at[turn] != 0) {
      traced_edges_.add(level - 1, local_.looked_at[turn]);
      local_.looked_at[turn] = 0;
    }
    if (threadIdx.x == 0) {
      const unsigned found = local_.sizes[turn];
      const unsigned kept = found < kLocal ? found : kLocal;
      local_.sizes[turn ^ 1] = 0;
      local_.sum = barrier_.meet(kept, found - kept);
      local_.pool_bases[turn] += local_.sum.pooled;
    }
    wait_for_copies();
    __syncthreads();
  }

  const Task<Program, T>& task_;
  const DeepGraph<Condition>& graph_;
  const DeepBuffers& buffers_;
  LocalFrontier& local_;
  LevelValue<Program, T> value_;
  CountingBarrier barrier_;
  TracedEdges traced_edges_;
  bool writes_ = true;
  unsigned long long looked_at_ = 0;
  // For the trace.
  unsigned long long looked_at_before_ = 0;  ///< this level
  std::uint64_t last_ns_ = 0;                ///< when the last level ended
};

template <class Program, class T, class Condition>
__global__ void __launch_bounds__(kDeepThreads, 1)
    search_deep(const __grid_constant__ Task<Program, T> task,
                const __grid_constant__ DeepGraph<Condition> graph,
                const __grid_constant__ DeepBuffers buffers) {
  __shared__ LocalFrontier local;
  DeepSearch<Program, T, Condition>(task, graph, buffers, local).run();
}

}  // namespace vertigo::gpu::levels
