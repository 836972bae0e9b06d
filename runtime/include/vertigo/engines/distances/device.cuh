#pragma once
// The engine `distances`: an improving phase whose messages depend on the weights of edges, worked
// on in the order of its values. Shortest paths are its model; anything that combines by minimum or
// maximum and sends, along an edge, something that is never better than what arrived and worse (or
// equal) for worse weights goes the same way.
//
// Two ways of working, chosen by the graph: along lists sorted by weight (sorted.cuh), or
// through a sliding window of values (window.cuh).

#include <type_traits>

#include "vertigo/device/prepare.cuh"
#include "vertigo/engines/common/both_ways/device.cuh"
#include "vertigo/engines/common/predecessors/device.cuh"
#include "vertigo/engines/distances/core.cuh"
#include "vertigo/engines/distances/in_lists.cuh"
#include "vertigo/engines/distances/lists.cuh"
#include "vertigo/engines/distances/operators.h"
#include "vertigo/engines/distances/sorted.cuh"
#include "vertigo/engines/distances/summary.cuh"
#include "vertigo/engines/distances/window.cuh"

namespace vertigo::gpu::distances {

namespace detail {

template <class Sent>
struct SentTypes;
template <class Operators, class V, class W>
struct SentTypes<V (Operators::*)(V, W) const> {
  using Value = V;
  using Weight = W;
};

/// The emitted operators as the kernels ask for them.
template <class Operators>
struct Program {
  using Types = SentTypes<decltype(&Operators::sent)>;
  using Value = typename Types::Value;
  using Weight = typename Types::Weight;
  using Combine = std::conditional_t<Operators::minimizes, Min, Max>;
  static constexpr bool kPinsWidth = Operators::pins_width;

  Operators operators;

  __device__ __forceinline__ Value sent(Value value, Weight weight) const {
    return operators.sent(value, weight);
  }
  __device__ __forceinline__ Value sent_by(Value value, Vertex v, Weight weight) const {
    if constexpr (engines::distances::kHasSentBy<Operators>)
      return operators.sent_by(value, v, weight);
    else
      return operators.sent(value, weight);
  }

  __device__ __forceinline__ Value sent_to(Value value, Vertex v, [[maybe_unused]] Vertex u,
                                           Weight weight) const {
    if constexpr (engines::distances::kHasSentTo<Operators>)
      return operators.sent_to(value, v, u, weight);
    else
      return sent_by(value, v, weight);
  }

  // Conditions; none: true.
  __device__ __forceinline__ bool begins(Value value, Vertex v) const {
    if constexpr (engines::distances::kHasBegins<Operators>)
      return operators.begins(value, v);
    else
      return true;
  }
  __device__ __forceinline__ bool sends(Vertex v) const {
    if constexpr (engines::distances::kHasSends<Operators>)
      return operators.sends(v);
    else
      return true;
  }
  static constexpr bool kAsksEnds = engines::distances::kHasPasses<Operators> ||
                                    engines::distances::kHasSentBy<Operators> ||
                                    engines::distances::kHasSentTo<Operators>;
  static constexpr bool kAsks = kAsksEnds || engines::distances::kHasReceives<Operators>;
  __device__ __forceinline__ bool passes(Value value, Vertex v, Vertex u, Weight weight) const {
    if constexpr (engines::distances::kHasPasses<Operators>)
      return operators.passes(value, v, u, weight);
    else
      return true;
  }
  __device__ __forceinline__ bool receives(Value value, Vertex u) const {
    if constexpr (engines::distances::kHasReceives<Operators>)
      return operators.receives(value, u);
    else
      return true;
  }
};

}  // namespace detail

/// What the engine made of the edges.
template <class Edge>
struct PreparedEdges {
  Edge* out = nullptr;
  Edge* in = nullptr;
  Edge* core_in = nullptr;
  Heads<Edge>* heads = nullptr;
};

template <engines::distances::Wanted Operators, class Graph>
class Engine {
  using Program = detail::Program<Operators>;
  using Value = typename Program::Value;
  using Weight = typename Program::Weight;
  using Combine = typename Program::Combine;
  using Wide = WideEdge<Weight>;

 public:
  void declare(Session& session, Graph& graph) {
    summary_ = summarize_lists<Weight>(session, weighted(graph.out).everywhere, kBack);
    if (!kWeighted) summary_.take_equal(kNoWeight);
    in_window_ = session.is_deep(summary_.has_long_paths) && summary_.most_edges <= kShortLists;
    is_narrow_ = vertex_bits(session.vertex_count()) + summary_.range_bits <= 32;
    if (!in_window_) core_ = wanted_core(session, graph.symmetric);
    pulls_ = in_window_        ? Lists::None
             : has_core()      ? Lists::Core
             : graph.symmetric ? Lists::Out
                               : Lists::In;
    session.declare(log_, "steps of engine 'distances'");
    if (in_window_)
      declare_window(session);
    else
      declare_sorted(session);
    with_edges([&](auto& edges) { declare_edges(session, graph.symmetric, edges); });
  }

  void prepare(Session& session, const Graph& graph) {
    with_edges([&](auto& edges) { prepare_edges(session, graph, edges); });
  }

  void run(Phase& phase, const Operators& operators, const Graph& graph, Value* state,
           const Value* inbox) {
    search(phase, operators, graph, state, inbox);
    finish(phase);
  }

  // The two halves of run(): what is launched between them does not wait for the host.

  void search(Phase& phase, const Operators& operators, const Graph& graph, Value* state,
              const Value* inbox) {
    phase.begin(log_);
    with_edges([&](const auto& edges) {
      if (in_window_)
        run_in_window(phase, problem(phase, operators, graph, state, inbox, edges), edges);
      else
        run_along_lists(phase, problem(phase, operators, graph, state, inbox, edges), edges);
    });
  }
  void finish(Phase& phase) {
    if (in_window_)
      phase.finish(log_, {"window", "sweep"}, "long paths and small degrees: a sliding window");
    else
      phase.finish(log_, {"look", "push", "list", "pull", "rest"},
                   has_core() ? "short paths: lists sorted by weight, and a core of them"
                              : "short paths: lists sorted by weight");
  }

  InLists<Combine, Weight> in_lists(const Graph& graph) {
    InLists<Combine, Weight> lists{.plain = weighted(graph.in)};
    if (pulls_ == Lists::None) return lists;
    const RecordCode<Weight> code = record_code();
    lists.code = {code.weight_bits, code.best_weight};
    with_edges([&](const auto& edges) {
      if (pulls_ == Lists::Out)
        lists.take({out_offsets_, edges.out});
      else
        lists.take({in_offsets_, edges.in});
    });
    return lists;
  }

 private:
  static constexpr bool kPinsWidth = Operators::pins_width;

  // Out-lists are those of senders, in-lists those of receivers: of a program that sends back, the
  // graph's the other way round.
  static constexpr bool kBack = engines::distances::kSendsBack<Operators>;
  static Adjacency<Weight> out_of(const Graph& graph) {
    return weighted(kBack ? graph.in : graph.out);
  }
  static Adjacency<Weight> in_of(const Graph& graph) {
    return weighted(kBack ? graph.out : graph.in);
  }

  // A graph without an edge attribute has the same weight everywhere, which nothing reads.
  static constexpr bool kWeighted = !__is_same(typename Graph::Attribute, NoAttribute);
  static constexpr Weight kNoWeight{1};
  static Adjacency<Weight> weighted(const Adjacency<typename Graph::Attribute>& lists) {
    if constexpr (kWeighted)
      return lists;
    else
      return {lists.offsets, lists.targets, nullptr, kNoWeight, lists.sharing};
  }
  /// Whether lists are the session's in-edges.
  static bool in_session(bool in) { return in != kBack; }

  enum class Lists : std::uint8_t { None, Out, In, Core };

  static constexpr unsigned kHops = 12;

  template <class Use>
  void with_edges(const Use& use) {
    if (is_narrow_)
      use(narrow_);
    else
      use(wide_);
  }

  void declare_window(Session& session) {
    queue_capacity_ = session.vertex_count() / 4 + 65536;
    session.declare(window_rounds_, kRounds, "counters of rounds");
    session.declare(queues_[0], queue_capacity_, "queue of vertices");
    session.declare(queues_[1], queue_capacity_, "queue of the next round");
  }

  void declare_sorted(Session& session) {
    const std::uint64_t vertices = session.vertex_count();
    const std::uint64_t edges = session.edge_count();
    const std::uint64_t long_lists = edges / kShortList < vertices ? edges / kShortList : vertices;
    session.declare(rounds_, kRounds, "counters of rounds");
    session.declare(delivered_, vertices, "values sent");
    session.declare(next_edge_, vertices, "edges sent along");
    session.declare(best_in_, vertices, "best weights of in-edges");
    session.declare(short_lists_, vertices, "deliveries");
    session.declare(chunks_, edges / kChunk + long_lists, "deliveries in chunks");
    list_capacity_ = session.vertex_count() / 16 + 64;
    session.declare(lists_[0], list_capacity_, "vertices that improved");
    session.declare(lists_[1], list_capacity_, "vertices that improved before");
  }

  /// Lists of both directions cost more than in-lists and a core; lists that serve for both, less.
  CoreRule wanted_core(const Session& session, bool symmetric) const {
    const bool costs_more = symmetric && session.keeps_edges();
    const bool pays = kWeighted && !costs_more;
    if (Operators::never_core || (!pays && !Operators::always_core)) return {};
    return core_rule<Weight>(session, kDownwards<Combine>,
                             is_narrow_ ? sizeof(NarrowEdge) : sizeof(Wide), Operators::always_core,
                             kBack);
  }
  bool has_core() const { return core_.most_edges != 0; }
  bool needs_lists() const { return !in_window_ || summary_.most_edges > kHeads; }

  /// The core first: what is declared first lies on the device if anything does.
  template <class Edge>
  void declare_core(Session& session, bool symmetric, PreparedEdges<Edge>& edges) {
    const std::uint64_t offsets = session.vertex_count() + std::uint64_t{1};
    session.declare(out_offsets_, offsets, "core, out-edges (offsets)");
    session.declare(core_in_offsets_, offsets, "core, in-edges (offsets)");
    session.declare(in_offsets_, offsets, "in-edges (32-bit offsets)");
    session.declare(cut_, session.vertex_count(), "core, weights left out");
    session.declare_long(edges.core_in, core_.most_edges, "core, in-edges (records)");
    session.declare_long(edges.out, core_.most_edges, "core, out-edges (records)");
    session.declare_long(edges.in, session.edge_count(), "in-edges (records)");
    session.reserve("lists by weight",
                    sorting_memory<Edge>(session, in_session(!symmetric), record_code()));
    session.reserve("core of the lists", core_memory<Edge>(session, record_code(), kBack));
  }

  template <class Edge>
  void declare_edges(Session& session, bool symmetric, PreparedEdges<Edge>& edges) {
    if (has_core()) {
      declare_core(session, symmetric, edges);
      return;
    }
    const std::uint64_t offsets = session.vertex_count() + std::uint64_t{1};
    if (in_window_) session.declare(edges.heads, session.vertex_count(), "first edges");
    if (needs_lists()) {
      session.declare(out_offsets_, offsets, "out-edges (32-bit offsets)");
      session.declare_long(edges.out, session.edge_count(), "out-edges (records)");
    }
    if (pulls_ == Lists::In) {
      session.declare(in_offsets_, offsets, "in-edges (32-bit offsets)");
      session.declare_long(edges.in, session.edge_count(), "in-edges (records)");
    }
    if (needs_lists() && sorts(session, false))
      session.reserve("lists by weight",
                      sorting_memory<Edge>(session, in_session(false), record_code()));
    if (pulls_ == Lists::In && sorts(session, true))
      session.reserve("lists by weight",
                      sorting_memory<Edge>(session, in_session(true), record_code()));
  }
  /// Whether the lists have to be sorted: the window takes them as they are, and some graphs come
  /// sorted.
  bool sorts(const Session& session, bool in) const {
    return !in_window_ &&
           !(record_code().downwards && session.lists_ascend_by_weight(in_session(in)));
  }

  RecordCode<Weight> record_code() const {
    constexpr bool kDown = kDownwards<Combine>;
    return {kDown, is_narrow_ ? summary_.range_bits : 0, kDown ? summary_.least : summary_.most};
  }

  template <class Edge>
  void prepare_core(Session& session, const Graph& graph, PreparedEdges<Edge>& edges) {
    const Vertex vertices = graph.vertex_count;
    const RecordCode<Weight> code = record_code();
    prepare_lists(session, graph.symmetric ? weighted(graph.out) : in_of(graph), vertices,
                  in_offsets_, edges.in, !graph.symmetric);
    take_core(
        session, core_, out_of(graph), kBack, in_offsets_, edges.in, code,
        CoreLists<Weight, Edge>{out_offsets_, core_in_offsets_, edges.out, edges.core_in, cut_});
    first_weights(session, core_in_offsets_, edges.core_in, vertices, code, best_in_);
  }

  template <class Edge>
  void prepare_edges(Session& session, const Graph& graph, PreparedEdges<Edge>& edges) {
    if (has_core()) {
      prepare_core(session, graph, edges);
      return;
    }
    const Vertex vertices = graph.vertex_count;
    const RecordCode<Weight> code = record_code();
    if (in_window_) pack_heads(session, out_of(graph), vertices, code, edges.heads);
    if (needs_lists())
      prepare_lists(session, out_of(graph), vertices, out_offsets_, edges.out, false);
    if (pulls_ == Lists::Out)
      first_weights(session, out_offsets_, edges.out, vertices, code, best_in_);
    if (pulls_ != Lists::In) return;
    prepare_lists(session, in_of(graph), vertices, in_offsets_, edges.in, true);
    first_weights(session, in_offsets_, edges.in, vertices, code, best_in_);
  }

  template <class Edge>
  void prepare_lists(Session& session, const Adjacency<Weight>& from, Vertex vertices,
                     std::uint32_t* offsets, Edge* edges, bool in) {
    const auto count = static_cast<std::uint32_t>(session.edge_count());
    const RecordCode<Weight> code = record_code();
    prepare::narrow_offsets(session.stream(), from.offsets, vertices + std::uint64_t{1}, offsets);
    if (sorts(session, in))
      sort_lists(session, from, offsets, in_session(in), code, edges);
    else
      pack_lists(session, from, count, code, edges);
  }

  template <class Edge>
  Problem<Program, Edge, Weight> problem(const Phase& phase, const Operators& operators,
                                         const Graph& graph, Value* state, const Value* inbox,
                                         const PreparedEdges<Edge>& edges) const {
    // Rounds that improve nothing move the threshold to the next value, so this is out of reach.
    const std::uint64_t never = 4 * (graph.vertex_count + graph.edge_count) + 1024;
    const RecordCode<Weight> code = record_code();
    Problem<Program, Edge, Weight> made;
    made.program = {operators};
    made.code = {code.weight_bits, code.best_weight};
    if (needs_lists()) made.out = {out_offsets_, edges.out};
    if (pulls_ == Lists::Out) made.in = made.out;
    if (pulls_ == Lists::In) made.in = {in_offsets_, edges.in};
    if (pulls_ == Lists::Core) {
      made.in = {core_in_offsets_, edges.core_in};
      made.left_out = {{in_offsets_, edges.in}, core_in_offsets_, cut_};
      made.every_out = out_of(graph);
    }
    made.best_in = best_in_;
    made.state = state;
    made.inbox = inbox;
    made.vertex_count = graph.vertex_count;
    made.edge_count = static_cast<std::uint32_t>(has_core() ? core_.most_edges : graph.edge_count);
    made.width = width(operators);
    made.adapts = !kPinsWidth;
    made.limited = phase.step_limit() < never;
    made.most_rounds = made.limited ? phase.step_limit() : never;
    made.log = log_;
    return made;
  }

  /// How far apart the values are that are worked on together, unless the program says it.
  Value width(const Operators& operators) const {
    const double best = static_cast<double>(record_code().best_weight);
    const double moved = engines::distances::moved_by_weight<Value, Weight>(
        operators, summary_.least, summary_.most);
    const double spread = kDownwards<Combine> ? summary_.mean - best : best - summary_.mean;
    // The least that a value moves.
    const double step = kDownwards<Combine> && best > 0 ? best * moved : 0;
    double width = in_window_ ? 0.6 * kHops * (spread * moved + step) : step + spread * moved / 16;
    if (width <= step) width = step * (1 + 1.0 / 64);
    const Value converted = convert<Value>(width);
    if constexpr (!gpu::detail::kIsFloat<Value>)
      return converted > convert<Value>(step) ? converted : convert<Value>(step) + 1;
    return converted > Value{0} ? converted : Value{1};
  }

  template <class Edge>
  void run_along_lists(Phase& phase, const Problem<Program, Edge, Weight>& problem,
                       const PreparedEdges<Edge>&) {
    SortedRun<Problem<Program, Edge, Weight>> run{problem};
    run.delivered = delivered_;
    run.next_edge = next_edge_;
    run.short_lists = short_lists_;
    run.chunks = chunks_;
    run.rounds = rounds_;
    run.lists[0] = lists_[0];
    run.lists[1] = lists_[1];
    run.list_capacity = list_capacity_;
    launch(phase, improve_along_sorted_lists<decltype(run)>, kSortedThreads, run);
  }

  template <class Edge>
  void run_in_window(Phase& phase, const Problem<Program, Edge, Weight>& problem,
                     const PreparedEdges<Edge>& edges) {
    WindowRun<Problem<Program, Edge, Weight>> run{problem};
    run.heads = edges.heads;
    run.queues[0] = queues_[0];
    run.queues[1] = queues_[1];
    run.queue_capacity = queue_capacity_;
    run.rounds = window_rounds_;
    run.hops = kHops;
    launch(phase, improve_in_window<decltype(run)>, kWindowThreads, run);
  }

  template <class Run>
  static void launch(Phase& phase, void (*kernel)(Run), unsigned threads, const Run& run) {
    launch_cooperative(kernel, most_resident_blocks(kernel, threads), threads,
                       phase.session().stream(), run);
  }

  ListSummary<Weight> summary_;
  bool is_narrow_ = true;
  bool in_window_ = false;
  Lists pulls_ = Lists::None;
  CoreRule core_;
  StepLog log_;
  PreparedEdges<NarrowEdge> narrow_;
  PreparedEdges<Wide> wide_;
  std::uint32_t* out_offsets_ = nullptr;
  std::uint32_t* in_offsets_ = nullptr;
  std::uint32_t* core_in_offsets_ = nullptr;
  Weight* best_in_ = nullptr;
  Weight* cut_ = nullptr;
  Entry<Value>* queues_[2] = {};
  std::uint32_t queue_capacity_ = 0;
  WindowRound<Value>* window_rounds_ = nullptr;
  Round<Value>* rounds_ = nullptr;
  Entry<Value>* lists_[2] = {};
  std::uint32_t list_capacity_ = 0;
  Delivered<Value>* delivered_ = nullptr;
  std::uint32_t* next_edge_ = nullptr;
  Delivery<Value, Program::kAsksEnds>* short_lists_ = nullptr;
  Delivery<Value, Program::kAsksEnds>* chunks_ = nullptr;
};

/// Pairs: the values of all vertices, then who sent them.
template <engines::distances::Wanted Operators, class Graph>
  requires(Operators::sends_pairs && !engines::kSendsBoth<Operators>)
class Engine<Operators, Graph> {
  using Values = predecessors::Values<Operators>;

 public:
  void declare(Session& session, Graph& graph) {
    search_.declare(session, graph);
    witnesses_.declare(session, false);
  }
  void prepare(Session& session, const Graph& graph) { search_.prepare(session, graph); }

  template <class Pair, class Inbox>
  void run(Phase& phase, const Operators& operators, const Graph& graph, Pair* states,
           const Inbox* inbox) {
    if (graph.vertex_count == 0) return;
    witnesses_.begin(phase.session(), operators, inbox);
    phase.begin(witnesses_.log());
    search_.search(phase, Values{operators}, graph, witnesses_.values(), witnesses_.start_values());
    // A trace wants to know when the search was over.
    const bool is_traced = witnesses_.log().records != nullptr;
    if (is_traced) search_.finish(phase);
    witnesses_.find(phase, operators, search_.in_lists(graph), inbox, states);
    if (!is_traced) search_.finish(phase);
    witnesses_.finish(phase);
  }

 private:
  Engine<Values, Graph> search_;
  predecessors::Witnesses<Operators> witnesses_;
};

/// Both directions of edges.
template <engines::distances::Wanted Operators, class Graph>
  requires(engines::kSendsBoth<Operators>)
class Engine<Operators, Graph> : public BothWays<Engine<engines::OneWay<Operators>, Graph>, Graph> {
};

}  // namespace vertigo::gpu::distances
