#pragma once
// The engine `sweeps`: what the emitted file calls. The algorithm is described in sweeps/loop.cuh.

#include "vertigo/engines/sweeps/hand_on.cuh"
#include "vertigo/engines/sweeps/operators.h"
#include "vertigo/engines/sweeps/ordered.cuh"
#include "vertigo/engines/sweeps/walk.cuh"

namespace vertigo::gpu::sweeps {

template <class Program, class Attribute>
__global__ void __launch_bounds__(kThreads, 1)
    run_sweeps(const __grid_constant__ Loop<Program, Attribute> loop,
               const __grid_constant__ Range range, bool sorted) {
  detail::Walk<Program, Attribute>(loop, range, sorted).run();
}

template <engines::sweeps::Wanted Program, class Graph>
class Engine {
  using Message = decltype(Program{}.identity());
  using Attribute = typename Graph::Attribute;
  using SentValue = gpu::detail::SentValue<Message>;

 public:
  void declare(Session& session, const Graph&) {
    declare_hubs(session, out_hubs_);
    declare_hubs(session, in_hubs_);
    declare_inboxes(session, inboxes_);
    session.declare(sent_, session.vertex_count(), "messages sent");
    declare_level_order(session, order_, kMostLevels);
    session.declare(weights_, kFewLevels, "edges of levels");
    session.declare(here_, "level");
    session.declare(before_, "level before");
    session.declare(log_, "turns of levels");
  }

  void prepare(Session& session, const Graph& graph) {
    prepare_hubs(session, graph.out.offsets, out_hubs_);
    prepare_hubs(session, graph.in.offsets, in_hubs_);
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
                                        .inboxes = {inbox, inboxes_.doubles},
                                        .sent = reinterpret_cast<Message*>(sent_),
                                        .order = order_,
                                        .weights = weights_,
                                        .here = here_,
                                        .before = before_,
                                        .log = log_};
    const std::int64_t first = level;
    const std::int32_t step = program.downward() ? -1 : 1;
    const auto count = static_cast<std::uint64_t>((last - first) * step) + 1;
    Session& session = phase.session();
    if (count > kFewLevels && loop.against_hubs.count == 0) begin_ordered(session);
    for (std::uint64_t done = 0; done < count; done += kMostLevels) {
      const std::uint64_t left = count - done;
      const Range range{
          .first = first + static_cast<std::int64_t>(done) * step,
          .step = step,
          .count = static_cast<std::uint32_t>(left < kMostLevels ? left : kMostLevels),
          .turns_done = done};
      if (count > kFewLevels) sort(session, program, range);
      if (count > kFewLevels && loop.against_hubs.count == 0)
        run_in_order(session, loop, range);
      else
        walk(session, loop, range, count > kFewLevels);
    }
    if constexpr (Program::keeps_inboxes)
      hand_on(session, loop, last, count > kFewLevels && loop.against_hubs.count == 0);
    level = last;
    phase.finish(log_, {"pull", "push"}, "fewer edges to visit");
  }

 private:
  /// Memory whose values are those of no run yet.
  void begin_ordered(Session& session) {
    if (run_ == 0) session.clear(sent_, session.vertex_count());
    ++run_;
  }

  void sort(Session& session, const Program& program, const Range& range) {
    session.clear(order_.ends, range.count);
    number_turns<<<session.blocks(), kBlock, 0, session.stream()>>>(program, range,
                                                                    session.vertex_count(), order_);
    session.launched("number_turns");
    sort_by_turn(session, order_, range.count);
  }

  void run_in_order(Session& session, const Loop<Program, Attribute>& loop, const Range& range) {
    const auto kernel = run_ordered<Program, Attribute>;
    const unsigned blocks = ordered_blocks(most_resident_blocks(kernel, kOrderedThreads),
                                           session.vertex_count(), range.count);
    launch_cooperative(kernel, blocks, kOrderedThreads, session.stream(),
                       OrderedLoop<Program, Attribute>{.program = loop.program,
                                                       .against = loop.against,
                                                       .order = loop.order,
                                                       .sent = sent_,
                                                       .run = run_,
                                                       .inboxes = loop.inboxes.slots,
                                                       .log = loop.log},
                       range);
  }

  /// Warps for the stretches of so many mean levels: whoever comes early has read all that does not
  /// depend on values, and brought near where they will stand (H200, a road network of 24 million
  /// vertices, both phases: 54, 51 and 49 ms with 3, 8 and 20 levels).
  static unsigned ordered_blocks(unsigned most, Vertex vertices, std::uint32_t levels) {
    constexpr std::uint64_t kLevelsAtOnce = 20;
    constexpr unsigned kFewest = 32;
    const std::uint64_t wanted = kLevelsAtOnce * vertices / levels / kOrderedThreads + kFewest;
    return wanted < most ? static_cast<unsigned>(wanted) : most;
  }

  void walk(Session& session, const Loop<Program, Attribute>& loop, const Range& range,
            bool sorted) {
    run_ = 0;  // `sent_` holds messages without the number of a run
    if (sorted && inboxes_.in_doubles()) session.clear(inboxes_.doubles, session.vertex_count());
    const auto kernel = run_sweeps<Program, Attribute>;
    launch_cooperative(kernel, most_resident_blocks(kernel, kThreads), kThreads, session.stream(),
                       loop, range, sorted);
  }

  /// What the last level sent waits in the inboxes.
  template <class Level>
  void hand_on(Session& session, const Loop<Program, Attribute>& loop, Level last, bool ordered) {
    if (ordered)
      hand_on_last<<<session.blocks(), kBlock, 0, session.stream()>>>(loop, last,
                                                                      OfRuns<Message>{sent_});
    else
      hand_on_last<<<session.blocks(), kBlock, 0, session.stream()>>>(loop, last, loop.sent);
    session.launched("hand_on_last");
  }

  Hubs out_hubs_;
  Hubs in_hubs_;
  Inboxes<Program> inboxes_;
  SentValue* sent_ = nullptr;
  std::uint32_t run_ = 0;
  LevelOrder order_;
  Weight* weights_ = nullptr;
  Bitmap here_;
  Bitmap before_;
  StepLog log_;
};

}  // namespace vertigo::gpu::sweeps
