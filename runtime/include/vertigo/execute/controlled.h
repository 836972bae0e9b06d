#pragma once
// A phase whose path changes between steps, on the host: the loop of the CPU target asks here which
// path takes the next step, and says what the last one did. On the GPU the loop itself does that
// (vertigo/device/step_loop.cuh); the controllers are the same.

#include <chrono>
#include <initializer_list>

#include "vertigo/execute/controller.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::execute {

class Controlled {
 public:
  /// `info`: of the phase, for the trace.
  Controlled(PhaseRun& phase, const host::PhaseInfo& info, Control control,
             std::initializer_list<Path> paths, std::uint64_t vertices, std::uint64_t edges)
      : phase_(phase), info_(info), controller_(phase.learnt()) {
    if (controller_.path_count == 0) {
      for (const Path& path : paths) controller_.paths[controller_.path_count++] = path;
      controller_.begin(control, vertices, edges);
      controller_.step_work = kStepWork;
    } else {
      controller_.begin_again();
    }
    listed_ = paths.begin()->data_driven;
    takes();
  }

  /// Of the step to come: its variant, and whether it asks listed vertices.
  unsigned variant() const { return controller_.path().variant; }
  bool lists() const { return controller_.path().data_driven; }
  /// Whether what is pending stands in the list: the last step left it there, or the first one asks
  /// a list.
  bool is_listed() const { return listed_; }
  /// What has to be done before it: the vertices to ask must be listed, or were listed and all will
  /// be looked at.
  bool begins_list() const { return lists() && !listed_; }
  bool leaves_list() const { return !lists() && listed_; }
  /// The path itself begins: what stood between steps was not its own.
  void begin_work() { work_begin_ = Clock::now(); }

  /// After a step: the vertices it activated, the edges it visited, the out-edges of those vertices
  /// as far as its kernels count them, how many vertices the next step asks; `out_edges_of_asked()`
  /// is called where the controller needs to know.
  template <class OutEdges>
  void done(std::uint64_t active, std::uint64_t edges, std::uint64_t out_edges, std::uint64_t asked,
            const OutEdges& out_edges_of_asked) {
    const bool pulled = controller_.path().pull;
    listed_ = lists();
    const std::chrono::duration<float, std::nano> time = Clock::now() - work_begin_;
    const StepDone facts{
        .active = active, .out_edges = pulled ? out_edges : edges, .nanoseconds = time.count()};
    Frontier frontier{.vertices = asked};
    if (controller_.needs_out_edges(asked)) frontier.out_edges = out_edges_of_asked();
    phase_.done(active, edges, facts.out_edges);
    controller_.next(facts, frontier);
    takes();
  }

 private:
  using Clock = PhaseRun::Clock;
  /// To enter a parallel loop takes about as long as so many edges.
  static constexpr float kStepWork = 2048;

  void takes() {
    phase_.takes(info_.variants[variant()].name, text_of(controller_.why),
                 controller_.predicted * 1e-9);
  }

  PhaseRun& phase_;
  const host::PhaseInfo& info_;
  Controller& controller_;
  bool listed_ = false;
  Clock::time_point work_begin_{};
};

}  // namespace vertigo::execute
