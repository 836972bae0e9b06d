#pragma once
// Engine `levels`: phases in which all messages of one level carry the same value, as a search from
// level to level in one launch. Two searches stand ready, and the graph decides between them:
// levels/wide.cuh for small diameters, levels/deep.cuh for large ones.
//
// `Program` has
//   - T sent(T value) const: what a vertex that took `value` sends to its neighbours;
//   - bool improves(T value, T state) const: the guard;
//   - bool passes(Vertex v, Vertex u[, Attribute]) const: which edges messages go along, where it
//     has a condition (common/edge_condition.cuh);
//   - what common/predecessors/device.cuh says, where messages are pairs.

#include "vertigo/device/prepare.cuh"
#include "vertigo/engines/common/both_ways/device.cuh"
#include "vertigo/engines/common/predecessors/device.cuh"
#include "vertigo/engines/common/predecessors/push.cuh"
#include "vertigo/engines/levels/operators.h"
#include "vertigo/engines/levels/prepare.cuh"
#include "vertigo/graph/depth.h"

namespace vertigo::gpu::levels {

template <engines::levels::Wanted Program, class Graph>
class Engine {
 public:
  void declare(Session& session, const Graph& graph) {
    is_deep_ = session.is_deep(graph::is_deep(session.host_graph()));
    session.declare(log_, "log of levels");
    session.declare(words_, 1, "levels (counters)");
    const std::uint64_t words = words_of(graph);
    session.declare(visited_[0], words, "levels (visited)");
    session.declare(lists_[0], "levels (frontier)");
    session.declare(lists_[1], "levels (next frontier)");
    if (is_deep_) {
      session.declare(records_, "levels (records)");
      return;
    }
    session.declare(visited_[1], words, "levels (visited before)");
    session.declare(heads_[0], "levels (first in-neighbours)");
    session.declare(heads_[1], "levels (second in-neighbours)");
    session.declare(unreached_, words, "levels (without in-edges)");
    if (is_narrow(graph))
      narrow_.declare(session, graph);
    else
      wide_.declare(session, graph);
  }

  bool is_deep() const { return is_deep_; }

  void prepare(Session& session, const Graph& graph) {
    if (graph.vertex_count == 0) return;
    session.clear(words_, 1);
    if (is_deep_) {
      if constexpr (!Program::has_condition)
        pack_records(session, along(graph).offsets, along(graph).targets, records_);
    } else if (is_narrow(graph)) {
      narrow_.prepare(session, graph, heads_, unreached_);
    } else {
      wide_.prepare(session, graph, heads_, unreached_);
    }
  }

  /// `asked`: the started vertices, whose inboxes hold one and the same value.
  template <class T>
  void run(Phase& phase, const Program& program, const Graph& graph, T* state, const T* inbox,
           const Worklist& asked) {
    search(phase, program, graph, state, inbox, asked);
    finish(phase, graph);
  }

  // The two halves of run(): what is launched between them does not wait for the host.

  template <class T>
  void search(Phase& phase, const Program& program, const Graph& graph, T* state, const T* inbox,
              const Worklist& asked) {
    if (graph.vertex_count == 0) return;
    Session& session = phase.session();
    const Task<Program, T> task{program, graph.vertex_count, state,          inbox,
                                asked,   phase.step_limit(), &words_->mixed, ++run_,
                                log_};
    if (is_deep_)
      run_deep(session, task, graph);
    else if (is_narrow(graph))
      run_wide(session, task, graph, narrow_);
    else
      run_wide(session, task, graph, wide_);
  }
  void finish(Phase& phase, const Graph& graph) {
    if (graph.vertex_count == 0) return;
    phase.finish(log_, {"push", "pull", "local"},
                 is_deep_ ? "large diameter: frontiers stay in their blocks"
                          : "edges of the frontier against edges left");
  }

 private:
  /// Words that a search uses for itself.
  struct Words {
    std::uint32_t mixed;
    std::uint32_t pool_counters[2];
    unsigned long long barriers[2];
    unsigned long long traced_edges[TracedEdges::kCounters];
    LevelCounts counts[kLevelsCounted];
  };

  /// Lists with offsets of one width.
  template <class Offset>
  struct Lists {
    Offset* out = nullptr;
    Offset* in = nullptr;
    struct LongLists {
      Offset* begins = nullptr;
      Offset* lengths = nullptr;
      std::uint32_t* first_chunks = nullptr;
      Vertex* owners = nullptr;
    } long_lists[2];

    static constexpr bool kNarrow = sizeof(Offset) < sizeof(EdgeIndex);

    void declare(Session& session, const Graph& graph) {
      const std::uint64_t most = graph.vertex_count < graph.edge_count / kLongList
                                     ? graph.vertex_count
                                     : graph.edge_count / kLongList;
      for (LongLists& lists : long_lists) {
        session.declare(lists.begins, most, "levels (long lists)");
        session.declare(lists.lengths, most, "levels (long lists)");
        session.declare(lists.first_chunks, most, "levels (long lists)");
        if constexpr (Program::has_condition)
          session.declare(lists.owners, most, "levels (long lists)");
      }
      if constexpr (kNarrow) {
        session.declare(out, std::uint64_t{graph.vertex_count} + 1, "levels (offsets)");
        if (!graph.symmetric)
          session.declare(in, std::uint64_t{graph.vertex_count} + 1, "levels (in-offsets)");
      }
    }

    void prepare(Session& session, const Graph& graph, Vertex* const* heads,
                 std::uint32_t* unreached) {
      if constexpr (kNarrow) {
        const std::uint64_t offsets = std::uint64_t{graph.vertex_count} + 1;
        prepare::narrow_offsets(session.stream(), along(graph).offsets, offsets, out);
        if (graph.symmetric)
          in = out;
        else
          prepare::narrow_offsets(session.stream(), against(graph).offsets, offsets, in);
      } else {
        out = const_cast<Offset*>(along(graph).offsets);
        in = const_cast<Offset*>(against(graph).offsets);
      }
      choose_heads(session, in, against(graph).targets, heads[0], heads[1], unreached);
    }
  };

  using Condition = EdgeCondition<Program, typename Graph::Attribute>;

  /// The edges that messages travel, from their senders and from their receivers.
  static const auto& along(const Graph& graph) { return Program::sends_out ? graph.out : graph.in; }
  static const auto& against(const Graph& graph) {
    return Program::sends_out ? graph.in : graph.out;
  }

  static std::uint64_t words_of(const Graph& graph) {
    return (std::uint64_t{graph.vertex_count} + 31) / 32;
  }
  static bool is_narrow(const Graph& graph) { return graph.edge_count < kMostNarrowEdges; }

  template <class T>
  void run_deep(Session& session, const Task<Program, T>& task, const Graph& graph) {
    const Condition condition{task.program, along(graph), against(graph)};
    if constexpr (Program::has_condition) {
      pack_passing<Program, typename Graph::Attribute>
          <<<session.blocks(), kBlock, 0, session.stream()>>>(condition, graph.vertex_count,
                                                              records_);
      session.launched("pack_passing");
    }
    const auto kernel = search_deep<Program, T, Condition>;
    const unsigned most = most_resident_blocks(kernel, kDeepThreads);
    launch_cooperative(
        kernel, most < kDeepBlocks ? most : kDeepBlocks, kDeepThreads, session.stream(), task,
        DeepGraph<Condition>{records_, along(graph).offsets, along(graph).targets, condition},
        DeepBuffers{visited_[0],
                    {lists_[0], lists_[1]},
                    words_->pool_counters,
                    words_->barriers,
                    words_->traced_edges});
    session.launched("search_deep");
  }

  template <class Offset>
  Frontier<Offset> frontier(const Lists<Offset>& lists, unsigned turn) const {
    const auto& longs = lists.long_lists[turn];
    return {lists_[turn], longs.begins, longs.lengths, longs.first_chunks, longs.owners};
  }

  template <class T, class Offset>
  void run_wide(Session& session, const Task<Program, T>& task, const Graph& graph,
                const Lists<Offset>& lists) {
    const auto kernel = search_wide<Program, T, Offset, Condition>;
    // Small graphs need no large grid: waiting for each other is most of their time.
    const std::uint64_t wanted =
        (graph.vertex_count + graph.edge_count / kLongList) / kWideThreads + 1;
    const unsigned most = most_resident_blocks(kernel, kWideThreads);
    launch_cooperative(
        kernel, wanted < most ? static_cast<unsigned>(wanted) : most, kWideThreads,
        session.stream(), task,
        WideGraph<Offset, Condition>{graph.vertex_count,
                                     graph.edge_count,
                                     lists.out,
                                     along(graph).targets,
                                     lists.in,
                                     against(graph).targets,
                                     {heads_[0], heads_[1]},
                                     unreached_,
                                     {task.program, along(graph), against(graph)}},
        WideBuffers<Offset>{
            {visited_[0], visited_[1]}, {frontier(lists, 0), frontier(lists, 1)}, words_->counts},
        Switch{});
    session.launched("search_wide");
  }

  bool is_deep_ = false;
  std::uint32_t run_ = 0;
  StepLog log_;
  Words* words_ = nullptr;
  std::uint32_t* visited_[2] = {nullptr, nullptr};
  Vertex* lists_[2] = {nullptr, nullptr};
  // Of the wide search.
  Lists<std::uint32_t> narrow_;
  Lists<EdgeIndex> wide_;
  Vertex* heads_[kHeads] = {nullptr, nullptr};
  std::uint32_t* unreached_ = nullptr;
  // Of the deep one.
  uint4* records_ = nullptr;
};

/// Pairs: the values of all vertices, then who sent them.
template <engines::levels::Wanted Operators, class Graph>
  requires(Operators::sends_pairs && !engines::kSendsBoth<Operators>)
class Engine<Operators, Graph> {
  using Values = predecessors::Values<Operators>;

 public:
  void declare(Session& session, const Graph& graph) {
    search_.declare(session, graph);
    witnesses_.declare(session, !search_.is_deep());
    if (!kPushes || search_.is_deep()) return;
    session.declare(pushed_, 1, "predecessors (levels)");
    session.declare(chunks_, graph.edge_count / predecessors::kPushChunk + 1,
                    "predecessors (long lists)");
  }
  void prepare(Session& session, const Graph& graph) {
    search_.prepare(session, graph);
    witnesses_.prepare(session, graph.in.offsets, graph.in.targets);
  }

  template <class Pair, class Inbox>
  void run(Phase& phase, const Operators& operators, const Graph& graph, Pair* states,
           const Inbox* inbox, const Worklist& asked) {
    if (graph.vertex_count == 0) return;
    witnesses_.begin(phase.session(), operators, inbox);
    phase.begin(witnesses_.log());
    search_.search(phase, Values{operators}, graph, witnesses_.values(), witnesses_.start_values(),
                   asked);
    // A trace wants to know when the search was over.
    const bool is_traced = witnesses_.log().records != nullptr;
    if (is_traced) search_.finish(phase, graph);
    predecessors::PlainLists<typename Graph::Attribute> lists{graph.in, witnesses_.descents()};
    if constexpr (kPushes)
      if (!search_.is_deep()) {
        push(phase, operators, graph, states, inbox);
        lists.pushed = pushed_;
      }
    witnesses_.find(phase, operators, lists, inbox, states);
    if (!is_traced) search_.finish(phase, graph);
    witnesses_.finish(phase);
  }

 private:
  static constexpr bool kPushes = Operators::witness_is_sender;

  template <class Pair, class Inbox>
  void push(Phase& phase, const Operators& operators, const Graph& graph, Pair* states,
            const Inbox* inbox) {
    using Task = predecessors::PushTask<Operators, typename Graph::Attribute, Inbox>;
    Session& session = phase.session();
    session.clear(pushed_, 1);
    const Task task{operators,
                    graph.vertex_count,
                    graph.out,
                    graph.in.offsets,
                    witnesses_.values(),
                    witnesses_.start_values(),
                    inbox,
                    states,
                    witnesses_.words(),
                    pushed_,
                    chunks_,
                    witnesses_.log()};
    const auto kernel = predecessors::detail::push_predecessors<Task>;
    const unsigned most = most_resident_blocks(kernel, predecessors::kLookupThreads);
    const unsigned wanted = graph.vertex_count / predecessors::kLookupThreads + 1;
    launch_cooperative(kernel, wanted < most ? wanted : most, predecessors::kLookupThreads,
                       session.stream(), task);
    session.launched("push_predecessors");
  }

  Engine<Values, Graph> search_;
  predecessors::Witnesses<Operators> witnesses_;
  predecessors::PushedLevels* pushed_ = nullptr;
  predecessors::PushChunk* chunks_ = nullptr;
};

/// Both directions of edges.
template <engines::levels::Wanted Operators, class Graph>
  requires(engines::kSendsBoth<Operators>)
class Engine<Operators, Graph> : public BothWays<Engine<engines::OneWay<Operators>, Graph>, Graph> {
};

}  // namespace vertigo::gpu::levels
