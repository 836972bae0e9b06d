#pragma once
// The searches for graphs of large diameter and small degrees: thousands of steps, each with the
// fronts of all searches. A step is one pass over its list, with one barrier: each lane takes what
// its vertex was sent, runs the body and follows its edges, which lie in one record of 16 bytes.
// Meanwhile a receiver may run its own body, and be sent bits that it sees now; the next step finds
// that they are not new.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/common/visit_lists.cuh"
#include "vertigo/engines/words/search.cuh"

namespace vertigo::gpu::words {

/// A step waits for chains of loads, so as many warps as there can be: on an H200, 64 searches on a
/// road network take 435 ms so, and 586 with half of them and registers enough for all variables.
inline constexpr unsigned kDeepThreads = 1024;
inline constexpr unsigned kDeepBlocksPerSm = 2;
/// Vertices that a block finds before others wait in global memory: it asks for places once a step.
inline constexpr unsigned kKept = 2048;

/// What the threads of a block find in a step.
struct Kept {
  Vertex vertices[kKept];
  unsigned size;  ///< may count past kKept
  unsigned active;
  unsigned place;  ///< in the list
  unsigned long long looked_at;
};

namespace detail {

template <class Program, class Attribute>
class Deep {
  using Task = Search<Program, Attribute>;
  using T = typename Task::T;
  using Bits = Word<T>;
  using Lists = Direction<Program, Attribute>;

 public:
  __device__ __forceinline__ Deep(const Task& task, Kept& kept) : task_(task), kept_(kept) {}

  __device__ __forceinline__ void run() {
    for (std::uint64_t v = thread(); v < task_.vertex_count; v += threads())
      task_.cells[v] = {{0, 0}, static_cast<Bits>(task_.seen[v]), 0};
    if (threadIdx.x == 0) {
      kept_.size = kept_.active = 0;
      kept_.looked_at = 0;
    }
    grid_sync();
    const Vertex* items = task_.asked.items;
    std::uint32_t listed = *task_.asked.count;
    for (std::uint64_t i = thread(); i < listed; i += threads())
      task_.cells[items[i]].words[0] = task_.words[0][items[i]];
    grid_sync();
    LoopTotals totals{};
    totals.modes = 1u << kLocalMode;
    for (; listed != 0; ++step_) {
      const std::uint64_t begin_ns = thread() == 0 ? clock() : 0;
      const bool permitted = step_ < task_.limit;
      if (thread() == 0) counts(2) = Counts{};
      visit(items, listed, permitted);
      hand_in();
      grid_sync();
      const std::uint32_t active = load_relaxed(counts(1).active);
      if (!permitted && active != 0) totals.end = LoopEnd::StepLimit;
      if (!permitted) break;
      if (thread() == 0 && active != 0) {
        ++totals.steps;
        totals.active_vertices += active;
        totals.edges += load_relaxed(counts(1).looked_at);
        trace(begin_ns, active);
      }
      listed = load_relaxed(counts(1).listed);
      items = list(1);
    }
    if (thread() == 0) *task_.log.totals = totals;
    for (std::uint64_t v = thread(); v < task_.vertex_count; v += threads())
      task_.seen[v] = static_cast<T>(task_.cells[v].seen);
  }

 private:
  __device__ __forceinline__ Counts& counts(unsigned ahead = 0) const {
    return task_.counts[(step_ + ahead) % kStepsCounted];
  }
  __device__ __forceinline__ Vertex* list(unsigned ahead) const {
    return (step_ + ahead) % 2 == 0 ? task_.lists[0] : task_.lists[1];
  }
  /// Of a cell: what the vertex was sent for this step, and what it is sent for the next.
  __device__ __forceinline__ Bits& now(Cell<Bits>& cell) const { return cell.words[step_ % 2]; }
  __device__ __forceinline__ Bits& next(Cell<Bits>& cell) const {
    return cell.words[(step_ + 1) % 2];
  }
  __device__ __forceinline__ std::uint64_t clock() const {
    return task_.log.records == nullptr ? 0 : global_nanoseconds();
  }
  __device__ __forceinline__ void trace(std::uint64_t begin_ns, std::uint32_t active) const {
    if (task_.log.records == nullptr || step_ >= task_.log.capacity) return;
    task_.log.records[step_] = {.begin_ns = begin_ns,
                                .end_ns = clock(),
                                .active_vertices = active,
                                .edges = load_relaxed(counts(1).looked_at),
                                .out_edges = 0,
                                .in_edges = 0,
                                .mode = kLocalMode,
                                .predicted_ns = 0};
  }

  /// Where a limit of steps forbids the step, its vertices are counted alone.
  __device__ __forceinline__ void visit(const Vertex* items, std::uint32_t listed, bool permitted) {
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < listed;
         base += std::uint64_t{warps_.count} * kWarp) {
      const bool exists = base + lane() < listed;
      const Vertex v = exists ? items[base + lane()] : 0;
      uint4 records[Task::kDirections];
#pragma unroll
      for (unsigned d = 0; d < Task::kDirections; ++d)  // on their way while the body runs
        records[d] = exists ? task_.directions[d].records[v] : uint4{};
      const Bits sent = exists ? run_body(v, permitted) : 0;
#pragma unroll
      for (unsigned d = 0; d < Task::kDirections; ++d)
        send(task_.directions[d], records[d], v, sent);
    }
  }

  /// Nobody else takes its word, and nobody adds to it any more.
  __device__ __forceinline__ Bits run_body(Vertex v, bool permitted) {
    Cell<Bits>& cell = task_.cells[v];
    const Bits seen = cell.seen;
    const Bits fresh = now(cell) & ~seen;
    now(cell) = 0;
    if (fresh == 0 || !task_.program.listens(v)) return 0;
    ++active_;
    if (!permitted) return 0;
    store_relaxed(cell.seen, seen | fresh);
    return static_cast<Bits>(task_.program.activate(v, task_.program.own(v), static_cast<T>(seen),
                                                    static_cast<T>(fresh),
                                                    static_cast<std::int32_t>(step_)));
  }

  /// The whole warp calls, each lane for its own vertex.
  __device__ __forceinline__ void send(const Lists& lists, const uint4& record, Vertex v,
                                       Bits sent) {
    const bool has_more = sent != 0 && record.x == kMore;
    if (!has_more) {
      const Vertex neighbours[kRecord] = {record.x, record.y, record.z, record.w};
      offer(neighbours, sent);
    } else {
      const Vertex nobody[kRecord] = {kNoVertex, kNoVertex, kNoVertex, kNoVertex};
      offer(nobody, 0);
    }
    if (!__any_sync(kAllLanes, has_more)) return;
    const EdgeIndex end = has_more ? lists.along.offsets[v + 1] : 0;
    for (EdgeIndex e = has_more ? lists.along.offsets[v] : 0; __any_sync(kAllLanes, e < end);
         e += kRecord) {
      Vertex neighbours[kRecord];
#pragma unroll
      for (unsigned k = 0; k < kRecord; ++k) {
        const bool exists = e + k < end;
        neighbours[k] = exists ? lists.along.targets[e + k] : kNoVertex;
        if (exists && !lists.condition.passes(v, neighbours[k], e + k)) neighbours[k] = kNoVertex;
      }
      offer(neighbours, sent);
    }
  }

  __device__ __forceinline__ void offer(const Vertex (&u)[kRecord], Bits sent) {
    Bits bits[kRecord];
#pragma unroll
    for (unsigned k = 0; k < kRecord; ++k)  // all on their way before the first is waited for
      bits[k] = sent != 0 && u[k] != kNoVertex ? sent & ~known(u[k]) : 0;
    bool joins[kRecord];
#pragma unroll
    for (unsigned k = 0; k < kRecord; ++k) {
      looked_at_ += sent != 0 && u[k] != kNoVertex;
      joins[k] = bits[k] != 0 && task_.program.listens(u[k]) &&
                 atomicOr(&next(task_.cells[u[k]]), bits[k]) == 0;
    }
#pragma unroll
    for (unsigned k = 0; k < kRecord; ++k) keep(joins[k], u[k]);
  }

  /// Bits that v has seen or was sent, perhaps as when the step began.
  __device__ __forceinline__ Bits known(Vertex v) const {
    Cell<Bits>& cell = task_.cells[v];
    return load_recent(&cell.seen) | load_recent(&next(cell));
  }

  /// The whole warp calls.
  __device__ __forceinline__ void keep(bool joins, Vertex v) {
    const unsigned joining = __ballot_sync(kAllLanes, joins);
    if (joining == 0) return;
    unsigned place = 0;
    if (lane() == 0) place = atomicAdd(&kept_.size, static_cast<unsigned>(__popc(joining)));
    place = __shfl_sync(kAllLanes, place, 0) + __popc(joining & lanes_below());
    if (joins && place < kKept) kept_.vertices[place] = v;
    const unsigned more = __ballot_sync(kAllLanes, joins && place >= kKept);
    if (more == 0) return;
    unsigned beyond = 0;
    if (lane() == 0) beyond = atomicAdd(&counts(1).listed, static_cast<unsigned>(__popc(more)));
    beyond = __shfl_sync(kAllLanes, beyond, 0);
    if (joins && place >= kKept) list(1)[beyond + __popc(more & lanes_below())] = v;
  }

  /// Puts what the block kept on the next step's list.
  __device__ __forceinline__ void hand_in() {
    if (__any_sync(kAllLanes, (active_ | looked_at_) != 0)) {
      const unsigned active = __reduce_add_sync(kAllLanes, active_);
      const unsigned looked_at = __reduce_add_sync(kAllLanes, looked_at_);
      if (lane() == 0) {
        atomicAdd(&kept_.active, active);
        atomicAdd(&kept_.looked_at, static_cast<unsigned long long>(looked_at));
      }
    }
    active_ = looked_at_ = 0;
    __syncthreads();
    const unsigned kept = kept_.size < kKept ? kept_.size : kKept;
    if (threadIdx.x == 0 && kept != 0) kept_.place = atomicAdd(&counts(1).listed, kept);
    if (threadIdx.x == kWarp && kept_.active != 0) {
      atomicAdd(&counts(1).active, kept_.active);
      atomicAdd(&counts(1).looked_at, kept_.looked_at);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kept; i += blockDim.x)
      list(1)[kept_.place + i] = kept_.vertices[i];
    if (threadIdx.x != 0) return;
    kept_.size = kept_.active = 0;  // nobody counts before the next barrier
    kept_.looked_at = 0;
  }

  const Task& task_;
  Kept& kept_;
  Warps warps_;
  std::uint64_t step_ = 0;
  unsigned active_ = 0;
  unsigned looked_at_ = 0;
};

}  // namespace detail

template <class Program, class Attribute>
__global__ void __launch_bounds__(kDeepThreads, kDeepBlocksPerSm)
    search_deep(const __grid_constant__ Search<Program, Attribute> search) {
  __shared__ Kept kept;
  detail::Deep<Program, Attribute>(search, kept).run();
}

}  // namespace vertigo::gpu::words
