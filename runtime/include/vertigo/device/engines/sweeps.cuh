#pragma once
// The engine `sweeps`: what the emitted file calls. The algorithm is described in sweeps/loop.cuh.

#include "vertigo/device/engines/sweeps/walk.cuh"

namespace vertigo::gpu::sweeps {

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads, 1)
    run_sweeps(const Loop<Program, Attribute> loop, const Range range) {
  detail::Walk<Program, Attribute>(loop, range).run();
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
    session.declare(order_, vertices, "vertices by level");
    session.declare(level_ends_, kMostLevels, "ends of levels");
    session.declare(weights_, kFewLevels, "edges of levels");
    session.declare(here_, "level");
    session.declare(before_, "level before");
    session.declare(log_, "turns of levels");
  }

  void prepare(Session& session, const Graph& graph) {
    prepare_hubs(session, graph.out, out_hubs_);
    prepare_hubs(session, graph.in, in_hubs_);
  }

  /// Runs the loop from `level` to `last`, where `level` then is.
  template <class Level>
  void run(Phase& phase, const Program& program, const Graph& graph, Message* inbox, Level& level,
           Level last) {
    const bool out = program.sends_out();
    phase.begin(log_);
    const Loop<Program, Attribute> loop{.program = program,
                                        .vertex_count = graph.vertex_count,
                                        .edge_count = graph.edge_count,
                                        .along = out ? graph.out : graph.in,
                                        .against = out ? graph.in : graph.out,
                                        .along_hubs = out ? out_hubs_ : in_hubs_,
                                        .against_hubs = out ? in_hubs_ : out_hubs_,
                                        .inbox = inbox,
                                        .sent = sent_,
                                        .order = order_,
                                        .level_ends = level_ends_,
                                        .weights = weights_,
                                        .here = here_,
                                        .before = before_,
                                        .log = log_};
    const auto kernel = run_sweeps<Program, Attribute>;
    const std::int64_t first = level;
    const std::int32_t step = program.downward() ? -1 : 1;
    const auto count = static_cast<std::uint64_t>((last - first) * step) + 1;
    for (std::uint64_t done = 0; done < count; done += kMostLevels) {
      const std::uint64_t left = count - done;
      const Range range{
          .first = first + static_cast<std::int64_t>(done) * step,
          .step = step,
          .count = static_cast<std::uint32_t>(left < kMostLevels ? left : kMostLevels),
          .turns_done = done};
      launch_cooperative(kernel, most_resident_blocks(kernel, kThreads), kThreads,
                         phase.session().stream(), loop, range);
    }
    level = last;
    phase.finish(log_, {"pull", "push"}, "fewer edges to visit");
  }

 private:
  Hubs out_hubs_;
  Hubs in_hubs_;
  Message* sent_ = nullptr;
  Vertex* order_ = nullptr;
  std::uint32_t* level_ends_ = nullptr;
  Weight* weights_ = nullptr;
  Bitmap here_;
  Bitmap before_;
  StepLog log_;
};

}  // namespace vertigo::gpu::sweeps
