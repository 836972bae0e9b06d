#pragma once
// The engine `distances` on the CPU: near-far search (Davidson et al., Work-efficient parallel GPU
// methods for single-source shortest paths, 2014, section 4). Vertices whose value lies in front of
// a threshold send until none of them improves any more; the others wait. Then the threshold moves
// to the best of those that wait, and a little further.

#include <cstddef>
#include <limits>
#include <type_traits>

#include "vertigo/cpu/generated.h"
#include "vertigo/engines/common/both_ways/cpu.h"
#include "vertigo/engines/common/predecessors/cpu.h"
#include "vertigo/engines/distances/operators.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::distances {

namespace detail {

template <class Sent>
struct SentTypes;
template <class Operators, class V, class W>
struct SentTypes<V (Operators::*)(V, W) const> {
  using Value = V;
  using Weight = W;
};

/// Vertices without duplicates.
class VertexSet {
 public:
  void allocate(std::size_t vertices) {
    list_.allocate(vertices);
    bits_.allocate(vertices);
  }
  void clear() {
    list_.clear();
    bits_.clear();
  }
  bool empty() const { return list_.empty(); }
  void swap(VertexSet& other) {
    list_.swap(other.list_);
    bits_.swap(other.bits_);
  }

  /// What a parallel loop takes along.
  struct View {
    Worklist list;
    Bitmap bits;

    void insert(Vertex v) const {
      if (test_and_set(bits, v)) append(list, v);
    }
  };
  View view() { return {list_, bits_}; }

  /// take(v) for all members, which are none afterwards; `take` may insert into other sets.
  template <class Take>
  void take_all(const Take& take) {
    const Bitmap bits = bits_;
    for_each_listed(list_, [=](Vertex v) {
      clear_bit(bits, v);
      take(v);
    });
    list_.clear();
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for_each_listed(list_, visit);
  }

 private:
  WorklistBuffer list_;
  BitmapBuffer bits_;
};

}  // namespace detail

template <engines::distances::Wanted Operators, class Graph>
class Engine {
  using Types = detail::SentTypes<decltype(&Operators::sent)>;
  using Value = typename Types::Value;
  using Weight = typename Types::Weight;
  using GraphEdge = Edge<std::remove_cvref_t<decltype(Graph{}.default_weight)>>;
  static constexpr bool kWeighted = !std::is_same_v<GraphEdge, Edge<NoWeight>>;
  static constexpr bool kDownwards = Operators::minimizes;
  static constexpr Value kWorst = kDownwards                  ? kInfinity<Value>
                                  : std::is_integral_v<Value> ? std::numeric_limits<Value>::lowest()
                                                              : -kInfinity<Value>;

 public:
  void allocate(const Graph& graph, const host::RunRequest&, host::RunResult&) {
    for (detail::VertexSet* set : {&near_, &next_, &far_, &further_})
      set->allocate(graph.vertex_count);
    sent_.allocate(graph.vertex_count);
    active_.allocate(0);
    edges_.allocate(0);
    weights_ = weights_of(graph);
  }

  void run(execute::PhaseRun& phase, const Operators& operators, const Graph& graph,
           VertexBuffer<Value>& state, const VertexBuffer<Value>& inbox) {
    for (detail::VertexSet* set : {&near_, &next_, &far_, &further_}) set->clear();
    if constexpr (Operators::pins_width)
      width_ = operators.window_width();
    else
      width_ = width_for(operators, graph);
    begin(operators, graph, state, inbox);
    // A window settles at least the best value that waited, so there are no more than vertices.
    while (phase.next(!far_.empty())) {
      const Value threshold = move_threshold(state);
      while (!near_.empty()) {
        relax(operators, graph, state, threshold);
        near_.swap(next_);
      }
      phase.done(active_.take(), edges_.take());
    }
  }

 private:
  static bool better(Value a, Value b) { return kDownwards ? a < b : b < a; }
  static bool improve(Value& slot, Value value) {
    if constexpr (kDownwards)
      return combine_min(slot, value);
    else
      return combine_max(slot, value);
  }
  /// The value `width` worse; the worst where the type has no such value.
  static Value behind(Value value, Value width) {
    Value moved{};
    if constexpr (std::is_integral_v<Value>)
      moved = kDownwards ? (value > kWorst - width ? kWorst : value + width)
                         : (value < kWorst + width ? kWorst : value - width);
    else
      moved = kDownwards ? value + width : value - width;
    return better(value, moved) ? moved : kWorst;
  }

  struct Weights {
    double mean = 1, best = 1, worst = 1;
  };
  static Weights weights_of([[maybe_unused]] const Graph& graph) {
    if constexpr (!kWeighted) {
      return {};
    } else {
      double sum = 0;
      double best = static_cast<double>(graph.default_weight), worst = best;
      if (graph.out.weights != nullptr && graph.edge_count > 0) {
        best = worst = static_cast<double>(graph.out.weights[0]);
        for (EdgeIndex e = 0; e < graph.edge_count; ++e) {
          const auto weight = static_cast<double>(graph.out.weights[e]);
          sum += weight;
          best = better_number(weight, best) ? weight : best;
          worst = better_number(worst, weight) ? weight : worst;
        }
        sum /= static_cast<double>(graph.edge_count);
      }
      return {graph.out.weights != nullptr ? sum : best, best, worst};
    }
  }
  /// Weights apart from the best one, on the average, for each of the edges by which a vertex can
  /// be reached: sparse graphs need wide windows to have work for all threads.
  Value width_for(const Operators& operators, const Graph& graph) const {
    const auto [mean, best, worst] = weights_;
    const double moved = engines::distances::moved_by_weight<Value>(
        operators, convert<Weight>(best), convert<Weight>(worst));
    const double spread = moved * (kDownwards ? mean : best - mean);
    const double degree = 1 + static_cast<double>(graph.edge_count) / (1.0 + graph.vertex_count);
    const auto width = convert<Value>(spread * (1 + 32 / degree));
    return width > Value{0} ? width : Value{1};
  }
  static bool better_number(double a, double b) { return kDownwards ? a < b : b < a; }

  /// The same on every edge of a graph without an edge attribute; nothing reads it then.
  static Weight weight_of([[maybe_unused]] const GraphEdge& edge) {
    if constexpr (kWeighted)
      return edge.weight;
    else
      return Weight{1};
  }

  // The edges that v sends along.
  static auto edges_of(const Graph& graph, Vertex v) {
    if constexpr (engines::distances::kSendsBack<Operators>)
      return in_edges(graph, v);
    else
      return out_edges(graph, v);
  }
  static auto degree(const Graph& graph, Vertex v) {
    if constexpr (engines::distances::kSendsBack<Operators>)
      return in_degree(graph, v);
    else
      return out_degree(graph, v);
  }

  static Value message_of(const Operators& operators, Value value, [[maybe_unused]] Vertex v,
                          [[maybe_unused]] Vertex u, Weight weight) {
    if constexpr (engines::distances::kHasSentTo<Operators>)
      return operators.sent_to(value, v, u, weight);
    else if constexpr (engines::distances::kHasSentBy<Operators>)
      return operators.sent_by(value, v, weight);
    else
      return operators.sent(value, weight);
  }

  /// Whether `message`, which v sends with `value` along an edge, reaches its end.
  static bool reaches([[maybe_unused]] const Operators& operators, [[maybe_unused]] Value value,
                      [[maybe_unused]] Vertex v, [[maybe_unused]] const GraphEdge& edge,
                      [[maybe_unused]] Value message) {
    if constexpr (engines::distances::kHasPasses<Operators>)
      if (!operators.passes(value, v, edge.neighbour, weight_of(edge))) return false;
    if constexpr (engines::distances::kHasReceives<Operators>)
      if (!operators.receives(message, edge.neighbour)) return false;
    return true;
  }

  /// Start values become states; their vertices wait.
  void begin(const Operators& operators, const Graph& graph, VertexBuffer<Value>& states,
             const VertexBuffer<Value>& inboxes) {
    Value* const state = states;
    Value* const sent = sent_;
    const Value* const inbox = inboxes;
    const auto far = far_.view();
    for_each_vertex(graph, [=](Vertex v) {
      sent[v] = state[v];
      if (!better(inbox[v], state[v])) return;
      if constexpr (engines::distances::kHasBegins<Operators>)
        if (!operators.begins(inbox[v], v)) return;
      state[v] = inbox[v];
      far.insert(v);
    });
  }

  /// Behind the best value that waits; who stands in front of it then is near.
  Value move_threshold(VertexBuffer<Value>& states) {
    const Value* const state = states;
    const Value* const sent = sent_;
    Value best = kWorst;
    Value* const best_slot = &best;
    far_.for_each([=](Vertex v) {
      if (better(state[v], sent[v])) improve(*best_slot, state[v]);
    });
    const Value threshold = behind(best, width_);
    const auto near = near_.view();
    const auto further = further_.view();
    far_.take_all([=](Vertex v) {
      if (!better(state[v], sent[v])) return;
      if (better(state[v], threshold))
        near.insert(v);
      else
        further.insert(v);
    });
    far_.swap(further_);
    return threshold;
  }

  void relax(const Operators& operators, const Graph& graph, VertexBuffer<Value>& states,
             Value threshold) {
    Value* const state = states;
    Value* const sent = sent_;
    const auto next = next_.view();
    const auto far = far_.view();
    const Counter active = active_;
    const Counter edges = edges_;
    near_.take_all([=](Vertex v) {
      const Value value = load_relaxed(state[v]);
      if (!better(value, sent[v])) return;
      sent[v] = value;
      count(active, 1);
      if constexpr (engines::distances::kHasSends<Operators>)
        if (!operators.sends(v)) return;
      count(edges, degree(graph, v));
      for (const GraphEdge edge : edges_of(graph, v)) {
        const Value message = message_of(operators, value, v, edge.neighbour, weight_of(edge));
        if (!reaches(operators, value, v, edge, message)) continue;
        if (!improve(state[edge.neighbour], message)) continue;
        if (better(message, threshold))
          next.insert(edge.neighbour);
        else
          far.insert(edge.neighbour);
      }
    });
  }

  detail::VertexSet near_;     ///< in front of the threshold
  detail::VertexSet next_;     ///< the same, of the next round
  detail::VertexSet far_;      ///< behind it, or settled meanwhile
  detail::VertexSet further_;  ///< behind the next one
  VertexBuffer<Value> sent_;   ///< the value that a vertex sent last
  CounterBuffer active_;
  CounterBuffer edges_;
  Value width_{};
  Weights weights_;
};

/// Pairs: the values of all vertices, then who sent them.
template <engines::distances::Wanted Operators, class Graph>
  requires(Operators::sends_pairs && !engines::kSendsBoth<Operators>)
class Engine<Operators, Graph>
    : public predecessors::PairEngine<Engine<predecessors::Values<Operators>, Graph>, Operators> {};

/// Both directions of edges.
template <engines::distances::Wanted Operators, class Graph>
  requires(engines::kSendsBoth<Operators>)
class Engine<Operators, Graph> : public BothWays<Engine<engines::OneWay<Operators>, Graph>, Graph> {
};

}  // namespace vertigo::cpu::distances
