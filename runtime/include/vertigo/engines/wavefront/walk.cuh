#pragma once
// The steps of a wave, as every thread of the launch walks through them.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/wavefront/wave.cuh"

namespace vertigo::gpu::wavefront {

namespace detail {

using namespace gpu::detail;

/// The steps of a wave, as every thread of the launch walks through them.
template <class Program, class Attribute>
class Walk {
 public:
  using Message = decltype(Program{}.identity());
  using Combine = CombineOf<Program>;

  __device__ __forceinline__ explicit Walk(const Wave<Program, Attribute>& wave) : wave_(wave) {}

  __device__ __forceinline__ void run() {
    if (threadIdx.x == 0) totals() = LoopTotals{};
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
      totals().end = here_.pulled + here_.listed == 0 ? LoopEnd::Done : LoopEnd::StepLimit;
      *wave_.log.totals = totals();
    }
  }

 private:
  __device__ __forceinline__ Front& front(unsigned ahead = 0) const {
    return wave_.fronts[(step_ + ahead) % 3];
  }

  __device__ __forceinline__ void begin() {
    for (std::uint64_t v = thread(); v < wave_.vertex_count; v += threads()) {
      const bool hears = wave_.against.offsets[v] != wave_.against.offsets[v + 1];
      wave_.step[v] = !wave_.program.waits(static_cast<Vertex>(v)) ? kNever
                      : hears                                      ? kWaiting
                                                                   : kUnheard;
      wave_.inboxes.clear(static_cast<Vertex>(v));
    }
    if (thread() < 3) wave_.fronts[thread()] = Front{};
    grid_sync();
    step_ = -1;  // those asked are found before step 0
    const std::uint64_t count = *wave_.asked.count;
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const bool mine = base + lane() < count;
      const Vertex v = mine ? wave_.asked.items[base + lane()] : kNoVertex;
      const bool joins = mine && wave_.step[v] != kNever;
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
    // A pull runs the bodies of the next step at once: the last one that a limit permits has none.
    const bool is_last = static_cast<std::uint64_t>(step_) + 1 == wave_.limit;
    const Mode mode = here_.push_edges * kPushCost > waiting_edges_ && !is_last ? kPull : kPush;
    if (mode == kPull) {
      prepare_pull(vertices);
      pull();
    } else {
      if (here_.pulled != 0) list_all();
      if (!active_ && (wave_.along_hubs.count != 0 || sharers(vertices) > 1))
        activate_all(vertices);
      push(vertices);
    }
    append_staged(front(1).listed, next_start_);
    hand_in(front(1));
    grid_sync();
    active_ = marked_ = mode == kPull;
    start_ = next_start_;
    if (thread() == 0) count_step(begin_ns, vertices, mode);
  }

  /// Of the first thread, which alone uses it.
  __device__ __forceinline__ static LoopTotals& totals() {
    __shared__ LoopTotals totals;
    return totals;
  }
  __device__ __forceinline__ void count_step(std::uint64_t begin_ns, std::uint32_t vertices,
                                             Mode mode) {
    const std::uint64_t edges = mode == kPull ? waiting_edges_ : here_.push_edges;
    ++totals().steps;
    totals().active_vertices += vertices;
    totals().edges += edges;
    totals().modes |= 1u << mode;
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

  /// What pushing from vertices, or pulling to them, visits.
  struct Edges {
    std::uint64_t push;
    std::uint64_t pull;
  };

  /// Adds v's edges, and says where they lie.
  __device__ __forceinline__ static Entry note(const Wave<Program, Attribute>& wave, Vertex v,
                                               Edges& edges) {
    const Stretch sends = list_of(wave.along, v);
    const EdgeIndex count = sends.end - sends.begin;
    edges.push += count;
    if (!runs_both_ways(wave)) edges.pull += wave.against.offsets[v + 1] - wave.against.offsets[v];
    return {sends.begin, static_cast<std::uint32_t>(count < kHubEdges ? count : kHubEdges), v};
  }
  __device__ __forceinline__ static bool runs_both_ways(const Wave<Program, Attribute>& wave) {
    return wave.along.targets == wave.against.targets;
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
    const Edges edges = append(wave_, counter, begin, staged_);
    edges_.push += edges.push;
    edges_.pull += edges.pull;
    staged_ = 0;
  }
  /// Called, not copied to each place.
  __device__ __attribute__((noinline)) static Edges append(const Wave<Program, Attribute>& wave,
                                                           std::uint32_t& counter,
                                                           std::uint64_t begin, unsigned count) {
    std::uint32_t place = 0;
    if (lane() == 0) place = atomicAdd(&counter, count);
    __syncwarp();
    Edges edges{0, 0};
    Entry first{};
    if (lane() < count) first = note(wave, staged()[lane()], edges);  // meanwhile
    place = __shfl_sync(kAllLanes, place, 0);
    for (unsigned i = lane(); i < count; i += kWarp) {
      const Entry entry = i == lane() ? first : note(wave, staged()[i], edges);
      if (entry.edges != 0) prefetch(wave.along.targets + entry.first);
      wave.order[begin + place + i] = entry;
    }
    __syncwarp();
    return edges;
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
    edges_ = {0, 0};  // they were counted when they were found
    grid_sync();
  }

  __device__ __forceinline__ void hand_in(Front& front) {
    const std::uint32_t pulled = __reduce_add_sync(kAllLanes, pulled_);
    if (__any_sync(kAllLanes, (edges_.push | edges_.pull) != 0)) {
      const std::uint64_t push_edges = combine_warp(edges_.push, Sum{});
      const std::uint64_t pull_edges =
          runs_both_ways(wave_) ? push_edges : combine_warp(edges_.pull, Sum{});
      if (lane() == 0) {
        atomicAdd(&front.push_edges, push_edges);
        atomicAdd(&front.pull_edges, pull_edges);
      }
    }
    if (lane() == 0 && pulled != 0) atomicAdd(&front.pulled, pulled);
    pulled_ = 0;
    edges_ = {0, 0};
  }

  // ---- bodies

  __device__ __forceinline__ Message inbox_of(Vertex v) const {
    return wave_.inboxes.read(wave_.program, v);
  }

  __device__ __forceinline__ Message activate(Vertex v, const Message& inbox, std::int32_t step) {
    const Message sent = wave_.program.activate(v, wave_.program.own(v), inbox, step);
    wave_.sent[v] = sent;
    return sent;
  }

  /// The front runs its bodies; its messages wait in the inboxes.
  __device__ __forceinline__ void activate_all(std::uint32_t vertices) {
    for (std::uint64_t i = thread(); i < vertices; i += threads()) {
      const Vertex v = wave_.order[start_ + i].vertex;
      activate(v, inbox_of(v), step_);
    }
    grid_sync();
    active_ = true;
  }

  // ---- push

  /// How many warps share the list of each vertex of a small front.
  __device__ __forceinline__ unsigned sharers(std::uint32_t vertices) const {
    return vertices < warps_.count ? warps_.count / vertices : 1;
  }

  /// Whether warps share the lists of hubs, too: where a single list with all the edges would take
  /// each of them no more than a piece.
  __device__ __forceinline__ bool shares_hubs(unsigned shared_by) const {
    return shared_by > 1 && here_.push_edges <= std::uint64_t{kHubEdges} * shared_by;
  }

  __device__ __forceinline__ void push(std::uint32_t vertices) {
    const unsigned shared_by = sharers(vertices);
    if (shared_by == 1) push_by_lists(vertices);
    const std::uint32_t lists = shared_by == 1 ? 0 : vertices * shared_by;
    const bool shares_hubs = this->shares_hubs(shared_by);
    PiecesOfWarp pieces(wave_.along_hubs);
    HubPiece piece;
    std::uint32_t i = warps_.number;
    while (true) {
      Vertex v;
      Stretch edges;
      unsigned stride = kWarp;
      if (!shares_hubs &&
          pieces.next([this](Vertex hub) { return wave_.step[hub] == step_; }, piece)) {
        v = piece.hub;
        edges = list_of(wave_.along, piece);
      } else if (i < lists) {
        const Entry entry = wave_.order[start_ + i / shared_by];
        const unsigned share = i % shared_by;
        i += warps_.count;
        v = entry.vertex;
        if (entry.edges == kHubEdges && !shares_hubs) continue;
        edges = entry.edges == kHubEdges ? list_of(wave_.along, v)
                                         : Stretch{entry.first, entry.first + entry.edges};
        edges.begin += share * kWarp;
        stride = shared_by * kWarp;
      } else {
        break;
      }
      const Message message = wave_.sent[v];
      if (message == wave_.program.identity()) continue;
      for (EdgeIndex e = edges.begin; e < edges.end; e += stride) {
        const bool valid = e + lane() < edges.end;
        deliver(valid ? wave_.along.targets[e + lane()] : Vertex{0}, message, valid);
      }
    }
  }

  __device__ __forceinline__ void push_by_lists(std::uint32_t vertices) {
    const unsigned turn = vertices_per_turn(vertices, warps_);
    for (std::uint64_t base = std::uint64_t{warps_.number} * turn; base < vertices;
         base += std::uint64_t{warps_.count} * turn) {
      Entry entry{};
      Message message{};
      if (lane() < turn && base + lane() < vertices) {
        entry = wave_.order[start_ + base + lane()];
        message = active_ ? wave_.sent[entry.vertex]
                          : activate(entry.vertex, inbox_of(entry.vertex), step_);
        if (entry.edges == kHubEdges || message == wave_.program.identity()) entry.edges = 0;
      }
      share_out(wave_.along.targets, entry.first, entry.edges,
                [&](Vertex u, unsigned owner, bool valid) {
                  deliver(u, shuffle(message, owner), valid);
                });
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
      if (seen == step_ + 1) wave_.inboxes.deliver(wave_.program, u, message);
    }
    stage(joins, u);
    if (is_full()) append_staged(front(1).listed, next_start_);
  }

  // ---- pull

  /// The front runs its bodies and is marked in the bitmap.
  __device__ __forceinline__ void prepare_pull(std::uint32_t vertices) {
    if (!active_) activate_all(vertices);
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
    const auto words =
        static_cast<std::uint32_t>((std::uint64_t{wave_.vertex_count} + kWarp - 1) / kWarp);
    std::int32_t ahead = step_at(std::uint64_t{warps_.number} * kWarp + lane());
    PiecesOfWarp pieces(wave_.against_hubs);
    HubPiece piece;
    // A warp takes 32 vertices, or a piece of a hub.
    std::uint32_t i = warps_.number;
    while (true) {
      const bool is_piece = i >= words;
      if (is_piece &&
          !pieces.next([this](Vertex hub) { return wave_.step[hub] == kWaiting; }, piece))
        break;
      auto v = static_cast<Vertex>(std::uint64_t{i} * kWarp + lane());
      bool waits = ahead == kWaiting;
      Stretch list{0, 0};
      if (is_piece) {
        v = piece.hub;
        waits = lane() == 0;
        if (waits) list = list_of(wave_.against, piece);
      } else if (waits) {
        list = list_of(wave_.against, v);
        if (list.end - list.begin >= kHubEdges) list.end = list.begin;
      }
      ahead = step_at((std::uint64_t{i} + warps_.count) * kWarp + lane());
      bool finds = false;
      if (__any_sync(kAllLanes, waits)) {
        Message found;
        finds = collect_lists(front_members(), list, found);
        if (finds && is_piece) wave_.inboxes.deliver(wave_.program, v, found);
        if (finds && !is_piece) join(v, found);
      }
      const unsigned word = __ballot_sync(kAllLanes, finds);
      if (is_piece) continue;
      if (lane() == 0) bits(1).words[i] = word;
      i += warps_.count;
    }
    if (wave_.against_hubs.count == 0) return;
    grid_sync();
    join_hubs();
  }

  __device__ __forceinline__ std::int32_t step_at(std::uint64_t v) const {
    return v < wave_.vertex_count ? wave_.step[v] : kNever;
  }

  __device__ __forceinline__ void join(Vertex v, const Message& inbox) {
    wave_.step[v] = step_ + 1;
    activate(v, inbox, step_ + 1);
    note(wave_, v, edges_);
    ++pulled_;
  }

  __device__ __forceinline__ void join_hubs() {
    for (std::uint64_t i = thread(); i < wave_.against_hubs.count; i += threads()) {
      const HubPiece piece = wave_.against_hubs.pieces[i];
      if (piece.number != 0 || wave_.step[piece.hub] != kWaiting) continue;
      const Message inbox = inbox_of(piece.hub);
      if (inbox == wave_.program.identity()) continue;
      join(piece.hub, inbox);
      set_bit(bits(1), piece.hub);
    }
  }

  const Wave<Program, Attribute>& wave_;
  Warps warps_;
  std::int32_t step_ = 0;
  Front here_{};
  std::uint64_t start_ = 0;  ///< of this step's front in `order`
  std::uint64_t next_start_ = 0;
  std::uint64_t waiting_edges_ = 0;  ///< what a pull would visit
  bool active_ = false;              ///< the front has run its bodies
  bool marked_ = false;              ///< the front is in the bitmap of the last step's next front
  unsigned front_bits_ = 0;
  std::uint32_t staged_ = 0;  ///< vertices of this warp that wait to be listed
  std::uint32_t pulled_ = 0;  ///< what this thread found out about the next front
  Edges edges_{0, 0};
};

}  // namespace detail

}  // namespace vertigo::gpu::wavefront
