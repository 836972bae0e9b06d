#pragma once
// The engine `wavefront`: what the emitted file calls. The algorithm is described in
// wavefront/wave.cuh.

#include "vertigo/engines/wavefront/deep.cuh"
#include "vertigo/engines/wavefront/operators.h"
#include "vertigo/engines/wavefront/walk.cuh"
#include "vertigo/graph/depth.h"

namespace vertigo::gpu::wavefront {

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads, 1)
    run_wave(const __grid_constant__ Wave<Program, Attribute> wave) {
  detail::Walk<Program, Attribute>(wave).run();
}

template <engines::wavefront::Wanted Program, class Graph>
class Engine {
  using Message = decltype(Program{}.identity());
  using Attribute = typename Graph::Attribute;

 public:
  void declare(Session& session, const Graph& graph) {
    const Vertex vertices = session.vertex_count();
    is_deep_ = Program{}.always_sends() && graph.symmetric &&
               session.is_deep(graph::is_deep(session.host_graph()));
    session.declare(step_, vertices, "steps of vertices");
    session.declare(log_, "steps of the wave");
    if (is_deep_) {
      session.declare(deep_sent_, vertices, "messages sent");
      session.declare(records_, vertices, "records of neighbours");
      for (Vertex*& pool : pools_) session.declare(pool, vertices, "vertices to visit");
      session.declare(words_, 1, "counters of the wave");
      return;
    }
    declare_hubs(session, out_hubs_);
    declare_hubs(session, in_hubs_);
    declare_inboxes(session, inboxes_);
    session.declare(sent_, vertices, "messages sent");
    session.declare(order_, vertices, "vertices by step");
    session.declare(fronts_, 3, "fronts");
    session.declare(front_, "front");
    session.declare(next_front_, "next front");
  }

  void prepare(Session& session, const Graph& graph) {
    const Vertex vertices = session.vertex_count();
    if (is_deep_) {
      session.clear(deep_sent_, vertices);  // of no run
      pack_records(session, graph.out.offsets, graph.out.targets, records_);
      return;
    }
    prepare_hubs(session, graph.out.offsets, out_hubs_);
    prepare_hubs(session, graph.in.offsets, in_hubs_);
    // What neighbours sent is loaded before it is known whether they did.
    session.clear(sent_, vertices);
    session.clear(step_, vertices);
    session.clear(order_, vertices);
  }

  void run(Phase& phase, const Program& program, const Graph& graph, const Worklist& asked,
           Message* inbox) {
    phase.begin(log_);
    if (is_deep_)
      run_deep(phase, program, graph, asked, inbox);
    else
      run_wide(phase, program, graph, asked, inbox);
    phase.finish(log_, {"push", "pull", "local"},
                 is_deep_ ? "large diameter: fronts stay in their blocks" : "fewer edges to visit");
  }

 private:
  void run_deep(Phase& phase, const Program& program, const Graph& graph, const Worklist& asked,
                Message* inbox) {
    Session& session = phase.session();
    session.clear(words_, 1);
    mark_waiting<<<session.blocks(), kBlock, 0, session.stream()>>>(program, graph.vertex_count,
                                                                    step_);
    session.launched("mark_waiting");
    const auto kernel = run_deep_wave<Program, Attribute>;
    const unsigned most = most_resident_blocks(kernel, kDeepThreads);
    launch_cooperative(kernel, most < kDeepBlocks ? most : kDeepBlocks, kDeepThreads,
                       session.stream(),
                       DeepWave<Program, Attribute>{.program = program,
                                                    .lists = graph.out,
                                                    .records = records_,
                                                    .asked = asked,
                                                    .inbox = inbox,
                                                    .sent = deep_sent_,
                                                    .run = ++run_,
                                                    .step = step_,
                                                    .pools = {pools_[0], pools_[1]},
                                                    .words = words_,
                                                    .log = log_,
                                                    .limit = phase.step_limit()});
  }

  void run_wide(Phase& phase, const Program& program, const Graph& graph, const Worklist& asked,
                Message* inbox) {
    const bool out = program.sends_out();
    const Wave<Program, Attribute> wave{.program = program,
                                        .vertex_count = graph.vertex_count,
                                        .edge_count = graph.edge_count,
                                        .along = out ? graph.out : graph.in,
                                        .against = out ? graph.in : graph.out,
                                        .along_hubs = out ? out_hubs_ : in_hubs_,
                                        .against_hubs = out ? in_hubs_ : out_hubs_,
                                        .asked = asked,
                                        .inboxes = {inbox, inboxes_.doubles},
                                        .sent = sent_,
                                        .step = step_,
                                        .order = order_,
                                        .front = front_,
                                        .next_front = next_front_,
                                        .fronts = fronts_,
                                        .log = log_,
                                        .limit = phase.step_limit()};
    const auto kernel = run_wave<Program, Attribute>;
    launch_cooperative(kernel, most_resident_blocks(kernel, kThreads), kThreads,
                       phase.session().stream(), wave);
  }

  bool is_deep_ = false;
  std::int32_t* step_ = nullptr;
  StepLog log_;
  // Of the deep wave.
  gpu::detail::SentValue<Message>* deep_sent_ = nullptr;
  std::uint32_t run_ = 0;
  uint4* records_ = nullptr;
  Vertex* pools_[2] = {nullptr, nullptr};
  DeepWords* words_ = nullptr;
  // Of the other one.
  Hubs out_hubs_;
  Hubs in_hubs_;
  Inboxes<Program> inboxes_;
  Message* sent_ = nullptr;
  Entry* order_ = nullptr;
  Front* fronts_ = nullptr;
  Bitmap front_;
  Bitmap next_front_;
};

}  // namespace vertigo::gpu::wavefront
