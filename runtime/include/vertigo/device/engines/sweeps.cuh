#pragma once
// A loop of sweeps, `for level in a .. b { update v where v.state == level { … } }`, whose compared
// state does not change in the loop and whose messages go from one level to the next. Each vertex
// has its turn once, so that the whole loop is one cooperative launch: when its turn comes, a
// vertex collects its messages from the neighbours of the level before, and nobody writes to
// anybody else. Where that would visit many more edges than the senders have, they deliver instead.
//
// Where there are many levels, vertices are sorted by level first (counting sort), and each level's
// lists are fetched while the level before waits at the barrier. Where there are few, every level
// walks all vertices, which costs less.
//
// A program gives:
//   Message identity() const;                   of the combine operator
//   Message combine(Message a, Message b) const;
//   Message deliver(Vertex u, Message m) const; combines into u's inbox, as other threads may too
//   Level level_of(Vertex v) const;             the compared state: std::int32_t or std::uint32_t
//   Message update(Vertex v, Message inbox, Level level) const;
//                                               runs the body; returns what v sends
//   bool sends_out() const;                     to out-neighbours; else to in-neighbours
//   bool downward() const;                      the loop counts down

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/engines/visit_lists.cuh"
#include "vertigo/device/step_log.cuh"

namespace vertigo::gpu::sweeps {

inline constexpr unsigned kThreads = 1024;

/// With more levels than this the vertices are sorted by level.
inline constexpr std::uint32_t kFewLevels = 16;
/// Levels of one launch, at most.
inline constexpr std::uint32_t kMostLevels = 1u << 16;

/// Delivering along an edge costs as much as collecting along so many: the receivers are few and
/// shared, so that atomic operations meet (H200, rmat 22 17: 3.5 million deliveries took 2.2 ms,
/// where collecting along 59 million edges takes 0.6 ms).
inline constexpr unsigned kPushCost = 40;

enum Mode : std::uint32_t { kPull, kPush };

/// Levels in the order of the loop: the i-th is first + i * step.
struct Range {
  std::int64_t first;
  std::int32_t step;         ///< 1 or -1
  std::uint32_t count;       ///< of levels in this launch
  std::uint64_t turns_done;  ///< by launches before this one
};

/// The vertices of a level, the edges along which they send and those from which they collect.
struct Weight {
  unsigned long long vertices;
  unsigned long long sends;
  unsigned long long collects;
};

template <class Program, class Attribute>
struct Loop {
  using Message = decltype(Program{}.identity());

  Program program;
  Vertex vertex_count;
  EdgeIndex edge_count;
  Adjacency<Attribute> along;    ///< the edges that messages travel
  Adjacency<Attribute> against;  ///< the same, from their receivers
  Hubs along_hubs;
  Hubs against_hubs;
  Message* inbox;             ///< the identity everywhere
  Message* sent;              ///< by each vertex that had its turn
  Vertex* order;              ///< vertices by level
  std::uint32_t* level_ends;  ///< kMostLevels: where each level begins in `order`, then ends
  Weight* weights;            ///< kFewLevels
  Bitmap here;                ///< vertices of the level, and of the one before; they take turns
  Bitmap before;
  StepLog log;
};

namespace detail {

using namespace gpu::detail;

template <class Program, class Attribute>
class Walk {
 public:
  using Message = decltype(Program{}.identity());
  using Combine = CombineOf<Program>;

  __device__ __forceinline__ Walk(const Loop<Program, Attribute>& loop, const Range& range)
      : loop_(loop),
        range_(range),
        along_hubs_(*loop.along_hubs.count),
        against_hubs_(*loop.against_hubs.count) {}

  __device__ __forceinline__ void run() {
    if (range_.count > kFewLevels || range_.turns_done != 0)
      run_sorted();
    else
      run_unsorted();
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
  /// By the first thread.
  __device__ __forceinline__ void count_turn(std::uint64_t begin_ns, std::uint64_t vertices,
                                             std::uint64_t edges, Mode mode) {
    ++totals_.steps;
    totals_.active_vertices += vertices;
    totals_.edges += edges;
    totals_.modes |= 1u << mode;
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
    atomicAdd(reinterpret_cast<unsigned long long*>(&all.edges), totals_.edges);
    all.steps += totals_.steps;
    all.active_vertices += totals_.active_vertices;
    all.modes |= totals_.modes;
  }

  // ---- many levels

  __device__ __forceinline__ void run_sorted() {
    sort();
    counts_ = true;
    const bool short_lists = loop_.edge_count <= std::uint64_t{kShortLists} * loop_.vertex_count;
    std::uint32_t begin = 0;
    Ahead ahead;
    if (short_lists) ahead.begin(*this);
    for (turn_ = 0; turn_ < range_.count; ++turn_) {
      const std::uint64_t begin_ns = thread() == 0 ? clock() : 0;
      const std::uint32_t end = short_lists ? ahead.ends[0] : loop_.level_ends[turn_];
      if (short_lists)
        update_by_lanes(begin, end, ahead);
      else
        update_by_warps(begin, end);
      if (against_hubs_ != 0) {
        collect_hubs();
        grid_sync();
        update_hubs();
      }
      grid_sync();
      if (thread() == 0) count_turn(begin_ns, end - begin, 0, kPull);
      begin = end;
    }
  }

  __device__ __forceinline__ void sort() {
    for (std::uint64_t i = thread(); i < range_.count; i += threads()) loop_.level_ends[i] = 0;
    grid_sync();
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
      const std::uint32_t below =
          __shfl_sync(kAllLanes, others, warp == 0 ? 0 : warp - 1) * (warp != 0);
      if (i < range_.count) loop_.level_ends[i] = before + below + sum - size;
      before += __shfl_sync(kAllLanes, others, kWarp - 1);
      __syncthreads();
    }
  }

  /// What this lane needs of its first vertex in each of the next levels. A level is read one piece
  /// further at every turn, so that nothing waits: where it ends, then its vertex, that one's list,
  /// and the first neighbours on it.
  struct Ahead {
    std::uint32_t ends[4];  ///< of the level of this turn and the next ones
    Vertex vertices[3];
    Stretch lists[2];
    Handful handful;

    __device__ __forceinline__ void begin(const Walk& walk) {
      for (unsigned i = 0; i < 4; ++i) ends[i] = walk.end_of(i);
      vertices[0] = walk.vertex_at(0, ends[0]);
      vertices[1] = walk.vertex_at(ends[0], ends[1]);
      vertices[2] = walk.vertex_at(ends[1], ends[2]);
      lists[0] = walk.list_at(vertices[0]);
      lists[1] = walk.list_at(vertices[1]);
      handful = Handful::take(walk.loop_.against.targets, lists[0].begin, lists[0].end);
    }
    /// The last uses of what was read at the last turn, and the next reads.
    __device__ __forceinline__ void advance(const Walk& walk) {
      handful = Handful::take(walk.loop_.against.targets, lists[1].begin, lists[1].end);
      lists[0] = lists[1];
      lists[1] = walk.list_at(vertices[2]);
      vertices[0] = vertices[1];
      vertices[1] = vertices[2];
      vertices[2] = walk.vertex_at(ends[2], ends[3]);
      ends[0] = ends[1];
      ends[1] = ends[2];
      ends[2] = ends[3];
      ends[3] = walk.end_of(walk.turn_ + 4);
    }
  };

  __device__ __forceinline__ std::uint32_t end_of(std::uint32_t turn) const {
    return loop_.level_ends[turn < range_.count ? turn : range_.count - 1];
  }
  /// The lane's first vertex of the level that lies at [begin, end) of `order`.
  __device__ __forceinline__ Vertex vertex_at(std::uint32_t begin, std::uint32_t end) const {
    const std::uint64_t place = begin + std::uint64_t{warps_.number} * kWarp + lane();
    return place < end ? loop_.order[place] : kNoVertex;
  }
  __device__ __forceinline__ Stretch list_at(Vertex v) const {
    return v == kNoVertex ? Stretch{0, 0} : list_of(loop_.against, v);
  }

  /// By level, which the states themselves tell.
  __device__ __forceinline__ auto level_before() const {
    return collection(
        loop_.against.targets, Combine{loop_.program}, loop_.program.identity(),
        [program = loop_.program, before = level() - range_.step](Vertex v) {
          return program.level_of(v) == before;
        },
        [sent = loop_.sent](Vertex v) { return sent[v]; });
  }

  __device__ __forceinline__ void update_by_lanes(std::uint32_t begin, std::uint32_t end,
                                                  Ahead& ahead) {
    const Vertex first = ahead.vertices[0];
    const Stretch list = ahead.lists[0];
    const Handful handful = ahead.handful;
    ahead.advance(*this);
    update_by_lane(first, list, handful);
    const std::uint64_t stride = std::uint64_t{warps_.count} * kWarp;
    for (std::uint64_t place = begin + std::uint64_t{warps_.number} * kWarp + lane() + stride;
         place < end; place += stride) {
      const Vertex v = loop_.order[place];
      const Stretch more = list_at(v);
      update_by_lane(v, more, Handful::take(loop_.against.targets, more.begin, more.end));
    }
  }

  __device__ __forceinline__ void update_by_lane(Vertex v, const Stretch& list,
                                                 const Handful& handful) {
    if (v == kNoVertex || list.end - list.begin >= kHubEdges) return;
    Message inbox = loop_.program.identity();
    if (!is_first()) {
      edges_ += list.end - list.begin;
      collect_eagerly(level_before(), handful, inbox);
      collect(level_before(), Stretch{list.begin + kInFlight, list.end}, 0, 1, inbox);
    }
    update(v, inbox);
  }

  __device__ __forceinline__ void update_by_warps(std::uint32_t begin, std::uint32_t end) {
    const unsigned turn = vertices_per_turn(end - begin, warps_);
    for (std::uint64_t base = begin + std::uint64_t{warps_.number} * turn; base < end;
         base += std::uint64_t{warps_.count} * turn) {
      const bool mine = lane() < turn && base + lane() < end;
      collect_and_update(mine, mine ? loop_.order[base + lane()] : Vertex{0}, level_before());
    }
  }

  // ---- few levels

  __device__ __forceinline__ void run_unsorted() {
    if (thread() < kFewLevels) loop_.weights[thread()] = Weight{};
    grid_sync();
    weigh();
    grid_sync();
    bool delivered = false;
    std::uint64_t pushed = 0;
    for (turn_ = 0; turn_ < range_.count; ++turn_) {
      const std::uint64_t begin_ns = thread() == 0 ? clock() : 0;
      const Weight weight = loop_.weights[turn_];
      update_found(delivered);
      if (against_hubs_ != 0 && !delivered) {
        collect_hubs();
        grid_sync();
      }
      if (against_hubs_ != 0) update_hubs();
      grid_sync();
      if (thread() == 0)
        count_turn(begin_ns, weight.vertices,
                   delivered    ? pushed
                   : is_first() ? 0
                                : weight.collects,
                   delivered ? kPush : kPull);
      pushed = weight.sends;
      delivered =
          turn_ + 1 < range_.count && weight.sends * kPushCost < loop_.weights[turn_ + 1].collects;
      if (delivered) {
        push();
        grid_sync();
      }
    }
  }

  /// The edges of each level. Lane i of every warp adds up level i.
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
      const std::uint64_t turn = base + lane() < loop_.vertex_count ? turn_of(v) : range_.count;
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

  __device__ __forceinline__ auto marked_before() const {
    return collection(
        loop_.against.targets, Combine{loop_.program}, loop_.program.identity(),
        [bits = bits(1)](Vertex v) { return test_bit(bits, v); },
        [sent = loop_.sent](Vertex v) { return sent[v]; });
  }

  __device__ __forceinline__ void update_found(bool delivered) {
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < loop_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const auto v = static_cast<Vertex>(base + lane());
      const bool mine = base + lane() < loop_.vertex_count && loop_.program.level_of(v) == level();
      const unsigned word = __ballot_sync(kAllLanes, mine);
      if (lane() == 0) bits(0).words[base / kWarp] = word;
      if (word == 0) continue;
      if (!delivered)
        collect_and_update(mine, v, marked_before());
      else if (mine && edges_of(loop_.against, v) < kHubEdges)
        update(v, loop_.inbox[v]);
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
    for (std::uint32_t i = warps_.number; i < along_hubs_; i += warps_.count) {
      const HubPiece piece = loop_.along_hubs.pieces[i];
      if (!test_bit(bits(0), piece.hub)) continue;
      const Message message = loop_.sent[piece.hub];
      const Stretch list = list_of(loop_.along, piece);
      for (EdgeIndex e = list.begin + lane(); e < list.end; e += kWarp)
        deliver(loop_.along.targets[e], message, true);
    }
  }

  __device__ __forceinline__ void deliver(Vertex u, const Message& message, bool valid) const {
    if (valid && loop_.program.level_of(u) == level() + range_.step)
      loop_.program.deliver(u, message);
  }

  // ---- both

  /// The whole warp calls; hubs are left out.
  template <class From>
  __device__ __forceinline__ void collect_and_update(bool mine, Vertex v, const From& from) {
    Stretch list{0, 0};
    if (mine) list = list_of(loop_.against, v);
    if (list.end - list.begin >= kHubEdges) mine = false;
    if (!mine || is_first()) list.end = list.begin;
    if (counts_) edges_ += list.end - list.begin;
    Message inbox;
    collect_lists(from, list, inbox);
    if (mine) update(v, inbox);
  }

  __device__ __forceinline__ void update(Vertex v, const Message& inbox) const {
    using Level = decltype(loop_.program.level_of(v));
    loop_.sent[v] = loop_.program.update(v, inbox, static_cast<Level>(level()));
  }

  __device__ __forceinline__ void collect_hubs() {
    if (is_first()) return;
    for (std::uint32_t i = warps_.number; i < against_hubs_; i += warps_.count) {
      const HubPiece piece = loop_.against_hubs.pieces[i];
      if (loop_.program.level_of(piece.hub) != level()) continue;
      Message part = loop_.program.identity();
      const Stretch list = list_of(loop_.against, piece);
      if (counts_ && lane() == 0) edges_ += list.end - list.begin;
      const bool news = collect(level_before(), list, lane(), kWarp, part);
      if (!__any_sync(kAllLanes, news)) continue;
      part = combine_warp(part, Combine{loop_.program});
      if (lane() == 0) loop_.program.deliver(piece.hub, part);
    }
  }

  __device__ __forceinline__ void update_hubs() {
    for (std::uint64_t i = thread(); i < against_hubs_; i += threads()) {
      const HubPiece piece = loop_.against_hubs.pieces[i];
      if (piece.number == 0 && loop_.program.level_of(piece.hub) == level())
        update(piece.hub, loop_.inbox[piece.hub]);
    }
  }

  const Loop<Program, Attribute>& loop_;
  const Range& range_;
  const std::uint32_t along_hubs_;  ///< pieces
  const std::uint32_t against_hubs_;
  Warps warps_;
  std::uint32_t turn_ = 0;
  bool counts_ = false;      ///< edges are counted as they are visited
  std::uint64_t edges_ = 0;  ///< so counted by this thread
  LoopTotals totals_{};      ///< of the first thread
};

}  // namespace detail

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads, 1)
    run_sweeps(const Loop<Program, Attribute> loop, const Range range) {
  detail::Walk<Program, Attribute>(loop, range).run();
}

template <class Program, class Graph>
class Engine {
  using Message = decltype(Program{}.identity());
  using Attribute = typename Graph::Attribute;

 public:
  void declare(Session& session, const Graph&) {
    const Vertex vertices = session.vertex_count();
    declare_hubs(session, out_hubs_);
    declare_hubs(session, in_hubs_);
    session.declare(sent_, vertices, "messages sent");
    session.declare(order_, vertices, "vertices by level");
    session.declare(level_ends_, kMostLevels, "ends of levels");
    session.declare(weights_, kFewLevels, "edges of levels");
    session.declare(here_, "level");
    session.declare(before_, "level before");
    session.declare(log_, "turns of levels");
  }

  void prepare(Session& session, const Graph& graph) {
    prepare_hubs(session, graph.out, out_hubs_);
    prepare_hubs(session, graph.in, in_hubs_);
  }

  /// Runs the loop from `level` to `last`, where `level` then is.
  template <class Level>
  void run(Phase& phase, const Program& program, const Graph& graph, Message* inbox, Level& level,
           Level last) {
    const bool out = program.sends_out();
    phase.begin(log_);
    const Loop<Program, Attribute> loop{.program = program,
                                        .vertex_count = graph.vertex_count,
                                        .edge_count = graph.edge_count,
                                        .along = out ? graph.out : graph.in,
                                        .against = out ? graph.in : graph.out,
                                        .along_hubs = out ? out_hubs_ : in_hubs_,
                                        .against_hubs = out ? in_hubs_ : out_hubs_,
                                        .inbox = inbox,
                                        .sent = sent_,
                                        .order = order_,
                                        .level_ends = level_ends_,
                                        .weights = weights_,
                                        .here = here_,
                                        .before = before_,
                                        .log = log_};
    const auto kernel = run_sweeps<Program, Attribute>;
    const std::int64_t first = level;
    const std::int32_t step = program.downward() ? -1 : 1;
    const auto count = static_cast<std::uint64_t>((last - first) * step) + 1;
    for (std::uint64_t done = 0; done < count; done += kMostLevels) {
      const std::uint64_t left = count - done;
      const Range range{
          .first = first + static_cast<std::int64_t>(done) * step,
          .step = step,
          .count = static_cast<std::uint32_t>(left < kMostLevels ? left : kMostLevels),
          .turns_done = done};
      launch_cooperative(kernel, most_resident_blocks(kernel, kThreads), kThreads,
                         phase.session().stream(), loop, range);
    }
    level = last;
    phase.finish(log_, {"pull", "push"}, "fewer edges to visit");
  }

 private:
  Hubs out_hubs_;
  Hubs in_hubs_;
  Message* sent_ = nullptr;
  Vertex* order_ = nullptr;
  std::uint32_t* level_ends_ = nullptr;
  Weight* weights_ = nullptr;
  Bitmap here_;
  Bitmap before_;
  StepLog log_;
};

}  // namespace vertigo::gpu::sweeps
