#pragma once
// Phases in which each vertex is active at most once, in the step after its first message: a wave
// that runs over the graph. The whole phase is one cooperative launch. A step either pushes (the
// vertices of the front send; whoever hears its first message joins the next front) or pulls (the
// vertices still waiting look for neighbours in the front), by the number of edges that each would
// visit: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012,
// section 5, here for any message and combine operator. Where lists are short and run both ways, a
// push only claims its receivers: each of them reads the senders when it has its turn, among the
// neighbours that it visits anyway, so that no message needs an atomic operation.
//
// A program gives:
//   Message identity() const;                   of the combine operator
//   Message combine(Message a, Message b) const;
//   Message deliver(Vertex u, Message m) const; combines into u's inbox, as other threads may too
//   bool waits(Vertex v) const;                 the guard, on the states before the phase
//   Message activate(Vertex v, Message inbox, std::int32_t step) const;
//                                               runs the body; returns what v sends
//   bool sends_out() const;                     to out-neighbours; else to in-neighbours

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/engines/visit_lists.cuh"
#include "vertigo/device/step_log.cuh"

namespace vertigo::gpu::wavefront {

/// One block of every processor: what a barrier costs grows with the blocks.
inline constexpr unsigned kThreads = 1024;

/// Instead of the step in which a vertex was active.
inline constexpr std::int32_t kWaiting = -1;
inline constexpr std::int32_t kNever = -2;

/// A pushed edge costs as much as so many pulled ones: it needs atomic operations, and many senders
/// share a receiver (H200, rmat 22 17: 5.8 million pushed edges took 0.89 ms, 59 million pulled
/// ones 0.45 ms).
inline constexpr unsigned kPushCost = 12;

enum Mode : std::uint32_t { kPush, kPull, kClaim };

/// Vertices that a warp finds before it appends them to the next front's list: one atomic operation
/// serves them all, and thousands of warps share the counter.
inline constexpr unsigned kStaged = 256;

/// The vertices of one step, and the edges that pushing from them, or pulling to them, visits.
struct Front {
  unsigned long long push_edges;
  unsigned long long pull_edges;
  std::uint32_t pulled;    ///< vertices that a pull found
  std::uint32_t listed;    ///< vertices in `order`
  std::uint32_t relisted;  ///< of those that a pull found, in `order`
  std::uint32_t padding;
};

/// A vertex of a front and its edges.
struct alignas(16) Entry {
  EdgeIndex first;
  std::uint32_t edges;  ///< at most kHubEdges
  Vertex vertex;
};

template <class Program, class Attribute>
struct Wave {
  using Message = decltype(Program{}.identity());

  Program program;
  Vertex vertex_count;
  EdgeIndex edge_count;
  Adjacency<Attribute> along;    ///< the edges that messages travel
  Adjacency<Attribute> against;  ///< the same, from their receivers
  Hubs along_hubs;
  Hubs against_hubs;
  Worklist asked;      ///< whom the phase starts; their inboxes hold what they start with
  Message* inbox;      ///< else the identity
  Message* sent;       ///< by each vertex that was active
  std::int32_t* step;  ///< in which each vertex was active
  Entry* order;        ///< vertices by step
  Bitmap front;        ///< pulls ask it who is in the front; two that take turns
  Bitmap next_front;
  Front* fronts;  ///< three: of this step, the next and the one after
  StepLog log;
  std::uint64_t limit;
};

namespace detail {

using namespace gpu::detail;

/// What is known of the messages to this step's front.
enum class Known : std::uint8_t {
  Claimed,    ///< the senders are known: neighbours that were active in the step before
  Delivered,  ///< they wait in the inboxes
  Active,     ///< the vertices have run their bodies
};

/// The steps of a wave, as every thread of the launch walks through them.
template <class Program, class Attribute>
class Walk {
 public:
  using Message = decltype(Program{}.identity());
  using Combine = CombineOf<Program>;

  __device__ __forceinline__ explicit Walk(const Wave<Program, Attribute>& wave)
      : wave_(wave),
        along_hubs_(*wave.along_hubs.count),
        against_hubs_(*wave.against_hubs.count),
        both_ways_(wave.along.targets == wave.against.targets) {}

  __device__ __forceinline__ void run() {
    begin();
    // Nobody is active twice, so there are no more steps than vertices.
    for (std::uint64_t step = 0; step <= wave_.vertex_count; ++step) {
      step_ = static_cast<std::int32_t>(step);
      here_ = front();
      const std::uint32_t vertices = here_.pulled + here_.listed;
      if (vertices == 0 || step == wave_.limit) break;
      one_step(vertices);
    }
    if (thread() == 0) {
      totals_.end = here_.pulled + here_.listed == 0 ? LoopEnd::Done : LoopEnd::StepLimit;
      *wave_.log.totals = totals_;
    }
  }

 private:
  __device__ __forceinline__ Front& front(unsigned ahead = 0) const {
    return wave_.fronts[(step_ + ahead) % 3];
  }

  __device__ __forceinline__ void begin() {
    for (std::uint64_t v = thread(); v < wave_.vertex_count; v += threads())
      wave_.step[v] = wave_.program.waits(static_cast<Vertex>(v)) ? kWaiting : kNever;
    if (thread() < 3) wave_.fronts[thread()] = Front{};
    grid_sync();
    step_ = -1;  // those asked are found before step 0
    const std::uint64_t count = *wave_.asked.count;
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const bool mine = base + lane() < count;
      const Vertex v = mine ? wave_.asked.items[base + lane()] : kNoVertex;
      const bool joins = mine && wave_.step[v] == kWaiting;
      if (joins) wave_.step[v] = 0;
      stage(joins, v);
      if (is_full()) append_staged(wave_.fronts[0].listed, 0);
    }
    append_staged(wave_.fronts[0].listed, 0);
    hand_in(wave_.fronts[0]);
    grid_sync();
    waiting_edges_ = wave_.edge_count;
  }

  __device__ __forceinline__ void one_step(std::uint32_t vertices) {
    const std::uint64_t begin_ns = thread() == 0 ? clock() : 0;
    if (thread() == 0) front(2) = Front{};
    next_start_ = start_ + vertices;
    waiting_edges_ -= here_.pull_edges < waiting_edges_ ? here_.pull_edges : waiting_edges_;
    Mode mode = kPush;
    if (here_.push_edges * kPushCost > waiting_edges_)
      mode = kPull;
    else if (both_ways_ && along_hubs_ == 0 &&
             here_.push_edges <= std::uint64_t{kShortLists} * vertices)
      mode = kClaim;
    if (mode == kPull) {
      prepare_pull(vertices);
      pull();
    } else {
      if (here_.pulled != 0) list_all();
      if (known_ != Known::Active &&
          (along_hubs_ != 0 || (mode == kPush && known_ == Known::Claimed)))
        activate_all(vertices);
      if (mode == kClaim)
        claim(vertices);
      else
        push(vertices);
    }
    append_staged(front(1).listed, next_start_);
    hand_in(front(1));
    grid_sync();
    known_ = mode == kPull ? Known::Active : mode == kPush ? Known::Delivered : Known::Claimed;
    marked_ = mode == kPull;
    start_ = next_start_;
    if (thread() == 0) count_step(begin_ns, vertices, mode);
  }

  __device__ __forceinline__ void count_step(std::uint64_t begin_ns, std::uint32_t vertices,
                                             Mode mode) {
    const std::uint64_t edges = mode == kPull ? waiting_edges_ : here_.push_edges;
    ++totals_.steps;
    totals_.active_vertices += vertices;
    totals_.edges += edges;
    totals_.modes |= 1u << mode;
    if (wave_.log.records == nullptr || step_ >= static_cast<std::int64_t>(wave_.log.capacity))
      return;
    wave_.log.records[step_] = {.begin_ns = begin_ns,
                                .end_ns = clock(),
                                .active_vertices = vertices,
                                .edges = edges,
                                .out_edges = here_.push_edges,
                                .in_edges = waiting_edges_,
                                .mode = mode,
                                .predicted_ns = 0};
  }

  __device__ __forceinline__ std::uint64_t clock() const {
    return wave_.log.records == nullptr ? 0 : global_nanoseconds();
  }

  // ---- who joins the next front

  /// Adds v's edges to what the next front costs, and says where they lie.
  __device__ __forceinline__ Entry note(Vertex v) {
    const Stretch sends = list_of(wave_.along, v);
    const EdgeIndex edges = sends.end - sends.begin;
    push_edges_ += edges;
    if (!both_ways_) pull_edges_ += wave_.against.offsets[v + 1] - wave_.against.offsets[v];
    return {sends.begin, static_cast<std::uint32_t>(edges < kHubEdges ? edges : kHubEdges), v};
  }

  __device__ __forceinline__ static Vertex* staged() {
    __shared__ Vertex vertices[kThreads / kWarp][kStaged];
    return vertices[threadIdx.x / kWarp];
  }

  /// Puts v, where the lane says so, among those that will join a front. The whole warp calls, and
  /// append_staged before a warp of vertices more might not fit.
  __device__ __forceinline__ void stage(bool joins, Vertex v) {
    const unsigned joining = __ballot_sync(kAllLanes, joins);
    if (joins) staged()[staged_ + __popc(joining & lanes_below())] = v;
    staged_ += __popc(joining);
  }
  __device__ __forceinline__ bool is_full() const { return staged_ > kStaged - kInFlight * kWarp; }

  /// Appends what was staged to the list that begins at `begin`.
  __device__ __forceinline__ void append_staged(std::uint32_t& counter, std::uint64_t begin) {
    if (staged_ == 0) return;
    std::uint32_t place = 0;
    if (lane() == 0) place = atomicAdd(&counter, staged_);
    __syncwarp();
    Entry first{};
    if (lane() < staged_) first = note(staged()[lane()]);  // meanwhile
    place = __shfl_sync(kAllLanes, place, 0);
    for (std::uint32_t i = lane(); i < staged_; i += kWarp) {
      const Entry entry = i == lane() ? first : note(staged()[i]);
      if (entry.edges != 0) prefetch(wave_.along.targets + entry.first);
      wave_.order[begin + place + i] = entry;
    }
    __syncwarp();
    staged_ = 0;
  }

  /// Lists this step's front after a pull, which left it as marks only.
  __device__ __forceinline__ void list_all() {
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < wave_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const auto v = static_cast<Vertex>(base + lane());
      stage(base + lane() < wave_.vertex_count && wave_.step[v] == step_, v);
      if (is_full()) append_staged(front().relisted, start_);
    }
    append_staged(front().relisted, start_);
    push_edges_ = pull_edges_ = 0;  // they were counted when they were found
    grid_sync();
  }

  __device__ __forceinline__ void hand_in(Front& front) {
    const std::uint32_t pulled = __reduce_add_sync(kAllLanes, pulled_);
    if (__any_sync(kAllLanes, (push_edges_ | pull_edges_) != 0)) {
      const std::uint64_t push_edges = combine_warp(push_edges_, Sum{});
      const std::uint64_t pull_edges = both_ways_ ? push_edges : combine_warp(pull_edges_, Sum{});
      if (lane() == 0) {
        atomicAdd(&front.push_edges, push_edges);
        atomicAdd(&front.pull_edges, pull_edges);
      }
    }
    if (lane() == 0 && pulled != 0) atomicAdd(&front.pulled, pulled);
    pulled_ = 0;
    push_edges_ = pull_edges_ = 0;
  }

  // ---- bodies

  __device__ __forceinline__ Message activate(Vertex v, const Message& inbox, std::int32_t step) {
    const Message sent = wave_.program.activate(v, inbox, step);
    wave_.sent[v] = sent;
    return sent;
  }

  /// Of a front that was claimed: from the neighbours that were active in the step before.
  __device__ __forceinline__ auto claimed_from() const {
    return collection(
        wave_.against.targets, Combine{wave_.program}, wave_.program.identity(),
        [steps = wave_.step, before = step_ - 1](Vertex v) { return steps[v] == before; },
        [sent = wave_.sent](Vertex v) { return sent[v]; });
  }

  __device__ __forceinline__ void activate_all(std::uint32_t vertices) {
    for (std::uint64_t i = thread(); i < vertices; i += threads()) {
      const Entry entry = wave_.order[start_ + i];
      Message inbox = wave_.program.identity();
      if (known_ == Known::Delivered)
        inbox = wave_.inbox[entry.vertex];
      else  // the lists run both ways
        collect(claimed_from(), Stretch{entry.first, entry.first + entry.edges}, 0, 1, inbox);
      activate(entry.vertex, inbox, step_);
    }
    grid_sync();
    known_ = Known::Active;
  }

  // ---- push

  __device__ __forceinline__ void push(std::uint32_t vertices) {
    const unsigned turn = vertices_per_turn(vertices, warps_);
    for (std::uint64_t base = std::uint64_t{warps_.number} * turn; base < vertices;
         base += std::uint64_t{warps_.count} * turn) {
      Entry entry{};
      Message message{};
      if (lane() < turn && base + lane() < vertices) {
        entry = wave_.order[start_ + base + lane()];
        message = known_ == Known::Active
                      ? wave_.sent[entry.vertex]
                      : activate(entry.vertex, wave_.inbox[entry.vertex], step_);
        if (entry.edges == kHubEdges || message == wave_.program.identity()) entry.edges = 0;
      }
      share_out(wave_.along.targets, entry.first, entry.edges,
                [&](Vertex u, unsigned owner, bool valid) {
                  deliver(u, shuffle(message, owner), valid);
                });
    }
    for (std::uint32_t i = warps_.number; i < along_hubs_; i += warps_.count) {
      const HubPiece piece = wave_.along_hubs.pieces[i];
      if (wave_.step[piece.hub] != step_) continue;
      const Message message = wave_.sent[piece.hub];
      if (message == wave_.program.identity()) continue;
      const Stretch edges = list_of(wave_.along, piece);
      for (EdgeIndex e = edges.begin; e < edges.end; e += kWarp) {
        const bool valid = e + lane() < edges.end;
        deliver(valid ? wave_.along.targets[e + lane()] : Vertex{0}, message, valid);
      }
    }
  }

  /// True for the one caller that puts u into the next front; `seen` becomes u's step.
  __device__ __forceinline__ bool win(Vertex u, std::int32_t& seen) const {
    if (seen != kWaiting) return false;
    seen = atomicCAS(&wave_.step[u], kWaiting, step_ + 1);
    if (seen != kWaiting) return false;
    seen = step_ + 1;
    return true;
  }

  /// The whole warp calls; `message` is not the identity.
  __device__ __forceinline__ void deliver(Vertex u, const Message& message, bool valid) {
    bool joins = false;
    if (valid) {
      std::int32_t seen = load_relaxed(wave_.step[u]);
      joins = win(u, seen);
      if (seen == step_ + 1) wave_.program.deliver(u, message);
    }
    stage(joins, u);
    if (is_full()) append_staged(front(1).listed, next_start_);
  }

  // ---- claim

  /// Runs the bodies of a front that was claimed, or whose messages were delivered, and claims the
  /// next one: one lane per vertex.
  __device__ __forceinline__ void claim(std::uint32_t vertices) {
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < vertices;
         base += std::uint64_t{warps_.count} * kWarp) {
      Entry entry{};
      const bool mine = base + lane() < vertices;
      if (mine) entry = wave_.order[start_ + base + lane()];
      const EdgeIndex end = entry.first + entry.edges;
      Handful handful = Handful::take(wave_.along.targets, entry.first, end);
      Seen seen = look(handful);
      bool sends = false;
      if (mine) {
        const Message sent = known_ == Known::Active
                                 ? wave_.sent[entry.vertex]
                                 : activate(entry.vertex, inbox_of(entry, handful, seen), step_);
        sends = !(sent == wave_.program.identity());
      }
      for (EdgeIndex e = entry.first;;) {
        claim(handful, seen, sends);
        e += kInFlight;
        const bool more = sends && e < end;
        if (!__any_sync(kAllLanes, more)) break;
        handful = Handful::take(wave_.along.targets, e, more ? end : e);
        seen = look(handful);
      }
    }
  }

  /// The steps of a handful of neighbours.
  struct Seen {
    std::int32_t steps[kInFlight];
  };
  __device__ __forceinline__ Seen look(const Handful& handful) const {
    Seen seen;
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) {
      const Vertex u = handful.neighbours[i];
      seen.steps[i] = u != kNoVertex ? load_relaxed(wave_.step[u]) : kNever;
    }
    return seen;
  }

  __device__ __forceinline__ Message inbox_of(const Entry& entry, const Handful& handful,
                                              const Seen& seen) const {
    if (known_ == Known::Delivered) return wave_.inbox[entry.vertex];
    Message inbox = wave_.program.identity();
    Message values[kInFlight];  // read before it is known who has one: they are waited for
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i)
      if (handful.neighbours[i] != kNoVertex) values[i] = wave_.sent[handful.neighbours[i]];
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i)
      if (seen.steps[i] == step_ - 1) inbox = wave_.program.combine(inbox, values[i]);
    const Stretch rest{entry.first + kInFlight, entry.first + entry.edges};
    collect(claimed_from(), rest, 0, 1, inbox);
    return inbox;
  }

  __device__ __forceinline__ void claim(const Handful& handful, Seen seen, bool sends) {
    bool joins[kInFlight];
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i)
      joins[i] = sends && win(handful.neighbours[i], seen.steps[i]);
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i) stage(joins[i], handful.neighbours[i]);
    if (is_full()) append_staged(front(1).listed, next_start_);
  }

  // ---- pull

  /// The front runs its bodies and is marked in the bitmap.
  __device__ __forceinline__ void prepare_pull(std::uint32_t vertices) {
    if (known_ != Known::Active) activate_all(vertices);
    if (marked_) {
      front_bits_ ^= 1;
      return;
    }
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < wave_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const bool mine = base + lane() < wave_.vertex_count && wave_.step[base + lane()] == step_;
      const unsigned word = __ballot_sync(kAllLanes, mine);
      if (lane() == 0) bits(0).words[base / kWarp] = word;
    }
    grid_sync();
  }

  /// 0: of the front, 1: of the next.
  __device__ __forceinline__ const Bitmap& bits(unsigned ahead) const {
    return (front_bits_ ^ ahead) == 0 ? wave_.front : wave_.next_front;
  }

  __device__ __forceinline__ auto front_members() const {
    return collection(
        wave_.against.targets, Combine{wave_.program}, wave_.program.identity(),
        [bits = bits(0)](Vertex v) { return test_bit(bits, v); },
        [sent = wave_.sent](Vertex v) { return sent[v]; });
  }

  /// All who wait look for neighbours in the front, and are active at once: nobody looks at them
  /// before the next step.
  __device__ __forceinline__ void pull() {
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < wave_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const auto v = static_cast<Vertex>(base + lane());
      const bool waits = base + lane() < wave_.vertex_count && wave_.step[v] == kWaiting;
      bool joins = false;
      if (__any_sync(kAllLanes, waits)) {
        Stretch list{0, 0};
        if (waits) list = list_of(wave_.against, v);
        if (list.end - list.begin >= kHubEdges) list.end = list.begin;
        Message found;
        joins = collect_lists(front_members(), list, found);
        if (joins) join(v, found);
      }
      const unsigned word = __ballot_sync(kAllLanes, joins);
      if (lane() == 0) bits(1).words[base / kWarp] = word;
    }
    if (against_hubs_ == 0) return;
    collect_hubs();
    grid_sync();
    join_hubs();
  }

  __device__ __forceinline__ void join(Vertex v, const Message& inbox) {
    wave_.step[v] = step_ + 1;
    activate(v, inbox, step_ + 1);
    note(v);
    ++pulled_;
  }

  __device__ __forceinline__ void collect_hubs() {
    for (std::uint32_t i = warps_.number; i < against_hubs_; i += warps_.count) {
      const HubPiece piece = wave_.against_hubs.pieces[i];
      if (wave_.step[piece.hub] != kWaiting) continue;
      Message part = wave_.program.identity();
      const bool news =
          collect(front_members(), list_of(wave_.against, piece), lane(), kWarp, part);
      if (!__any_sync(kAllLanes, news)) continue;
      part = combine_warp(part, Combine{wave_.program});
      if (lane() == 0) wave_.program.deliver(piece.hub, part);
    }
  }

  __device__ __forceinline__ void join_hubs() {
    for (std::uint64_t i = thread(); i < against_hubs_; i += threads()) {
      const HubPiece piece = wave_.against_hubs.pieces[i];
      if (piece.number != 0 || wave_.step[piece.hub] != kWaiting) continue;
      const Message inbox = wave_.inbox[piece.hub];
      if (inbox == wave_.program.identity()) continue;
      join(piece.hub, inbox);
      set_bit(bits(1), piece.hub);
    }
  }

  const Wave<Program, Attribute>& wave_;
  const std::uint32_t along_hubs_;  ///< pieces
  const std::uint32_t against_hubs_;
  const bool both_ways_;
  Warps warps_;
  std::int32_t step_ = 0;
  Front here_{};
  std::uint64_t start_ = 0;  ///< of this step's front in `order`
  std::uint64_t next_start_ = 0;
  std::uint64_t waiting_edges_ = 0;  ///< what a pull would visit
  Known known_ = Known::Delivered;
  bool marked_ = false;  ///< the front is in the bitmap of the last step's next front
  unsigned front_bits_ = 0;
  std::uint32_t staged_ = 0;  ///< vertices of this warp that wait to be listed
  LoopTotals totals_{};       ///< of the first thread
  std::uint32_t pulled_ = 0;  ///< what this thread found out about the next front
  std::uint64_t push_edges_ = 0;
  std::uint64_t pull_edges_ = 0;
};

}  // namespace detail

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads, 1) run_wave(const Wave<Program, Attribute> wave) {
  detail::Walk<Program, Attribute>(wave).run();
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
    session.declare(step_, vertices, "steps of vertices");
    session.declare(order_, vertices, "vertices by step");
    session.declare(fronts_, 3, "fronts");
    session.declare(front_, "front");
    session.declare(next_front_, "next front");
    session.declare(log_, "steps of the wave");
  }

  void prepare(Session& session, const Graph& graph) {
    prepare_hubs(session, graph.out, out_hubs_);
    prepare_hubs(session, graph.in, in_hubs_);
  }

  void run(Phase& phase, const Program& program, const Graph& graph, const Worklist& asked,
           Message* inbox) {
    const bool out = program.sends_out();
    phase.begin(log_);
    const Wave<Program, Attribute> wave{.program = program,
                                        .vertex_count = graph.vertex_count,
                                        .edge_count = graph.edge_count,
                                        .along = out ? graph.out : graph.in,
                                        .against = out ? graph.in : graph.out,
                                        .along_hubs = out ? out_hubs_ : in_hubs_,
                                        .against_hubs = out ? in_hubs_ : out_hubs_,
                                        .asked = asked,
                                        .inbox = inbox,
                                        .sent = sent_,
                                        .step = step_,
                                        .order = order_,
                                        .front = front_,
                                        .next_front = next_front_,
                                        .fronts = fronts_,
                                        .log = log_,
                                        .limit = phase.step_limit()};
    const auto kernel = run_wave<Program, Attribute>;
    launch_cooperative(kernel, most_resident_blocks(kernel, kThreads), kThreads,
                       phase.session().stream(), wave);
    phase.finish(log_, {"push", "pull", "claim"}, "fewer edges to visit");
  }

 private:
  Hubs out_hubs_;
  Hubs in_hubs_;
  Message* sent_ = nullptr;
  std::int32_t* step_ = nullptr;
  Entry* order_ = nullptr;
  Front* fronts_ = nullptr;
  Bitmap front_;
  Bitmap next_front_;
  StepLog log_;
};

}  // namespace vertigo::gpu::wavefront
