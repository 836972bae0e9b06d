#pragma once
// The engine `sketch` on the CPU. The counterpart of vertigo/engines/sketch/device.cuh, with a
// thread for each chunk.

#include <cstdint>
#include <vector>

#include "vertigo/cpu/generated.h"
#include "vertigo/engines/sketch/operators.h"
#include "vertigo/execute/phase_run.h"
#include "vertigo/graph/path_sketch.h"

namespace vertigo::cpu::sketch {

/// What threads share in one step. A bit says that a vertex has something for those that it sends
/// to: it changed in the step before, or in this one.
template <class Program, class Weight>
struct Walk {
  using Message = decltype(Program{}.identity());

  Program program;
  const graph::PathSketch* paths;
  engines::sketch::Travel travel;
  Message* inbox;
  // Where messages add up:
  Message* total;    ///< what a vertex took
  Message* last;     ///< what it took the last time
  Message* seen[2];  ///< of every slot: the total when its edge was walked last, and walked back
  const Weight* weights;  ///< of every slot; null: `everywhere`
  Weight everywhere;
  Bitmap before;
  Bitmap now;
  Bitmap took;  ///< in this step
  Flag more;
  Counter updates;
  Counter edges;

  bool is_due(Vertex v) const { return test_bit(before, v) || test_bit(now, v); }
  void mark(Vertex v) const {
    set_bit(now, v);
    raise(more);
  }

  void chunk(std::uint32_t chunk) const {
    const bool is_hub = chunk < paths->hub_chunks;
    for (unsigned turn = 0; turn < (is_hub ? paths->hub_turns : 1); ++turn) {
      bool moved = false;
      for (unsigned lane = 0; lane < graph::kPathLanes; ++lane) {
        moved |= column<false>(chunk, lane);
        if (travel.both_ways) moved |= column<true>(chunk, lane);
      }
      if (!moved) return;
    }
  }

 private:
  /// From the first row to the last, or back; whether anything changed.
  template <bool kBack>
  bool column(std::uint32_t chunk, unsigned lane) const {
    const unsigned rows = paths->rows(chunk);
    const std::uint32_t breaks = paths->breaks[std::size_t{chunk} * graph::kPathLanes + lane];
    const std::uint64_t first = paths->begins[chunk] + lane;
    bool moved = false;
    for (unsigned i = 0; i < rows; ++i) {
      const unsigned row = kBack ? rows - 1 - i : i;
      const Vertex v = paths->vertices[first + std::uint64_t{row} * graph::kPathLanes];
      if (!is_due(v)) continue;
      if constexpr (Program::adds_up) moved |= take(v);
      // The edge between two rows stands at the lower one.
      const unsigned at = kBack ? row : row + 1;
      if (at == rows || (breaks >> at & 1) != 0) continue;
      const std::uint64_t slot = first + std::uint64_t{at} * graph::kPathLanes;
      const Vertex u = paths->vertices[kBack ? slot - graph::kPathLanes : slot];
      if (kBack && travel.pairs && u == v) continue;
      moved |= along(v, u, slot, kBack);
    }
    return moved;
  }

  /// What waits for v, where the guard lets it pass; in the same step again where as much waits as
  /// was taken last.
  bool take(Vertex v) const {
    const Message waits = load_relaxed(inbox[v]);
    if (waits == program.identity() || !program.guard_holds(v, waits)) return false;
    if (!test_and_set(took, v) &&
        engines::sketch::magnitude(waits) < engines::sketch::magnitude(load_relaxed(last[v])))
      return false;
    store_relaxed(last[v], waits);
    const Message taken = cpu::take(inbox[v], program.identity());
    if (taken == program.identity()) return false;
    combine_with(total[v], taken, [&](Message a, Message b) { return program.combine(a, b); });
    count(updates, 1);
    mark(v);
    return true;
  }

  bool along(Vertex v, Vertex u, std::uint64_t slot, bool back) const {
    if constexpr (Program::adds_up) {
      const Message all = load_relaxed(total[v]);
      Message& known = seen[back ? 1 : 0][slot];
      if (all == known || !(all == all)) return false;
      const Message message = sent(v, u, static_cast<Message>(all - known), slot);
      known = all;
      count(edges, 1);
      if (message == program.identity()) return false;
      program.deliver(u, message);
      const Message waits = load_relaxed(inbox[u]);
      if (waits == program.identity() || !program.guard_holds(u, waits)) return false;
      mark(u);
      return true;
    } else {
      const Message message = sent(v, u, load_relaxed(inbox[v]), slot);
      count(edges, 1);
      const Message known = load_relaxed(inbox[u]);
      if (program.combine(known, message) == known) return false;
      program.deliver(u, message);
      if (!program.guard_holds(u, message)) return false;
      count(updates, 1);
      mark(u);
      return true;
    }
  }

  Message sent(Vertex v, Vertex u, Message inbox_of_v, std::uint64_t slot) const {
    if constexpr (Program::sent_reads_edge)
      return program.sent_along(v, u, inbox_of_v, weights != nullptr ? weights[slot] : everywhere);
    else
      return program.sent_along(v, u, inbox_of_v);
  }
};

template <engines::sketch::Wanted Program, class Graph>
class Engine {
  using Message = decltype(Program{}.identity());
  using Weight = decltype(Graph{}.default_weight);

 public:
  void allocate(const Graph& graph) {
    if (is_made_) return;
    is_made_ = true;
    travel_ = engines::sketch::travel<Program>(graph.symmetric);
    const bool weighted = Program::sent_reads_edge && graph.out.weights != nullptr;
    const Program program{};
    paths_ =
        graph::sketch_paths(*graph.whole, travel_.along_in ? graph.whole->in() : graph.whole->out,
                            travel_.pairs ? graph::PathEdges::Pairs : graph::PathEdges::Arcs,
                            {.hub_share = program.hub_share(),
                             .sample_share = program.hub_sample(),
                             .hub_turns = static_cast<unsigned>(program.hub_turns()),
                             .keep_edges = weighted});
    if constexpr (Program::sent_reads_edge)
      if (weighted) take_weights(travel_.along_in ? graph.in.weights : graph.out.weights);
    if constexpr (Program::adds_up) {
      total_.allocate(graph.vertex_count);
      last_.allocate(graph.vertex_count);
      for (unsigned way = 0; way < (travel_.both_ways ? 2 : 1); ++way)
        seen_[way].allocate(paths_.vertices.size());
    }
    before_.allocate(graph.vertex_count);
    now_.allocate(graph.vertex_count);
    took_.allocate(graph.vertex_count);
    updates_.allocate(0);
    edges_.allocate(0);
  }

  void run(execute::PhaseRun& phase, const Program& program, const Graph& graph,
           VertexBuffer<Message>& inbox) {
    begin(program, graph, inbox);
    bool active = more_.is_raised();
    while (phase.next(active)) {
      now_.clear();
      took_.clear();
      more_.clear();
      const Walk<Program, Weight> walk{.program = program,
                                       .paths = &paths_,
                                       .travel = travel_,
                                       .inbox = inbox,
                                       .total = total_,
                                       .last = last_,
                                       .seen = {seen_[0], seen_[1]},
                                       .weights = weights_.empty() ? nullptr : weights_.data(),
                                       .everywhere = graph.default_weight,
                                       .before = before_,
                                       .now = now_,
                                       .took = took_,
                                       .more = more_,
                                       .updates = updates_,
                                       .edges = edges_};
      detail::parallel_chunks(paths_.chunks(), 1, [=](std::size_t chunk) {
        walk.chunk(static_cast<std::uint32_t>(chunk));
      });
      phase.done(updates_.take(), edges_.take());
      before_.swap(now_);
      active = more_.is_raised();
    }
    end(program, graph, inbox, !active);
  }

 private:
  void take_weights(const Weight* of_edges) {
    weights_.resize(paths_.vertices.size());
#pragma omp parallel for schedule(static)
    for (std::size_t slot = 0; slot < weights_.size(); ++slot)
      if (paths_.edges[slot] != graph::kNoEdge) weights_[slot] = of_edges[paths_.edges[slot]];
    std::vector<EdgeIndex>().swap(paths_.edges);
  }

  void begin(const Program& program, const Graph& graph, VertexBuffer<Message>& inboxes) {
    before_.clear();
    more_.clear();
    Message* const inbox = inboxes;
    Message* const total = total_;
    const Bitmap before = before_;
    const Flag more = more_;
    for (VertexBuffer<Message>& seen : seen_)
      for (Message& known : seen.values()) known = program.identity();
    for_each_vertex(graph, [=](Vertex v) {
      if constexpr (Program::adds_up) total[v] = program.identity();
      if (inbox[v] == program.identity() || !program.guard_holds(v, inbox[v])) return;
      set_bit(before, v);
      raise(more);
    });
  }

  /// The bodies, each once. `at_rest`: what may be taken was taken, but for vertices without edges.
  void end(const Program& program, const Graph& graph, VertexBuffer<Message>& inboxes,
           bool at_rest) {
    Message* const inbox = inboxes;
    Message* const total = total_;
    for_each_vertex(graph, [=](Vertex v) {
      const Message waits = inbox[v];
      const bool passes = waits != program.identity() && program.guard_holds(v, waits);
      if constexpr (Program::adds_up) {
        Message all = total[v];
        if (at_rest && passes) {
          all = program.combine(all, waits);
          inbox[v] = program.identity();
        }
        if (all != program.identity()) program.settle(v, all);
      } else {
        if (passes) program.settle(v, waits);
      }
    });
  }

  bool is_made_ = false;
  engines::sketch::Travel travel_{};
  graph::PathSketch paths_;
  std::vector<Weight> weights_;
  VertexBuffer<Message> total_;
  VertexBuffer<Message> last_;
  VertexBuffer<Message> seen_[2];
  BitmapBuffer before_;
  BitmapBuffer now_;
  BitmapBuffer took_;
  FlagBuffer more_;
  CounterBuffer updates_;
  CounterBuffer edges_;
};

}  // namespace vertigo::cpu::sketch
