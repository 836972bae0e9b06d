#pragma once
// Engine `wedges`: sums of common_neighbours(u, v) over the edges of each vertex, or the number of
// each edge. Lists point to vertices of more edges, each triangle is found once, and its corners or
// its sides get their shares.
//
// Source: T. Schank, D. Wagner, "Finding, Counting and Listing All Triangles in Large Graphs",
// 2005 (forward); bitmaps for long lists: M. Bisson, M. Fatica, "High Performance Exact Triangle
// Counting on GPUs", 2017.

#include "vertigo/device/session.cuh"
#include "vertigo/engines/wedges/count_long.cuh"
#include "vertigo/engines/wedges/count_short.cuh"
#include "vertigo/engines/wedges/sides.cuh"

namespace vertigo::gpu::wedges {

template <engines::wedges::Wanted Program, class Graph>
class Engine {
 public:
  void declare(Session& session, const Graph&) {
    declare_oriented(session, lists_, Program::by_edge);
    if constexpr (Program::by_edge)
      session.declare(shares_, places(session), "wedges (triangles of edges)");
    else
      session.declare(shares_, "wedges (shares of triangles)");
    if constexpr (Program::has_values) session.declare(weights_, "wedges (weights)");
    session.declare(next_, 1, "wedges (next long list)");
    session.declare(updated_, "wedges (updated)");
    session.declare(log_, "wedges (log)");
  }

  void prepare(Session& session, const Graph& graph) {
    orient(session, graph.out.offsets, graph.out.targets, lists_);
  }

  void run(Phase& phase, const Program& program, const Graph& graph) {
    if (graph.vertex_count == 0) return;
    Session& session = phase.session();
    phase.begin(log_);
    begin_step<Program><<<1, 1, 0, session.stream()>>>(log_);
    session.launched("begin_step");
    session.clear(shares_, Program::by_edge ? places(session) : graph.vertex_count);
    session.clear(next_, 1);
    session.clear(updated_);
    if constexpr (Program::has_values) {
      weigh<Program><<<session.blocks(), kBlock, 0, session.stream()>>>(program, lists_, weights_);
      session.launched("weigh");
    }
    count(session);
    give(session, program, graph);
    log_step<Program><<<1, 1, 0, session.stream()>>>(log_, graph.edge_count, updated_);
    session.launched("log_step");
    phase.finish(log_, {"count"}, "one step");
  }

 private:
  /// Of the edges in the lists; where these are the graph's own, each has its place there.
  std::uint64_t places(const Session& session) const {
    return lists_.order == nullptr ? session.edge_count() : session.edge_count() / 2;
  }
  void give(Session& session, const Program& program, const Graph& graph) {
    if constexpr (Program::by_edge) {
      hand_out<Program><<<session.blocks(), kBlock, 0, session.stream()>>>(
          program, graph.out, graph.edge_count, lists_, weights_, shares_, updated_);
      session.launched("hand_out");
    } else {
      update<Program><<<session.blocks(), kBlock, 0, session.stream()>>>(
          program, graph.out, lists_, weights_, shares_, updated_);
      session.launched("update");
    }
  }
  void count(Session& session) {
    const Stream stream = session.stream();
    // Where ids are the numbers no list is long.
    if (lists_.order != nullptr) {
      constexpr unsigned kThreads = kLongThreads<Program>;
      count_long<Program><<<resident(count_long<Program>, kThreads), kThreads, 0, stream>>>(
          lists_, weights_, shares_, next_);
      session.launched("count_long");
    }
    count_short<Program>
        <<<resident(count_short<Program>, kBlock), kBlock, 0, stream>>>(lists_, weights_, shares_);
    session.launched("count_short");
    count_tiny<Program><<<session.blocks(), kBlock, 0, stream>>>(lists_, weights_, shares_);
    session.launched("count_tiny");
  }
  /// Blocks that the device runs at once: how many lists there are is not known here.
  template <class Kernel>
  static unsigned resident(Kernel* kernel, unsigned threads) {
    return gpu::detail::most_resident_blocks(reinterpret_cast<const void*>(kernel), threads);
  }

  Oriented lists_;
  Shares<Program> shares_ = nullptr;
  Total<Program>* weights_ = nullptr;  ///< of numbers, where they weigh
  std::uint32_t* next_ = nullptr;
  Counter updated_;
  StepLog log_;
};

}  // namespace vertigo::gpu::wedges
