#pragma once
// Engine `sketch`: the walk along paths. Source: AsynGraph (TACO 2020), section 4.2.
//
// The launch stays on the device for the whole phase. In each step warps take chunks from two
// queues: first those of their own kind (N_s warps those between hubs, the others the rest), then
// whatever is left. Lane t walks along column t: what changes a vertex goes on from there at once,
// along the same path. A symmetric graph's paths are walked there and back.
//
// Who has something to send stands in bitmaps: `before` for what changed in the last step, `now`
// for what changes in this one. Every edge of a vertex that changes is walked after that: in this
// step, or in the next, where its bit stands in `before`. So the phase is over when a step sets no
// bit.
//
// Where messages add up, a vertex takes what waits for it at most once in a step. What it took goes
// along each of its edges once: in that step where the edge is walked afterwards, else in the next.
// So each activation sends what it has to, and no sum is ever taken apart again.
//
// Races. Inboxes change by atomic operations alone. A message that arrives while its receiver sends
// is seen by nobody, or by the receiver; either way its sender sets the bit afterwards. The states
// of a vertex are changed by the lane that takes for it, one in a step, and its amount is read by
// those who find the bit that is set afterwards. What went along the edges of a column belongs to
// the one lane that walks it in a step. A barrier stands between two steps.

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/bitmap.cuh"
#include "vertigo/device/combine.cuh"
#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/engines/sketch/columns.cuh"

namespace vertigo::gpu::sketch {

inline constexpr unsigned kThreads = 256;

/// Of one step; three take turns, so that one can be cleared while two are in use.
struct StepWords {
  std::uint32_t hot;   ///< chunks between hubs that were taken
  std::uint32_t cold;  ///< others
  std::uint32_t more;  ///< something was left for this step
  std::uint32_t reserved;
  unsigned long long updates;
  unsigned long long edges;
};

template <class Program, class Attribute>
struct Tour {
  using Message = decltype(Program{}.identity());

  Program program;
  engines::sketch::Travel travel;
  Vertex vertex_count;
  Columns columns;
  const Attribute* attributes;  ///< of every slot; null: `everywhere`
  Attribute everywhere;
  Message* inbox;
  // Where messages add up:
  Message* amount[2];      ///< what a vertex took in a step; two steps take turns
  std::uint32_t* sent[2];  ///< of every column: bit r: what was taken in the last step went along
                           ///< the edge to row r, and along its reverse
  Bitmap claimed[2];       ///< who takes in a step
  Bitmap took[3];          ///< whose amount is there
  Bitmap changed[3];
  StepWords* words;
  std::uint32_t hot_warps;
  StepLog log;
  std::uint64_t limit;
};

namespace detail {

template <class Program, class Attribute>
class Walk {
  using Message = typename Tour<Program, Attribute>::Message;

 public:
  __device__ __forceinline__ explicit Walk(const Tour<Program, Attribute>& tour) : tour_(tour) {}

  __device__ __forceinline__ void run() {
    begin();
    std::uint64_t step = 0;
    for (;; ++step) {
      here_ = &tour_.words[step % 3];
      if (load_relaxed(here_->more) == 0 || step == tour_.limit) break;
      const std::uint64_t begin_ns = thread() == 0 ? clock() : 0;
      one_step(step);
      if (thread() == 0) note(step, begin_ns);
    }
    if (thread() == 0)
      tour_.log.totals->end = load_relaxed(here_->more) == 0 ? LoopEnd::Done : LoopEnd::StepLimit;
  }

 private:
  __device__ __forceinline__ static std::uint64_t thread() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  }
  __device__ __forceinline__ static std::uint64_t threads() {
    return std::uint64_t{gridDim.x} * blockDim.x;
  }
  __device__ __forceinline__ std::uint64_t clock() const {
    return tour_.log.records == nullptr ? 0 : global_nanoseconds();
  }

  /// Bitmaps and words are zero.
  __device__ __forceinline__ void begin() {
    for (std::uint64_t i = thread(); i < tour_.vertex_count; i += threads()) {
      const auto v = static_cast<Vertex>(i);
      const Message waits = tour_.inbox[v];
      if (waits == tour_.program.identity() || !tour_.program.guard_holds(v, waits)) continue;
      set_bit(tour_.changed[0], v);
      store_relaxed(tour_.words[0].more, 1u);
    }
    grid_sync();
  }

  __device__ __forceinline__ void one_step(std::uint64_t step) {
    before_ = tour_.changed[step % 3];
    now_ = tour_.changed[(step + 1) % 3];
    next_ = &tour_.words[(step + 1) % 3];
    updates_ = edges_ = 0;
    renew(tour_.changed[(step + 2) % 3]);
    if constexpr (Program::adds_up) {
      took_ = tour_.took[step % 3];
      took_before_ = tour_.took[(step + 2) % 3];
      claimed_ = tour_.claimed[step % 2];
      amount_ = tour_.amount[step % 2];
      amount_before_ = tour_.amount[(step + 1) % 2];
      renew(tour_.took[(step + 1) % 3]);
      renew(tour_.claimed[(step + 1) % 2]);
    }
    if (thread() == 0) tour_.words[(step + 2) % 3] = StepWords{};
    // Warps of one number lie in all blocks, so that those for hubs are spread over the device.
    const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
    const Columns& columns = tour_.columns;
    const std::uint32_t cold = columns.chunks - columns.hub_chunks;
    if (warp < tour_.hot_warps) {
      walk_all(here_->hot, columns.hub_chunks, 0, columns.hub_turns);
      walk_all(here_->cold, cold, columns.hub_chunks, 1);
    } else {
      walk_all(here_->cold, cold, columns.hub_chunks, 1);
      walk_all(here_->hot, columns.hub_chunks, 0, columns.hub_turns);
    }
    hand_in(here_->updates, updates_);
    hand_in(here_->edges, edges_);
    grid_sync();
  }

  __device__ __forceinline__ void renew(const Bitmap& bitmap) const {
    for (std::uint64_t i = thread(); i < (tour_.vertex_count + 31ull) / 32; i += threads())
      bitmap.words[i] = 0;
  }
  __device__ __forceinline__ static void hand_in(unsigned long long& sum, std::uint32_t of_lane) {
    const std::uint32_t all = __reduce_add_sync(kAllLanes, of_lane);
    if (lane() == 0 && all != 0) atomicAdd(&sum, all);
  }
  __device__ __forceinline__ void note(std::uint64_t step, std::uint64_t begin_ns) const {
    record(tour_.log, step,
           {.begin_ns = begin_ns,
            .end_ns = clock(),
            .active_vertices = here_->updates,
            .edges = here_->edges,
            .out_edges = 0,
            .in_edges = 0,
            .mode = 0,
            .predicted_ns = 0});
  }

  __device__ __forceinline__ void walk_all(std::uint32_t& taken, std::uint32_t count,
                                           std::uint32_t first, std::uint32_t turns) {
    while (true) {
      std::uint32_t chunk = 0;
      if (lane() == 0) chunk = atomicAdd(&taken, 1u);
      chunk = shuffle(chunk, 0);
      if (chunk >= count) return;
      walk(first + chunk, turns);
    }
  }

  __device__ __forceinline__ void walk(std::uint32_t chunk, std::uint32_t turns) {
    first_ = tour_.columns.begins[chunk] + lane();
    rows_ = static_cast<unsigned>((tour_.columns.begins[chunk + 1] - first_ + lane()) / kWarp);
    const std::uint64_t place = std::uint64_t{chunk} * kWarp + lane();
    breaks_ = tour_.columns.breaks[place];
    if constexpr (Program::adds_up) take_up(place);
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      bool moved = column<false>();
      if (tour_.travel.both_ways) moved |= column<true>();
      if (!__any_sync(kAllLanes, moved)) break;
    }
    if constexpr (Program::adds_up) put_down(place);
  }

  /// Which edges of the column have brought what.
  __device__ __forceinline__ void take_up(std::uint64_t place) {
    for (unsigned way = 0; way < ways(); ++way) {
      sent_before_[way] = tour_.sent[way][place];
      sent_[way] = 0;
    }
  }
  __device__ __forceinline__ void put_down(std::uint64_t place) const {
    for (unsigned way = 0; way < ways(); ++way)
      if (tour_.sent[way][place] != sent_[way]) tour_.sent[way][place] = sent_[way];
  }
  __device__ __forceinline__ unsigned ways() const { return tour_.travel.both_ways ? 2 : 1; }

  /// From the first row to the last, or back; whether anything changed.
  template <bool kBack>
  __device__ __forceinline__ bool column() {
    const Vertex* const vertices = tour_.columns.vertices + first_;
    bool moved = false;
    bool came_along = false;  // along this path, just now
    Vertex v = vertices[kBack ? (rows_ - 1) * kWarp : 0];
    for (unsigned i = 0; i < rows_; ++i) {
      const unsigned row = kBack ? rows_ - 1 - i : i;
      const Vertex u = i + 1 < rows_ ? vertices[(kBack ? row - 1 : row + 1) * kWarp] : v;
      if (came_along || is_due(v)) {
        if constexpr (Program::adds_up) moved |= take(v);
        came_along = false;
        // The edge between two rows stands at the lower one.
        const unsigned at = kBack ? row : row + 1;
        const bool ends = at >= rows_ || (breaks_ >> at & 1) != 0;
        if (!ends && !(kBack && tour_.travel.pairs && u == v)) came_along = along<kBack>(v, u, at);
        moved |= came_along;
      }
      v = u;
    }
    return moved;
  }

  __device__ __forceinline__ bool is_due(Vertex v) const {
    return test_bit(before_, v) || (load_cached(now_.words[v / 32]) & gpu::detail::bit_of(v)) != 0;
  }
  __device__ __forceinline__ void mark(Vertex v) const {
    set_bit(now_, v);
    if (load_relaxed(next_->more) == 0) store_relaxed(next_->more, 1u);
  }

  /// What waits for v, where the guard lets it pass: once in a step.
  __device__ __forceinline__ bool take(Vertex v) {
    const Program& program = tour_.program;
    const Message waits = load_relaxed(tour_.inbox[v]);
    if (waits == program.identity() || !program.guard_holds(v, waits)) return false;
    if (!test_and_set(claimed_, v)) return false;
    const Message taken = atomic_exchange(tour_.inbox + v, program.identity());
    store_relaxed(amount_[v], taken);
    program.settle(v, taken);
    __threadfence();
    set_bit(took_, v);
    ++updates_;
    mark(v);
    return true;
  }

  /// What v took, in this step and the last, as far as it has not gone along this edge.
  template <bool kBack>
  __device__ __forceinline__ Message owed(Vertex v, std::uint32_t edge) {
    Message amount = tour_.program.identity();
    if ((sent_before_[kBack] & edge) == 0 && test_bit(took_before_, v)) {
      sent_before_[kBack] |= edge;
      amount = load_relaxed(amount_before_[v]);
    }
    if ((sent_[kBack] & edge) == 0 &&
        (load_acquire(took_.words[v / 32]) & gpu::detail::bit_of(v)) != 0) {
      sent_[kBack] |= edge;
      amount = tour_.program.combine(amount, load_relaxed(amount_[v]));
    }
    return amount;
  }

  /// From v to u, along the edge to row `at`, or along its reverse.
  template <bool kBack>
  __device__ __forceinline__ bool along(Vertex v, Vertex u, unsigned at) {
    const Program& program = tour_.program;
    const std::uint64_t slot = first_ + at * kWarp;
    if constexpr (Program::adds_up) {
      const Message amount = owed<kBack>(v, 1u << at);
      if (amount == program.identity()) return false;
      ++edges_;
      const Message message = sent(v, u, amount, slot);
      if (message == program.identity()) return false;
      program.deliver(u, message);
      const Message waits = load_relaxed(tour_.inbox[u]);
      if (waits == program.identity() || !program.guard_holds(u, waits)) return false;
    } else {
      const Message message = sent(v, u, load_relaxed(tour_.inbox[v]), slot);
      ++edges_;
      const Message known = load_relaxed(tour_.inbox[u]);
      if (program.combine(known, message) == known) return false;
      program.deliver(u, message);
      if (!program.guard_holds(u, message)) return false;
      ++updates_;
    }
    mark(u);
    return true;
  }

  __device__ __forceinline__ Message sent(Vertex v, Vertex u, Message inbox,
                                          std::uint64_t slot) const {
    if constexpr (Program::sent_reads_edge)
      return tour_.program.sent_along(
          v, u, inbox, tour_.attributes != nullptr ? tour_.attributes[slot] : tour_.everywhere);
    else
      return tour_.program.sent_along(v, u, inbox);
  }

  const Tour<Program, Attribute>& tour_;
  StepWords* here_ = nullptr;
  StepWords* next_ = nullptr;
  Bitmap before_;
  Bitmap now_;
  // Where messages add up:
  Bitmap claimed_;
  Bitmap took_;
  Bitmap took_before_;
  Message* amount_ = nullptr;
  Message* amount_before_ = nullptr;
  std::uint32_t updates_ = 0;
  std::uint32_t edges_ = 0;
  // Of the chunk.
  std::uint64_t first_ = 0;
  unsigned rows_ = 0;
  std::uint32_t breaks_ = 0;
  std::uint32_t sent_before_[2] = {};
  std::uint32_t sent_[2] = {};
};

}  // namespace detail

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads)
    walk_paths(const __grid_constant__ Tour<Program, Attribute> tour) {
  detail::Walk<Program, Attribute>(tour).run();
}

/// Bodies that have not run: all where messages improve; where they add up those of vertices
/// without edges, unless a limit ended the walk.
template <class Program, class Attribute>
__global__ void __launch_bounds__(kBlock)
    settle_all(const __grid_constant__ Tour<Program, Attribute> tour) {
  using Message = typename Tour<Program, Attribute>::Message;
  const Program& program = tour.program;
  const bool at_rest = tour.log.totals->end == LoopEnd::Done;
  for (std::uint64_t i = gpu::detail::block_start() + threadIdx.x; i < tour.vertex_count;
       i += gpu::detail::grid_stride()) {
    const auto v = static_cast<Vertex>(i);
    const Message waits = tour.inbox[v];
    const bool passes = waits != program.identity() && program.guard_holds(v, waits);
    if (!passes || (Program::adds_up && !at_rest)) continue;
    if constexpr (Program::adds_up) tour.inbox[v] = program.identity();
    program.settle(v, waits);
  }
}

}  // namespace vertigo::gpu::sketch
