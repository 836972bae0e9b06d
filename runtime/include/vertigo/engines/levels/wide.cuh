#pragma once
// The search for graphs of small diameter, whole in one cooperative launch: direction-optimised
// (Beamer et al., Direction-Optimizing Breadth-First Search, SC 2012, sections 3 to 5). Levels of
// few edges are pushed from lists, the large ones pulled on bitmaps with early exit.
//
// A pulling vertex asks whether an in-neighbour was visited in *any* level before, not whether it
// is of the last one: had it been visited earlier, the vertex would have been too, or could not
// have taken the value, and then it cannot take a later one either.

#include "vertigo/engines/levels/task.cuh"
#include "vertigo/engines/levels/visited_neighbours.cuh"
#include "vertigo/engines/levels/wide_buffers.cuh"

namespace vertigo::gpu::levels {

template <class Program, class T, class Offset, class Condition>
class WideSearch {
  static constexpr bool kAsks = Program::has_condition;
  using Graph = WideGraph<Offset, Condition>;

 public:
  using Target = Frontier<Offset>;
  static constexpr unsigned kBatch = kAtOnce<Offset>;
  static constexpr unsigned kChunk = kBatch * kWarp;  ///< edges that a warp has under way at once

  __device__ __forceinline__ WideSearch(const Task<Program, T>& task, const Graph& graph,
                                        const WideBuffers<Offset>& buffers, Journal& journal)
      : task_(task),
        graph_(graph),
        buffers_(buffers),
        journal_(journal),
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
  __device__ __forceinline__ LevelCounts& counts(std::uint32_t level) const {
    return buffers_.counts[level % kLevelsCounted];
  }
  /// What all threads know of a level that is complete.
  struct Level {
    std::uint32_t vertices;
    unsigned long long edges;
    unsigned long long looked_at;
  };
  __device__ __forceinline__ Level read(std::uint32_t level) const {
    const LevelCounts& count = counts(level);
    return {load_relaxed(count.vertices), load_relaxed(count.edges), load_relaxed(count.looked_at)};
  }
  __device__ __forceinline__ Target frontier(std::uint32_t level) const {
    return level % 2 == 0 ? buffers_.frontiers[0] : buffers_.frontiers[1];
  }

  __device__ __forceinline__ void clear() {
    for (unsigned w = blockIdx.x * blockDim.x + threadIdx.x; w < words_;
         w += gridDim.x * blockDim.x)
      buffers_.visited[0][w] = 0;
    if (leads_grid())
      for (unsigned i = 0; i < kLevelsCounted; ++i) buffers_.counts[i] = LevelCounts{};
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
        v = task_.asked.items[base + lane()];
        visits = value_.improves_start(v);
      }
      if (visits) {
        atomicOr(before_ + v / 32, 1u << (v % 32));
        if (writes_) value_.give(v);
      }
      const bool visited[1] = {visits};
      const Vertex vertex[1] = {v};
      list(visited, vertex, 0);
    }
  }

  /// Adds what this block counted to the level's counts and waits for all others.
  __device__ __forceinline__ void end_level(std::uint32_t level) {
    __shared__ unsigned long long edges;
    __shared__ unsigned long long looked_at;
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
    std::uint64_t listed_edges = 0;
    LoopEnd end = LoopEnd::Done;
    if (leads_grid()) journal_.begin();
    Level now = read(0);
    for (std::uint32_t level = 0; now.vertices != 0; ++level) {
      if (level == task_.most_levels) {
        end = LoopEnd::StepLimit;
        break;
      }
      if (leads_grid()) journal_.begin_step(task_.log);
      listed_edges += now.edges;
      if (!pulls) {
        const std::uint64_t unlisted =
            graph_.edge_count > listed_edges ? graph_.edge_count - listed_edges : 1;
        pulls = now.edges * when.alpha > unlisted;
        small_pulls = 0;
      } else if (std::uint64_t{now.vertices} * when.beta >= graph_.vertex_count) {
        small_pulls = 0;
      } else if (++small_pulls == 2) {
        list_visited(level);
        grid_sync();
        pulls = false;
      }
      value_.advance();
      const bool goes_on = !value_.is_useless();
      if (goes_on) {
        if (leads_grid()) counts(level + 2) = LevelCounts{};
        writes_ = level + 1 < task_.most_levels;
        if (pulls)
          pull();
        else
          push(level);
        end_level(level + 1);
      }
      const Level next = goes_on ? read(level + 1) : Level{0, 0, 0};
      if (leads_grid())
        journal_.end_step(task_.log, pulls ? Mode::Pull : Mode::Push, now.vertices, next.looked_at,
                          now.edges);
      now = next;
      if (pulls) {
        std::uint32_t* const kept = before_;
        before_ = after_;
        after_ = kept;
      }
    }
    if (leads_grid()) journal_.end(task_.log, end);
  }

  /// Appends the lanes' vertices, kMany each, to the lists of `level`; the whole warp calls it.
  template <unsigned kMany>
  __device__ __forceinline__ void list(const bool (&visited)[kMany], const Vertex (&v)[kMany],
                                       std::uint32_t level) {
    bool any = false;
#pragma unroll
    for (unsigned k = 0; k < kMany; ++k) any |= visited[k];
    if (!__any_sync(kAllLanes, any)) return;
    Offset begin[kMany];
    Offset degree[kMany];
#pragma unroll
    for (unsigned k = 0; k < kMany; ++k) {
      begin[k] = visited[k] ? graph_.out_offsets[v[k]] : 0;
      degree[k] = visited[k] ? graph_.out_offsets[v[k] + 1] : 0;
    }
    unsigned shorts[kMany];
    unsigned all_shorts = 0;
    unsigned long long mine = 0;  // long lists, as LevelCounts counts them
#pragma unroll
    for (unsigned k = 0; k < kMany; ++k) {
      degree[k] -= begin[k];
      vertices_ += visited[k];
      edges_ += degree[k];
      shorts[k] = __ballot_sync(kAllLanes, degree[k] > 0 && degree[k] < kLongList);
      all_shorts += __popc(shorts[k]);
      if (degree[k] >= kLongList) mine += kOneLongList + chunks_in(degree[k]);
    }
    LevelCounts& count = counts(level);
    const Target to = frontier(level);
    if (all_shorts != 0) {
      unsigned place = 0;
      if (lane() == 0) place = atomicAdd(&count.singles, all_shorts);
      place = __shfl_sync(kAllLanes, place, 0);
#pragma unroll
      for (unsigned k = 0; k < kMany; ++k) {
        if (shorts[k] >> lane() & 1) to.singles[place + __popc(shorts[k] & lanes_below())] = v[k];
        place += __popc(shorts[k]);
      }
    }
    if (!__any_sync(kAllLanes, mine != 0)) return;
    const unsigned long long up_to_me = inclusive_scan(mine);
    unsigned long long place = 0;
    if (lane() == kWarp - 1) place = atomicAdd(&count.long_lists, up_to_me);
    place = shuffle(place, kWarp - 1) + up_to_me - mine;
#pragma unroll
    for (unsigned k = 0; k < kMany; ++k) {
      if (degree[k] < kLongList) continue;
      const auto at = static_cast<std::uint32_t>(place >> 32);
      to.begins[at] = begin[k];
      to.lengths[at] = degree[k];
      to.first_chunks[at] = static_cast<std::uint32_t>(place);
      if constexpr (kAsks) to.owners[at] = v[k];
      place += kOneLongList + chunks_in(degree[k]);
    }
  }

  static constexpr unsigned long long kOneLongList = 1ull << 32;
  __device__ __forceinline__ static std::uint32_t chunks_in(Offset length) {
    return static_cast<std::uint32_t>((length + (kChunk - 1)) / kChunk);
  }

  /// While others push: a line of the first-level cache would show an old word for long,
  /// and every test of a hub would end in an atomic operation.
  __device__ __forceinline__ bool is_visited_by_now(Vertex v) const {
    return load_relaxed(before_[v / 32]) >> (v % 32) & 1;
  }
  /// True for the one caller that visits v.
  __device__ __forceinline__ bool visit(Vertex v) {
    const std::uint32_t bit = 1u << (v % 32);
    if (!value_.improves(v)) return false;
    if (atomicOr(before_ + v / 32, bit) & bit) return false;
    if (writes_) value_.give(v);
    return true;
  }
  /// The targets of kBatch edges per lane, as far as there are so many; `owner`: whose they are,
  /// where edges have a condition.
  __device__ __forceinline__ void visit_targets(bool (&exists)[kBatch],
                                                const Offset (&edge)[kBatch],
                                                const Vertex (&owner)[kBatch],
                                                std::uint32_t level) {
    Vertex u[kBatch];
#pragma unroll
    for (unsigned k = 0; k < kBatch; ++k) u[k] = exists[k] ? graph_.out_targets[edge[k]] : 0;
#pragma unroll
    for (unsigned k = 0; k < kBatch; ++k) exists[k] = exists[k] && !is_visited_by_now(u[k]);
    if constexpr (kAsks) {
#pragma unroll
      for (unsigned k = 0; k < kBatch; ++k)
        exists[k] = exists[k] && graph_.condition.passes(owner[k], u[k], edge[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < kBatch; ++k) exists[k] = exists[k] && visit(u[k]);
    list(exists, u, level);
  }

  __device__ __forceinline__ void push(std::uint32_t level) {
    push_long_lists(level);
    push_singles(level);
  }

  /// Every warp takes equally many chunks in a row.
  __device__ __forceinline__ void push_long_lists(std::uint32_t level) {
    const Target from = frontier(level);
    const unsigned long long all = load_relaxed(counts(level).long_lists);
    const auto lists = static_cast<std::uint32_t>(all >> 32);
    const auto chunks = static_cast<std::uint32_t>(all);
    const auto share = [&](unsigned warp) {
      return static_cast<std::uint32_t>(std::uint64_t{chunks} * warp / warps_);
    };
    const std::uint32_t end = share(warp_ + 1);
    std::uint32_t chunk = share(warp_);
    if (chunk == end) return;
    std::uint32_t at = list_of_chunk(from.first_chunks, lists, chunk);
    while (chunk < end) {
      const Offset begin = from.begins[at];
      const Offset length = from.lengths[at];
      const std::uint32_t first = from.first_chunks[at];
      const std::uint32_t behind = first + chunks_in(length);
      Vertex owner[kBatch] = {};
      if constexpr (kAsks) {
#pragma unroll
        for (unsigned k = 0; k < kBatch; ++k) owner[k] = from.owners[at];
      }
      for (; chunk < end && chunk < behind; ++chunk) {
        const Offset offset = Offset{chunk - first} * kChunk;
        const Offset left = length - offset;
        if (lane() == 0) looked_at_ += left < kChunk ? left : kChunk;
        bool exists[kBatch];
        Offset edge[kBatch];
#pragma unroll
        for (unsigned k = 0; k < kBatch; ++k) {
          exists[k] = k * kWarp + lane() < left;
          edge[k] = begin + offset + k * kWarp + lane();
        }
        visit_targets(exists, edge, owner, level + 1);
      }
      ++at;
    }
  }

  /// The last list that begins with `chunk` or one before; 32 places are looked at at once.
  __device__ __forceinline__ static std::uint32_t list_of_chunk(const std::uint32_t* first_chunks,
                                                                std::uint32_t lists,
                                                                std::uint32_t chunk) {
    std::uint32_t low = 0;
    std::uint32_t high = lists;
    while (high - low > 1) {
      const std::uint32_t step = (high - low - 1) / kWarp + 1;
      const std::uint64_t place = low + std::uint64_t{lane()} * step;
      const bool fits = place < high && first_chunks[place] <= chunk;
      low += (__popc(__ballot_sync(kAllLanes, fits)) - 1) * step;
      if (high - low > step) high = low + step;
    }
    return low;
  }

  /// Up to 32 short lists at a time: a scan over their lengths tells each lane which edges are its
  /// own. Short frontiers are shared out over all warps.
  __device__ __forceinline__ void push_singles(std::uint32_t level) {
    const Vertex* const singles = frontier(level).singles;
    const unsigned count = load_relaxed(counts(level).singles);
    const unsigned share = count / warps_ + 1 < kWarp ? count / warps_ + 1 : kWarp;
    for (std::uint64_t base = std::uint64_t{warp_} * share; base < count; base += warps_ * share) {
      Offset begin = 0;
      unsigned degree = 0;
      Vertex v = 0;
      if (lane() < share && base + lane() < count) {
        v = singles[base + lane()];
        begin = graph_.out_offsets[v];
        degree = static_cast<unsigned>(graph_.out_offsets[v + 1] - begin);
        looked_at_ += degree;
      }
      const unsigned up_to_me = inclusive_scan(degree);
      const unsigned all = __shfl_sync(kAllLanes, up_to_me, kWarp - 1);
      const Offset to_edge = begin - (up_to_me - degree);  // from a place in the scan; may wrap
      for (unsigned first = 0; first < all; first += kBatch * kWarp) {
        bool exists[kBatch];
        Offset edge[kBatch];
        Vertex of[kBatch] = {};
#pragma unroll
        for (unsigned k = 0; k < kBatch; ++k) {
          const unsigned at = first + k * kWarp + lane();
          unsigned owner = 0;  // the first lane whose lists end past `at`
#pragma unroll
          for (unsigned step = kWarp / 2; step != 0; step /= 2)
            if (__shfl_sync(kAllLanes, up_to_me, owner + step - 1) <= at) owner += step;
          exists[k] = at < all;
          edge[k] = shuffle(to_edge, owner & (kWarp - 1)) + at;
          if constexpr (kAsks) of[k] = shuffle(v, owner & (kWarp - 1));
        }
        visit_targets(exists, edge, of, level + 1);
      }
    }
  }

  /// A lane brings one word of the bitmaps; the warp then goes through the 32 vertices of each word
  /// that has something to find, some words at once.
  __device__ __forceinline__ void pull() {
    for (std::uint64_t base = warp_; base < words_; base += std::uint64_t{warps_} * kWarp) {
      const std::uint64_t word = base + std::uint64_t{lane()} * warps_;
      const std::uint32_t old = word < words_ ? before_[word] : ~0u;
      const std::uint32_t wanted = word < words_ ? ~(old | graph_.unreached[word]) : 0;
      std::uint32_t found = 0;
      for (unsigned left = __ballot_sync(kAllLanes, wanted != 0); left != 0;) {
        unsigned bringer[kBatch];
        bool asks[kBatch];
        Vertex v[kBatch];
#pragma unroll
        for (unsigned k = 0; k < kBatch; ++k) {
          bringer[k] = left != 0 ? __ffs(left) - 1 : kWarp;
          left &= left - 1;
          const std::uint32_t of_word = __shfl_sync(kAllLanes, wanted, bringer[k] & (kWarp - 1));
          asks[k] = bringer[k] < kWarp && of_word >> lane() & 1;
          v[k] = static_cast<Vertex>(base + std::uint64_t{bringer[k]} * warps_) * 32 + lane();
        }
        bool hits[kBatch];
        VisitedNeighbours<Offset, Condition>(graph_, before_, looked_at_).find(v, asks, hits);
#pragma unroll
        for (unsigned k = 0; k < kBatch; ++k) {
          hits[k] = hits[k] && value_.improves(v[k]);
          const unsigned of_word = __ballot_sync(kAllLanes, hits[k]);
          if (lane() == bringer[k]) found = of_word;
          if (hits[k] && writes_) value_.give(v[k]);
          vertices_ += hits[k];
        }
      }
      if (word < words_) after_[word] = old | found;
    }
  }

  /// The lists of `level`, which was pulled, for pushing: what is visited now and was not before.
  __device__ __forceinline__ void list_visited(std::uint32_t level) {
    for (std::uint64_t base = warp_; base < words_; base += std::uint64_t{warps_} * kWarp) {
      const std::uint64_t word = base + std::uint64_t{lane()} * warps_;
      const std::uint32_t newly = word < words_ ? before_[word] & ~after_[word] : 0;
      for (unsigned left = __ballot_sync(kAllLanes, newly != 0); left != 0; left &= left - 1) {
        const unsigned bringer = __ffs(left) - 1;
        const std::uint32_t of_word = __shfl_sync(kAllLanes, newly, bringer);
        const bool visited[1] = {(of_word >> lane() & 1) != 0};
        const Vertex v[1] = {static_cast<Vertex>(base + std::uint64_t{bringer} * warps_) * 32 +
                             lane()};
        list(visited, v, level);
      }
    }
    vertices_ = 0;  // counted when they were pulled
    edges_ = 0;
  }

  const Task<Program, T>& task_;
  const Graph& graph_;
  const WideBuffers<Offset>& buffers_;
  Journal& journal_;
  LevelValue<Program, T> value_;
  const unsigned words_;
  const unsigned warp_;
  const unsigned warps_;
  std::uint32_t* before_ = nullptr;  ///< visited in the levels before; what a push adds to
  std::uint32_t* after_ = nullptr;   ///< what a pull writes
  bool writes_ = true;               ///< false where a limit of steps forbids the level
  // What this thread counted in the level.
  unsigned vertices_ = 0;
  Offset edges_ = 0;
  Offset looked_at_ = 0;
};

template <class Program, class T, class Offset, class Condition>
__global__ void __launch_bounds__(kWideThreads, kWideBlocksPerSm)
    search_wide(const __grid_constant__ Task<Program, T> task,
                const __grid_constant__ WideGraph<Offset, Condition> graph,
                const __grid_constant__ WideBuffers<Offset> buffers,
                const __grid_constant__ Switch when) {
  __shared__ Journal journal;
  WideSearch<Program, T, Offset, Condition>(task, graph, buffers, journal).run(when);
}

}  // namespace vertigo::gpu::levels
