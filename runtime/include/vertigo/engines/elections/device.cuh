#pragma once
// Engine `elections`: the most frequent value among neighbours. All votes are cast; then vertices
// count those of their neighbours, in tables that fit the lengths of their lists, and where few
// votes have changed since the last time, those vertices alone that see one of them.

#include "vertigo/device/graph.cuh"
#include "vertigo/device/reduce.cuh"
#include "vertigo/device/session.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/engines/elections/operators.h"
#include "vertigo/engines/elections/poll.cuh"

namespace vertigo::gpu::elections {

template <class Program>
using ValueOf = decltype(Program{}.vote(Vertex{}));
template <class Program>
using KeyOf = gpu::detail::Key<ValueOf<Program>>;

/// `is_new`: there are no votes of a time before.
template <class Program>
__global__ void __launch_bounds__(kBlock)
    cast_votes(const Program program, const Poll<KeyOf<Program>> poll, const bool is_new) {
  Tally changed_edges(poll.changed_edges);
  const auto degree = [](const Lists& lists, Vertex u) {
    return lists.offsets != nullptr ? lists.offsets[u + 1] - lists.offsets[u] : 0;
  };
  for (const Vertex u : gpu::detail::AllVertices{0, poll.vertex_count}) {
    const auto key = gpu::detail::key_of(program.vote(u));
    if (u + 1 < poll.vertex_count && key >= gpu::detail::key_of(program.vote(u + 1)))
      raise(poll.disordered);
    const bool changed = is_new || poll.votes[u] != key;
    poll.changed[u] = changed ? 1 : 0;
    if (!changed) continue;
    poll.votes[u] = key;
    changed_edges.add(degree(poll.first, u) + degree(poll.second, u));
  }
}

template <class Program>
__global__ void __launch_bounds__(kBlock)
    update(const Program program, const Poll<KeyOf<Program>> poll, const Counter updated_counter) {
  Tally updated(updated_counter);
  using T = ValueOf<Program>;
  for (const Vertex v : gpu::detail::AllVertices{0, poll.vertex_count}) {
    if (!program.concerns(v)) continue;
    const bool elected = poll.elected[v] != 0;
    T winner{};
    if (elected) winner = static_cast<T>(poll.winners[v] ^ gpu::detail::kSignOf<T>);
    program.update(v, elected, winner);
    updated.add(1);
  }
}

/// The one step that the phase takes. One thread.
template <class Program>
__global__ void begin_step(const StepLog log) {
  if (log.records != nullptr) log.records[0].begin_ns = global_nanoseconds();
}
template <class Program>
__global__ void log_step(const StepLog log, const EdgeIndex edges, const Counter updated) {
  StepRecord step{};
  if (log.records != nullptr) step.begin_ns = log.records[0].begin_ns;
  step.end_ns = global_nanoseconds();
  step.active_vertices = *updated.total;
  step.edges = edges;
  record(log, 0, step);
}

template <engines::elections::Wanted Program, class Graph>
class Engine {
  static constexpr Along kAlong = !Program::follows_in    ? Along::Out
                                  : !Program::follows_out ? Along::In
                                                          : Along::Both;

 public:
  void declare(Session& session, const Graph&) {
    poll_.skips_itself = Program::skips_itself;
    declare_poll(session, poll_, kAlong);
    session.declare(updated_, "elections (updated)");
    session.declare(log_, "elections (log)");
  }

  void prepare(Session& session, const Graph& graph) {
    const bool two = kAlong == Along::Both && !graph.symmetric;
    const auto lists = [](const auto& adjacency) {
      return Lists{adjacency.offsets, adjacency.targets};
    };
    poll_.first = kAlong == Along::In && !graph.symmetric ? lists(graph.in) : lists(graph.out);
    poll_.second = two ? lists(graph.in) : Lists{};
    poll_.edge_count = two ? 2 * graph.edge_count : graph.edge_count;
    poll_.is_mutual = two || graph.symmetric;
    prepare_poll(session, poll_);
  }

  void run(Phase& phase, const Program& program, const Graph& graph) {
    if (graph.vertex_count == 0) return;
    Session& session = phase.session();
    const Stream stream = session.stream();
    phase.begin(log_);
    begin_step<Program><<<1, 1, 0, stream>>>(log_);
    session.launched("begin_step");
    session.clear(poll_.changed_edges);
    session.clear(poll_.disordered);
    session.clear(updated_);
    cast_votes<Program><<<session.blocks(), kBlock, 0, stream>>>(program, poll_, phase.is_first());
    session.launched("cast_votes");
    elect_all(session, poll_);
    update<Program><<<session.blocks(), kBlock, 0, stream>>>(program, poll_, updated_);
    session.launched("update");
    log_step<Program><<<1, 1, 0, stream>>>(log_, poll_.edge_count, updated_);
    session.launched("log_step");
    phase.finish(log_, {"count"}, "one step");
  }

 private:
  Poll<KeyOf<Program>> poll_;
  Counter updated_;
  StepLog log_;
};

}  // namespace vertigo::gpu::elections
