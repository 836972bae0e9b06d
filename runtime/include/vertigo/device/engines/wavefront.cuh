#pragma once
// Phases in which each vertex is active at most once, in the step after its first message: a wave
// that runs over the graph. The whole phase is one cooperative launch. A step either pushes (the
// vertices of the front send; whoever hears its first message joins the next front) or pulls (the
// vertices still waiting look for neighbours in the front), by the number of edges that each would
// visit: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012,
// section 5, here for any message and combine operator.
//
// A program gives:
//   using Message, Combine;                          what is sent, and the operator as a function
//   Message identity() const;                        of the operator
//   bool waits(Vertex v) const;                      the guard, on the states before the phase
//   Message activate(Vertex v, Message inbox, std::int32_t step) const;
//                                                    runs the body; returns what v sends

#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/engines/visit_lists.cuh"
#include "vertigo/device/atomics.cuh"

namespace vertigo::gpu::wavefront {

/// One block of every processor: what a barrier costs grows with the blocks.
inline constexpr unsigned kThreads = 1024;

/// Instead of the step in which a vertex was active.
inline constexpr std::int32_t kWaiting = -1;
inline constexpr std::int32_t kNever = -2;

/// A pulled edge costs less than a pushed one, which needs an atomic operation; this many quarters.
inline constexpr unsigned kPushCost = 6;

/// The vertices of one step, and the edges that pushing from them, or pulling to them, visits.
struct Front {
  std::uint32_t vertices;
  std::uint32_t listed;  ///< of them, in `order`: all after a push, none after a pull
  unsigned long long push_edges;
  unsigned long long pull_edges;
};

/// What the host reads when the kernel has ended.
struct Outcome {
  std::uint64_t steps;
  std::uint64_t vertices;
  std::uint64_t edges;
  std::uint32_t pulls;
  std::uint32_t cut_short;  ///< the limit of steps ended the phase
};

template <class Program, class Attribute>
struct Wave {
  using Message = typename Program::Message;

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
  Vertex* order;       ///< vertices by step
  Front* fronts;       ///< three, all 0: of this step, the next and the one after
  Outcome* outcome;
  std::uint64_t limit;
};

namespace detail {

using namespace gpu::detail;

/// What one thread found out about the next front; handed in once a step.
struct Tally {
  std::uint32_t vertices = 0;
  std::uint64_t push_edges = 0;
  std::uint64_t pull_edges = 0;
};

/// The steps of a wave, as every thread of the launch walks through them.
template <class Program, class Attribute>
class Walk {
 public:
  using Message = typename Program::Message;
  using Combine = typename Program::Combine;

  __device__ __forceinline__ explicit Walk(const Wave<Program, Attribute>& wave) : wave_(wave) {}

  __device__ __forceinline__ void run() {
    begin();
    std::uint64_t limit = wave_.limit;
    // Nobody is active twice, so there are no more steps than vertices.
    if (limit > wave_.vertex_count) limit = wave_.vertex_count;
    for (; front().vertices != 0 && step_ < limit; ++step_) one_step();
    if (blockIdx.x == 0 && threadIdx.x == 0)
      *wave_.outcome = {step_, start_, edges_, pulls_, front().vertices != 0};
  }

 private:
  __device__ __forceinline__ Front& front(unsigned ahead = 0) const {
    return wave_.fronts[(step_ + ahead) % 3];
  }
  __device__ __forceinline__ static std::uint64_t thread() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  }
  __device__ __forceinline__ static std::uint64_t threads() {
    return std::uint64_t{gridDim.x} * blockDim.x;
  }

  __device__ __forceinline__ void begin() {
    for (std::uint64_t v = thread(); v < wave_.vertex_count; v += threads())
      wave_.step[v] = wave_.program.waits(static_cast<Vertex>(v)) ? kWaiting : kNever;
    grid_sync();
    step_ = std::uint64_t{0} - 1;  // those asked stand for the front of step 0
    const std::uint64_t count = *wave_.asked.count;
    for (std::uint64_t base = warps_.number * kWarp; base < count; base += warps_.count * kWarp) {
      const bool mine = base + lane() < count;
      const Vertex v = mine ? wave_.asked.items[base + lane()] : Vertex{0};
      const bool joins = mine && wave_.step[v] == kWaiting;
      if (joins) wave_.step[v] = 0;
      note(joins, v);
      list(joins, v, front(1), 0);
    }
    hand_in();
    grid_sync();
    step_ = 0;
    waiting_edges_ = wave_.edge_count;
  }

  __device__ __forceinline__ void one_step() {
    const Front here = front();
    if (thread() == 0) front(2) = Front{};
    next_start_ = start_ + here.vertices;
    waiting_edges_ -= here.pull_edges < waiting_edges_ ? here.pull_edges : waiting_edges_;
    const bool pulls = here.push_edges * kPushCost > waiting_edges_ * 4;
    const bool hubs = *wave_.along_hubs.count != 0;
    if (!active_ && (pulls || hubs)) {
      activate_all(here.vertices);
      grid_sync();
      active_ = true;
    }
    if (pulls) {
      pull();
      edges_ += waiting_edges_;
      ++pulls_;
    } else {
      if (pulled_) {
        list_all();
        grid_sync();
      }
      push(here.vertices);
      if (hubs) push_hubs();
      edges_ += here.push_edges;
    }
    hand_in();
    grid_sync();
    start_ = next_start_;
    active_ = pulled_ = pulls;
  }

  /// v, where the lane says so, will be in the next front.
  __device__ __forceinline__ void note(bool joins, Vertex v) {
    if (!joins) return;
    ++tally_.vertices;
    tally_.push_edges += wave_.along.offsets[v + 1] - wave_.along.offsets[v];
    tally_.pull_edges += wave_.against.offsets[v + 1] - wave_.against.offsets[v];
  }

  /// Appends to the list of a front that begins at `begin`. The whole warp calls.
  __device__ __forceinline__ void list(bool joins, Vertex v, Front& front, std::uint64_t begin) {
    const unsigned joining = __ballot_sync(kAllLanes, joins);
    if (joining == 0) return;
    std::uint32_t place = 0;
    if (lane() == 0) place = atomicAdd(&front.listed, __popc(joining));
    place = __shfl_sync(kAllLanes, place, 0) + __popc(joining & lanes_below());
    if (joins) wave_.order[begin + place] = v;
  }

  /// Lists this step's front after a pull, which left it as marks only.
  __device__ __forceinline__ void list_all() {
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < wave_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const auto v = static_cast<Vertex>(base + lane());
      const bool mine = base + lane() < wave_.vertex_count && wave_.step[v] == step();
      list(mine, v, front(), start_);
    }
  }

  __device__ __forceinline__ void hand_in() {
    const std::uint32_t vertices = combine_warp(tally_.vertices, Sum{});
    if (vertices != 0) {
      const std::uint64_t push_edges = combine_warp(tally_.push_edges, Sum{});
      const std::uint64_t pull_edges = combine_warp(tally_.pull_edges, Sum{});
      if (lane() == 0) {
        atomicAdd(&front(1).vertices, vertices);
        atomicAdd(&front(1).push_edges, push_edges);
        atomicAdd(&front(1).pull_edges, pull_edges);
      }
    }
    tally_ = {};
  }

  __device__ __forceinline__ std::int32_t step() const { return static_cast<std::int32_t>(step_); }

  __device__ __forceinline__ Message activate(Vertex v, Message inbox, std::int32_t step) {
    const Message sent = wave_.program.activate(v, inbox, step);
    wave_.sent[v] = sent;
    return sent;
  }

  __device__ __forceinline__ void activate_all(std::uint32_t vertices) {
    for (std::uint64_t i = thread(); i < vertices; i += threads()) {
      const Vertex v = wave_.order[start_ + i];
      activate(v, wave_.inbox[v], step());
    }
  }

  __device__ __forceinline__ void push(std::uint32_t vertices) {
    const unsigned turn = vertices_per_turn(vertices, warps_);
    for (std::uint64_t base = std::uint64_t{warps_.number} * turn; base < vertices;
         base += std::uint64_t{warps_.count} * turn) {
      EdgeIndex first = 0;
      unsigned count = 0;
      Message message{};
      if (lane() < turn && base + lane() < vertices) {
        const Vertex v = wave_.order[start_ + base + lane()];
        first = wave_.along.offsets[v];
        const EdgeIndex edges = wave_.along.offsets[v + 1] - first;
        if (edges < kHubEdges) count = static_cast<unsigned>(edges);
        message = active_ ? wave_.sent[v] : activate(v, wave_.inbox[v], step());
        if (message == wave_.program.identity()) count = 0;
      }
      share_out(wave_.along.targets, first, count, [&](Vertex u, unsigned owner, bool valid) {
        deliver(u, shuffle(message, owner), valid);
      });
    }
  }

  __device__ __forceinline__ void push_hubs() {
    const std::uint32_t pieces = *wave_.along_hubs.count;
    for (std::uint32_t i = warps_.number; i < pieces; i += warps_.count) {
      const HubPiece piece = wave_.along_hubs.pieces[i];
      if (wave_.step[piece.hub] != step()) continue;
      const Message message = wave_.sent[piece.hub];
      if (message == wave_.program.identity()) continue;
      const Stretch edges = list_of(wave_.along, piece);
      for (EdgeIndex e = edges.begin; e < edges.end; e += kWarp) {
        const bool valid = e + lane() < edges.end;
        deliver(valid ? wave_.along.targets[e + lane()] : Vertex{0}, message, valid);
      }
    }
  }

  /// The whole warp calls; `message` is not the identity.
  __device__ __forceinline__ void deliver(Vertex u, const Message& message, bool valid) {
    bool joins = false;
    if (valid) {
      std::int32_t seen = load_relaxed(wave_.step[u]);
      if (seen == kWaiting) {
        seen = atomicCAS(&wave_.step[u], kWaiting, step() + 1);
        joins = seen == kWaiting;
      }
      if (joins || seen == step() + 1) atomic_combine(Combine{}, &wave_.inbox[u], message);
    }
    note(joins, u);
    list(joins, u, front(1), next_start_);
  }

  __device__ __forceinline__ auto collection() const {
    return Collection{wave_.against.targets, Combine{}, wave_.program.identity(),
                      [steps = wave_.step, step = step()](Vertex v) { return steps[v] == step; },
                      [sent = wave_.sent](Vertex v) { return sent[v]; }};
  }

  /// All who wait look for neighbours in the front, and are active at once: nobody looks at them
  /// before the next step.
  __device__ __forceinline__ void pull() {
    const bool hubs = *wave_.against_hubs.count != 0;
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < wave_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const auto v = static_cast<Vertex>(base + lane());
      const bool waits = base + lane() < wave_.vertex_count && wave_.step[v] == kWaiting;
      if (!__any_sync(kAllLanes, waits)) continue;
      Stretch list{0, 0};
      if (waits) list = list_of(wave_.against, v);
      if (list.end - list.begin >= kHubEdges) list.end = list.begin;
      Message found;
      const bool joins = collect_lists(collection(), list, found);
      join(joins, v, found);
    }
    if (!hubs) return;
    collect_hubs();
    grid_sync();
    join_hubs();
  }

  __device__ __forceinline__ void join(bool joins, Vertex v, const Message& inbox) {
    if (!joins) return;
    wave_.step[v] = step() + 1;
    activate(v, inbox, step() + 1);
    note(joins, v);
  }

  __device__ __forceinline__ void collect_hubs() {
    const std::uint32_t pieces = *wave_.against_hubs.count;
    for (std::uint32_t i = warps_.number; i < pieces; i += warps_.count) {
      const HubPiece piece = wave_.against_hubs.pieces[i];
      if (wave_.step[piece.hub] != kWaiting) continue;
      Message part = wave_.program.identity();
      const bool any = collect(collection(), list_of(wave_.against, piece), lane(), kWarp, part);
      if (!__any_sync(kAllLanes, any)) continue;
      part = combine_warp(part, Combine{});
      if (lane() == 0) atomic_combine(Combine{}, &wave_.inbox[piece.hub], part);
    }
  }

  __device__ __forceinline__ void join_hubs() {
    const std::uint32_t pieces = *wave_.against_hubs.count;
    for (std::uint64_t i = thread(); i < pieces; i += threads()) {
      const HubPiece piece = wave_.against_hubs.pieces[i];
      if (piece.number != 0 || wave_.step[piece.hub] != kWaiting) continue;
      const Message inbox = wave_.inbox[piece.hub];
      join(!(inbox == wave_.program.identity()), piece.hub, inbox);
    }
  }

  const Wave<Program, Attribute>& wave_;
  Warps warps_;
  std::uint64_t step_ = 0;
  std::uint64_t start_ = 0;  ///< of this step's front in `order`
  std::uint64_t next_start_ = 0;
  std::uint64_t waiting_edges_ = 0;
  std::uint64_t edges_ = 0;
  std::uint32_t pulls_ = 0;
  bool active_ = false;  ///< the front has run its body
  bool pulled_ = false;  ///< the front is not listed
  Tally tally_;
};

}  // namespace detail

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads, 1) run_wave(const Wave<Program, Attribute> wave) {
  detail::Walk<Program, Attribute>(wave).run();
}

}  // namespace vertigo::gpu::wavefront
