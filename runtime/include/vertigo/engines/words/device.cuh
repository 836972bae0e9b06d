#pragma once
// The engine `words`: what the emitted file calls. The algorithm is described in words/search.cuh.

#include "vertigo/engines/words/deep.cuh"
#include "vertigo/engines/words/operators.h"
#include "vertigo/engines/words/wide.cuh"
#include "vertigo/graph/depth.h"

namespace vertigo::gpu::words {

template <engines::words::Wanted Program, class Graph>
class Engine {
  using Attribute = typename Graph::Attribute;
  using Task = Search<Program, Attribute>;
  using Bits = typename Task::T;

 public:
  void declare(Session& session, const Graph& graph) {
    is_deep_ = session.is_deep(graph::is_deep(session.host_graph()));
    session.declare(log_, "steps of the searches");
    session.declare(counts_, kStepsCounted, "counts of steps");
    for (Vertex*& list : lists_) session.declare(list, "vertices with new bits");
    if (is_deep_) {
      session.declare(cells_, "bits of vertices");
      for (unsigned i = 0; i < Task::kDirections; ++i)
        session.declare(records_[i], "records of neighbours");
      return;
    }
    session.declare(words_, "bits of the next step");
    declare_hubs(session, out_hubs_);
    declare_hubs(session, in_hubs_);
  }

  void prepare(Session& session, const Graph& graph) {
    if (is_deep_) {
      if constexpr (!Program::has_condition)
        for (unsigned i = 0; i < Task::kDirections; ++i)
          pack_records(session, along(graph, i).offsets, along(graph, i).targets, records_[i]);
      return;
    }
    prepare_hubs(session, graph.out.offsets, out_hubs_);
    prepare_hubs(session, graph.in.offsets, in_hubs_);
  }

  /// `inbox` holds what those asked start with, `seen` is the state that gathers the bits.
  void run(Phase& phase, const Program& program, const Graph& graph, const Worklist& asked,
           Bits* inbox, Bits* seen) {
    phase.begin(log_);
    Session& session = phase.session();
    session.clear(counts_, kStepsCounted);
    Task task{.program = program,
              .vertex_count = graph.vertex_count,
              .edge_count = graph.edge_count,
              .directions = {},
              .asked = asked,
              .seen = seen,
              .words = {reinterpret_cast<Word<Bits>*>(inbox), words_},
              .cells = cells_,
              .lists = {lists_[0], lists_[1]},
              .counts = counts_,
              .log = log_,
              .limit = phase.step_limit()};
    for (unsigned i = 0; i < Task::kDirections; ++i) {
      const bool out = is_out(i);
      task.directions[i] = {along(graph, i),
                            out ? graph.in : graph.out,
                            out ? out_hubs_ : in_hubs_,
                            out ? in_hubs_ : out_hubs_,
                            records_[i],
                            {program, along(graph, i), out ? graph.in : graph.out}};
      if constexpr (Program::has_condition)
        if (is_deep_) pack_passing_edges(session, task.directions[i], graph.vertex_count);
    }
    if (is_deep_)
      launch(session, search_deep<Program, Attribute>, kDeepThreads, task);
    else
      launch(session, search_wide<Program, Attribute>, kThreads, task);
    phase.finish(
        log_, {"push", "pull", "local"},
        is_deep_ ? "large diameter: every vertex follows its own edges" : "fewer edges to visit");
  }

 private:
  static bool is_out(unsigned direction) { return Program::sends_out && direction == 0; }
  static const auto& along(const Graph& graph, unsigned direction) {
    return is_out(direction) ? graph.out : graph.in;
  }

  void pack_passing_edges(Session& session, const Direction<Program, Attribute>& direction,
                          Vertex vertices) {
    pack_passing<Program, Attribute><<<session.blocks(), kBlock, 0, session.stream()>>>(
        direction.condition, vertices, const_cast<uint4*>(direction.records));
    session.launched("pack_passing");
  }

  template <class Kernel>
  void launch(Session& session, Kernel kernel, unsigned threads, const Task& task) {
    // Small graphs need no large grid: waiting for each other is most of their time.
    const std::uint64_t wanted = (task.vertex_count + task.edge_count / kWarp) / threads + 1;
    const unsigned most = most_resident_blocks(kernel, threads);
    launch_cooperative(kernel, wanted < most ? static_cast<unsigned>(wanted) : most, threads,
                       session.stream(), task);
  }

  bool is_deep_ = false;
  StepLog log_;
  Counts* counts_ = nullptr;
  Vertex* lists_[2] = {nullptr, nullptr};
  // Of the deep search.
  Cell<Word<Bits>>* cells_ = nullptr;
  uint4* records_[2] = {nullptr, nullptr};
  // Of the wide one.
  Word<Bits>* words_ = nullptr;
  Hubs out_hubs_;
  Hubs in_hubs_;
};

}  // namespace vertigo::gpu::words
