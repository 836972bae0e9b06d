#pragma once
// The engine `sketch`: what the emitted file calls. The algorithm is described in sketch/walk.cuh.

#include "vertigo/device/generated.cuh"
#include "vertigo/engines/sketch/importance.h"
#include "vertigo/engines/sketch/walk.cuh"

namespace vertigo::gpu::sketch {

template <engines::sketch::Wanted Program, class Graph>
class Engine {
  using Message = decltype(Program{}.identity());
  using Attribute = typename Graph::Attribute;

 public:
  void declare(Session& session, const Graph& graph) {
    const Vertex vertices = session.vertex_count();
    const Program program{};
    travel_ = engines::sketch::travel<Program>(graph.symmetric, walks_forward(session));
    if constexpr (Program::sent_reads_edge) weighted_ = has_weights(session);
    const StatedImportance stated;
    declare_columns(session,
                    {.travel = travel_,
                     .importance = stated.of,
                     .inputs = stated.inputs,
                     .input_count = stated.input_count,
                     .hub_share = program.hub_share(),
                     .hub_sample = program.hub_sample(),
                     .hub_turns = program.hub_turns(),
                     .weights = weighted_},
                    made_, columns_);
    if constexpr (Program::sent_reads_edge)
      if (weighted_) session.declare(attributes_, columns_.slots, "paths (weights)");
    if constexpr (Program::adds_up) {
      for (Message*& amount : amount_) session.declare(amount, vertices, "taken by vertices");
      for (unsigned way = 0; way < (travel_.both_ways ? 2 : 1); ++way)
        session.declare(sent_[way], columns_.columns(), "who sent along edges of paths");
      for (Bitmap& claimed : claimed_) session.declare(claimed, "who takes in a step");
      for (Bitmap& took : took_) session.declare(took, "who took in a step");
    }
    for (Bitmap& changed : changed_) session.declare(changed, "vertices that changed");
    session.declare(words_, 3, "queues of chunks");
    session.declare(log_, "steps along paths");
  }

  void prepare(Session& session, const Graph&) {
    if constexpr (Program::sent_reads_edge)
      if (weighted_) upload_weights(session, made_, attributes_);
    upload_columns(session, made_, columns_);
  }

  void run(Phase& phase, const Program& program, const Graph& graph, Message* inbox) {
    Session& session = phase.session();
    phase.begin(log_);
    for (const Bitmap& changed : changed_) session.clear(changed);
    session.clear(words_, 3);
    if constexpr (Program::adds_up) {
      for (const Bitmap& claimed : claimed_) session.clear(claimed);
      for (const Bitmap& took : took_) session.clear(took);
      for (std::uint32_t* const sent : sent_)
        if (sent != nullptr) session.clear(sent, columns_.columns());
    }
    const auto kernel = walk_paths<Program, Attribute>;
    const unsigned blocks = blocks_of(most_resident_blocks(kernel, kThreads));
    const Tour<Program, Attribute> tour{.program = program,
                                        .travel = travel_,
                                        .vertex_count = graph.vertex_count,
                                        .columns = columns_,
                                        .attributes = attributes_,
                                        .everywhere = graph.out.everywhere,
                                        .inbox = inbox,
                                        .amount = {amount_[0], amount_[1]},
                                        .sent = {sent_[0], sent_[1]},
                                        .claimed = {claimed_[0], claimed_[1]},
                                        .took = {took_[0], took_[1], took_[2]},
                                        .changed = {changed_[0], changed_[1], changed_[2]},
                                        .words = words_,
                                        .hot_warps = hot_warps(blocks * (kThreads / kWarp)),
                                        .log = log_,
                                        .limit = phase.step_limit()};
    launch_cooperative(kernel, blocks, kThreads, session.stream(), tour);
    settle_all<<<session.blocks(), kBlock, 0, session.stream()>>>(tour);
    session.launched("settle_all");
    phase.finish(log_, {"paths"}, nullptr);
  }

 private:
  /// What the program says of the importance of vertices.
  struct StatedImportance {
    decltype(Wanted::importance) of = nullptr;
    const char* const* inputs = nullptr;
    unsigned input_count = 0;

    StatedImportance() {
      if constexpr (Program::weighs_vertices) {
        of = engines::sketch::importance<Program>;
        if constexpr (requires { Program::inputs; }) {  // not where it reads none
          inputs = Program::inputs;
          input_count = sizeof(Program::inputs) / sizeof(Program::inputs[0]);
        }
      }
    }
  };

  /// A warp for each chunk at most: barriers are cheaper among few blocks.
  unsigned blocks_of(unsigned most) const {
    const unsigned wanted = (columns_.chunks + kThreads / kWarp - 1) / (kThreads / kWarp);
    return wanted == 0 ? 1 : wanted < most ? wanted : most;
  }

  /// The paper's N_s: so many of the warps that chunks between hubs are walked N_p times while the
  /// others are walked once.
  std::uint32_t hot_warps(unsigned warps) const {
    if (columns_.chunks == 0) return 0;
    const double share = static_cast<double>(columns_.hub_chunks) / columns_.chunks;
    const double turns = columns_.hub_turns;
    const double hot = share * warps * turns / (1 - share + share * turns);
    const auto rounded = static_cast<std::uint32_t>(hot + 0.5);
    return rounded == 0 && columns_.hub_chunks != 0 ? 1 : rounded;
  }

  engines::sketch::Travel travel_{};
  bool weighted_ = false;
  HostColumns made_;
  Columns columns_;
  Attribute* attributes_ = nullptr;
  Message* amount_[2] = {};
  std::uint32_t* sent_[2] = {};
  Bitmap claimed_[2];
  Bitmap took_[3];
  Bitmap changed_[3];
  StepWords* words_ = nullptr;
  StepLog log_;
};

}  // namespace vertigo::gpu::sketch
