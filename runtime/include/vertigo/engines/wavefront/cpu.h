#pragma once
// The engine `wavefront` on the CPU: phases in which each vertex is active at most once, in the
// step after its first message. A step pushes from the front or pulls to the vertices that wait,
// whichever visits fewer edges.

#include <cstdint>

#include "vertigo/cpu/generated.h"
#include "vertigo/engines/wavefront/operators.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::wavefront {

template <engines::wavefront::Wanted Operators, class Graph>
class Engine {
  using Message = decltype(Operators{}.identity());

 public:
  void allocate(const Graph& graph, const host::RunRequest&, host::RunResult&) {
    const Vertex vertices = graph.vertex_count;
    step_.allocate(vertices);
    sent_.allocate(vertices);
    front_.allocate(vertices);
    next_.allocate(vertices);
    active_.allocate(0);
    push_edges_.allocate(0);
    pull_edges_.allocate(0);
  }

  /// The inboxes of those asked hold what they start with.
  void run(execute::PhaseRun& phase, const Operators& operators, const Graph& graph,
           const Worklist& asked, const Message* inbox) {
    const auto& along = operators.sends_out() ? graph.out : graph.in;
    const auto& against = operators.sends_out() ? graph.in : graph.out;
    begin(operators, graph, asked);
    EdgeIndex waiting = graph.edge_count;
    bool is_active = false;  // the front has run its bodies
    for (std::int32_t step = 0; phase.next(!front_.empty()); ++step) {
      measure(along, against);
      const EdgeIndex sends = push_edges_.take(), collects = pull_edges_.take();
      waiting -= collects < waiting ? collects : waiting;
      if (!is_active) activate_front(operators, inbox, step);
      // The last step that a limit permits has no next one, whose bodies a pull would run at once.
      const bool is_last = static_cast<std::uint64_t>(step) + 1 == phase.step_limit();
      is_active = waiting < sends && !is_last;
      next_.clear();
      if (is_active)
        pull(operators, graph, against, step);
      else
        push(operators, along, step);
      phase.done(active_.take(), is_active ? waiting : sends);
      front_.swap(next_);
    }
  }

 private:
  static constexpr std::int32_t kWaiting = -1;
  static constexpr std::int32_t kNever = -2;

  void begin(const Operators& operators, const Graph& graph, const Worklist& asked) {
    std::int32_t* const steps = step_;
    for_each_vertex(graph, [=](Vertex v) { steps[v] = operators.waits(v) ? kWaiting : kNever; });
    front_.clear();
    const Worklist front = front_;
    for_each_listed(asked, [=](Vertex v) {
      if (steps[v] != kWaiting) return;
      steps[v] = 0;
      append(front, v);
    });
  }

  template <class Adjacency>
  void measure(const Adjacency& along, const Adjacency& against) {
    const Counter active = active_, sends = push_edges_, collects = pull_edges_;
    for_each_listed(front_, [=](Vertex v) {
      count(active, 1);
      count(sends, along.offsets[v + 1] - along.offsets[v]);
      count(collects, against.offsets[v + 1] - against.offsets[v]);
    });
  }

  void activate_front(const Operators& operators, const Message* inbox, std::int32_t step) {
    Message* const sent = sent_;
    for_each_listed(front_, [=](Vertex v) {
      sent[v] = operators.activate(v, operators.own(v), inbox[v], step);
    });
  }

  template <class Adjacency>
  void push(const Operators& operators, const Adjacency& along, std::int32_t step) {
    std::int32_t* const steps = step_;
    const Message* const sent = sent_;
    const Worklist next = next_;
    for_each_listed(front_, [=](Vertex v) {
      const Message message = sent[v];
      if (message == operators.identity()) return;
      for (EdgeIndex e = along.offsets[v]; e < along.offsets[v + 1]; ++e) {
        const Vertex u = along.targets[e];
        std::int32_t seen = load_relaxed(steps[u]);
        if (seen == kWaiting && __atomic_compare_exchange_n(&steps[u], &seen, step + 1, false,
                                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
          append(next, u);
          seen = step + 1;
        }
        if (seen == step + 1) operators.deliver(u, message);
      }
    });
  }

  /// Who finds a message is active at once: nobody looks at it before the next step.
  template <class Adjacency>
  void pull(const Operators& operators, const Graph& graph, const Adjacency& against,
            std::int32_t step) {
    std::int32_t* const steps = step_;
    Message* const sent = sent_;
    const Worklist next = next_;
    for_each_vertex(graph, [=](Vertex v) {
      if (load_relaxed(steps[v]) != kWaiting) return;
      Message found = operators.identity();
      bool news = false;
      for (EdgeIndex e = against.offsets[v]; e < against.offsets[v + 1]; ++e) {
        const Vertex u = against.targets[e];
        if (load_relaxed(steps[u]) != step || sent[u] == operators.identity()) continue;
        found = operators.combine(found, sent[u]);
        news = true;
      }
      if (!news) return;
      store_relaxed(steps[v], step + 1);
      sent[v] = operators.activate(v, operators.own(v), found, step + 1);
      append(next, v);
    });
  }

  VertexBuffer<std::int32_t> step_;  ///< in which each vertex was active
  VertexBuffer<Message> sent_;       ///< by each vertex that was active
  WorklistBuffer front_;
  WorklistBuffer next_;
  CounterBuffer active_;
  CounterBuffer push_edges_;
  CounterBuffer pull_edges_;
};

}  // namespace vertigo::cpu::wavefront
