// Programs that have no fixed point: they are told so, with the reason, instead of running for
// ever.
#include <algorithm>
#include <bit>
#include <cmath>

#include "improving_cycles.h"
#include "interpreter.h"
#include "vertigo/core/error.h"

namespace vertigo::reference {
namespace {

std::vector<std::vector<std::byte>> copies_of(const std::vector<ColumnRef>& columns, Vertex count) {
  std::vector<std::vector<std::byte>> copies;
  for (const ColumnRef& column : columns) {
    const auto* bytes = static_cast<const std::byte*>(column.data);
    copies.emplace_back(bytes, bytes + count * size_of(column.kind));
  }
  return copies;
}

std::vector<ColumnRef> references(std::vector<std::vector<std::byte>>& copies,
                                  const ir::Type& type) {
  std::vector<ColumnRef> columns;
  for (std::size_t i = 0; i < copies.size(); ++i)
    columns.push_back({copies[i].data(), type.elements[i]});
  return columns;
}

void require_none(const PhaseCode& phase, const std::string& cycle) {
  if (!cycle.empty())
    throw Error(ExitCode::NotConverged,
                "phase '" + phase.source->name + "' has no fixed point: " + cycle);
}

}  // namespace

void Interpreter::begin_watch(const PhaseCode& phase, bool is_first_run) {
  before_.clear();
  initial_.clear();
  next_search_ = 2 * std::uint64_t{context_.vertex_count()} + 2;
  if (is_first_run && only_phase(context_.program) == phase.source)
    initial_ = copies_of(context_.resolver.state(phase.moving->state->name).current,
                         context_.vertex_count());
}

void Interpreter::end_watch(const PhaseCode& phase) {
  if (!phase.moving || initial_.empty()) return;
  require_none(phase, improving_cycle_at_rest(context_, *phase.moving,
                                              references(initial_, phase.moving->state->type)));
}

void Interpreter::watch_convergence(const PhaseCode& phase, std::uint64_t step) {
  // A search costs a walk over all vertices, so it waits until that many were active.
  if (phase.moving &&
      (next_search_ -= std::min<std::uint64_t>(next_search_, active_.size())) == 0) {
    const ir::State& state = *phase.moving->state;
    if (!before_.empty())
      require_none(phase,
                   improving_cycle(context_, *phase.moving, references(before_, state.type)));
    before_ = copies_of(context_.resolver.state(state.name).current, context_.vertex_count());
    next_search_ = 2 * std::uint64_t{context_.vertex_count()} + 2;
  }
  // A linear phase that diverges doubles its messages every few steps until they are infinite.
  if (!phase.is_linear || !std::has_single_bit(step + 1)) return;
  const MessageTable& message = *phase.read.front();
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const Value value = value_of(taken_[i * phase.read.size()], message.inbox[0].kind);
    const bool is_finite = value.kind == ScalarKind::Wide64 ? value.as<Wide64>().is_finite()
                                                            : std::isfinite(value.as<double>());
    if (!is_finite)
      throw Error(ExitCode::NotConverged, "phase '" + phase.source->name +
                                              "' has no fixed point: '" + message.source->name +
                                              "' grows without bound, at vertex " +
                                              context_.input_name(active_[i]) + " first");
  }
}

}  // namespace vertigo::reference
