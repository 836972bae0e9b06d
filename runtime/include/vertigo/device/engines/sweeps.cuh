#pragma once
// A loop of sweeps, `for level in a .. b { update v where v.state == level { … } }`, whose compared
// state does not change in the loop and whose messages go from one level to the next. Each vertex
// has its turn once, so that the whole loop is one cooperative launch: a vertex collects its
// messages when its turn comes, from the neighbours of the level before; nobody writes to anybody
// else. Where there are many levels, vertices are sorted by level first (counting sort); where there
// are few, every level walks all of them, which costs less.
//
// A program gives:
//   using Message, Combine;
//   Message identity() const;
//   std::int64_t level_of(Vertex v) const;                 the compared state
//   Message update(Vertex v, Message inbox, std::int64_t level) const;
//                                                          runs the body; returns what v sends

#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/engines/visit_lists.cuh"
#include "vertigo/device/atomics.cuh"

namespace vertigo::gpu::sweeps {

inline constexpr unsigned kThreads = 1024;

/// With more levels than this the vertices are sorted by level.
inline constexpr std::uint64_t kFewLevels = 16;
/// Levels of one launch, at most.
inline constexpr std::uint32_t kMostLevels = 1u << 16;

/// Levels in the order of the loop: the i-th is first + i * step.
struct Range {
  std::int64_t first;
  std::int32_t step;     ///< 1 or -1
  std::uint32_t count;   ///< of levels in this launch
  bool has_before;       ///< a level before the first one may have sent
};

template <class Program, class Attribute>
struct Loop {
  using Message = typename Program::Message;

  Program program;
  Vertex vertex_count;
  Adjacency<Attribute> against;  ///< from receivers to senders
  Hubs against_hubs;
  Message* inbox;             ///< the identity everywhere
  Message* sent;              ///< by each vertex that had its turn
  std::uint32_t* level_ends;  ///< kMostLevels + 1, all 0: where each level begins, then ends, in `order`
  Vertex* order;              ///< vertices by level
  unsigned long long* active;  ///< vertices that had their turn
  unsigned long long* edges;
};

namespace detail {

using namespace gpu::detail;

template <class Program, class Attribute>
class Walk {
 public:
  using Message = typename Program::Message;
  using Combine = typename Program::Combine;

  __device__ __forceinline__ Walk(const Loop<Program, Attribute>& loop, const Range& range)
      : loop_(loop), range_(range) {}

  __device__ __forceinline__ void run() {
    const bool sorted = range_.count > kFewLevels;
    if (sorted) sort();
    const bool hubs = *loop_.against_hubs.count != 0;
    std::uint32_t begin = 0;
    for (turn_ = 0; turn_ < range_.count; ++turn_) {
      if (sorted) {
        const std::uint32_t end = loop_.level_ends[turn_];
        update_listed(begin, end);
        begin = end;
      } else {
        update_found();
      }
      if (hubs) {
        collect_hubs();
        grid_sync();
        update_hubs();
      }
      grid_sync();
    }
    const std::uint64_t active = combine_warp(active_, Sum{});
    const std::uint64_t edges = combine_warp(edges_, Sum{});
    if (lane() == 0 && active != 0) {
      atomicAdd(loop_.active, active);
      atomicAdd(loop_.edges, edges);
    }
  }

 private:
  __device__ __forceinline__ static std::uint64_t thread() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  }
  __device__ __forceinline__ static std::uint64_t threads() {
    return std::uint64_t{gridDim.x} * blockDim.x;
  }
  __device__ __forceinline__ std::int64_t level() const {
    return range_.first + std::int64_t{range_.step} * turn_;
  }
  /// The turn in which v is updated; `count` or more: none.
  __device__ __forceinline__ std::uint64_t turn_of(Vertex v) const {
    const std::int64_t distance = loop_.program.level_of(v) - range_.first;
    return static_cast<std::uint64_t>(range_.step > 0 ? distance : -distance);
  }

  __device__ __forceinline__ void sort() {
    for (std::uint64_t v = thread(); v < loop_.vertex_count; v += threads()) {
      const std::uint64_t turn = turn_of(static_cast<Vertex>(v));
      if (turn < range_.count) atomicAdd(&loop_.level_ends[turn], 1u);
    }
    grid_sync();
    if (blockIdx.x == 0) sizes_to_begins();
    grid_sync();
    for (std::uint64_t v = thread(); v < loop_.vertex_count; v += threads()) {
      const std::uint64_t turn = turn_of(static_cast<Vertex>(v));
      if (turn >= range_.count) continue;
      loop_.order[atomicAdd(&loop_.level_ends[turn], 1u)] = static_cast<Vertex>(v);
    }
    grid_sync();
  }

  /// By one block.
  __device__ __forceinline__ void sizes_to_begins() {
    __shared__ std::uint32_t warp_sums[kWarp];
    std::uint32_t before = 0;
    for (std::uint32_t base = 0; base < range_.count; base += blockDim.x) {
      const std::uint32_t i = base + threadIdx.x;
      const std::uint32_t size = i < range_.count ? loop_.level_ends[i] : 0;
      const std::uint32_t sum = sums_up_to_lane(size);
      if (lane() == kWarp - 1) warp_sums[threadIdx.x / kWarp] = sum;
      __syncthreads();
      const std::uint32_t others = sums_up_to_lane(warp_sums[lane()]);
      const unsigned warp = threadIdx.x / kWarp;
      const std::uint32_t below = warp == 0 ? 0 : __shfl_sync(kAllLanes, others, warp - 1);
      if (i < range_.count) loop_.level_ends[i] = before + below + sum - size;
      before += __shfl_sync(kAllLanes, others, kWarp - 1);
      __syncthreads();
    }
  }

  __device__ __forceinline__ auto collection() const {
    return Collection{loop_.against.targets, Combine{}, loop_.program.identity(),
                      [program = loop_.program, before = level() - range_.step](Vertex v) {
                        return program.level_of(v) == before;
                      },
                      [sent = loop_.sent](Vertex v) { return sent[v]; }};
  }

  __device__ __forceinline__ void update_listed(std::uint32_t begin, std::uint32_t end) {
    const unsigned turn = vertices_per_turn(end - begin, warps_);
    for (std::uint64_t base = begin + std::uint64_t{warps_.number} * turn; base < end;
         base += std::uint64_t{warps_.count} * turn) {
      const bool mine = lane() < turn && base + lane() < end;
      update(mine, mine ? loop_.order[base + lane()] : Vertex{0});
    }
  }

  __device__ __forceinline__ void update_found() {
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < loop_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const auto v = static_cast<Vertex>(base + lane());
      const bool mine = base + lane() < loop_.vertex_count && loop_.program.level_of(v) == level();
      if (__any_sync(kAllLanes, mine)) update(mine, v);
    }
  }

  /// The whole warp calls; hubs are left out.
  __device__ __forceinline__ void update(bool mine, Vertex v) {
    Stretch list{0, 0};
    if (mine) list = list_of(loop_.against, v);
    if (list.end - list.begin >= kHubEdges) {
      mine = false;
      list.end = list.begin;
    }
    const bool collects = turn_ != 0 || range_.has_before;
    if (!collects) list.end = list.begin;
    edges_ += list.end - list.begin;
    Message inbox;
    collect_lists(collection(), list, inbox);
    if (mine) finish(v, inbox);
  }

  __device__ __forceinline__ void finish(Vertex v, const Message& inbox) {
    ++active_;
    loop_.sent[v] = loop_.program.update(v, inbox, level());
  }

  __device__ __forceinline__ void collect_hubs() {
    if (turn_ == 0 && !range_.has_before) return;
    const std::uint32_t pieces = *loop_.against_hubs.count;
    for (std::uint32_t i = warps_.number; i < pieces; i += warps_.count) {
      const HubPiece piece = loop_.against_hubs.pieces[i];
      if (loop_.program.level_of(piece.hub) != level()) continue;
      const Stretch list = list_of(loop_.against, piece);
      if (lane() == 0) edges_ += list.end - list.begin;
      Message part = loop_.program.identity();
      const bool any = collect(collection(), list, lane(), kWarp, part);
      if (!__any_sync(kAllLanes, any)) continue;
      part = combine_warp(part, Combine{});
      if (lane() == 0) atomic_combine(Combine{}, &loop_.inbox[piece.hub], part);
    }
  }

  __device__ __forceinline__ void update_hubs() {
    const std::uint32_t pieces = *loop_.against_hubs.count;
    for (std::uint64_t i = thread(); i < pieces; i += threads()) {
      const HubPiece piece = loop_.against_hubs.pieces[i];
      if (piece.number == 0 && loop_.program.level_of(piece.hub) == level())
        finish(piece.hub, loop_.inbox[piece.hub]);
    }
  }

  const Loop<Program, Attribute>& loop_;
  const Range& range_;
  Warps warps_;
  std::uint32_t turn_ = 0;
  std::uint64_t active_ = 0;
  std::uint64_t edges_ = 0;
};

}  // namespace detail

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads, 1)
    run_sweeps(const Loop<Program, Attribute> loop, const Range range) {
  detail::Walk<Program, Attribute>(loop, range).run();
}

}  // namespace vertigo::gpu::sweeps
