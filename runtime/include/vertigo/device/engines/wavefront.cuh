#pragma once
// The engine `wavefront`: what the emitted file calls. The algorithm is described in
// wavefront/wave.cuh.

#include "vertigo/device/engines/wavefront/walk.cuh"

namespace vertigo::gpu::wavefront {

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads, 1) run_wave(const Wave<Program, Attribute> wave) {
  detail::Walk<Program, Attribute>(wave).run();
}

template <class Program, class Graph>
class Engine {
  using Message = decltype(Program{}.identity());
  using Attribute = typename Graph::Attribute;

 public:
  void declare(Session& session, const Graph&) {
    const Vertex vertices = session.vertex_count();
    declare_hubs(session, out_hubs_);
    declare_hubs(session, in_hubs_);
    session.declare(sent_, vertices, "messages sent");
    session.declare(step_, vertices, "steps of vertices");
    session.declare(order_, vertices, "vertices by step");
    session.declare(fronts_, 3, "fronts");
    session.declare(front_, "front");
    session.declare(next_front_, "next front");
    session.declare(log_, "steps of the wave");
  }

  void prepare(Session& session, const Graph& graph) {
    prepare_hubs(session, graph.out.offsets, out_hubs_);
    prepare_hubs(session, graph.in.offsets, in_hubs_);
    // What neighbours sent is loaded before it is known whether they did.
    const Vertex vertices = session.vertex_count();
    session.clear(sent_, vertices);
    session.clear(step_, vertices);
    session.clear(order_, vertices);
  }

  void run(Phase& phase, const Program& program, const Graph& graph, const Worklist& asked,
           Message* inbox) {
    const bool out = program.sends_out();
    phase.begin(log_);
    const Wave<Program, Attribute> wave{.program = program,
                                        .vertex_count = graph.vertex_count,
                                        .edge_count = graph.edge_count,
                                        .along = out ? graph.out : graph.in,
                                        .against = out ? graph.in : graph.out,
                                        .along_hubs = out ? out_hubs_ : in_hubs_,
                                        .against_hubs = out ? in_hubs_ : out_hubs_,
                                        .asked = asked,
                                        .inbox = inbox,
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
    phase.finish(log_, {"push", "pull", "claim"}, "fewer edges to visit");
  }

 private:
  Hubs out_hubs_;
  Hubs in_hubs_;
  Message* sent_ = nullptr;
  std::int32_t* step_ = nullptr;
  Entry* order_ = nullptr;
  Front* fronts_ = nullptr;
  Bitmap front_;
  Bitmap next_front_;
  StepLog log_;
};

}  // namespace vertigo::gpu::wavefront
