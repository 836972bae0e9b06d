#pragma once
// The engine `elections` on the CPU: all votes are cast, then every vertex counts those of its
// neighbours.

#include <utility>

#include "vertigo/cpu/generated.h"
#include "vertigo/cpu/most_frequent.h"
#include "vertigo/engines/elections/operators.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::elections {

template <engines::elections::Wanted Program, class Graph>
class Engine {
  using T = decltype(std::declval<const Program&>().vote(Vertex{}));
  static constexpr Along kAlong = !Program::follows_in    ? Along::Out
                                  : !Program::follows_out ? Along::In
                                                          : Along::Both;

 public:
  void allocate(const Graph& graph, const host::RunRequest&, host::RunResult&) {
    votes_.allocate(graph.vertex_count);
    ballots_.allocate(graph);
    updated_.allocate(graph.vertex_count);
    edges_.allocate(graph.vertex_count);
  }

  void run(execute::PhaseRun& phase, const Program& program, const Graph& graph) {
    if (graph.vertex_count == 0 || !phase.next(true)) return;
    T* const votes = votes_;
    const Ballots<T> ballots = ballots_;
    const Counter updated = updated_, edges = edges_;
    const bool once = graph.symmetric && kAlong == Along::Both;
    for_each_vertex(graph, [=](Vertex u) { votes[u] = program.vote(u); });
    for_each_vertex(graph, [=, &graph](Vertex v) {
      if (!program.concerns(v)) return;
      EdgeIndex count_of = 0, left_out = 0;
      const auto ask = [&](const auto& neighbours) {
        for (const Vertex u : neighbours) {
          ++count_of;
          if (Program::skips_itself && u == v)
            ++left_out;
          else
            vote(ballots, votes[u]);
        }
      };
      if constexpr (Program::follows_out) ask(out_neighbours(graph, v));
      if constexpr (Program::follows_in)
        if (!once) ask(in_neighbours(graph, v));
      T winner{};
      elect(ballots, winner);
      program.update(v, count_of > left_out, winner);
      count(updated, 1);
      count(edges, count_of);
    });
    phase.done(updated_.take(), edges_.take());
  }

 private:
  VertexBuffer<T> votes_;
  BallotsBuffer<T> ballots_{kAlong, kAlong == Along::Both};
  CounterBuffer updated_, edges_;
};

}  // namespace vertigo::cpu::elections
