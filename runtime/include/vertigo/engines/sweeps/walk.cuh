#pragma once
// The turns of a loop of sweeps, as every thread of the launch walks through them.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/sweeps/loop.cuh"

namespace vertigo::gpu::sweeps {

namespace detail {

using namespace gpu::detail;

template <class Program, class Attribute>
class Walk {
 public:
  using Message = decltype(Program{}.identity());
  using Combine = CombineOf<Program>;

  __device__ __forceinline__ Walk(const Loop<Program, Attribute>& loop, const Range& range,
                                  bool sorted)
      : loop_(loop), range_(range), sorted_(sorted) {}

  __device__ __forceinline__ void run() {
    if (threadIdx.x == 0) totals() = LoopTotals{};
    if (!sorted_) {
      if (thread() < kFewLevels) loop_.weights[thread()] = Weight{};
      grid_sync();
      weigh();
      grid_sync();
    }
    bool delivered = false;
    std::uint64_t pushed = 0;
    for (turn_ = 0; turn_ < range_.count; ++turn_) {
      const std::uint64_t begin_ns = thread() == 0 ? clock() : 0;
      const Weight weight = weight_of(turn_);
      update_level(delivered);
      if (loop_.against_hubs.count != 0) {
        if (!delivered) grid_sync();
        update_hubs();
      }
      grid_sync();
      if (thread() == 0)
        count_turn(begin_ns, weight.vertices,
                   delivered    ? pushed
                   : is_first() ? 0
                                : weight.collects,
                   delivered ? kPush : kPull);
      pushed = weight.sends;
      delivered = !sorted_ && turn_ + 1 < range_.count &&
                  weight.sends * kPushCost < loop_.weights[turn_ + 1].collects;
      if (delivered) {
        push();
        grid_sync();
      }
    }
    hand_in();
  }

 private:
  __device__ __forceinline__ std::int64_t level() const {
    return range_.first + std::int64_t{range_.step} * turn_;
  }
  /// The turn in which v is updated; `count` or more: none.
  __device__ __forceinline__ std::uint64_t turn_of(Vertex v) const {
    const std::int64_t distance = loop_.program.level_of(v) - range_.first;
    return static_cast<std::uint64_t>(range_.step > 0 ? distance : -distance);
  }
  /// No level before this one has sent.
  __device__ __forceinline__ bool is_first() const { return turn_ + range_.turns_done == 0; }

  __device__ __forceinline__ std::uint64_t clock() const {
    return loop_.log.records == nullptr ? 0 : global_nanoseconds();
  }
  /// Of the first thread, which alone uses it.
  __device__ __forceinline__ static LoopTotals& totals() {
    __shared__ LoopTotals totals;
    return totals;
  }
  /// By the first thread.
  __device__ __forceinline__ void count_turn(std::uint64_t begin_ns, std::uint64_t vertices,
                                             std::uint64_t edges, Mode mode) {
    ++totals().steps;
    totals().active_vertices += vertices;
    totals().edges += edges;
    totals().modes |= 1u << mode;
    const std::uint64_t turn = range_.turns_done + turn_;
    if (loop_.log.records == nullptr || turn >= loop_.log.capacity) return;
    loop_.log.records[turn] = {.begin_ns = begin_ns,
                               .end_ns = clock(),
                               .active_vertices = vertices,
                               .edges = edges,
                               .out_edges = 0,
                               .in_edges = 0,
                               .mode = mode,
                               .predicted_ns = 0};
  }

  /// Adds what this launch did to the log; `edges_` of all threads are part of it.
  __device__ __forceinline__ void hand_in() {
    LoopTotals& all = *loop_.log.totals;
    const std::uint64_t edges = combine_warp(edges_, Sum{});
    if (lane() == 0 && edges != 0)
      atomicAdd(reinterpret_cast<unsigned long long*>(&all.edges), edges);
    if (thread() != 0) return;
    atomicAdd(reinterpret_cast<unsigned long long*>(&all.edges), totals().edges);
    all.steps += totals().steps;
    all.active_vertices += totals().active_vertices;
    all.modes |= totals().modes;
  }

  // ---- levels

  __device__ __forceinline__ Weight weight_of(std::uint32_t turn) const {
    if (!sorted_) return loop_.weights[turn];
    return {loop_.order.ends[turn] - loop_.order.begins[turn], 0,
            0};  // edges are counted on the way
  }

  /// The edges of each level; empties the inboxes on the way. Lane i of every warp adds up level i.
  __device__ __forceinline__ void weigh() {
    static_assert(kFewLevels <= kWarp);
    __shared__ Weight block[kFewLevels];
    if (threadIdx.x < kFewLevels) block[threadIdx.x] = Weight{};
    __syncthreads();
    // A warp adds its lanes' edges up in 32 bits; where those might not do, in units of 256.
    const unsigned unit = loop_.edge_count >> 32 == 0 ? 0 : 8;
    Weight mine{};
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < loop_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const auto v = static_cast<Vertex>(base + lane());
      const bool is_vertex = base + lane() < loop_.vertex_count;
      if (is_vertex) loop_.inboxes.clear(v);
      const std::uint64_t turn = is_vertex ? turn_of(v) : range_.count;
      const bool in_range = turn < range_.count;
      unsigned left = __ballot_sync(kAllLanes, in_range);
      if (left == 0) continue;
      std::uint32_t sends = 0, collects = 0;
      if (in_range) {
        sends = static_cast<std::uint32_t>(edges_of(loop_.along, v) >> unit);
        collects = static_cast<std::uint32_t>(edges_of(loop_.against, v) >> unit);
      }
      while (left != 0) {
        const unsigned which = __shfl_sync(kAllLanes, static_cast<unsigned>(turn), __ffs(left) - 1);
        const bool same = in_range && turn == which;
        const std::uint32_t all_sends = __reduce_add_sync(kAllLanes, same ? sends : 0u);
        const std::uint32_t all_collects = __reduce_add_sync(kAllLanes, same ? collects : 0u);
        const unsigned lanes = __ballot_sync(kAllLanes, same);
        if (lane() == which) {
          mine.vertices += __popc(lanes);
          mine.sends += all_sends;
          mine.collects += all_collects;
        }
        left &= ~lanes;
      }
    }
    if (lane() < kFewLevels) {
      atomicAdd(&block[lane()].vertices, mine.vertices);
      atomicAdd(&block[lane()].sends, mine.sends << unit);
      atomicAdd(&block[lane()].collects, mine.collects << unit);
    }
    __syncthreads();
    if (threadIdx.x < kFewLevels) {
      atomicAdd(&loop_.weights[threadIdx.x].vertices, block[threadIdx.x].vertices);
      atomicAdd(&loop_.weights[threadIdx.x].sends, block[threadIdx.x].sends);
      atomicAdd(&loop_.weights[threadIdx.x].collects, block[threadIdx.x].collects);
    }
  }

  __device__ __forceinline__ static EdgeIndex edges_of(const Adjacency<Attribute>& lists,
                                                       Vertex v) {
    return lists.offsets[v + 1] - lists.offsets[v];
  }

  /// Bitmap of the level of this turn, or of the turn before.
  __device__ __forceinline__ const Bitmap& bits(unsigned back) const {
    return ((turn_ ^ back) & 1) == 0 ? loop_.here : loop_.before;
  }

  /// The vertices of the level before, and what they sent.
  __device__ __forceinline__ auto level_before() const {
    return collection(
        loop_.against.targets, Combine{loop_.program}, loop_.program.identity(),
        [bits = bits(1), turns = sorted_ ? loop_.order.turns : nullptr, before = turn_](Vertex v) {
          return turns == nullptr ? test_bit(bits, v) : turns[v] == before;
        },
        [sent = loop_.sent](Vertex v) { return sent[v]; });
  }

  __device__ __forceinline__ bool is_of_level(Vertex v) const {
    return loop_.program.level_of(v) == level();
  }

  __device__ __forceinline__ void update_level(bool delivered) {
    const std::uint64_t end = sorted_ ? loop_.order.ends[turn_] : loop_.vertex_count;
    const std::uint64_t begin = sorted_ ? loop_.order.begins[turn_] : 0;
    const std::uint64_t words = (end - begin + kWarp - 1) / kWarp;
    const bool collects = !is_first() && !delivered;
    const auto is_here = [this, end](std::uint64_t place) {
      return place < end && (sorted_ || is_of_level(static_cast<Vertex>(place)));
    };
    bool ahead = is_here(begin + std::uint64_t{warps_.number} * kWarp + lane());
    PiecesOfWarp pieces(loop_.against_hubs);
    HubPiece piece;
    // A warp takes 32 vertices, or a piece of a hub.
    for (std::uint64_t i = warps_.number;; i += warps_.count) {
      const bool is_piece = i >= words;
      if (is_piece &&
          !(collects && pieces.next([this](Vertex hub) { return is_of_level(hub); }, piece)))
        break;
      const std::uint64_t place = begin + i * kWarp + lane();
      auto v = static_cast<Vertex>(place);
      bool mine = ahead;
      Stretch list{0, 0};
      ahead = is_here(place + std::uint64_t{warps_.count} * kWarp);
      if (is_piece) {
        v = piece.hub;
        mine = lane() == 0;
        if (mine) list = list_of(loop_.against, piece);
      } else if (mine) {
        if (sorted_) v = loop_.order.vertices[place];
        list = list_of(loop_.against, v);
      }
      const unsigned word = __ballot_sync(kAllLanes, mine);
      if (lane() == 0 && !is_piece && !sorted_) bits(0).words[i] = word;
      if (word == 0) continue;
      if (!is_piece && list.end - list.begin >= kHubEdges) mine = false;
      if (!mine || !collects) list.end = list.begin;
      if (sorted_) edges_ += list.end - list.begin;
      Message inbox;
      const bool news = collect_lists(level_before(), list, inbox);
      if (is_piece) {
        if (news) loop_.inboxes.deliver(loop_.program, v, inbox);
      } else if (mine) {
        update(v, delivered ? taken(v) : taken(v, inbox));
      }
    }
  }

  __device__ __forceinline__ void push() {
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < loop_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const unsigned word = bits(0).words[base / kWarp];
      if (word == 0) continue;
      Stretch list{0, 0};
      Message message{};
      if (word >> lane() & 1) {
        const auto v = static_cast<Vertex>(base + lane());
        list = list_of(loop_.along, v);
        message = loop_.sent[v];
        if (list.end - list.begin >= kHubEdges || message == loop_.program.identity())
          list.end = list.begin;
      }
      share_out(loop_.along.targets, list.begin, static_cast<unsigned>(list.end - list.begin),
                [&](Vertex u, unsigned owner, bool valid) {
                  deliver(u, shuffle(message, owner), valid);
                });
    }
    PiecesOfWarp pieces(loop_.along_hubs);
    HubPiece piece;
    while (pieces.next([this](Vertex hub) { return test_bit(bits(0), hub); }, piece)) {
      const Message message = loop_.sent[piece.hub];
      const Stretch list = list_of(loop_.along, piece);
      for (EdgeIndex e = list.begin + lane(); e < list.end; e += kWarp)
        deliver(loop_.along.targets[e], message, true);
    }
  }

  __device__ __forceinline__ void deliver(Vertex u, const Message& message, bool valid) const {
    if (valid && loop_.program.level_of(u) == level() + range_.step)
      loop_.inboxes.deliver(loop_.program, u, message);
  }

  /// What was delivered to v, and what an earlier loop left there.
  __device__ __forceinline__ Message taken(Vertex v) const {
    const Message inbox = loop_.inboxes.read(loop_.program, v);
    if constexpr (Program::keeps_inboxes) loop_.inboxes.slots[v] = loop_.program.identity();
    return inbox;
  }
  /// `collected`, and the same.
  __device__ __forceinline__ Message taken(Vertex v, const Message& collected) const {
    if constexpr (Program::keeps_inboxes)
      return take_left(loop_.program, loop_.inboxes.slots, v, collected);
    return collected;
  }

  __device__ __forceinline__ void update(Vertex v, const Message& inbox) const {
    using Level = decltype(loop_.program.level_of(v));
    loop_.sent[v] =
        loop_.program.update(v, loop_.program.own(v), inbox, static_cast<Level>(level()));
  }

  __device__ __forceinline__ void update_hubs() {
    for (std::uint64_t i = thread(); i < loop_.against_hubs.count; i += threads()) {
      const HubPiece piece = loop_.against_hubs.pieces[i];
      if (piece.number == 0 && is_of_level(piece.hub)) update(piece.hub, taken(piece.hub));
    }
  }

  const Loop<Program, Attribute>& loop_;
  const Range& range_;
  const bool sorted_;
  Warps warps_;
  std::uint32_t turn_ = 0;
  std::uint64_t edges_ = 0;  ///< that this thread visited, where they are counted on the way
};

}  // namespace detail

}  // namespace vertigo::gpu::sweeps
