#pragma once
// The whole solve as one cooperative kernel: sweeps, the decision between two of them, and work on
// the few rows that are left. Only the library and its tests include this header; generated
// programs call it through device.cuh.

#include "vertigo/engines/solve/packed_sweep.cuh"
#include "vertigo/engines/solve/push.cuh"

namespace vertigo::gpu::solve {

/// Sweeps over the listed rows before all are looked at again.
inline constexpr unsigned kLocalSweeps = 64;
/// What the listed rows are brought down to, as a share of the tolerance: what they send changes
/// the residuals of the others.
inline constexpr double kLocalShare = 0.25;

namespace detail {

/// Values of type Totals, over the threads of a block: lane 0 of warp 0 … kTotals - 1 gets one.
template <class Pick>
__device__ __forceinline__ double over_warp(double value, const Pick& pick) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    value = pick(value, shuffle(value, lane() ^ distance));
  return value;
}
struct Plus {
  __device__ __forceinline__ double operator()(double a, double b) const { return a + b; }
};
struct Larger {
  __device__ __forceinline__ double operator()(double a, double b) const { return a < b ? b : a; }
};

}  // namespace detail

template <class S>
class Solver {
 public:
  using T = typename S::T;
  using Offset = typename S::Offset;

  /// `tile`: kTileRoomWords of shared memory, where rows are packed.
  __device__ __forceinline__ Solver(const System<T, Offset>& system, T* hot, std::uint32_t* tile)
      : system_(system), control_(*system.control), hot_(hot), tile_(tile) {}

  __device__ __forceinline__ void run() {
    // Where terms cancel, the solver for them comes second.
    if (S::kCancels && control_.outcome != Outcome::Cancels) return;
    look_at_system();
    if (control_.outcome != Outcome::Running) return;
    begin();
    while (control_.outcome == Outcome::Running) {
      sweep();
      if (control_.outcome != Outcome::Running) return;
      if (control_.step == Step::Extrapolate) extrapolate();
      if (control_.step == Step::Local) local_sweeps();
      if (control_.step == Step::Push) {
        if constexpr (kPushes) push();
      }
    }
  }

 private:
  using Rows = RowsOf<S>;
  static constexpr unsigned kWarps = S::kThreads / kWarp;
  static constexpr bool kPushes = !S::kEdgeValues && !S::kCancels;

  __device__ __forceinline__ std::uint64_t thread() const {
    return std::uint64_t{blockIdx.x} * S::kThreads + threadIdx.x;
  }
  __device__ __forceinline__ std::uint64_t threads() const {
    return std::uint64_t{gridDim.x} * S::kThreads;
  }
  // Neighbouring units go to different processors: they are similar in length.
  __device__ __forceinline__ unsigned warp() const {
    return threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  }
  __device__ __forceinline__ unsigned warps() const { return gridDim.x * kWarps; }

  /// Folds kTotals values per thread over the grid, in a fixed order, and has one thread work on
  /// the results. Everybody sees what it did.
  template <class Work>
  __device__ __forceinline__ void agree(const double (&mine)[kTotals], unsigned maxima,
                                        const Work& work) {
    __shared__ double of_warp[kTotals][kWarps];
    __shared__ double folded[kTotals];
    for (unsigned i = 0; i < kTotals; ++i) {
      const double value = fold(mine[i], maxima >> i & 1);
      if (lane() == 0) of_warp[i][threadIdx.x / kWarp] = value;
    }
    __syncthreads();
    const unsigned which = threadIdx.x / kWarp;
    if (which < kTotals) {
      const bool is_maximum = maxima >> which & 1;
      double value = lane() < kWarps ? of_warp[which][lane()] : nothing(is_maximum);
      value = fold(value, is_maximum);
      if (lane() == 0) system_.partials[blockIdx.x * kTotals + which] = value;
    }
    grid_sync();
    if (blockIdx.x == 0) {
      if (which < kTotals) {
        const bool is_maximum = maxima >> which & 1;
        double value = nothing(is_maximum);
        for (unsigned block = lane(); block < gridDim.x; block += kWarp) {
          const double partial = system_.partials[block * kTotals + which];
          value = is_maximum ? detail::Larger{}(value, partial) : value + partial;
        }
        value = fold(value, is_maximum);
        if (lane() == 0) folded[which] = value;
      }
      __syncthreads();
      if (threadIdx.x == 0) work(folded);
    }
    grid_sync();
  }
  __device__ __forceinline__ double fold(double value, bool is_maximum) const {
    return is_maximum ? detail::over_warp(value, detail::Larger{})
                      : detail::over_warp(value, detail::Plus{});
  }
  static __device__ __forceinline__ double nothing(bool is_maximum) {
    return is_maximum ? -__builtin_huge_val() : 0;
  }

  /// Whether b is the same everywhere and has one sign, and what edges bring in all per unit of it.
  __device__ __noinline__ void look_at_system() {
    const PullRows<Offset>& rows = system_.rows;
    double largest = -__builtin_huge_val(), largest_negated = largest;
    double from_constants = 0, from_edges = 0, widest = 0;
    for (std::uint64_t i = thread(); i < rows.vertex_count; i += threads()) {
      const double value = system_.inbox[i];
      largest = detail::Larger{}(largest, value);
      largest_negated = detail::Larger{}(largest_negated, -value);
      if (system_.weights == nullptr || rows.out_degrees[i] == 0) continue;
      const double sends = double(rows.out_degrees[i]) * system_.weights[i];
      from_constants += sends;
      widest = detail::Larger{}(widest, detail::magnitude(sends));
      if (rows.positions == nullptr && i < rows.row_count) from_edges += sends * row_edges(i);
    }
    if (system_.weights != nullptr && rows.positions != nullptr)
      for (std::uint64_t row = thread(); row < rows.row_count; row += threads()) {
        const Vertex at = rows.positions[row];
        const double degree = rows.out_degrees[at];
        if (degree != 0) from_edges += degree * system_.weights[at] * row_edges(row);
      }
    const double mine[kTotals] = {largest, largest_negated, from_constants, from_edges, widest};
    agree(mine, 1u << 0 | 1u << 1 | 1u << 4, [this](const double(&all)[kTotals]) {
      control_ = Control{};
      control_.one_constant = all[0] == -all[1];
      control_.constant = all[0];
      control_.cancels = *system_.negative != 0 || all[1] > 0;
      if (control_.cancels && system_.one_sided)
        control_.outcome = Outcome::OneSided;
      else if (control_.cancels && !S::kCancels)
        control_.outcome = Outcome::Cancels;
      control_.bound = system_.weights != nullptr ? all[4] : __builtin_huge_val();
      // What is left in all does not grow then.
      if (kPushes && system_.pushes.offsets != nullptr && control_.bound < 1)
        control_.push_rows = system_.list_room;
      if (system_.weights != nullptr && !control_.cancels && all[3] < 0.99 * all_edges() &&
          is_finite(all[2]) && is_finite(all[4]))
        control_.start = (control_.one_constant ? all[0] * all[2] : 1) / (all_edges() - all[3]);
    });
  }

  __device__ __noinline__ void begin() {
    if (!control_.one_constant) list_constants();
    count_waiting();
    // More than b is only known to come where everybody sends.
    if (control_.start != 0 && control_.waiting != 0 &&
        control_.waiting <= kFewWaiting * system_.rows.vertex_count)
      find_joining();
    first_iterate(control_.all_take_part ? control_.start : 0);
  }

  __device__ __forceinline__ void count_waiting() {
    double waiting = 0;
    for (std::uint64_t i = thread(); i < system_.rows.vertex_count; i += threads())
      waiting += !starts(system_, static_cast<Vertex>(i));
    const double mine[kTotals] = {waiting};
    agree(mine, 0, [this](const double(&all)[kTotals]) {
      control_.waiting = static_cast<unsigned>(all[0]);
      control_.all_take_part = control_.waiting == 0;
    });
  }

  /// b where it passes the guard, and at vertices with a row `more` per in-edge. What an edge
  /// brings is found from the balance of all: what edges bring is what vertices send.
  __device__ __forceinline__ void first_iterate(double per_edge) {
    const PullRows<Offset>& rows = system_.rows;
    const bool one = control_.one_constant;
    const bool all_start = control_.all_take_part;
    const T constant = static_cast<T>(control_.constant);
    const auto start_with = [&](Vertex at, T b, T more) {
      const bool is_in = all_start || starts(system_, at);
      const T x = is_in ? b + more : T{0};
      if (system_.weights == nullptr) return x;
      const T weight = system_.weights[at];
      const bool is_apart = detail::magnitude(weight) < detail::kLeastWeight<T>;
      if (is_apart || !is_in) system_.apart[at] = is_apart ? x : b;
      return sent(weight, x);
    };
    // Sweeps write rows alone; what has none keeps its constant in both iterates.
    const auto keep = [&](std::uint64_t first, std::uint64_t end) {
      for (std::uint64_t i = first + thread(); i < end; i += threads())
        system_.iterates[0][i] = system_.iterates[1][i] =
            start_with(static_cast<Vertex>(i), one ? constant : system_.constants[i], T{0});
    };
    if (rows.row_count < rows.vertex_count) {
      // Between the hot positions and the end all have rows.
      keep(0, rows.hot != 0 ? rows.hot : rows.row_end);
      keep(rows.row_end, rows.vertex_count);
      grid_sync();
    }
    const T start = static_cast<T>(per_edge);
    for (std::uint64_t row = thread(); row < rows.row_count; row += threads()) {
      const Vertex at = rows.positions == nullptr ? static_cast<Vertex>(row) : rows.positions[row];
      const T b = one ? constant : system_.constants[at];
      system_.iterates[0][at] = start_with(at, b, start * static_cast<T>(row_edges(row)));
    }
    grid_sync();
  }

  /// Whether every vertex whose constant does not pass its guard is passed by what the others send
  /// at once. Nothing is below zero, so that it takes part in every order then.
  __device__ __noinline__ void find_joining() {
    const Rows rows(system_, hot_);
    const unsigned count = system_.rows.row_count;
    double joining = 0;
    // Long rows come first, and a warp gets few of them.
    for (std::uint64_t first = warp(); first < count; first += std::uint64_t{kWarp} * warps()) {
      const std::uint64_t own = first + std::uint64_t{lane()} * warps();
      const bool waits = own < count && !starts(system_, rows.position(static_cast<unsigned>(own)));
      for (unsigned left = __ballot_sync(kAllLanes, waits); left != 0; left &= left - 1) {
        const std::uint64_t row =
            first + std::uint64_t(__ffs(static_cast<int>(left)) - 1) * warps();
        if (rows.joins(static_cast<unsigned>(row)) && lane() == 0) joining += 1;
      }
    }
    const double mine[kTotals] = {joining};
    agree(mine, 0, [this](const double(&all)[kTotals]) {
      control_.all_take_part = all[0] == control_.waiting;
    });
  }
  __device__ __forceinline__ void list_constants() {
    const Vertex* const order = system_.rows.order;
    double from_constants = 0;
    for (std::uint64_t i = thread(); i < system_.rows.vertex_count; i += threads()) {
      const T b = system_.inbox[order == nullptr ? i : order[i]];
      system_.constants[i] = b;
      if (system_.weights != nullptr && system_.rows.out_degrees[i] != 0)
        from_constants += double(system_.rows.out_degrees[i]) * sent(system_.weights[i], b);
    }
    const double mine[kTotals] = {from_constants};
    agree(mine, 0, [this](const double(&all)[kTotals]) {
      control_.start = is_finite(all[0]) ? control_.start * all[0] : 0;
    });
  }
  __device__ __forceinline__ double row_edges(std::uint64_t row) const {
    const PullRows<Offset>& rows = system_.rows;
    const auto words = static_cast<double>(rows.begin[row + 1] - rows.begin[row]);
    return rows.pairs == nullptr ? words : words + rows.pairs[row];
  }

  __device__ __forceinline__ void sweep() {
    if constexpr (S::kHot) {
      const T* from = system_.iterates[control_.current];
      for (unsigned i = threadIdx.x; i < system_.rows.hot; i += S::kThreads) hot_[i] = from[i];
      __syncthreads();
    }
    Rows sweep(system_, hot_);
    if constexpr (S::kPacked)
      sweep.run(tile_);
    else if constexpr (S::kNear)
      sweep.run_near(static_cast<unsigned>(thread()), static_cast<unsigned>(threads()));
    else
      sweep.run(warp(), warps());
    __syncwarp();
    conclude(sweep.totals);
  }

  __device__ __noinline__ void conclude(const Totals<T> t) {
    const double mine[kTotals] = {t.residual, double(t.above), t.listed_edges,
                                  t.now_now,  t.now_before,    t.before_before};
    agree(mine, 0, [this](const double(&all)[kTotals]) {
      const double edges = all_edges();
      log_step(static_cast<std::uint64_t>(all[1]), static_cast<std::uint64_t>(edges));
      decide(control_, all, edges, system_.list_room, system_.step_limit);
      if (control_.step != Step::Local) control_.listed = 0;
    });
  }

  /// By one thread, before it decides: of the sweep that has just ended.
  __device__ __forceinline__ void log_step(std::uint64_t above, std::uint64_t edges) {
    if (system_.log.totals == nullptr) return;
    const std::uint64_t now = global_nanoseconds();
    const std::uint64_t begin = control_.rounds == 0 ? now : control_.last_step_ns;
    StepRecord step{};
    step.begin_ns = begin;
    step.end_ns = now;
    step.active_vertices = above;
    step.edges = edges;
    step.mode = static_cast<std::uint32_t>(control_.step);
    record(system_.log, control_.rounds, step);
    control_.last_step_ns = now;
  }

  /// x + r + m r + m^2 r + …: the residual r of the iterate before the current one is a mode that
  /// a sweep multiplies by m.
  __device__ __forceinline__ void extrapolate() {
    T* now = system_.iterates[control_.current];
    const T* before = system_.iterates[control_.current ^ 1];
    const T factor = static_cast<T>(control_.factor);
    for (std::uint64_t i = thread(); i < system_.rows.vertex_count; i += threads()) {
      const T next = now[i] + factor * (now[i] - before[i]);
      // Without a sign anywhere the solution has none.
      now[i] = !S::kCancels && next < 0 ? T(0) : next;
    }
    grid_sync();
  }

  /// Sweeps over the listed rows alone, the rest of the iterate held, in two halves: values, then
  /// their writing, so that the order of rows on the list does not show.
  __device__ __noinline__ void local_sweeps() {
    const unsigned listed = control_.listed;
    T* const iterate = system_.iterates[control_.current];
    const Rows rows(system_, hot_);
    for (unsigned round = 0; round < kLocalSweeps; ++round) {
      unsigned& unsettled = control_.unsettled[round & 1];
      for (unsigned i = warp(); i < listed; i += warps()) {
        const unsigned row = system_.list[i];
        const auto sum = rows.at_row(row);
        if (lane() != 0) continue;
        const Vertex at = rows.position(row);
        const T y = rows.constant(at) + sum.value;
        const T residual = y - value_at(system_, iterate, at);
        system_.list_values[i] = y;
        if (detail::magnitude(residual) >
            T(kLocalShare) * rows.tolerance(at) + rows.rounding(y, sum))
          store_relaxed(unsettled, 1u);
      }
      grid_sync();
      const bool more = load_relaxed(unsettled) != 0;
      if (thread() == 0) store_relaxed(control_.unsettled[(round & 1) ^ 1], 0u);
      for (std::uint64_t i = thread(); i < listed; i += threads())
        rows.set(iterate, rows.position(system_.list[i]), system_.list_values[i]);
      if (thread() == 0) ++control_.local_sweeps;
      grid_sync();
      if (!more) break;
    }
    if (thread() == 0) control_.listed = control_.unsettled[0] = control_.unsettled[1] = 0;
    grid_sync();
  }

  /// Ends the solve, or comes back with a better iterate where there is too much to push.
  __device__ __noinline__ void push() {
    const GridTeam grid{thread(), threads()};
    Pusher<S> pusher(system_);
    double kept = 0;
    const double out_edges = pusher.find_rows(grid, kept);
    const double found[kTotals] = {out_edges, kept};
    agree(found, 0, [this](const double(&all)[kTotals]) {
      decide_push(control_, all[0], all[1], all_edges());
    });
    if (control_.step != Step::Push) return;
    double edges = pusher.run(grid);
    if (blockIdx.x == 0) edges += pusher.run(BlockTeam{threadIdx.x, S::kThreads});
    const double pushed[kTotals] = {edges};
    agree(pushed, 0, [this](const double(&all)[kTotals]) {
      log_step(control_.moving[control_.push_rounds & 1], static_cast<std::uint64_t>(all[0]));
      ++control_.rounds;
      conclude_push(control_);
    });
  }
  __device__ __forceinline__ double all_edges() const {
    return static_cast<double>(system_.rows.edge_count);
  }

  const System<T, Offset>& system_;
  Control& control_;
  T* hot_;
  std::uint32_t* tile_;
};

/// Shared memory of a block, but for what the kernel declares itself: for tiles, then for hot
/// values.
template <class S>
constexpr std::size_t shared_bytes(unsigned hot) {
  return (S::kPacked ? kTileRoom : 0) + (S::kHot ? hot * sizeof(typename S::T) : 0);
}

/// Blocks as many as the device runs at once, with shared_bytes() of shared memory.
template <class S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    solve_fixpoint(const __grid_constant__ System<typename S::T, typename S::Offset> system) {
  extern __shared__ uint4 shared_values[];
  auto* const tile = reinterpret_cast<std::uint32_t*>(shared_values);
  auto* const hot = tile + (S::kPacked ? kTileRoomWords : 0);
  Solver<S>(system, reinterpret_cast<typename S::T*>(hot), tile).run();
}

}  // namespace vertigo::gpu::solve
