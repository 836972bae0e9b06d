#pragma once
// Engine `wedges`: sums of common_neighbours(u, v) over the edges of each vertex. Lists point to
// vertices of more edges, each triangle is found once, and its corners get their shares.
//
// Source: T. Schank, D. Wagner, "Finding, Counting and Listing All Triangles in Large Graphs",
// 2005 (forward); bitmaps for long lists: M. Bisson, M. Fatica, "High Performance Exact Triangle
// Counting on GPUs", 2017.

#include "vertigo/device/session.cuh"
#include "vertigo/engines/wedges/count.cuh"

namespace vertigo::gpu::wedges {

template <engines::wedges::Wanted Program, class Graph>
class Engine {
 public:
  void declare(Session& session, const Graph&) {
    declare_oriented(session, lists_);
    session.declare(shares_, "wedges (shares of triangles)");
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
    begin_step<<<1, 1, 0, session.stream()>>>(log_);
    session.launched("begin_step");
    session.clear(shares_, graph.vertex_count);
    session.clear(next_, 1);
    session.clear(updated_);
    count_long<Program><<<session.blocks(), kBlock, 0, session.stream()>>>(lists_, shares_, next_);
    session.launched("count_long");
    count_short<Program><<<session.blocks(), kBlock, 0, session.stream()>>>(lists_, shares_);
    session.launched("count_short");
    update<Program><<<session.blocks(), kBlock, 0, session.stream()>>>(program, graph.out, lists_,
                                                                       shares_, updated_);
    session.launched("update");
    log_step<<<1, 1, 0, session.stream()>>>(log_, graph.edge_count, updated_);
    session.launched("log_step");
    phase.finish(log_, {"count"}, "one step");
  }

 private:
  Oriented lists_;
  Shares shares_ = nullptr;
  std::uint32_t* next_ = nullptr;
  Counter updated_;
  StepLog log_;
};

}  // namespace vertigo::gpu::wedges
