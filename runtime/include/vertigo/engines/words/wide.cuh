#pragma once
// The searches for graphs of small diameter. A step has two halves. First the vertices that were
// sent something run their bodies, and their words become what they send. Then either these are
// pushed, or every vertex that lacks bits which somebody sends looks for them among its neighbours,
// until it has them all, and runs its body of the next step at once.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/words/hub_pieces.cuh"
#include "vertigo/engines/words/light.cuh"
#include "vertigo/engines/words/neighbours.cuh"

namespace vertigo::gpu::words {

inline constexpr unsigned kBlocksPerSm = 2;
/// Vertices that a warp finds before it appends them to the next step's list.
inline constexpr unsigned kStaged = 256;
/// Bodies run from the list where it holds at most one of so many vertices.
inline constexpr unsigned kListedAtMost = 8;
/// Pull where so many times the edges along which the front sends are more than those of the
/// vertices that wait.
inline constexpr unsigned kPushCost = 2;

namespace detail {

template <class Program, class Attribute>
class Wide {
  using Task = Search<Program, Attribute>;
  using T = typename Task::T;
  using Bits = Word<T>;
  using Lists = Direction<Program, Attribute>;

 public:
  __device__ __forceinline__ explicit Wide(const Task& task) : task_(task) {}

  __device__ __forceinline__ void run() {
    if (threadIdx.x == 0) totals() = LoopTotals{};
    for (std::uint64_t v = thread(); v < task_.vertex_count; v += threads()) next()[v] = 0;
    listed_ = *task_.asked.count;
    items_ = task_.asked.items;
    waiting_edges_ = task_.edge_count * Task::kDirections;
    grid_sync();
    LoopEnd end = LoopEnd::Done;
    for (;; ++step_) {
      const bool permitted = step_ < task_.limit;
      const std::uint64_t begin_ns = thread() == 0 ? clock() : 0;
      if (!ran_ && !run_bodies(permitted)) break;
      if (load_relaxed(counts().active) == 0) break;
      if (!permitted) {
        end = LoopEnd::StepLimit;
        break;
      }
      one_step(begin_ns);
    }
    if (thread() != 0) return;
    totals().end = end;
    *task_.log.totals = totals();
  }

 private:
  // ---- steps

  __device__ __forceinline__ Counts& counts(unsigned ahead = 0) const {
    return task_.counts[(step_ + ahead) % kStepsCounted];
  }
  __device__ __forceinline__ Vertex* list(unsigned ahead = 0) const {
    return (step_ + ahead) % 2 == 0 ? task_.lists[0] : task_.lists[1];
  }
  /// Words of this step: what vertices were sent, and once they ran their bodies, what they send.
  __device__ __forceinline__ Bits* words() const {
    return step_ % 2 == 0 ? task_.words[0] : task_.words[1];
  }
  __device__ __forceinline__ Bits* next() const {
    return step_ % 2 == 0 ? task_.words[1] : task_.words[0];
  }
  __device__ __forceinline__ Bits seen(Vertex v) const { return static_cast<Bits>(task_.seen[v]); }

  /// Of the first thread, which alone uses it.
  __device__ __forceinline__ static LoopTotals& totals() {
    __shared__ LoopTotals totals;
    return totals;
  }
  __device__ __forceinline__ std::uint64_t clock() const {
    return task_.log.records == nullptr ? 0 : global_nanoseconds();
  }

  /// Those listed take what they were sent. False where nobody is listed. Where a limit of steps
  /// forbids the step, they are counted alone.
  __device__ __forceinline__ bool run_bodies(bool permitted) {
    if (listed_ == 0) return false;
    // A list in no order costs more a vertex than all vertices in theirs.
    const bool all = listed_ > task_.vertex_count / kListedAtMost;
    const std::uint64_t count = all ? task_.vertex_count : listed_;
    for (std::uint64_t i = thread(); i < count; i += threads()) {
      const Vertex v = all ? static_cast<Vertex>(i) : items_[i];
      const Bits fresh = words()[v] & ~seen(v);
      if (fresh == 0 || !task_.program.listens(v))
        words()[v] = 0;
      else if (permitted)
        words()[v] = activate(v, fresh, step_);
      else
        ++active_;
    }
    // What was sent in the step before.
    for (std::uint64_t i = thread(); i < sent_listed_; i += threads()) next()[sent_items_[i]] = 0;
    hand_in(counts());
    grid_sync();
    return true;
  }

  __device__ __forceinline__ Bits activate(Vertex v, Bits fresh, std::uint64_t step) {
    ++active_;
    const Bits before = seen(v);
    const auto sent = static_cast<Bits>(
        task_.program.activate(v, task_.program.own(v), static_cast<T>(before),
                               static_cast<T>(fresh), static_cast<std::int32_t>(step)));
    task_.seen[v] = static_cast<T>(before | fresh);
    if (sent == 0) return sent;
    carried_ |= sent;
#pragma unroll
    for (unsigned d = 0; d < Task::kDirections; ++d)
      sending_edges_ += degree(task_.directions[d].along, v);
    return sent;
  }

  __device__ __forceinline__ void one_step(std::uint64_t begin_ns) {
    const std::uint64_t sending = load_relaxed(counts().sending_edges);
    // A pull runs the bodies of the next step at once: the last one that a limit permits has none.
    const bool is_last = step_ + 1 == task_.limit;
    const bool pulls =
        !is_last && sending * kPushCost > waiting_edges_ + task_.vertex_count / kWarp;
    if (thread() == 0) counts(2) = Counts{};
    if (pulls) {
      pull(load_relaxed(counts().carried));
      sent_listed_ = 0;  // the next pull writes all words, and a push lists them
    } else {
      if (ran_) list_senders();
      push<true>(~Bits{0});
      append_staged(1);
      sent_items_ = items_;
      sent_listed_ = listed_;
    }
    hand_in(counts(1));
    grid_sync();
    if (pulls) waiting_edges_ = load_relaxed(counts(1).waiting_edges);
    if (thread() == 0) count_step(begin_ns, sending, pulls ? kPull : kPush);
    ran_ = pulls;
    listed_ = load_relaxed(counts(1).listed);
    items_ = list(1);
  }

  __device__ __forceinline__ void count_step(std::uint64_t begin_ns, std::uint64_t sending,
                                             Mode mode) {
    const std::uint32_t active = load_relaxed(counts().active);
    const std::uint64_t looked_at = load_relaxed(counts(1).looked_at);
    ++totals().steps;
    totals().active_vertices += active;
    totals().edges += looked_at;
    totals().modes |= 1u << mode;
    if (task_.log.records == nullptr || step_ >= task_.log.capacity) return;
    task_.log.records[step_] = {.begin_ns = begin_ns,
                                .end_ns = clock(),
                                .active_vertices = active,
                                .edges = looked_at,
                                .out_edges = sending,
                                .in_edges = waiting_edges_,
                                .mode = mode,
                                .predicted_ns = 0};
  }

  /// Adds what this block counted.
  __device__ __forceinline__ void hand_in(Counts& to) {
    __shared__ unsigned long long sending, waiting, looked_at, carried;
    __shared__ unsigned active;
    if (threadIdx.x == 0) {
      sending = waiting = looked_at = carried = 0;
      active = 0;
    }
    __syncthreads();
    if (__any_sync(kAllLanes, (active_ | looked_at_ | waiting_here_) != 0)) {
      const unsigned all_active = __reduce_add_sync(kAllLanes, active_);
      const unsigned long long all_sending = sum_of_warp(sending_edges_);
      const unsigned long long all_waiting = sum_of_warp(waiting_here_);
      const unsigned long long all_looked_at = sum_of_warp(looked_at_);
      const Bits all_carried = or_of_warp(carried_);
      if (lane() == 0) {
        atomicAdd(&active, all_active);
        atomicAdd(&sending, all_sending);
        atomicAdd(&waiting, all_waiting);
        atomicAdd(&looked_at, all_looked_at);
        atomicOr(&carried, static_cast<unsigned long long>(all_carried));
      }
    }
    active_ = 0;
    sending_edges_ = waiting_here_ = looked_at_ = 0;
    carried_ = 0;
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (active != 0) atomicAdd(&to.active, active);
    if (sending != 0) atomicAdd(&to.sending_edges, sending);
    if (waiting != 0) atomicAdd(&to.waiting_edges, waiting);
    if (looked_at != 0) atomicAdd(&to.looked_at, looked_at);
    if (carried != 0) atomicOr(&to.carried, carried);
  }

  // ---- lists

  __device__ __forceinline__ static Vertex* staged() {
    __shared__ Vertex vertices[kThreads / kWarp][kStaged];
    return vertices[threadIdx.x / kWarp];
  }
  /// Puts v, where the lane says so, on the list of a step. The whole warp calls.
  __device__ __forceinline__ void stage(bool joins, Vertex v, unsigned ahead) {
    const unsigned joining = __ballot_sync(kAllLanes, joins);
    if (joining == 0) return;
    if (staged_ + kWarp > kStaged) append_staged(ahead);
    if (joins) staged()[staged_ + __popc(joining & lanes_below())] = v;
    staged_ += __popc(joining);
  }
  __device__ __forceinline__ void append_staged(unsigned ahead) {
    if (staged_ == 0) return;
    std::uint32_t place = 0;
    if (lane() == 0) place = atomicAdd(&counts(ahead).listed, staged_);
    __syncwarp();
    place = __shfl_sync(kAllLanes, place, 0);
    for (unsigned i = lane(); i < staged_; i += kWarp) list(ahead)[place + i] = staged()[i];
    __syncwarp();
    staged_ = 0;
  }

  /// After a pull, which left what is sent in the words alone.
  __device__ __forceinline__ void list_senders() {
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < task_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp) {
      const std::uint64_t v = base + lane();
      const bool exists = v < task_.vertex_count;
      if (exists) next()[v] = 0;
      stage(exists && words()[v] != 0, static_cast<Vertex>(v), 0);
    }
    append_staged(0);
    grid_sync();
    listed_ = load_relaxed(counts().listed);
    items_ = list();
  }

  // ---- push

  /// What is sent of `which`; kLists: to receivers that the next step finds on its list.
  template <bool kLists>
  __device__ __forceinline__ void push(Bits which) {
#pragma unroll
    for (unsigned d = 0; d < Task::kDirections; ++d) {
      push_hubs<kLists>(task_.directions[d], which);
      push_lists<kLists>(task_.directions[d], which);
    }
  }

  template <bool kLists>
  __device__ __forceinline__ void push_hubs(const Lists& lists, Bits which) {
    const auto sends = [=, this](Vertex hub) { return (words()[hub] & which) != 0; };
    for_each_piece(lists.along_hubs, sends, [=, this, &lists](const HubPiece& piece) {
      const Stretch edges = list_of(lists.along, piece);
      const Bits sent = words()[piece.hub] & which;
      for (EdgeIndex e = edges.begin; e < edges.end; e += kAtOnce * kWarp) {
        Offer offers[kAtOnce];
#pragma unroll
        for (unsigned k = 0; k < kAtOnce; ++k) {
          const EdgeIndex mine = e + k * kWarp + lane();
          offers[k] = {piece.hub, mine, mine < edges.end ? sent : 0};
        }
        deliver<kLists>(lists, offers);
      }
      if (lane() == 0) looked_at_ += edges.end - edges.begin;
    });
  }

  /// Up to 32 lists at a time: a scan over their lengths tells each lane which edges are its own.
  template <bool kLists>
  __device__ __forceinline__ void push_lists(const Lists& lists, Bits which) {
    // Where bodies ran in a pull there is no list.
    const std::uint32_t count_of_all = ran_ && !kLists ? task_.vertex_count : listed_;
    const unsigned turn = count_of_all < warps_.count ? 1 : vertices_per_turn(count_of_all, warps_);
    for (std::uint64_t base = std::uint64_t{warps_.number} * turn; base < count_of_all;
         base += std::uint64_t{warps_.count} * turn) {
      Vertex v = 0;
      Bits sent = 0;
      EdgeIndex first = 0;
      unsigned count = 0;
      if (lane() < turn && base + lane() < count_of_all) {
        v = ran_ && !kLists ? static_cast<Vertex>(base + lane()) : items_[base + lane()];
        sent = words()[v] & which;
      }
      if (sent != 0) {
        const Stretch mine = list_of(lists.along, v);
        first = mine.begin;
        if (mine.end - mine.begin < kHubEdges) count = static_cast<unsigned>(mine.end - mine.begin);
      }
      looked_at_ += count;
      const unsigned end = sums_up_to_lane(count);
      const unsigned total = __shfl_sync(kAllLanes, end, kWarp - 1);
      const EdgeIndex to_edge = first - (end - count);  // from a place in the scan; may wrap
      for (unsigned round = 0; round < total; round += kAtOnce * kWarp) {
        Offer offers[kAtOnce];
#pragma unroll
        for (unsigned k = 0; k < kAtOnce; ++k) {
          const unsigned at = round + k * kWarp + lane();
          unsigned owner = 0;  // the first lane whose share ends beyond `at`
#pragma unroll
          for (unsigned half = kWarp / 2; half > 0; half /= 2)
            if (__shfl_sync(kAllLanes, end, owner + half - 1) <= at) owner += half;
          owner &= kWarp - 1;
          const Bits its = shuffle(sent, owner);
          offers[k] = {shuffle(v, owner), shuffle(to_edge, owner) + at, at < total ? its : 0};
        }
        deliver<kLists>(lists, offers);
      }
    }
  }

  /// What goes along an edge; no bits: nothing.
  struct Offer {
    Vertex sender;
    EdgeIndex edge;
    Bits bits;
  };

  /// The whole warp calls.
  template <bool kLists>
  __device__ __forceinline__ void deliver(const Lists& lists, Offer (&offers)[kAtOnce]) {
    Vertex u[kAtOnce];
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k)
      u[k] = offers[k].bits != 0 ? lists.along.targets[offers[k].edge] : 0;
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k)
      if (offers[k].bits != 0) offers[k].bits &= ~load_relaxed(next()[u[k]]);
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k)
      if (offers[k].bits != 0) offers[k].bits &= ~seen(u[k]);
    bool joins[kAtOnce];
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k) {
      const Offer& offer = offers[k];
      joins[k] = offer.bits != 0 && task_.program.listens(u[k]) &&
                 lists.condition.passes(offer.sender, u[k], offer.edge) &&
                 atomicOr(next() + u[k], offer.bits) == 0;
    }
#pragma unroll
    for (unsigned k = 0; kLists && k < kAtOnce; ++k) stage(joins[k], u[k], 1);
  }

  // ---- pull

  __device__ __forceinline__ Neighbours<Program, Attribute> neighbours(const Lists& lists) {
    return {lists, words(), looked_at_};
  }

  /// The bits that v may get in this step.
  __device__ __forceinline__ Bits missing(Vertex v, Bits carried) const {
    const Bits bits = carried & ~seen(v);
    return bits != 0 && task_.program.listens(v) ? bits : 0;
  }
  __device__ __forceinline__ static bool is_hub(const Lists& lists, Vertex v) {
    return degree(lists.against, v) >= kHubEdges;
  }
  __device__ __forceinline__ bool is_hub(Vertex v) const {
    bool is = false;
#pragma unroll
    for (unsigned d = 0; d < Task::kDirections; ++d) is |= is_hub(task_.directions[d], v);
    return is;
  }
  __device__ __forceinline__ bool has_hubs() const {
    std::uint32_t pieces = 0;
#pragma unroll
    for (unsigned d = 0; d < Task::kDirections; ++d)
      pieces += task_.directions[d].against_hubs.count;
    return pieces != 0;
  }

  /// In the first pull after a push, bits that few edges bring are pushed; of the others, no vertex
  /// has to look far. Several warps may look for the bits of a hub, so that its body waits for a
  /// barrier.
  __device__ __forceinline__ void pull(Bits carried) {
    const bool hubs = has_hubs();
    Bits light = 0;
    if (!ran_ && waiting_edges_ > task_.vertex_count) {
      for (std::uint64_t v = thread(); v < task_.vertex_count; v += threads()) next()[v] = 0;
      count_bits_of_grid(word_on_some_edge(), counts().carriers);
      grid_sync();
      light = carried & light_bits<Bits>(counts().carriers, threads());
      if (light != 0) {
        push<false>(light);
        grid_sync();
      }
    } else if (hubs) {
      for_each_hub([this](Vertex hub) { next()[hub] = 0; });
      grid_sync();
    }
#pragma unroll
    for (unsigned d = 0; d < Task::kDirections; ++d)
      pull_hubs(task_.directions[d], carried & ~light);
    for (std::uint64_t base = std::uint64_t{warps_.number} * kWarp; base < task_.vertex_count;
         base += std::uint64_t{warps_.count} * kWarp)
      pull_words(base, carried, light, hubs);
    if (!hubs) return;
    grid_sync();
    for_each_hub([this](Vertex hub) {
      const Bits fresh = next()[hub];
      if (fresh != 0) next()[hub] = activate(hub, fresh, step_ + 1);
    });
  }

  /// Each thread looks at another edge, all of them at every so many-th.
  __device__ __forceinline__ Bits word_on_some_edge() const {
    const EdgeIndex edge = task_.edge_count * thread() / threads();
    return words()[task_.directions[0].against.targets[edge]];
  }

  template <class Visit>
  __device__ __forceinline__ void for_each_hub(const Visit& visit) const {
#pragma unroll
    for (unsigned d = 0; d < Task::kDirections; ++d)
      detail::for_each_hub(task_.directions[d].against_hubs, [&](Vertex hub) {
        if (d == 0 || !is_hub(task_.directions[0], hub)) visit(hub);
      });
  }

  __device__ __forceinline__ void pull_hubs(const Lists& lists, Bits carried) {
    const auto lacks = [=, this](Vertex hub) { return missing(hub, carried) != 0; };
    for_each_piece(lists.against_hubs, lacks, [=, this, &lists](const HubPiece& piece) {
      const Stretch edges = list_of(lists.against, piece);
      if (piece.number == 0 && lane() == 0) waiting_here_ += degree(lists.against, piece.hub);
      Bits wanted = missing(piece.hub, carried);
      wanted &= ~load_relaxed(next()[piece.hub]);
      wanted = shuffle(wanted, 0);  // others add to it
      const Bits found = neighbours(lists).look_together(piece.hub, edges, wanted);
      if (lane() == 0 && found != 0) atomicOr(next() + piece.hub, found);
    });
  }

  /// 32 vertices side by side.
  __device__ __forceinline__ void pull_words(std::uint64_t base, Bits carried, Bits light,
                                             bool hubs) {
    const bool exists = base + lane() < task_.vertex_count;
    const auto v = static_cast<Vertex>(base + lane());
    const Bits lacking = exists ? missing(v, carried) : 0;
    const Bits wanted = lacking & ~light;
    Bits found = 0;
    if (__any_sync(kAllLanes, wanted != 0)) {
#pragma unroll
      for (unsigned d = 0; d < Task::kDirections; ++d)
        found |= neighbours(task_.directions[d]).look(v, wanted & ~found);
    }
    if (!exists) return;
    if (hubs && lacking != 0 && is_hub(v)) {
      if (found != 0) atomicOr(next() + v, found);
      return;
    }
    if (light != 0) found |= next()[v];
    next()[v] = found == 0 ? 0 : activate(v, found, step_ + 1);
    if ((lacking & ~found) == 0) return;
#pragma unroll
    for (unsigned d = 0; d < Task::kDirections; ++d)
      waiting_here_ += degree(task_.directions[d].against, v);
  }

  const Task& task_;
  Warps warps_;
  std::uint64_t step_ = 0;
  const Vertex* items_ = nullptr;  ///< vertices of this step
  std::uint32_t listed_ = 0;
  const Vertex* sent_items_ = nullptr;  ///< of the step before, where it pushed
  std::uint32_t sent_listed_ = 0;
  std::uint64_t waiting_edges_ = 0;  ///< what a pull would visit, at most
  bool ran_ = false;                 ///< the bodies of this step, in a pull
  std::uint32_t staged_ = 0;         ///< vertices of this warp that wait to be listed
  // What this thread counted.
  unsigned active_ = 0;
  unsigned long long sending_edges_ = 0;
  unsigned long long waiting_here_ = 0;
  unsigned long long looked_at_ = 0;
  Bits carried_ = 0;
};

}  // namespace detail

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    search_wide(const __grid_constant__ Search<Program, Attribute> search) {
  detail::Wide<Program, Attribute>(search).run();
}

}  // namespace vertigo::gpu::words
