#pragma once
// Many levels: the vertices stand in order of their turns, and each warp of the grid takes every
// n-th stretch of 32 of them. No barrier lies between two levels. A vertex waits for the values of
// its neighbours of the level before, which earlier stretches send: each warp takes its stretches
// in order and all warps run at once, so the first stretch that is not done never waits. What does
// not depend on those values is read while the stretches before are waited for.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/sweeps/loop.cuh"

namespace vertigo::gpu::sweeps {

/// Small blocks, which spread over the processors evenly.
inline constexpr unsigned kOrderedThreads = 64;

template <class Program, class Attribute>
struct OrderedLoop {
  using Message = decltype(Program{}.identity());

  Program program;
  Adjacency<Attribute> against;
  LevelOrder order;
  gpu::detail::SentValue<Message>* sent;
  std::uint32_t run;
  Message* inboxes;  ///< read where the program keeps them
  StepLog log;
};

namespace detail {

using namespace gpu::detail;

template <class Program, class Attribute>
class OrderedWalk {
 public:
  using Message = decltype(Program{}.identity());
  using Own = decltype(Program{}.own(Vertex{}));

  __device__ __forceinline__ OrderedWalk(const OrderedLoop<Program, Attribute>& loop,
                                         const Range& range)
      : loop_(loop), range_(range) {}

  __device__ __forceinline__ void run() {
    if (loop_.log.records != nullptr) begin_trace();
    end_ = loop_.order.begins[range_.count];
    stride_ = std::uint64_t{warps_.count} * kWarp;
    const std::uint64_t first = std::uint64_t{warps_.number} * kWarp + lane();
    Ahead ahead;
    ahead.begin(*this, first);
    for (std::uint64_t place = first; place - lane() < end_; place += stride_) {
      const Member member = ahead.member;
      ahead.advance(*this, place + Ahead::kStretches * stride_);
      visit(member);
    }
    hand_in();
  }

 private:
  /// The lane's vertex, and what is read before the values of its neighbours are waited for.
  struct Member {
    Vertex vertex = kNoVertex;
    std::uint32_t turn = 0;
    Stretch list{0, 0};
    Handful handful;
    unsigned awaited = 0;  ///< of the handful
    Own own{};
  };

  /// Every stretch that is done brings the next ones one piece further, so that nothing waits:
  /// a vertex, then its turn and list, the first neighbours on it, their turns and its own states.
  struct Ahead {
    static constexpr unsigned kStretches = 4;
    Member member;
    Member next;
    Member second;
    Vertex third = kNoVertex;

    __device__ __forceinline__ void begin(const OrderedWalk& walk, std::uint64_t first) {
      next.handful = second.handful = Handful::take(nullptr, 0, 0);
      for (unsigned i = 0; i < kStretches; ++i) advance(walk, first + i * walk.stride_);
    }
    /// The vertex at `place` becomes the third one.
    __device__ __forceinline__ void advance(const OrderedWalk& walk, std::uint64_t place) {
      member = next;
      member.awaited = walk.awaited_of(member.handful, member.turn);
      if (member.vertex != kNoVertex) member.own = walk.loop_.program.own(member.vertex);
      next = second;
      next.handful = walk.first_handful(next.list);
      second.vertex = third;
      second.turn = 0;
      second.list = {0, 0};
      if (third != kNoVertex) {
        prefetch(walk.loop_.sent + third);  // a part of a line is written at once where it is near
        second.turn = walk.loop_.order.turns[third];
        second.list = list_of(walk.loop_.against, third);
      }
      third = place < walk.end_ ? walk.loop_.order.vertices[place] : kNoVertex;
    }
  };

  __device__ __forceinline__ static bool is_long(const Stretch& list) {
    return list.end - list.begin >= kCollectByWarp;
  }
  __device__ __forceinline__ Handful first_handful(const Stretch& list) const {
    return Handful::take(loop_.against.targets, list.begin, is_long(list) ? list.begin : list.end);
  }
  /// Which of the neighbours are of the turn before.
  __device__ __forceinline__ unsigned awaited_of(const Handful& handful, std::uint32_t turn) const {
    std::uint32_t turns[kInFlight];
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      const Vertex u = handful.neighbours[i];
      turns[i] = u != kNoVertex ? loop_.order.turns[u] : turn;
    }
    unsigned awaited = 0;
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) awaited |= (turns[i] + 1 == turn ? 1u : 0u) << i;
    return awaited;
  }

  __device__ __forceinline__ void visit(const Member& member) {
    const Message inbox = collect(member);
    const std::uint64_t begin_ns = is_traced() ? global_nanoseconds() : 0;
    const bool mine = member.vertex != kNoVertex;
    if (mine) {
      using Level = decltype(loop_.program.level_of(member.vertex));
      const std::int64_t level = range_.first + std::int64_t{range_.step} * (member.turn - 1);
      const Message sent = loop_.program.update(
          member.vertex, member.own, taken(member.vertex, inbox), static_cast<Level>(level));
      send_value(loop_.sent[member.vertex], sent, loop_.run);
      if (!is_first(member.turn)) edges_ += member.list.end - member.list.begin;
    }
    vertices_ += __popc(__ballot_sync(kAllLanes, mine));
    if (is_traced()) trace(member, begin_ns);
  }

  /// `collected`, and what an earlier loop left.
  __device__ __forceinline__ Message taken(Vertex v, const Message& collected) const {
    if constexpr (Program::keeps_inboxes)
      return take_left(loop_.program, loop_.inboxes, v, collected);
    return collected;
  }

  /// No level before has sent.
  __device__ __forceinline__ bool is_first(std::uint32_t turn) const {
    return turn == 1 && range_.turns_done == 0;
  }

  /// In the first round every lane a short list of its own, then all lanes one long list after the
  /// other.
  __device__ __forceinline__ Message collect(const Member& member) {
    const Message identity = loop_.program.identity();
    const Combine combine{loop_.program};
    Message inbox = identity;
    unsigned left = __ballot_sync(kAllLanes, is_long(member.list));
    Handful handful = member.handful;
    unsigned awaited = member.awaited;
    std::uint32_t turn = member.turn;
    EdgeIndex edge = member.list.begin;
    EdgeIndex end = is_long(member.list) ? edge : member.list.end;
    unsigned lanes = 1, owner = lane();
#pragma unroll 1
    while (true) {
      Message part = identity;
      AwaitedValues<Message> values;
#pragma unroll 1
      while (true) {
        values.look(loop_.sent, handful, awaited);
        values.wait_and_combine(loop_.sent, loop_.run, handful, awaited, combine, part);
        edge += kInFlight * lanes;
        if (edge >= end) break;
        handful = Handful::take(loop_.against.targets, edge, end, lanes);
        awaited = awaited_of(handful, turn);
      }
      if (lanes != 1) part = combine_lanes(part, combine);
      if (lane() == owner) inbox = part;
      if (left == 0) return inbox;
      owner = __ffs(left) - 1;
      left &= left - 1;
      lanes = kWarp;
      edge = shuffle(member.list.begin, owner) + lane();
      end = shuffle(member.list.end, owner);
      turn = shuffle(member.turn, owner);
      handful = Handful::take(loop_.against.targets, edge, end, lanes);
      awaited = awaited_of(handful, turn);
    }
  }

  // ---- the log

  __device__ __forceinline__ bool is_traced() const { return loop_.log.records != nullptr; }

  __device__ __forceinline__ StepRecord* record_of(std::uint32_t turn) const {
    const std::uint64_t number = range_.turns_done + turn - 1;
    return number < loop_.log.capacity ? loop_.log.records + number : nullptr;
  }

  __device__ __forceinline__ void begin_trace() const {
    const std::uint64_t now = global_nanoseconds();
    for (std::uint64_t turn = thread() + 1; turn <= range_.count; turn += threads()) {
      StepRecord* const record = record_of(static_cast<std::uint32_t>(turn));
      if (record == nullptr) break;
      const std::uint32_t vertices = loop_.order.ends[turn - 1] - loop_.order.begins[turn - 1];
      *record = StepRecord{};
      record->begin_ns = vertices == 0 ? now : ~std::uint64_t{0};
      record->end_ns = now;
      record->active_vertices = vertices;
      record->mode = kPull;
    }
    grid_sync();
  }

  /// Levels overlap: one lasts from its first update to the end of its last. The whole warp calls,
  /// whose vertices are of one level or of a few that follow each other.
  __device__ __forceinline__ void trace(const Member& member, std::uint64_t begin_ns) const {
    const std::uint64_t end_ns = global_nanoseconds();
    const auto word = [](std::uint64_t& value) {
      return reinterpret_cast<unsigned long long*>(&value);
    };
    unsigned left = __ballot_sync(kAllLanes, member.vertex != kNoVertex);
    while (left != 0) {
      const unsigned leader = __ffs(left) - 1;
      const std::uint32_t turn = shuffle(member.turn, leader);
      const bool same = member.vertex != kNoVertex && member.turn == turn;
      left &= ~__ballot_sync(kAllLanes, same);
      const bool counts = same && !is_first(turn);
      const std::uint64_t edges =
          combine_warp(counts ? member.list.end - member.list.begin : 0, gpu::Sum{});
      StepRecord* const record = record_of(turn);
      if (lane() != leader || record == nullptr) continue;
      atomicMin(word(record->begin_ns), static_cast<unsigned long long>(begin_ns));
      atomicMax(word(record->end_ns), static_cast<unsigned long long>(end_ns));
      if (edges != 0) atomicAdd(word(record->edges), static_cast<unsigned long long>(edges));
    }
  }

  __device__ __forceinline__ void hand_in() const {
    LoopTotals& all = *loop_.log.totals;
    const std::uint64_t edges = combine_warp(edges_, gpu::Sum{});
    const auto add = [](std::uint64_t& total, std::uint64_t share) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&total), share);
    };
    if (lane() == 0) {
      add(all.edges, edges);
      add(all.active_vertices, vertices_);
    }
    if (thread() != 0) return;
    all.steps += range_.count;
    all.modes |= 1u << kPull;
  }

  using Combine = CombineOf<Program>;

  const OrderedLoop<Program, Attribute>& loop_;
  const Range& range_;
  Warps warps_;
  std::uint64_t end_ = 0;  ///< of the vertices in order
  std::uint64_t stride_ = 0;
  std::uint64_t edges_ = 0;     ///< of this lane
  std::uint32_t vertices_ = 0;  ///< of this warp
};

}  // namespace detail

/// The turns of all vertices, and how many have each.
template <class Program>
__global__ void __launch_bounds__(kBlock)
    number_turns(const Program program, const Range range, Vertex vertices, LevelOrder order) {
  for (std::uint64_t v = gpu::detail::thread(); v < vertices; v += gpu::detail::threads()) {
    const std::int64_t distance = program.level_of(static_cast<Vertex>(v)) - range.first;
    const std::int64_t turn = (range.step > 0 ? distance : -distance) + 1;
    const bool listed = turn >= 1 && turn <= range.count;
    const bool before = turn == 0 && range.turns_done != 0;
    order.turns[v] = listed || before ? static_cast<std::uint32_t>(turn) : kNoTurn;
    if (listed) atomicAdd(&order.ends[turn - 1], 1u);
  }
}

template <class Program, class Attribute>
__global__ void __launch_bounds__(kOrderedThreads)
    run_ordered(const __grid_constant__ OrderedLoop<Program, Attribute> loop,
                const __grid_constant__ Range range) {
  detail::OrderedWalk<Program, Attribute>(loop, range).run();
}

}  // namespace vertigo::gpu::sweeps
