#pragma once
// The engine `sweeps` on the CPU: a loop of sweeps from level to level, each vertex once. Vertices
// are sorted by level (counting sort); when its turn comes, a vertex collects its messages from the
// neighbours of the level before.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "vertigo/cpu/generated.h"
#include "vertigo/engines/sweeps/operators.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::sweeps {

template <engines::sweeps::Wanted Operators, class Graph>
class Engine {
  using Message = decltype(Operators{}.identity());

 public:
  void allocate(const Graph& graph, const host::RunRequest&, host::RunResult&) {
    sent_.allocate(graph.vertex_count);
    edges_.allocate(0);
  }

  /// Runs the loop from `level` to `last`, where `level` then is.
  template <class Level>
  void run(execute::PhaseRun& phase, const Operators& operators, const Graph& graph, Message* inbox,
           Level& level, Level last) {
    const std::int64_t first = level;
    const std::int64_t step = operators.downward() ? -1 : 1;
    const auto count = static_cast<std::uint64_t>((last - first) * step) + 1;
    const auto& against = operators.sends_out() ? graph.in : graph.out;
    phase.next(true);
    for (std::uint64_t done = 0; done < count; done += kWindow) {
      const std::uint64_t turns = std::min(count - done, kWindow);
      sort(operators, graph, first + static_cast<std::int64_t>(done) * step, step, turns);
      for (std::uint64_t turn = 0; turn < turns; ++turn) {
        const std::int64_t here = first + static_cast<std::int64_t>(done + turn) * step;
        const std::size_t begin = turn == 0 ? 0 : ends_[turn - 1];
        update(operators, against, begin, ends_[turn], static_cast<Level>(here),
               static_cast<Level>(here - step), done + turn > 0, inbox);
        phase.done(ends_[turn] - begin, edges_.take());
        phase.next_round();
      }
    }
    if constexpr (Operators::keeps_inboxes) hand_on(operators, graph, last);
    level = last;
  }

 private:
  /// Levels that are sorted at a time.
  static constexpr std::uint64_t kWindow = 1 << 16;

  void sort(const Operators& operators, const Graph& graph, std::int64_t first, std::int64_t step,
            std::uint64_t turns) {
    const auto turn_of = [&](Vertex v) {
      return static_cast<std::uint64_t>((operators.level_of(v) - first) * step);
    };
    ends_.assign(turns, 0);
    for (Vertex v = 0; v < graph.vertex_count; ++v)
      if (turn_of(v) < turns) ++ends_[turn_of(v)];
    std::size_t sum = 0;
    for (std::size_t& end : ends_) sum = std::exchange(end, sum) + sum;
    order_.resize(sum);
    for (Vertex v = 0; v < graph.vertex_count; ++v)
      if (turn_of(v) < turns) order_[ends_[turn_of(v)]++] = v;
  }

  template <class Adjacency, class Level>
  void update(const Operators& operators, const Adjacency& against, std::size_t begin,
              std::size_t end, Level level, Level before, bool collects, Message* inboxes) {
    const Vertex* const order = order_.data() + begin;
    Message* const sent = sent_;
    const Counter edges = edges_;
    detail::parallel_chunks(end - begin, 64, [=](std::size_t i) {
      const Vertex v = order[i];
      Message inbox = operators.identity();
      if (collects) {
        count(edges, against.offsets[v + 1] - against.offsets[v]);
        for (EdgeIndex e = against.offsets[v]; e < against.offsets[v + 1]; ++e) {
          const Vertex u = against.targets[e];
          if (operators.level_of(u) == before) inbox = operators.combine(inbox, sent[u]);
        }
      }
      if constexpr (Operators::keeps_inboxes)
        inbox = operators.combine(std::exchange(inboxes[v], operators.identity()), inbox);
      sent[v] = operators.update(v, operators.own(v), inbox, level);
    });
  }

  /// What the last level sent waits in the inboxes.
  template <class Level>
  void hand_on(const Operators& operators, const Graph& graph, Level last) {
    const auto& along = operators.sends_out() ? graph.out : graph.in;
    const Message* const sent = sent_;
    for_each_vertex(graph, [=](Vertex v) {
      if (operators.level_of(v) != last) return;
      for (EdgeIndex e = along.offsets[v]; e < along.offsets[v + 1]; ++e)
        if (operators.hands_on(v, along.targets[e])) operators.deliver(along.targets[e], sent[v]);
    });
  }

  VertexBuffer<Message> sent_;     ///< by each vertex that had its turn
  std::vector<Vertex> order_;      ///< vertices by level
  std::vector<std::size_t> ends_;  ///< of each level in `order_`
  CounterBuffer edges_;
};

}  // namespace vertigo::cpu::sweeps
