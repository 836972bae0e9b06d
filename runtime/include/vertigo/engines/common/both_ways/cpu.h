#pragma once
// Messages along both directions of edges, on the CPU: what device.cuh says.

#include "vertigo/cpu/generated.h"
#include "vertigo/engines/common/both_ways/operators.h"
#include "vertigo/execute/phase_run.h"
#include "vertigo/graph/both_directions.h"

namespace vertigo::cpu {

/// `Inner`, an engine whose operators are OneWay, on the edges and their reverses. Messages along
/// an edge that has its reverse may come twice.
template <class Inner, class Graph>
class BothWays {
 public:
  void allocate(const Graph& graph, const host::RunRequest& request, host::RunResult& result) {
    if (!graph.symmetric) {
      lists_ = graph::both_directions(*graph.whole);
      both_ = view(lists_, graph.default_weight);
      both_.whole = graph.whole;
    }
    inner_.allocate(graph.symmetric ? graph : both_, request, result);
  }

  template <class Operators, class... Buffers>
  void run(execute::PhaseRun& phase, const Operators& operators, const Graph& graph,
           Buffers&... buffers) {
    inner_.run(phase, engines::OneWay<Operators>{operators}, graph.symmetric ? graph : both_,
               buffers...);
  }

 private:
  graph::Graph lists_;  ///< nothing where the graph is symmetric
  Graph both_;
  Inner inner_;
};

}  // namespace vertigo::cpu
