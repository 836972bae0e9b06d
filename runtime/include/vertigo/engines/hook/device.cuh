#pragma once
// Engine `hook`: label propagation along both directions of every edge. What it leaves is, for all
// vertices of a connected component, the best of the labels that were started in it; so components
// are found as disjoint sets, and labels are combined once per component.
//
// Two ways, between which the graph decides: sampling (Afforest) where a few neighbours of every
// vertex join most of the graph, and tiles where neighbours have ids close together.
//
// Source: Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling", section IV; Jaiganesh, Burtscher, "A High-Performance Connected Components
// Implementation for GPUs", section 3.

#include "vertigo/device/session.cuh"
#include "vertigo/engines/hook/operators.h"
#include "vertigo/engines/hook/tiles.cuh"
#include "vertigo/graph/locality.h"

namespace vertigo::gpu::hook {

namespace detail {

inline unsigned blocks_for(std::uint64_t threads, unsigned block) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

}  // namespace detail

template <engines::hook::Wanted Program, class Graph>
class Engine {
 public:
  void declare(Session& session, const Graph& graph) {
    tile_ = tile_for(graph.vertex_count);
    is_tiled_ = graph::share_within_tiles(session.host_graph(), tile_) >= kTiledFrom;
    session.declare(log_, "hook (log)");
    session.declare(storage_.parents, "hook (parents)");
    session.declare(storage_.giant, 1, "hook (giant component)");
    session.declare(storage_.long_lists, "hook (long lists)");
    session.declare(storage_.edges, "hook (edges)");
    session.declare(sampled_, "hook (edges of every run)");
    if (is_tiled_)
      session.declare(leaving_, "hook (edges that leave a tile)");
    else
      session.declare(storage_.sampled, std::uint64_t{kSampledNeighbours} * session.vertex_count(),
                      "hook (sampled neighbours)");
  }

  void prepare(Session& session, const Graph& graph) {
    session.clear(sampled_);
    if (graph.vertex_count == 0) return;
    if (is_tiled_) {
      count_short<<<session.reduction_blocks(), kBlock, 0, session.stream()>>>(
          graph.out, graph.vertex_count, sampled_);
      session.launched("count_short");
    } else if constexpr (Program::has_condition) {
      return;  // who is joined first depends on the condition, and so on the run
    } else if (graph.symmetric) {
      list_sampled<false>(session, graph.out, graph.out);
    } else {
      list_sampled<true>(session, graph.out, graph.in);
    }
  }

  template <class T>
  void run(Phase& phase, const Program& program, const Graph& graph, T* state) {
    if (graph.vertex_count == 0) return;
    find_components(phase, program, graph);
    hand_out(phase, program, graph, FromVertex<Program>{program}, state);
  }

  /// `inbox`: labels of the started vertices, the combine's identity at all others.
  template <class T>
  void run(Phase& phase, const Program& program, const Graph& graph, T* state, const T* inbox) {
    if (graph.vertex_count == 0) return;
    find_components(phase, program, graph);
    hand_out(phase, program, graph, FromInbox<T>{inbox}, state);
  }

 private:
  using Condition = EdgeCondition<Program, typename Graph::Attribute>;

  /// Two, as Afforest's section IV-C recommends: with one, kron21 has no giant component yet and
  /// takes 7.4 ms instead of 0.25 (H200, 2026-11-21).
  static constexpr unsigned kSampledNeighbours = 2;
  /// Share of edges inside tiles from which tiles pay: the road network (0.8) takes 1.3 ms by tiles
  /// and 1.8 ms by sampling.
  static constexpr double kTiledFrom = 0.5;
  /// Blocks that the tiles of a small graph should make, so that every SM has work.
  static constexpr Vertex kWantedTiles = 264;

  template <bool kDirected, class Lists>
  void list_sampled(Session& session, const Lists& out, const Lists& in) {
    hook::list_sampled<kDirected><<<session.blocks(), kBlock, 0, session.stream()>>>(
        out, in, session.vertex_count(), kSampledNeighbours, storage_, sampled_);
    session.launched("list_sampled");
  }

  static unsigned tile_for(Vertex vertices) {
    const unsigned share = vertices / kWantedTiles / kTileBlock * kTileBlock;
    return share < kTileBlock ? kTileBlock : share < kLargestTile ? share : kLargestTile;
  }

  static unsigned vertex_blocks(const Graph& graph) {
    return detail::blocks_for(graph.vertex_count, kBlock);
  }

  void find_components(Phase& phase, const Program& program, const Graph& graph) {
    Session& session = phase.session();
    phase.begin(log_);
    begin_step<<<1, 1, 0, session.stream()>>>(log_);
    session.launched("begin_step");
    session.clear(storage_.edges);
    session.clear(storage_.long_lists);
    const Condition condition{program, graph.out, graph.in};
    if (is_tiled_) {
      if (graph.symmetric)
        join_by_tiles<true>(session, condition, graph);
      else
        join_by_tiles<false>(session, condition, graph);
    } else {
      if (graph.symmetric)
        join_by_samples<false>(session, program, condition, graph);
      else
        join_by_samples<true>(session, program, condition, graph);
    }
  }

  template <bool kDirected>
  void list_passing(Session& session, const Condition& condition, const Graph& graph) {
    session.clear(sampled_);
    hook::list_passing<kDirected><<<session.blocks(), kBlock, 0, session.stream()>>>(
        condition, graph.out, graph.in, graph.vertex_count, kSampledNeighbours, storage_, sampled_);
    session.launched("list_passing");
  }

  template <bool kDirected>
  void join_by_samples(Session& session, const Program& program, const Condition& condition,
                       const Graph& graph) {
    const unsigned blocks = vertex_blocks(graph);
    const Vertex count = graph.vertex_count;
    if constexpr (Program::has_condition) list_passing<kDirected>(session, condition, graph);
    plant<<<blocks, kBlock, 0, session.stream()>>>(count, storage_);
    session.launched("plant");
    for (unsigned place = 0; place < kSampledNeighbours; ++place) {
      sample<<<blocks, kBlock, 0, session.stream()>>>(count, storage_, place);
      session.launched("sample");
      flatten<<<blocks, kBlock, 0, session.stream()>>>(count, storage_);
      session.launched("flatten");
    }
    find_giant<<<1, kBlock, 0, session.stream()>>>(count, storage_);
    session.launched("find_giant");
    // Those that passed stand anywhere in the list.
    const unsigned first = Program::has_condition ? 0 : kSampledNeighbours;
    join_rest<<<blocks, kBlock, 0, session.stream()>>>(condition, graph.out, count, storage_,
                                                       first);
    session.launched("join_rest");
    join_listed(session, condition, graph.out);
    if constexpr (kDirected) {
      session.clear(storage_.long_lists);
      const Condition of_in{program, graph.in, graph.out};
      join_rest<<<blocks, kBlock, 0, session.stream()>>>(of_in, graph.in, count, storage_, 0);
      session.launched("join_rest");
      join_listed(session, of_in, graph.in);
    }
  }

  template <bool kEachTwice>
  void join_by_tiles(Session& session, const Condition& condition, const Graph& graph) {
    const Vertex count = graph.vertex_count;
    join_tiles<kEachTwice><<<detail::blocks_for(count, tile_), kTileBlock, 0, session.stream()>>>(
        condition, graph.out, count, storage_, leaving_, tile_);
    session.launched("join_tiles");
    join_across<kEachTwice><<<vertex_blocks(graph), kBlock, 0, session.stream()>>>(
        condition, graph.out, count, storage_, leaving_, tile_);
    session.launched("join_across");
    join_listed(session, condition, graph.out);
    find_giant<<<1, kBlock, 0, session.stream()>>>(count, storage_);
    session.launched("find_giant");
  }

  template <class Lists>
  void join_listed(Session& session, const Condition& condition, const Lists& lists) {
    join_long<<<session.blocks(), kBlock, 0, session.stream()>>>(condition, lists, storage_);
    session.launched("join_long");
  }

  template <class Labels, class T>
  void hand_out(Phase& phase, const Program& program, const Graph& graph, const Labels& labels,
                T* state) {
    Session& session = phase.session();
    combine_labels<<<session.blocks(), kBlock, 0, session.stream()>>>(
        graph.vertex_count, storage_, Better<Program>{program}, labels, state);
    session.launched("combine_labels");
    hand_out_labels<<<vertex_blocks(graph), kBlock, 0, session.stream()>>>(graph.vertex_count,
                                                                           storage_, state);
    session.launched("hand_out_labels");
    log_step<<<1, 1, 0, session.stream()>>>(log_, is_tiled_ ? 1 : 0, graph.vertex_count, sampled_,
                                            storage_.edges);
    session.launched("log_step");
    phase.finish(
        log_, {"samples", "tiles"},
        is_tiled_ ? "neighbours have ids close together" : "few neighbours join most of the graph");
  }

  StepLog log_;
  Storage storage_;
  Bitmap leaving_;
  Counter sampled_;
  unsigned tile_ = kTileBlock;
  bool is_tiled_ = false;
};

}  // namespace vertigo::gpu::hook
