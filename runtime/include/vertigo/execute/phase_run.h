#pragma once
// The bookkeeping of one phase of a generated program, for every target: which variant runs, the
// number of the step, limits, the trace and the totals of the summary.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vertigo/execute/choose_variant.h"
#include "vertigo/execute/controller.h"
#include "vertigo/execute/cycle_watch.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::execute {

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

/// A limit that the program states: negative ones are none at all, that is, no step.
template <class T>
std::uint64_t limit_of(T steps) {
  return steps > T{0} ? static_cast<std::uint64_t>(steps) : 0;
}

/// A few hundred steps settle most phases; from then on looking costs half a per mille.
constexpr bool is_checkpoint(std::uint64_t step) { return step >= 512 && (step & (step - 1)) == 0; }

/// The phase has no fixed point; throw Error(NotConverged) that says so.
[[noreturn]] void throw_improves_for_ever(std::string_view phase, std::uint64_t steps);
[[noreturn]] void throw_not_finite(std::string_view phase, std::string_view state);
[[noreturn]] void throw_no_fixed_point(std::string_view phase, std::string_view problem,
                                       std::uint64_t steps);

/// Totals over all runs of one phase.
struct PhaseTotals {
  std::string_view phase;
  std::string_view variant = {};
  std::string_view reason = {};
  bool ran = false;
  bool converged = true;
  std::uint64_t steps = 0;
  std::uint64_t edges = 0;
  std::uint64_t active_vertices = 0;  ///< summed over the steps
  std::uint64_t active_in_step = 0;   ///< in the last one
  Controller learnt{};                ///< by the controller, where there is one
};

/// One run of a phase: `while (run.next(active)) { …; run.done(active, edges); }`.
class PhaseRun {
 public:
  using Clock = std::chrono::steady_clock;

  /// `limit`: the program's own, or kNoLimit; `asked`: the user's, 0 for none; `begin`: of the
  /// program's run, for the trace; `trace` may be null.
  PhaseRun(PhaseTotals& totals, const Chosen& chosen, std::uint64_t limit, std::uint64_t asked,
           Clock::time_point begin, trace::Recorder* trace)
      : totals_(totals),
        variant_(chosen.name),
        reason_(chosen.reason),
        limit_(asked != 0 && asked < limit ? asked : limit),
        cuts_short_(limit_ < limit),
        begin_(begin),
        trace_(trace),
        is_first_run_(!totals.ran) {
    totals.ran = true;
    totals.variant = chosen.name;
    totals.reason = chosen.reason;
  }

  /// Whether another step is due: something is active and the limit is not reached.
  bool next(bool active) {
    if (!active) {
      if (watch_ && is_first_run_) watch_->rest();
      return false;
    }
    if (steps_ == next_look_) {
      watch_->look(steps_);
      next_look_ = watch_->next_look();
    }
    if (steps_ == limit_) {
      stopped_ = true;
      if (cuts_short_) totals_.converged = false;
      return false;
    }
    if (trace_ != nullptr) started_ = Clock::now();
    return true;
  }
  /// The phase runs once more, in a loop whose rounds an engine runs by itself.
  void next_round() {
    if (trace_ != nullptr) started_ = Clock::now();
  }
  /// A limit of steps ended the phase, the program's own or the user's.
  bool stopped() const { return stopped_; }
  /// Values may improve round a cycle, for ever: next() looks for such a cycle now and then, and
  /// throws Error(NotConverged) where it finds one. `states` takes all states of the program.
  void watch_cycles(const host::RunRequest& request, std::function<std::vector<Column>()> states) {
    watch_.emplace(request, totals_.phase, std::move(states));
    next_look_ = watch_->next_look();
  }
  /// Whether it is time to look for values without bound: rare enough to cost nothing.
  bool checkpoint() const { return is_checkpoint(steps_); }
  /// Throws Error(NotConverged) where a value of `state` is infinite or no number: a linear phase
  /// that diverges gets there.
  template <class Values>
  void require_finite(std::string_view state, const Values& values) const {
    for (const auto value : values)
      if (value - value != decltype(value - value){0}) throw_not_finite(totals_.phase, state);
  }
  /// Throws Error(NotConverged): the phase has no fixed point, for the reason `problem`.
  [[noreturn]] void fail(const char* problem) const {
    throw_no_fixed_point(totals_.phase, problem, steps_);
  }
  /// Most steps that the program or the user permits.
  std::uint64_t step_limit() const { return limit_; }
  /// Number of the step that runs, from 0.
  std::int32_t step() const { return static_cast<std::int32_t>(steps_); }
  /// What a controller learnt in the phase so far; without paths where none ran it yet.
  Controller& learnt() { return totals_.learnt; }
  /// Another variant takes the steps from here on; for the trace. `predicted`: seconds, or 0.
  void takes(std::string_view variant, std::string_view reason, double predicted) {
    variant_ = variant;
    reason_ = reason;
    predicted_ = predicted;
  }
  /// In the step that ends, so many active vertices waited, below this threshold; for the trace.
  void deferred(float threshold, std::uint64_t vertices) {
    threshold_ = threshold;
    deferred_ = vertices;
  }
  /// `out_edges`: of the active vertices, where they were counted.
  void done(std::uint64_t active_vertices, std::uint64_t edges, std::uint64_t out_edges = 0) {
    if (trace_ != nullptr) record(active_vertices, edges, out_edges);
    ++steps_;
    ++totals_.steps;
    totals_.edges += edges;
    totals_.active_vertices += active_vertices;
    totals_.active_in_step = active_vertices;
  }

 private:
  void record(std::uint64_t active_vertices, std::uint64_t edges, std::uint64_t out_edges) const;

  PhaseTotals& totals_;
  std::string_view variant_;
  std::string_view reason_;
  double predicted_ = 0;
  float threshold_ = 0;
  std::uint64_t deferred_ = 0;
  std::uint64_t limit_;
  bool cuts_short_;  ///< the limit is the user's; at its own a phase is at its end
  Clock::time_point begin_;
  trace::Recorder* trace_;
  std::uint64_t steps_ = 0;
  bool stopped_ = false;
  bool is_first_run_;
  std::optional<CycleWatch> watch_;
  std::uint64_t next_look_ = kNoLimit;
  Clock::time_point started_{};
};

}  // namespace vertigo::execute
