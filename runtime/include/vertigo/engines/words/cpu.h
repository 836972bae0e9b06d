#pragma once
// The engine `words` on the CPU: many searches at once, as sets of bits. A step runs the bodies of
// all vertices that got new bits; then they push what they send, or every vertex that lacks bits
// looks for them among its neighbours until it has all that anybody sends (Then et al., The More
// the Merrier: Efficient Multi-Source Graph Traversal, VLDB 2014).

#include "vertigo/cpu/generated.h"
#include "vertigo/engines/common/edge_condition.h"
#include "vertigo/engines/words/operators.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::words {

template <engines::words::Wanted Operators, class Graph>
class Engine {
  using Bits = decltype(Operators{}.identity());

 public:
  void allocate(const Graph& graph, const host::RunRequest&, host::RunResult&) {
    fresh_.allocate(graph.vertex_count);
    sent_.allocate(graph.vertex_count);
    front_.allocate(graph.vertex_count);
    next_.allocate(graph.vertex_count);
    sending_edges_.allocate(0);
    visited_edges_.allocate(0);
  }

  /// The inboxes of those asked hold what they start with. `seen`: the state that gathers the bits.
  void run(execute::PhaseRun& phase, const Operators& operators, const Graph& graph,
           const Worklist& asked, const Bits* inbox, Bits* seen) {
    begin(operators, graph, asked, inbox, seen);
    const std::uint64_t edges = graph.edge_count * kDirections;
    for (std::int32_t step = 0; phase.next(!front_.empty()); ++step) {
      const std::uint64_t vertices = Worklist(front_).vertices().size();
      const Bits carried = activate(operators, graph, seen, step);
      next_.clear();
      if (sending_edges_.take() * kPullAbove > edges)
        pull(operators, graph, seen, carried);
      else
        push(operators, graph, seen);
      Bits* const sent = sent_;
      for_each_listed(front_, [=](Vertex v) { sent[v] = Bits{0}; });
      front_.swap(next_);
      phase.done(vertices, visited_edges_.take());
    }
  }

 private:
  static constexpr std::uint64_t kDirections = Operators::sends_out + Operators::sends_back;
  /// Pull where more than one of so many edges would be pushed along.
  static constexpr std::uint64_t kPullAbove = 8;

  using Weight = std::remove_cvref_t<decltype(Graph{}.default_weight)>;

  /// Calls visit(edges from the senders, edges from the receivers) for each direction.
  template <class Visit>
  static void for_each_direction(const Graph& graph, const Visit& visit) {
    if constexpr (Operators::sends_out) visit(graph.out, graph.in);
    if constexpr (Operators::sends_back) visit(graph.in, graph.out);
  }
  template <class Lists>
  static EdgeRange<Weight> edges_of(const Lists& lists, const Graph& graph, Vertex v) {
    return {lists, graph.default_weight, v};
  }

  void begin(const Operators& operators, const Graph& graph, const Worklist& asked,
             const Bits* inbox, const Bits* seen) {
    Bits* const fresh = fresh_;
    Bits* const sent = sent_;
    for_each_vertex(graph, [=](Vertex v) { fresh[v] = sent[v] = Bits{0}; });
    front_.clear();
    const Worklist front = front_;
    for_each_listed(asked, [=](Vertex v) {
      fresh[v] = static_cast<Bits>(inbox[v] & ~seen[v]);
      if (fresh[v] != 0 && operators.listens(v)) append(front, v);
    });
  }

  /// Runs the bodies of the front; all bits that are sent.
  Bits activate(const Operators& operators, const Graph& graph, Bits* seen, std::int32_t step) {
    Bits* const fresh = fresh_;
    Bits* const sent = sent_;
    Bits carried{0};
    Bits* const all = &carried;
    const Counter edges = sending_edges_;
    for_each_listed(front_, [=, &graph](Vertex v) {
      const Bits bits = fresh[v];
      fresh[v] = Bits{0};
      sent[v] = operators.activate(v, operators.own(v), seen[v], bits, step);
      seen[v] = static_cast<Bits>(seen[v] | bits);
      if (sent[v] == 0) return;
      if ((sent[v] & ~load_relaxed(*all)) != 0) __atomic_fetch_or(all, sent[v], __ATOMIC_RELAXED);
      for_each_direction(graph, [&](const auto& along, const auto&) {
        count(edges, along.offsets[v + 1] - along.offsets[v]);
      });
    });
    return carried;
  }

  void push(const Operators& operators, const Graph& graph, const Bits* seen) {
    Bits* const fresh = fresh_;
    const Bits* const sent = sent_;
    const Worklist next = next_;
    const Counter visited = visited_edges_;
    for_each_listed(front_, [=, &graph](Vertex v) {
      if (sent[v] == 0) return;
      for_each_direction(graph, [&](const auto& along, const auto&) {
        count(visited, along.offsets[v + 1] - along.offsets[v]);
        for (const Edge<Weight> edge : edges_of(along, graph, v)) {
          const Vertex u = edge.neighbour;
          const auto bits = static_cast<Bits>(sent[v] & ~seen[u]);
          if ((bits & ~load_relaxed(fresh[u])) == 0 || !operators.listens(u)) continue;
          if (!engines::passes(operators, v, u, edge.weight)) continue;
          if (__atomic_fetch_or(&fresh[u], bits, __ATOMIC_RELAXED) == 0) append(next, u);
        }
      });
    });
  }

  void pull(const Operators& operators, const Graph& graph, const Bits* seen, Bits carried) {
    Bits* const fresh = fresh_;
    const Bits* const sent = sent_;
    const Worklist next = next_;
    const Counter visited = visited_edges_;
    for_each_vertex(graph, [=, &graph](Vertex u) {
      Bits missing = static_cast<Bits>(carried & ~seen[u]);
      if (missing == 0 || !operators.listens(u)) return;
      std::uint64_t looked = 0;
      for_each_direction(graph, [&](const auto&, const auto& against) {
        if (missing == 0) return;
        for (const Edge<Weight> edge : edges_of(against, graph, u)) {
          ++looked;
          const auto bits = static_cast<Bits>(sent[edge.neighbour] & missing);
          if (bits == 0 || !engines::passes(operators, edge.neighbour, u, edge.weight)) continue;
          fresh[u] = static_cast<Bits>(fresh[u] | bits);
          missing = static_cast<Bits>(missing & ~bits);
          if (missing == 0) break;
        }
      });
      count(visited, looked);
      if (fresh[u] != 0) append(next, u);
    });
  }

  VertexBuffer<Bits> fresh_;  ///< new bits of the vertices of a front
  VertexBuffer<Bits> sent_;   ///< by the vertices of the front; 0 elsewhere
  WorklistBuffer front_;
  WorklistBuffer next_;
  CounterBuffer sending_edges_;
  CounterBuffer visited_edges_;
};

}  // namespace vertigo::cpu::words
