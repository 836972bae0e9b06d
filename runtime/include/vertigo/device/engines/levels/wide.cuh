#pragma once
// The search for graphs of small diameter, whole in one cooperative launch: direction-optimised
// (Beamer et al., Direction-Optimizing Breadth-First Search, SC 2012, sections 3 to 5). Levels of
// few edges are pushed from lists, the large ones pulled on bitmaps with early exit.
//
// A pulling vertex asks whether an in-neighbour was visited in *any* level before, not whether it
// is of the last one: had it been visited earlier, the vertex would have been too, or could not
// have taken the value, and then it cannot take a later one either.

#include "vertigo/device/engines/levels/task.cuh"

namespace vertigo::gpu::levels {

inline constexpr unsigned kWideThreads = 512;
inline constexpr unsigned kWideBlocksPerSm = 2;
/// Lists from this length on are cut into chunks, one per warp; shorter ones are shared out over
/// the lanes of a warp by a scan.
inline constexpr unsigned kLongList = 32;
inline constexpr unsigned kChunk = 1024;
/// In-neighbours of every vertex that are kept flat, those of highest in-degree first.
inline constexpr unsigned kHeads = 2;

/// The graph as the search reads it.
template <class Offset>
struct WideGraph {
  Vertex vertex_count;
  std::uint64_t edge_count;
  const Offset* out_offsets;
  const Vertex* out_targets;
  const Offset* in_offsets;
  const Vertex* in_targets;
  const uint2* heads;             ///< kNoVertex where a vertex has fewer in-neighbours
  const std::uint32_t* unreached; ///< bits of vertices without in-edges, and of none
};

template <class Offset>
struct Chunk {
  Offset begin;
  std::uint32_t length;
};

/// Of one level; three of them take turns.
struct LevelCounts {
  unsigned long long edges;  ///< out-edges of its vertices, where the level before was pushed
  unsigned long long looked_at;
  std::uint32_t vertices;
  std::uint32_t singles;
  std::uint32_t chunks;
};

/// A level's vertices as lists.
template <class Offset>
struct Frontier {
  Vertex* singles;        ///< short lists
  Chunk<Offset>* chunks;  ///< of long lists
};

template <class Offset>
struct WideBuffers {
  std::uint32_t* visited[2];
  Frontier<Offset> frontiers[2];
  LevelCounts* counts;  ///< of three levels, zero
};

/// When to change direction (Beamer et al., section 5).
struct Switch {
  std::uint32_t alpha;  ///< pull when alpha · edges of the frontier > edges not yet looked at
  std::uint32_t beta;   ///< push again after two levels of fewer than vertices / beta
};

template <class Program, class T, class Offset>
class WideSearch {
 public:
  using Target = Frontier<Offset>;

  __device__ __forceinline__ WideSearch(const Task<Program, T>& task,
                                        const WideGraph<Offset>& graph,
                                        const WideBuffers<Offset>& buffers)
      : task_(task),
        graph_(graph),
        buffers_(buffers),
        value_(task),
        words_((graph.vertex_count + 31) / 32),
        warp_((blockIdx.x * blockDim.x + threadIdx.x) / kWarp),
        warps_(gridDim.x * blockDim.x / kWarp) {}

  __device__ __forceinline__ void run(const Switch& when) {
    clear();
    grid_sync();
    value_.learn_states(task_);
    start();
    end_level(0);
    search(when);
  }

 private:
  __device__ __forceinline__ LevelCounts& counts(std::uint64_t level) const {
    return buffers_.counts[level % 3];
  }
  __device__ __forceinline__ Target frontier(std::uint64_t level) const {
    return level % 2 == 0 ? buffers_.frontiers[0] : buffers_.frontiers[1];
  }

  __device__ __forceinline__ void clear() {
    for (unsigned w = blockIdx.x * blockDim.x + threadIdx.x; w < words_;
         w += gridDim.x * blockDim.x)
      buffers_.visited[0][w] = 0;
    value_.compare_states(task_);
  }

  /// Level 0: the started vertices whose guards hold.
  __device__ __forceinline__ void start() {
    before_ = buffers_.visited[0];
    after_ = buffers_.visited[1];
    writes_ = task_.most_levels > 0;
    const unsigned asked = *task_.asked.count;
    for (std::uint64_t base = warp_ * kWarp; base < asked; base += warps_ * kWarp) {
      bool visits = false;
      Vertex v = 0;
      if (base + lane() < asked) {
        const Vertex place = task_.asked.items[base + lane()];
        if (!value_.is_mine(task_.inbox[place])) store_relaxed(task_.shared->unequal_starts, 1u);
        visits = value_.improves_start(place);
        v = task_.ranks == nullptr ? place : task_.ranks[place];
      }
      if (visits) {
        atomicOr(before_ + v / 32, 1u << (v % 32));
        if (writes_) value_.give(v);
      }
      list(visits, v, 0);
    }
  }

  /// Adds what this block counted to the level's counts and waits for all others.
  __device__ __forceinline__ void end_level(std::uint64_t level) {
    __shared__ unsigned long long edges, looked_at;
    __shared__ unsigned vertices;
    if (threadIdx.x == 0) edges = looked_at = vertices = 0;
    __syncthreads();
    // Blocks of few vertices, and levels of none, are common: most warps add nothing.
    if (__any_sync(kAllLanes, vertices_ != 0 || looked_at_ != 0)) {
      const unsigned v = __reduce_add_sync(kAllLanes, vertices_);
      const unsigned long long e = sum_of_warp(edges_);
      const unsigned long long l = sum_of_warp(looked_at_);
      if (lane() == 0) {
        atomicAdd(&vertices, v);
        atomicAdd(&edges, e);
        atomicAdd(&looked_at, l);
      }
    }
    vertices_ = 0;
    edges_ = looked_at_ = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
      LevelCounts& to = counts(level);
      if (vertices != 0) atomicAdd(&to.vertices, vertices);
      if (edges != 0) atomicAdd(&to.edges, edges);
      if (looked_at != 0) atomicAdd(&to.looked_at, looked_at);
    }
    grid_sync();
  }

  __device__ __forceinline__ void search(const Switch& when) {
    bool pulls = false;
    unsigned small_pulls = 0;
    std::uint64_t level = 0, listed_edges = 0;
    Totals done{};
    done.outcome = load_relaxed(task_.shared->unequal_starts) != 0 ? Outcome::UnequalStarts
                                                                    : Outcome::Done;
    while (done.outcome == Outcome::Done) {
      const unsigned vertices = load_relaxed(counts(level).vertices);
      if (vertices == 0) break;
      if (level == task_.most_levels) {
        done.outcome = Outcome::Limit;
        break;
      }
      const std::uint64_t edges = load_relaxed(counts(level).edges);
      listed_edges += edges;
      if (!pulls) {
        const std::uint64_t unlisted =
            graph_.edge_count > listed_edges ? graph_.edge_count - listed_edges : 1;
        pulls = edges * when.alpha > unlisted;
        small_pulls = 0;
      } else if (std::uint64_t{vertices} * when.beta >= graph_.vertex_count) {
        small_pulls = 0;
      } else if (++small_pulls == 2) {
        list_visited(level);
        grid_sync();
        pulls = false;
      }
      value_.advance();
      ++done.steps;
      done.active += vertices;
      if (!value_.is_useless()) {
        if (blockIdx.x == 0 && threadIdx.x == 0) counts(level + 2) = LevelCounts{};
        writes_ = level + 1 < task_.most_levels;
        if (pulls)
          pull();
        else
          push(level);
        end_level(level + 1);
        done.edges += load_relaxed(counts(level + 1).looked_at);
        done.pulls += pulls;
      } else {
        break;
      }
      ++level;
      if (pulls) {
        std::uint32_t* const kept = before_;
        before_ = after_;
        after_ = kept;
      }
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) *task_.totals = done;
  }

  /// Appends the lanes' vertices to the lists of `level`; the whole warp calls it.
  __device__ __forceinline__ void list(bool visited, Vertex v, std::uint64_t level) {
    if (!__any_sync(kAllLanes, visited)) return;
    const Target to = frontier(level);
    LevelCounts& count = counts(level);
    Offset begin = 0;
    Offset degree = 0;
    if (visited) {
      begin = graph_.out_offsets[v];
      degree = graph_.out_offsets[v + 1] - begin;
      ++vertices_;
      edges_ += degree;
    }
    const bool is_short = degree > 0 && degree < kLongList;
    const unsigned shorts = __ballot_sync(kAllLanes, is_short);
    if (shorts != 0) {
      const unsigned base = claim_for_warp(&count.singles, __popc(shorts));
      if (is_short) to.singles[base + __popc(shorts & lanes_below())] = v;
    }
    const bool is_long = degree >= kLongList;
    if (__any_sync(kAllLanes, is_long)) {
      const unsigned mine = is_long ? static_cast<unsigned>((degree + kChunk - 1) / kChunk) : 0;
      const unsigned up_to_me = inclusive_scan(mine);
      const unsigned all = __shfl_sync(kAllLanes, up_to_me, kWarp - 1);
      const unsigned base = claim_for_warp(&count.chunks, all) + up_to_me - mine;
      for (unsigned i = 0; i < mine; ++i) {
        const Offset first = Offset{i} * kChunk;
        const Offset left = degree - first;
        to.chunks[base + i] = {begin + first,
                               static_cast<std::uint32_t>(left < kChunk ? left : Offset{kChunk})};
      }
    }
  }

  __device__ __forceinline__ static unsigned claim_for_warp(std::uint32_t* counter, unsigned all) {
    unsigned base = 0;
    if (lane() == 0) base = atomicAdd(counter, all);
    return __shfl_sync(kAllLanes, base, 0);
  }

  __device__ __forceinline__ bool is_visited(Vertex v) const {
    return before_[v / 32] >> (v % 32) & 1;
  }
  /// True for the one caller that visits v.
  __device__ __forceinline__ bool visit(Vertex v) {
    const std::uint32_t bit = 1u << (v % 32);
    if (!value_.improves(v)) return false;
    if (atomicOr(before_ + v / 32, bit) & bit) return false;
    if (writes_) value_.give(v);
    return true;
  }

  __device__ __forceinline__ void push(std::uint64_t level) {
    push_chunks(level);
    push_singles(level);
  }

  __device__ __forceinline__ void push_chunks(std::uint64_t level) {
    constexpr unsigned kUnroll = 4;
    const Chunk<Offset>* const chunks = frontier(level).chunks;
    const unsigned count = load_relaxed(counts(level).chunks);
    for (unsigned i = warp_; i < count; i += warps_) {
      const Chunk<Offset> chunk = chunks[i];
      if (lane() == 0) looked_at_ += chunk.length;
      for (unsigned first = 0; first < chunk.length; first += kUnroll * kWarp) {
        Vertex u[kUnroll];
        bool visits[kUnroll];
#pragma unroll
        for (unsigned k = 0; k < kUnroll; ++k) {
          const unsigned at = first + k * kWarp + lane();
          visits[k] = at < chunk.length;
          u[k] = visits[k] ? graph_.out_targets[chunk.begin + at] : 0;
        }
#pragma unroll
        for (unsigned k = 0; k < kUnroll; ++k) visits[k] = visits[k] && !is_visited(u[k]);
#pragma unroll
        for (unsigned k = 0; k < kUnroll; ++k) visits[k] = visits[k] && visit(u[k]);
#pragma unroll
        for (unsigned k = 0; k < kUnroll; ++k) list(visits[k], u[k], level + 1);
      }
    }
  }

  /// 32 short lists at a time: a scan over their lengths tells each lane which edge is its own.
  __device__ __forceinline__ void push_singles(std::uint64_t level) {
    const Vertex* const singles = frontier(level).singles;
    const unsigned count = load_relaxed(counts(level).singles);
    for (std::uint64_t base = warp_ * kWarp; base < count; base += warps_ * kWarp) {
      Offset begin = 0;
      unsigned degree = 0;
      if (base + lane() < count) {
        const Vertex v = singles[base + lane()];
        begin = graph_.out_offsets[v];
        degree = static_cast<unsigned>(graph_.out_offsets[v + 1] - begin);
        looked_at_ += degree;
      }
      const unsigned up_to_me = inclusive_scan(degree);
      const unsigned all = __shfl_sync(kAllLanes, up_to_me, kWarp - 1);
      for (unsigned first = 0; first < all; first += kWarp) {
        const unsigned edge = first + lane();
        unsigned owner = 0;  // the first lane whose lists end past the edge
#pragma unroll
        for (unsigned step = kWarp / 2; step != 0; step /= 2)
          if (__shfl_sync(kAllLanes, up_to_me, owner + step - 1) <= edge) owner += step;
        owner &= kWarp - 1;
        const Offset owner_begin = shuffle(begin, owner);
        const unsigned owner_first = __shfl_sync(kAllLanes, up_to_me - degree, owner);
        bool visits = edge < all;
        Vertex u = 0;
        if (visits) {
          u = graph_.out_targets[owner_begin + (edge - owner_first)];
          visits = !is_visited(u) && visit(u);
        }
        list(visits, u, level + 1);
      }
    }
  }

  __device__ __forceinline__ void pull() {
    for (unsigned w = warp_; w < words_; w += warps_) {
      const std::uint32_t old = before_[w];
      const std::uint32_t wanted = ~(old | graph_.unreached[w]);
      std::uint32_t found = 0;
      if (wanted != 0) {
        const Vertex v = w * 32 + lane();
        const bool hit = find_visited(v, wanted >> lane() & 1) && value_.improves(v);
        found = __ballot_sync(kAllLanes, hit);
        if (hit) {
          if (writes_) value_.give(v);
          ++vertices_;
        }
      }
      if (lane() == 0) after_[w] = old | found;
    }
  }

  /// Whether an in-neighbour of v was visited; the whole warp calls it, with 32 vertices in a row.
  __device__ __forceinline__ bool find_visited(Vertex v, bool asks) {
    constexpr unsigned kAlone = 16;  // edges that a lane looks at before the warp helps
    bool hit = false;
    Offset at = 0;
    Offset end = 0;
    if (asks) {
      const uint2 heads = graph_.heads[v];
      ++looked_at_;
      hit = is_visited(heads.x);
      if (!hit && heads.y != kNoVertex) {
        ++looked_at_;
        hit = is_visited(heads.y);
      }
      if (!hit && heads.y != kNoVertex) {
        at = graph_.in_offsets[v];
        end = graph_.in_offsets[v + 1];
        if (end - at <= kHeads) end = at;
        for (unsigned turn = 0; turn < kAlone / 4 && at < end && !hit; ++turn, at += 4) {
          looked_at_ += end - at < 4 ? end - at : 4;
#pragma unroll
          for (unsigned k = 0; k < 4; ++k)
            if (at + k < end) hit |= is_visited(graph_.in_targets[at + k]);
        }
      }
    }
    for (unsigned left = __ballot_sync(kAllLanes, asks && !hit && at < end); left != 0;
         left &= left - 1) {
      const unsigned owner = __ffs(left) - 1;
      const bool found = find_visited_by_warp(shuffle(at, owner), shuffle(end, owner));
      if (lane() == owner) hit = found;
    }
    return hit;
  }

  __device__ __forceinline__ bool find_visited_by_warp(Offset begin, Offset end) {
    for (Offset first = begin; first < end; first += 2 * kWarp) {
      const Offset at = first + lane();
      bool hit = at < end && is_visited(graph_.in_targets[at]);
      hit |= at + kWarp < end && is_visited(graph_.in_targets[at + kWarp]);
      if (lane() == 0) looked_at_ += end - first < 2 * kWarp ? end - first : 2 * kWarp;
      if (__any_sync(kAllLanes, hit)) return true;
    }
    return false;
  }

  /// The lists of `level`, which was pulled, for pushing: what is visited now and was not before.
  __device__ __forceinline__ void list_visited(std::uint64_t level) {
    for (unsigned w = warp_; w < words_; w += warps_) {
      const std::uint32_t newly = before_[w] & ~after_[w];
      if (newly != 0) list(newly >> lane() & 1, w * 32 + lane(), level);
    }
    vertices_ = 0;  // counted when they were pulled
    edges_ = 0;
  }

  const Task<Program, T>& task_;
  const WideGraph<Offset>& graph_;
  const WideBuffers<Offset>& buffers_;
  LevelValue<Program, T> value_;
  const unsigned words_;
  const unsigned warp_;
  const unsigned warps_;
  std::uint32_t* before_ = nullptr;  ///< visited in the levels before; what a push adds to
  std::uint32_t* after_ = nullptr;   ///< what a pull writes
  bool writes_ = true;               ///< false where a limit of steps forbids the level
  // What this thread counted in the level.
  unsigned vertices_ = 0;
  unsigned long long edges_ = 0;
  unsigned long long looked_at_ = 0;
};

template <class Program, class T, class Offset>
__global__ void __launch_bounds__(kWideThreads, kWideBlocksPerSm)
    search_wide(const __grid_constant__ Task<Program, T> task,
                const __grid_constant__ WideGraph<Offset> graph,
                const __grid_constant__ WideBuffers<Offset> buffers,
                const __grid_constant__ Switch when) {
  WideSearch<Program, T, Offset>(task, graph, buffers).run(when);
}

}  // namespace vertigo::gpu::levels
