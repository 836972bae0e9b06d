#include <algorithm>
#include <bit>
#include <mutex>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "check.h"
#include "state.h"
#include "vertigo/core/error.h"
#include "vertigo/device/session.cuh"
#include "vertigo/execute/cycle_watch.h"
#include "vertigo/execute/phase_run.h"
#include "vertigo/trace/profiler.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::gpu {

namespace {

template <class T>
void require_finite(std::span<const T> values, std::string_view phase, std::string_view state) {
  for (const T value : values)
    if (!(value - value == T{0})) execute::throw_not_finite(phase, state);
}

/// A name that lives as long as the recorder that points to it.
std::string_view interned(const std::string& name) {
  static std::mutex mutex;
  static std::set<std::string> names;
  const std::lock_guard lock(mutex);
  return *names.insert(name).first;
}

}  // namespace

namespace detail {

host::PhaseSummary& summary_of(State& state, unsigned phase) {
  const auto [found, is_new] =
      state.run.summary_of_phase.try_emplace(phase, state.run.result.phases.size());
  if (is_new) state.run.result.phases.emplace_back().phase = state.info.phases[phase].name;
  return state.run.result.phases[found->second];
}

void note_variant(host::PhaseSummary& summary, std::string_view variant) {
  const std::string padded = "," + summary.schedule + ",";
  if (padded.find("," + std::string(variant) + ",") != std::string::npos) return;
  if (!summary.schedule.empty()) summary.schedule += ",";
  summary.schedule += variant;
}

}  // namespace detail

using detail::note_variant;
using detail::summary_of;

Phase::Phase(Session& session, unsigned index, const Counter& active, const Counter& edges,
             std::uint64_t limit)
    : session_(session), active_(active), edges_(edges), index_(index), limit_(limit) {
  detail::State& state = session.state_;
  const host::PhaseInfo& info = state.info.phases[index];
  variant_ = session.variant(index);
  state.run.known_list = nullptr;
  const std::uint64_t asked = state.request.step_limit;
  cuts_short_ = asked != 0 && asked < limit_;
  if (cuts_short_) limit_ = asked;
  is_first_run_ = !state.run.summary_of_phase.contains(index);
  host::PhaseSummary& summary = summary_of(state, index);
  note_variant(summary, info.variants[variant_].name);
  const auto in_rounds = state.run.reason_of_rounds.find(index);
  summary.reason = in_rounds != state.run.reason_of_rounds.end() ? in_rounds->second
                                                                 : state.choose(index).reason;
  trace::push_range("phase", info.name);
}

Phase::~Phase() {
  delete watch_;
  trace::pop_range();
}

void Phase::watch_cycles(void (*outputs)(void* program), void* program) {
  detail::State& state = session_.state_;
  watch_ = new execute::CycleWatch(state.request, state.info.phases[index_].name,
                                   [&state, outputs, program] {
                                     std::vector<Column> seen;
                                     state.run.seen = &seen;
                                     outputs(program);
                                     state.run.seen = nullptr;
                                     return seen;
                                   });
}

void Phase::look() {
  if (watch_ != nullptr && steps_ >= watch_->next_look()) watch_->look(steps_);
}

void Phase::rest() const {
  if (watch_ != nullptr && is_first_run_) watch_->rest();
}

std::uint64_t Phase::word(const void* place) const { return session_.state_.arrays.word(place); }

bool Phase::active(const Worklist& pending) {
  detail::State& state = session_.state_;
  state.arrays.read_words();
  state.run.known_list = pending.count;
  state.run.known_length = static_cast<std::uint32_t>(word(pending.count));
  return next(state.run.known_length != 0);
}

bool Phase::active(const Flag& pending) {
  session_.state_.arrays.read_words();
  return next(static_cast<std::uint32_t>(word(pending.word)) != 0);
}

bool Phase::active() {
  session_.state_.arrays.read_words();
  return next(steps_ == 0);
}

bool Phase::took_part(const Session& session, unsigned index) {
  return session.state_.run.active_in_step[index] != 0;
}

bool Phase::next(bool pending) {
  detail::State& state = session_.state_;
  const double now = detail::seconds_since(state.run.start);
  const std::uint64_t active = word(active_.total);
  const std::uint64_t edges = word(edges_.total);
  const std::uint64_t deferred = deferred_ != nullptr ? word(deferred_) : 0;
  const float threshold = threshold_ != nullptr
                              ? std::bit_cast<float>(static_cast<std::uint32_t>(word(threshold_)))
                              : 0;
  if (steps_ > 0) {
    trace::pop_range();
    host::PhaseSummary& summary = summary_of(state, index_);
    ++summary.steps;
    summary.edges += edges - edges_before_;
    summary.active_vertices += active - active_before_;
    state.run.active_in_step[index_] = active - active_before_;
    if (state.request.trace != nullptr) {
      state.fetch_records();
      const host::PhaseInfo& info = state.info.phases[index_];
      state.request.trace->add({.phase = info.name,
                                .variant = info.variants[variant_].name,
                                .reason = state.choose(index_).reason,
                                .step = steps_ - 1,
                                .active_vertices = active - active_before_,
                                .edges = edges - edges_before_,
                                .start = step_start_,
                                .duration = now - step_start_,
                                .deferred_vertices = deferred - deferred_before_,
                                .threshold = threshold,
                                .moved = state.moved_in_step()});
    }
  } else if (state.request.trace != nullptr) {
    state.moved_in_step();  // what was moved between phases belongs to no step
  }
  active_before_ = active;
  edges_before_ = edges;
  deferred_before_ = deferred;
  step_start_ = now;
  if (!pending) {
    rest();
    return false;
  }
  look();
  if (steps_ == limit_) {
    stop();
    return false;
  }
  trace::push_range("step");
  ++steps_;
  return true;
}

void Phase::stop() {
  stopped_ = true;
  if (cuts_short_) session_.state_.run.result.converged = false;
}

void Phase::fail(const char* problem, std::uint64_t steps) const {
  execute::throw_no_fixed_point(session_.state_.info.phases[index_].name, problem, steps);
}

void Phase::begin(const StepLog& log) {
  detail::State& state = session_.state_;
  if (state.run.kept.would_lose(log)) state.fetch_records();
  const cudaStream_t stream = state.device.stream;
  check(cudaMemsetAsync(log.totals, 0, sizeof(LoopTotals), stream), "clear the loop's totals");
}

void Phase::finish(const StepLog& log, std::initializer_list<const char*> modes,
                   const char* reason) {
  detail::State& state = session_.state_;
  const host::PhaseInfo& info = state.info.phases[index_];
  LoopTotals totals{};
  session_.read_bytes(&totals, log.totals, sizeof totals);
  const double now = detail::seconds_since(state.run.start);
  host::PhaseSummary& summary = summary_of(state, index_);
  summary.steps += totals.steps;
  summary.edges += totals.edges;
  summary.active_vertices += totals.active_vertices;
  const std::string_view why = reason == nullptr ? info.variants[variant_].reason : reason;
  std::vector<std::string_view> names;
  for (const char* const mode : modes)
    names.push_back(interned(std::string(info.variants[variant_].name) + "-" + mode));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (totals.modes >> i & 1) note_variant(summary, names[i]);
  if (state.request.trace != nullptr && log.records != nullptr)
    state.run.kept.keep(log,
                        {.phase = info.name,
                         .steps = totals.steps,
                         .first_step = steps_,
                         .ended = now,
                         .end_ns = 0},
                        [names, why](std::uint32_t mode) -> detail::KeptRecords::Name {
                          return {names.at(mode), why};
                        });
  steps_ += totals.steps;
  if (totals.end == LoopEnd::NoFixedPoint) execute::throw_improves_for_ever(info.name, steps_);
  if (totals.end == LoopEnd::StepLimit) stop();
}

bool Phase::checkpoint() const { return execute::is_checkpoint(steps_); }

void Phase::require_finite(const char* name, const void* values, ScalarKind kind) {
  const std::string_view phase = session_.state_.info.phases[index_].name;
  const auto check = [&]<class T>(T) {
    std::vector<T> host(session_.vertex_count());
    session_.read_bytes(host.data(), values, sizeof(T) * host.size());
    gpu::require_finite<T>(host, phase, name);
  };
  if (kind == ScalarKind::Float32) check(float{});
  if (kind == ScalarKind::Float64) check(double{});
  if (kind == ScalarKind::Wide64) check(Wide64{});
}

bool Session::has_negative_weights() const { return state_.request.negative_weights; }

void Session::require_finite(const char* phase, const char* name) const {
  for (const Column& column : state_.run.result.states) {
    if (column.name != name) continue;
    if (column.kind == ScalarKind::Float32) gpu::require_finite(column.as<float>(), phase, name);
    if (column.kind == ScalarKind::Float64) gpu::require_finite(column.as<double>(), phase, name);
    if (column.kind == ScalarKind::Wide64) gpu::require_finite(column.as<Wide64>(), phase, name);
  }
}

}  // namespace vertigo::gpu
