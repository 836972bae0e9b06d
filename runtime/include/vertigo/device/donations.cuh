#pragma once
// Lists that are long even for a whole block. Where a step visits few vertices and one of them is a
// hub, its block would be at it for half a millisecond while all others wait. In a launch whose
// blocks run at the same time, the block offers such a list in pieces, and whoever has visited its
// own vertices takes pieces until everybody has (work donation, as in dynamic load balancing):
//
//   Donations donations(graph, frontier);
//   for (const Tile tile : tiles(frontier, donations)) {
//     … expand_grid(donations, out_edges(graph), tile.vertex, tile.active, keep(), …);
//   }
//
// A block that helps goes through the body again and again with no vertex of its own, and so comes
// by every call that visits lists; calls are numbered in the order in which a block comes by them.
// A piece says to which call it belongs.
//
// Why nobody waits for ever: a block that holds a piece finishes it without waiting; who offered a
// list takes pieces of it too, and waits for results only of pieces that others hold.
//
// A worklist that is longer than kMostDonors has work for all blocks and offers nothing, so that
// the order in which a list is folded depends on its length and on the length of the worklist, and
// floating sums repeat bit by bit.

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/donation_board.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/device/watchdog.cuh"

namespace vertigo::gpu {

namespace detail {

/// What one of its pieces came to, where others read it.
template <class T>
__device__ __forceinline__ T& result_of_piece(Donation& donation, unsigned piece) {
  return reinterpret_cast<T*>(donation.results)[piece];
}

template <class Attribute>
__device__ __forceinline__ bool has_donated_lists(const Graph<Attribute>& graph) {
  return graph.out.sharing.by_grid != kNoList ||
         (graph.in.offsets != nullptr && graph.in.sharing.by_grid != kNoList);
}

}  // namespace detail

/// One for each kernel that runs as a part of a step; the same in all threads of a block.
class Donations {
 public:
  template <class Attribute>
  __device__ __forceinline__ Donations(const Graph<Attribute>& graph, const Worklist& list)
      : board_(list.board != nullptr && detail::has_donated_lists(graph) &&
                       *list.count <= kMostDonors
                   ? list.board
                   : nullptr) {}

  template <class Attribute>
  __device__ __forceinline__ Donations(const Graph<Attribute>&, const VertexPart& part)
      : board_(part.board) {}

  /// Whether another turn through the body is needed once the block has no more vertices; all
  /// threads call it.
  __device__ __forceinline__ bool stay() {
    if (board_ == nullptr) return false;
    if (!helps_) {
      helps_ = true;
      next_ = board_->seen;
      __syncthreads();
      if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(board_->finished, 1u);
      }
    }
    call_ = 0;
    const unsigned target = (board_->turns + 1) * gridDim.x;
    bool others_work = false;
    unsigned offered = 0;
    if (threadIdx.x == 0) {
      // Through the body only where something may be left to take.
      do {
        VERTIGO_WAIT(watchdog_);
        others_work = static_cast<int>(load_acquire(*board_->finished) - target) < 0;
        offered = load_relaxed(*board_->offered);
      } while (others_work && offered == next_);
    }
    if (__syncthreads_or(others_work)) return true;
    // All offers of this turn have been made.
    if (threadIdx.x == 0) {
      board_->seen = offered;
      ++board_->turns;
    }
    __syncthreads();
    return false;
  }

  /// The body begins again, with other vertices.
  __device__ __forceinline__ void next_tile() { call_ = 0; }

  /// Offers the lists of at least `least` edges that the threads bring, and empties them; or helps,
  /// where the block has no vertices left. `visit(list)` visits a piece of a list, itself a list,
  /// with all threads of the block.
  template <class Kept, class Visit>
  __device__ __forceinline__ void visit(detail::EdgeList<Kept>& mine, unsigned least,
                                        const Visit& visit) {
    share_out(mine, least, Nothing{}, visit, [](Nothing nothing) { return nothing; });
  }

  /// The same; `visit(list)` returns what the piece came to, the same in all threads, and
  /// `fold(result)` combines what all threads bring. Returns what the caller's own list came to.
  template <class T, class Kept, class Visit, class Fold>
  __device__ __forceinline__ T gather(detail::EdgeList<Kept>& mine, unsigned least, T identity,
                                      const Visit& visit, const Fold& fold) {
    return share_out(mine, least, identity, visit, fold);
  }

 private:
  /// Stands for the result of visits that have none.
  struct Nothing {};

  /// A piece that the block has taken.
  struct Task {
    unsigned offer;
    unsigned piece;   ///< kNoPiece: there is none
    unsigned pieces;  ///< of the offer
  };
  /// What says that an offer can be read, in one word.
  struct Stamp {
    std::uint32_t offer;  ///< its number + 1
    std::uint16_t call;   ///< that visits the list
    std::uint16_t pieces;
  };
  static constexpr unsigned kNoPiece = ~0u;
  static constexpr unsigned kFewestPieces = 32;
  /// Each has a thread that brings its result.
  template <class T>
  static constexpr unsigned kMostPieces =
      kDonatedResults / sizeof(T) < kBlock ? kDonatedResults / sizeof(T) : kBlock;

  __device__ __forceinline__ detail::Donation& donation_at(unsigned offer) const {
    return board_->donations[offer % kDonations];
  }

  template <class T, class Kept, class Visit, class Fold>
  __device__ __forceinline__ T share_out(detail::EdgeList<Kept>& mine, unsigned least, T identity,
                                         const Visit& visit, const Fold& fold) {
    if constexpr (sizeof(detail::EdgeList<Kept>) > kDonatedBytes ||
                  sizeof(T) * kFewestPieces > kDonatedResults) {
      return identity;
    } else {
      if (board_ == nullptr || least == kNoList || call_ == kDonatingCalls) return identity;
      const unsigned call = call_++;
      __shared__ detail::LongLists<Kept> lists;
      __shared__ Task task;
      const bool is_long = mine.end - mine.begin >= least;
      unsigned place;
      if (!helps_ && !lists.collect(is_long, place)) return identity;
      T result = identity;
      // One turn for each list that is offered; who helps has one.
      for (unsigned turn = 0; helps_ ? turn == 0 : turn < lists.size(); ++turn) {
        Task offered{next_, kNoPiece, 0};
        if (!helps_) offered = offer<T>(task, lists.show(turn, place, mine), call);
        unsigned next = offered.offer;
        while (take(task, call, next)) run<T, Kept>(task, visit);
        if (helps_) {
          next_ = next;
        } else if constexpr (!__is_same(T, Nothing)) {
          detail::Donation& donation = donation_at(offered.offer);
          wait_for(donation, offered.pieces);
          const T found =
              fold(threadIdx.x < offered.pieces ? detail::result_of_piece<T>(donation, threadIdx.x)
                                                : identity);
          if (turn == place) result = found;
        }
      }
      if (is_long) mine.end = mine.begin;
      return result;
    }
  }

  /// All threads call it, and get its number and pieces.
  template <class T, class Kept>
  __device__ __forceinline__ Task offer(Task& task, const detail::EdgeList<Kept>& list,
                                        unsigned call) const {
    if (threadIdx.x == 0) {
      const unsigned number = atomicAdd(board_->offered, 1u);
      detail::Donation& donation = donation_at(number);
      const EdgeIndex length = list.end - list.begin;
      const EdgeIndex least = (length + kMostPieces<T> - 1) / kMostPieces<T>;
      donation.piece_edges = least < kPieceEdges ? kPieceEdges : least;
      donation.next = 0;
      donation.done = 0;
      *reinterpret_cast<detail::EdgeList<Kept>*>(donation.list) = list;
      __threadfence();
      const Stamp stamp{
          number + 1, static_cast<std::uint16_t>(call),
          static_cast<std::uint16_t>((length + donation.piece_edges - 1) / donation.piece_edges)};
      store_relaxed(board_->stamps[number % kDonations], detail::bits_as<std::uint64_t>(stamp));
      task = {number, kNoPiece, stamp.pieces};
    }
    __syncthreads();
    const Task offered = task;
    __syncthreads();
    return offered;
  }

  /// Takes a piece that belongs to `call`, of what was offered from `next` on, or of `next` alone
  /// where the block does not merely help. All threads call it. False: there is none.
  __device__ __forceinline__ bool take(Task& task, unsigned call, unsigned& next) const {
    if (threadIdx.x == 0) {
      task.piece = kNoPiece;
      const unsigned end = helps_ ? load_relaxed(*board_->offered) : next + 1;
      for (; next != end; ++next) {
        const auto stamp = detail::bits_as<Stamp>(load_acquire(board_->stamps[next % kDonations]));
        if (stamp.offer != next + 1 || stamp.call != call) break;
        const unsigned piece = atomicAdd(&donation_at(next).next, 1u);
        if (piece >= stamp.pieces) continue;
        task = {next, piece, stamp.pieces};
        break;
      }
    }
    __syncthreads();
    const bool taken = task.piece != kNoPiece;
    if (!taken) __syncthreads();  // all have read it before another call writes it
    return taken;
  }

  template <class T, class Kept, class Visit>
  __device__ __forceinline__ void run(const Task& task, const Visit& visit) const {
    detail::Donation& donation = donation_at(task.offer);
    auto list = *reinterpret_cast<const detail::EdgeList<Kept>*>(donation.list);
    list.begin += task.piece * donation.piece_edges;
    if (list.end - list.begin > donation.piece_edges) list.end = list.begin + donation.piece_edges;
    if constexpr (__is_same(T, Nothing)) {
      visit(list);
    } else {
      const T found = visit(list);
      if (threadIdx.x == 0) {
        detail::result_of_piece<T>(donation, task.piece) = found;
        __threadfence();
        atomicAdd(&donation.done, 1u);
      }
    }
    __syncthreads();  // all are done with the task
  }

  __device__ __forceinline__ void wait_for(const detail::Donation& donation,
                                           unsigned pieces) const {
    if (threadIdx.x == 0) {
      Watchdog watchdog;
      while (load_acquire(donation.done) != pieces) VERTIGO_WAIT(watchdog);
    }
    __syncthreads();
  }

  DonationBoard* board_;
  unsigned call_ = 0;  ///< the next call that the block comes by in this turn
  unsigned next_ = 0;  ///< the first offer that may have pieces left
  bool helps_ = false;
  Watchdog watchdog_;
};

namespace detail {

template <class Tiles>
struct DonatingTiles {
  Tiles tiles;
  Donations& donations;
  struct Iterator {
    typename Tiles::Iterator tile;
    Donations* donations;
    __device__ __forceinline__ Tile operator*() const { return *tile; }
    __device__ __forceinline__ void operator++() {
      ++tile;
      donations->next_tile();
    }
    __device__ __forceinline__ bool operator!=(std::uint64_t end) const {
      return tile != end || donations->stay();
    }
  };
  __device__ __forceinline__ Iterator begin() const { return {tiles.begin(), &donations}; }
  __device__ __forceinline__ std::uint64_t end() const { return tiles.end(); }
};

}  // namespace detail

/// The list's tiles, then as many without a vertex as it takes until nobody needs help.
__device__ __forceinline__ detail::DonatingTiles<detail::ListedTiles> tiles(const Worklist& list,
                                                                            Donations& donations) {
  return {tiles(list), donations};
}
__device__ __forceinline__ detail::DonatingTiles<detail::PartTiles> tiles(const VertexPart& part,
                                                                          Donations& donations) {
  return {tiles(part), donations};
}

/// As expand_auto, and lists that are long for a block by all blocks.
template <class Set, class Kept, class Edge>
__device__ __forceinline__ void expand_grid(Donations& donations, const Set& edges, Vertex v,
                                            bool active, const Kept& kept, const Edge& edge) {
  for (unsigned i = 0; i < edges.passes; ++i) {
    const detail::Pass<Set> pass(edges, i);
    auto mine = pass.list(v, active, kept);
    donations.visit(mine, pass.adjacency.sharing.by_grid,
                    [&](const auto& piece) { pass.visit_together(piece, edge); });
    pass.visit_by_block(mine, pass.adjacency.sharing.by_block, edge);
    pass.template visit_laid_by_warp<false>(mine, edge);
  }
}

/// As gather_auto, and lists that are long for a block by all blocks.
template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_grid(Donations& donations, const Set& edges, Vertex v,
                                         bool active, const Kept& kept, const Combine& combine,
                                         T identity, const Edge& edge) {
  T result = identity;
  for (unsigned i = 0; i < edges.passes; ++i) {
    const detail::Gather<Set, Combine, T, Edge> gather{{edges, i}, combine, identity, edge};
    const Sharing sharing = gather.pass.adjacency.sharing;
    auto mine = gather.pass.list(v, active, kept);
    const T found = donations.gather(
        mine, sharing.by_grid, identity,
        [&](const auto& piece) { return gather.one_by_block(piece); },
        [&](const T& each) { return detail::combine_block(each, combine, identity); });
    result = detail::combine_results(result, found, combine);
    gather.by_block(mine, sharing.by_block, result);
    gather.by_warp(mine, sharing.by_warp, result);
    gather.by_thread(mine, result);
  }
  return result;
}

}  // namespace vertigo::gpu
