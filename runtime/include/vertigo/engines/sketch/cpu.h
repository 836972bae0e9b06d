#pragma once
// The engine `sketch` on the CPU. The counterpart of vertigo/engines/sketch/device.cuh, with a
// thread for each chunk.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "vertigo/cpu/generated.h"
#include "vertigo/engines/sketch/importance.h"
#include "vertigo/engines/sketch/operators.h"
#include "vertigo/execute/phase_run.h"
#include "vertigo/graph/path_sketch.h"
#include "vertigo/host/program.h"

namespace vertigo::cpu::sketch {

/// What threads share in one step. A bit says that a vertex has something for those that it sends
/// to: it changed in the step before, or in this one.
template <class Program, class Weight>
struct Walk {
  using Message = decltype(Program{}.identity());

  Program program;
  const graph::PathSketch* paths;
  unsigned hub_turns;
  engines::sketch::Travel travel;
  Message* inbox;
  // Where messages add up:
  Message* amount;         ///< what a vertex took in this step
  Message* amount_before;  ///< and in the last one
  std::uint32_t* sent[2];  ///< of every column: bit r: what was taken in the last step went along
                           ///< the edge to row r, and along its reverse
  const Weight* weights;   ///< of every slot; null: `everywhere`
  Weight everywhere;
  Bitmap before;
  Bitmap now;
  Bitmap claimed;      ///< who takes in this step
  Bitmap took;         ///< whose amount is there
  Bitmap took_before;  ///< who took in the last step
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
    Sent sent_in_step[graph::kPathLanes] = {};
    for (unsigned turn = 0; turn < (is_hub ? hub_turns : 1); ++turn) {
      bool moved = false;
      for (unsigned lane = 0; lane < graph::kPathLanes; ++lane) {
        moved |= column<false>(chunk, lane, sent_in_step[lane]);
        if (travel.both_ways) moved |= column<true>(chunk, lane, sent_in_step[lane]);
      }
      if (!moved) break;
    }
    if constexpr (Program::adds_up)
      for (unsigned lane = 0; lane < graph::kPathLanes; ++lane)
        for (unsigned way = 0; way < (travel.both_ways ? 2 : 1); ++way)
          sent[way][column_of(chunk, lane)] = sent_in_step[lane].along[way];
  }

 private:
  /// Along which edges of a column went what was taken in this step.
  struct Sent {
    std::uint32_t along[2];
  };
  static std::size_t column_of(std::uint32_t chunk, unsigned lane) {
    return std::size_t{chunk} * graph::kPathLanes + lane;
  }

  /// From the first row to the last, or back; whether anything changed.
  template <bool kBack>
  bool column(std::uint32_t chunk, unsigned lane, Sent& sent_in_step) const {
    const unsigned rows = paths->rows(chunk);
    const std::uint32_t breaks = paths->breaks[column_of(chunk, lane)];
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
      if constexpr (Program::adds_up)
        moved |= add_along(
            v, u, slot,
            owed(v, 1u << at, sent[kBack][column_of(chunk, lane)], sent_in_step.along[kBack]));
      else
        moved |= improve_along(v, u, slot);
    }
    return moved;
  }

  /// What waits for v, where the guard lets it pass: once in a step.
  bool take(Vertex v) const {
    const Message waits = load_relaxed(inbox[v]);
    if (waits == program.identity() || !program.guard_holds(v, waits)) return false;
    if (!test_and_set(claimed, v)) return false;
    const Message taken = cpu::take(inbox[v], program.identity());
    store_relaxed(amount[v], taken);
    program.settle(v, taken);
    // Who finds the bit finds the amount.
    __atomic_fetch_or(&took.words[v / 64], std::uint64_t{1} << v % 64, __ATOMIC_RELEASE);
    count(updates, 1);
    mark(v);
    return true;
  }

  /// What v took, in this step and the last, as far as it has not gone along this edge.
  Message owed(Vertex v, std::uint32_t edge, std::uint32_t& sent_before,
               std::uint32_t& sent_now) const {
    Message all = program.identity();
    if ((sent_before & edge) == 0 && test_bit(took_before, v)) {
      sent_before |= edge;
      all = load_relaxed(amount_before[v]);
    }
    if ((sent_now & edge) == 0 &&
        (__atomic_load_n(&took.words[v / 64], __ATOMIC_ACQUIRE) >> v % 64 & 1) != 0) {
      sent_now |= edge;
      all = program.combine(all, load_relaxed(amount[v]));
    }
    return all;
  }

  bool add_along(Vertex v, Vertex u, std::uint64_t slot, Message owed_to_u) const {
    if (owed_to_u == program.identity()) return false;
    const Message message = sent_to(v, u, owed_to_u, slot);
    count(edges, 1);
    if (message == program.identity()) return false;
    program.deliver(u, message);
    const Message waits = load_relaxed(inbox[u]);
    if (waits == program.identity() || !program.guard_holds(u, waits)) return false;
    mark(u);
    return true;
  }

  bool improve_along(Vertex v, Vertex u, std::uint64_t slot) const {
    const Message message = sent_to(v, u, load_relaxed(inbox[v]), slot);
    count(edges, 1);
    const Message known = load_relaxed(inbox[u]);
    if (program.combine(known, message) == known) return false;
    program.deliver(u, message);
    if (!program.guard_holds(u, message)) return false;
    count(updates, 1);
    mark(u);
    return true;
  }

  Message sent_to(Vertex v, Vertex u, Message inbox_of_v, std::uint64_t slot) const {
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
  void allocate(const Graph& graph, const host::RunRequest& request, host::RunResult& result) {
    if (is_made_) return;
    is_made_ = true;
    const auto begin = std::chrono::steady_clock::now();
    const PathChoice& choice = request.paths;
    travel_ = engines::sketch::travel<Program>(graph.symmetric, choice.forward);
    const bool weighted = Program::sent_reads_edge && graph.out.weights != nullptr;
    const Program program{};
    paths_ = graph::WalkedPaths(
        *graph.whole, travel_.along_in ? graph.whole->in() : graph.whole->out,
        travel_.pairs ? graph::PathEdges::Pairs : graph::PathEdges::Arcs,
        {.importance = importance_of(request),
         .hub_share = choice.hub_share != 0 ? choice.hub_share : program.hub_share(),
         .sample_share = choice.hub_sample != 0 ? choice.hub_sample : program.hub_sample(),
         .hub_turns =
             choice.hub_turns != 0 ? choice.hub_turns : static_cast<unsigned>(program.hub_turns()),
         .keep_edges = weighted});
    if constexpr (Program::sent_reads_edge)
      if (weighted) take_weights(travel_.along_in ? graph.in.weights : graph.out.weights);
    result.timing.preparation +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result.paths += (result.paths.empty() ? "" : "; ") + paths_.described(graph.vertex_count);
    if constexpr (Program::adds_up) {
      for (VertexBuffer<Message>& amount : amount_) amount.allocate(graph.vertex_count);
      for (unsigned way = 0; way < (travel_.both_ways ? 2 : 1); ++way)
        sent_[way].resize(paths_->breaks.size());
    }
    before_.allocate(graph.vertex_count);
    now_.allocate(graph.vertex_count);
    for (BitmapBuffer* const bits : {&claimed_, &took_, &took_before_})
      bits->allocate(graph.vertex_count);
    updates_.allocate(0);
    edges_.allocate(0);
  }

  void run(execute::PhaseRun& phase, const Program& program, const Graph& graph,
           VertexBuffer<Message>& inbox) {
    begin(program, graph, inbox);
    bool active = more_.is_raised();
    while (phase.next(active)) {
      now_.clear();
      claimed_.clear();
      took_.clear();
      more_.clear();
      const Walk<Program, Weight> walk{.program = program,
                                       .paths = &*paths_,
                                       .hub_turns = paths_.hub_turns(),
                                       .travel = travel_,
                                       .inbox = inbox,
                                       .amount = amount_[0],
                                       .amount_before = amount_[1],
                                       .sent = {sent_[0].data(), sent_[1].data()},
                                       .weights = weights_.empty() ? nullptr : weights_.data(),
                                       .everywhere = graph.default_weight,
                                       .before = before_,
                                       .now = now_,
                                       .claimed = claimed_,
                                       .took = took_,
                                       .took_before = took_before_,
                                       .more = more_,
                                       .updates = updates_,
                                       .edges = edges_};
      detail::parallel_chunks(paths_->chunks(), 1, [=](std::size_t chunk) {
        walk.chunk(static_cast<std::uint32_t>(chunk));
      });
      phase.done(updates_.take(), edges_.take());
      before_.swap(now_);
      took_before_.swap(took_);
      swap(amount_[0], amount_[1]);
      active = more_.is_raised();
    }
    end(program, graph, inbox, !active);
  }

 private:
  static graph::VertexImportance importance_of(const host::RunRequest& request) {
    graph::VertexImportance made;
    if constexpr (Program::weighs_vertices) {
      made.of = engines::sketch::importance<Program>;
      // One that reads no input has no list of them.
      if constexpr (requires { Program::inputs; })
        for (const char* const name : Program::inputs) {
          const Column* const column = request.arguments.input(name);
          made.inputs.push_back(column == nullptr ? nullptr : column->bytes.data());
        }
    }
    return made;
  }

  void take_weights(const Weight* of_edges) {
    weights_.resize(paths_->vertices.size());
#pragma omp parallel for schedule(static)
    for (std::size_t slot = 0; slot < weights_.size(); ++slot)
      if (paths_->edges[slot] != graph::kNoEdge) weights_[slot] = of_edges[paths_->edges[slot]];
    paths_.forget_edges();
  }

  void begin(const Program& program, const Graph& graph, VertexBuffer<Message>& inboxes) {
    before_.clear();
    more_.clear();
    Message* const inbox = inboxes;
    const Bitmap before = before_;
    const Flag more = more_;
    took_before_.clear();
    for (std::vector<std::uint32_t>& sent : sent_) std::ranges::fill(sent, 0);
    for_each_vertex(graph, [=](Vertex v) {
      if (inbox[v] == program.identity() || !program.guard_holds(v, inbox[v])) return;
      set_bit(before, v);
      raise(more);
    });
  }

  /// Bodies that have not run: all where messages improve; where they add up those of vertices
  /// without edges. `at_rest`: no limit ended the walk.
  void end(const Program& program, const Graph& graph, VertexBuffer<Message>& inboxes,
           bool at_rest) {
    Message* const inbox = inboxes;
    for_each_vertex(graph, [=](Vertex v) {
      const Message waits = inbox[v];
      if (waits == program.identity() || !program.guard_holds(v, waits)) return;
      if (Program::adds_up && !at_rest) return;
      if constexpr (Program::adds_up) inbox[v] = program.identity();
      program.settle(v, waits);
    });
  }

  bool is_made_ = false;
  engines::sketch::Travel travel_{};
  graph::WalkedPaths paths_;
  std::vector<Weight> weights_;
  // Where messages add up:
  VertexBuffer<Message> amount_[2];
  std::vector<std::uint32_t> sent_[2];
  BitmapBuffer before_;
  BitmapBuffer now_;
  BitmapBuffer claimed_;
  BitmapBuffer took_;
  BitmapBuffer took_before_;
  FlagBuffer more_;
  CounterBuffer updates_;
  CounterBuffer edges_;
};

}  // namespace vertigo::cpu::sketch
