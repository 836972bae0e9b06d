#pragma once
// Witnesses after values on the CPU: what vertigo/engines/common/predecessors/device.cuh says, one
// vertex at a time. An engine finds the values of phases whose messages are pairs; then every
// vertex takes the best witness among its start, its first state and the messages of the
// in-neighbours from which its value comes.

#include "vertigo/cpu/generated.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::predecessors {

/// Lists ascend by id (vertigo/graph/graph.h), so that no sender behind the first one that sends a
/// vertex its value is smaller.
template <class Operators>
inline constexpr bool kFirstIsBest = Operators::witness_is_sender && Operators::minimizes;

/// The operators as an engine of plain values asks for them. An engine may note of a vertex the
/// first in its list of in-edges that had a value when the vertex was reached: most witnesses need
/// not be looked up then.
template <class Operators>
struct Values : Operators {
  static constexpr bool sends_pairs = false;
  static constexpr bool knows_initial = true;
  static constexpr bool notes_senders = kFirstIsBest<Operators> && !Operators::sent_reads_edge;
  Vertex* first_senders = nullptr;
  auto initial() const { return get<0>(Operators::initial()); }
};

template <class Operators>
class Witnesses {
  using Pair = decltype(Operators{}.initial());
  using Value = decltype(get<0>(Pair{}));
  using Witness = decltype(get<1>(Pair{}));
  static constexpr bool kDown = Operators::minimizes;

 public:
  template <class Graph>
  void allocate(const Graph& graph) {
    values_.allocate(graph.vertex_count);
    start_values_.allocate(graph.vertex_count);
    active_.allocate(graph.vertex_count);
    open_.allocate(graph.vertex_count);
    edges_.allocate(0);
    if constexpr (kNotesSenders) first_senders_.allocate(graph.vertex_count);
  }

  template <class Graph, class Inbox>
  void begin(const Operators& operators, const Graph& graph, VertexBuffer<Inbox>& inboxes) {
    Value* const values = values_;
    Value* const start_values = start_values_;
    const Inbox* const starts = inboxes;
    const Value initial = get<0>(operators.initial());
    Vertex* const first_senders = first_senders_;
    for_each_vertex(graph, [=](Vertex v) {
      if constexpr (kNotesSenders) first_senders[v] = kNobody;
      values[v] = initial;
      start_values[v] = get<0>(Pair(starts[v]));
    });
  }
  /// For the search for the values.
  Values<Operators> operators_of_values(const Operators& operators) {
    return {operators, first_senders_};
  }
  VertexBuffer<Value>& values() { return values_; }
  VertexBuffer<Value>& start_values() { return start_values_; }

  template <class Graph, class Inbox>
  void find(execute::PhaseRun& phase, const Operators& operators, const Graph& graph,
            VertexBuffer<Inbox>& inboxes, VertexBuffer<Pair>& states) {
    phase.next_round();  // a limit of steps is for the search
    Pair* const state = states;
    const Inbox* const starts = inboxes;
    const Pair initial = operators.initial();
    const Bitmap active = active_;
    // Values are final: who has another than the first was active.
    const Value* const values = values_;
    const Bitmap open = open_;
    [[maybe_unused]] const Vertex* const first_senders = first_senders_;
    for_each_word(graph, [=](std::size_t w, std::uint64_t all) {
      std::uint64_t found = 0;
      std::uint64_t noted = 0;
      for_each_bit(w, all, [&](Vertex v) {
        const std::uint64_t bit = std::uint64_t{1} << v % 64;
        const Pair start = starts[v];
        const bool is_first = values[v] == get<0>(initial);
        Witness witness = is_first ? get<1>(initial) : kWorst<Witness>;
        if (get<0>(start) == values[v]) witness = best(witness, get<1>(start));
        if constexpr (kNotesSenders) {
          // Who was found when a limit of steps ended the search has not taken a value.
          if (!is_first && first_senders[v] != kNobody && is_settled(operators, values[v])) {
            witness = best(witness, operators.predecessor(first_senders[v]));
            noted |= bit;
          }
        }
        state[v] = Pair{values[v], witness};
        if (!is_first || !(state[v] == initial)) found |= bit;
      });
      active.words[w] = found;
      open.words[w] = all & ~noted;
    });
    look_up(operators, graph, state, true);
    // A witness alone may make vertices active whose value is the first one: sums that saturate,
    // capacities of zero. They send to others of that kind; each round but the last finds some.
    while (look_up(operators, graph, state, false)) {
    }
    phase.done(0, edges_.take());
  }

 private:
  template <class T>
  static constexpr T kWorst = kDown ? kInfinity<T> : kLowest<T>;

  static constexpr bool kNotesSenders = Values<Operators>::notes_senders;
  static constexpr Vertex kNobody = ~Vertex{0};

  static Witness best(Witness a, Witness b) { return kDown ? (b < a ? b : a) : (a < b ? b : a); }

  /// Of those whose witness is not known, or of those whose value is the first one. True where a
  /// vertex became active, or the witness of one improved that only witnesses make so.
  template <class Graph>
  bool look_up(const Operators& operators, const Graph& graph, Pair* state, bool everybody) {
    const Value* const values = values_;
    const Bitmap active = active_;
    const Counter edges = edges_;
    const Bitmap open = open_;
    const Pair initial = operators.initial();
    std::uint32_t changed = 0;
    std::uint32_t* const changed_word = &changed;
    const auto look = [=, &graph](Vertex v) {
      const bool is_late = values[v] == get<0>(initial);
      if (!everybody && !is_late) return;
      std::uint64_t looked = 0;
      Witness witness = get<1>(state[v]);
      for (const auto edge : in_edges(graph, v)) {
        ++looked;
        const Vertex u = edge.neighbour;
        if (!(sent(operators, values[u], edge.weight) == values[v]) || !test_bit(active, u))
          continue;
        witness = best(witness, witness_of(operators, edge));
        if constexpr (kFirstIsBest<Operators>) break;
      }
      count(edges, looked);
      if (witness == get<1>(state[v])) return;
      state[v] = Pair{values[v], witness};
      if (!is_late) return;
      set_bit(active, v);
      __atomic_store_n(changed_word, 1u, __ATOMIC_RELAXED);
    };
    for_each_word(graph,
                  [=](std::size_t w, std::uint64_t) { for_each_bit(w, open.words[w], look); });
    return changed != 0;
  }

  /// Whether nobody that was reached later sends `value`, too: what is sent never falls as values
  /// rise, so that all of them send more where the first of them does.
  static bool is_settled(const Operators& operators, Value value) {
    return value < operators.sent(value);
  }

  template <class Weight>
  static Value sent(const Operators& operators, Value value, Weight weight) {
    if constexpr (Operators::sent_reads_edge)
      return operators.sent(value, weight);
    else
      return operators.sent(value);
  }
  template <class Edge>
  static Witness witness_of(const Operators& operators, const Edge& edge) {
    if constexpr (Operators::witness_is_sender)
      return operators.predecessor(edge.neighbour);
    else if constexpr (Operators::witness_reads_edge)
      return operators.witness(edge.neighbour, edge.weight);
    else
      return operators.witness(edge.neighbour);
  }

  VertexBuffer<Value> values_;
  VertexBuffer<Value> start_values_;
  VertexBuffer<Vertex> first_senders_;  // where the search notes them
  BitmapBuffer active_;
  BitmapBuffer open_;  // the witness is to be looked up
  CounterBuffer edges_;
};

/// An engine for pairs: `Search` finds the values of all vertices, then it is looked up who sent
/// them.
template <class Search, class Operators>
class PairEngine {
 public:
  template <class Graph>
  void allocate(const Graph& graph, const host::RunRequest& request, host::RunResult& result) {
    search_.allocate(graph, request, result);
    witnesses_.allocate(graph);
  }

  /// `more`: what Search wants besides.
  template <class Graph, class Pair, class Inbox, class... More>
  void run(execute::PhaseRun& phase, const Operators& operators, const Graph& graph,
           VertexBuffer<Pair>& states, VertexBuffer<Inbox>& inbox, More&... more) {
    witnesses_.begin(operators, graph, inbox);
    search_.run(phase, witnesses_.operators_of_values(operators), graph, witnesses_.values(),
                witnesses_.start_values(), more...);
    witnesses_.find(phase, operators, graph, inbox, states);
  }

 private:
  Search search_;
  Witnesses<Operators> witnesses_;
};

}  // namespace vertigo::cpu::predecessors
