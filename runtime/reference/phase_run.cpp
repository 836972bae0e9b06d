// How a phase proceeds: docs/semantics.md, rules 2 to 4, 9 and 10.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "interpreter.h"
#include "vertigo/core/error.h"
#include "vertigo/core/value.h"
#include "vertigo/graph/colouring.h"

namespace vertigo::reference {
namespace {

// Above this share of the vertices a scan of the flags is cheaper than sorting the list.
constexpr std::size_t kScanShare = 32;

void copy_column(const ColumnRef& from, const ColumnRef& to, std::size_t count) {
  std::memcpy(to.data, from.data, count * size_of(from.kind));
}

}  // namespace

void Interpreter::run_phase(const PhaseCode& phase) {
  const auto [entry, is_new] = summaries_.try_emplace(phase.source->name, result_.phases.size());
  if (is_new)
    result_.phases.push_back(
        {.phase = phase.source->name, .schedule = "interpreter", .reason = {}});
  summary_ = &result_.phases[entry->second];
  for (const Shadow& shadow : phase.shadows)
    copy_column(shadow.current, shadow.next, context_.vertex_count());
  for (const Shadow& shadow : phase.edge_shadows)
    copy_column(shadow.current, shadow.next, context_.graph.edge_count());
  context_.frame[phase.step_slot] = 0;
  if (take_result(phase)) return;
  if (phase.moving) begin_watch(phase, is_new);
  run_starts(phase);
  if (phase.source->kind == ir::PhaseKind::Sweep)
    run_sweep(phase);
  else if (phase.source->serializable)
    run_serializable(phase);
  else
    run_synchronous(phase);
  // Whoever is left unasked stays so: a later phase asks only whom it starts.
  for (const Vertex v : next_) pending_[v] = 0;
  for (const Vertex v : candidates_) pending_[v] = 0;
  next_.clear();
  candidates_.clear();
  if (phase.source->kind == ir::PhaseKind::Fixpoint) empty_inboxes(phase);
}

void Interpreter::empty_inboxes(const PhaseCode& phase) {
  for (const MessageTable* message : phase.read)
    if (!message->source->keep)
      for (Vertex v = 0; v < context_.vertex_count(); ++v) reset_inbox(*message, v);
}

void Interpreter::mark_pending(Vertex v) {
  if (pending_[v] != 0) return;
  pending_[v] = 1;
  next_.push_back(v);
}

void Interpreter::start_vertex(const StartCode& start, Vertex v) {
  context_.frame[start.vertex_slot] = v;
  if (start.condition != nullptr && !holds(start.condition, context_.frame)) return;
  mark_pending(v);
  run_actions(start.body, v);
}

void Interpreter::run_starts(const PhaseCode& phase) {
  for (const StartCode& start : phase.starts) {
    switch (start.set) {
      case ir::StartSet::All:
      case ir::StartSet::Where:
        for (Vertex v = 0; v < context_.vertex_count(); ++v) start_vertex(start, v);
        break;
      case ir::StartSet::Vertex: {
        const auto v = from_word<Vertex>(evaluate(start.vertex, context_.frame));
        if (v == kNoVertex) break;
        if (v >= context_.vertex_count())
          throw Error(ExitCode::InputRefused,
                      "phase '" + phase.source->name + "' starts at no vertex of the graph");
        start_vertex(start, v);
        break;
      }
      case ir::StartSet::List:
        for (const Vertex v : *start.list)
          if (v != kNoVertex) start_vertex(start, v);
        break;
    }
  }
  commit(phase, next_);
}

void Interpreter::commit(const PhaseCode& phase, const std::vector<Vertex>& vertices) {
  for (const Shadow& shadow : phase.shadows)
    for (const Vertex v : vertices) shadow.current.store(v, shadow.next.load(v));
}

void Interpreter::next_candidates() {
  candidates_.clear();
  if (next_.size() > context_.vertex_count() / kScanShare) {
    for (Vertex v = 0; v < context_.vertex_count(); ++v)
      if (pending_[v] != 0) candidates_.push_back(v);
  } else {
    std::sort(next_.begin(), next_.end());
    for (const Vertex v : next_)
      if (pending_[v] != 0 && (candidates_.empty() || candidates_.back() != v))
        candidates_.push_back(v);
  }
  next_.clear();
}

bool Interpreter::is_active(const PhaseCode& phase, Vertex v) {
  context_.frame[phase.vertex_slot] = v;
  for (const MessageTable* message : phase.read) load_inbox(*message, context_.frame, v);
  return phase.guard == nullptr || holds(phase.guard, context_.frame);
}

void Interpreter::take_inbox(const MessageTable& message, Vertex v) {
  if (!followed_.empty()) note_choice(message, v);
  reset_inbox(message, v);
}

void Interpreter::take_active(const PhaseCode& phase) {
  active_.clear();
  taken_.clear();
  for (const Vertex v : candidates_) {
    pending_[v] = 0;
    if (!is_active(phase, v)) continue;
    active_.push_back(v);
    for (const MessageTable* message : phase.read) {
      const auto first = context_.frame.slots.begin() + message->slot;
      taken_.insert(taken_.end(), first, first + static_cast<long>(message->inbox.size()));
      take_inbox(*message, v);
    }
  }
}

void Interpreter::run_active(const PhaseCode& phase) {
  const Word* taken = taken_.data();
  for (const Vertex v : active_) {
    context_.frame[phase.vertex_slot] = v;
    for (const MessageTable* message : phase.read) {
      std::copy_n(taken, message->inbox.size(), context_.frame.slots.begin() + message->slot);
      taken += message->inbox.size();
    }
    run_actions(phase.body, v);
  }
  commit(phase, active_);
}

bool Interpreter::limit_reached(const PhaseCode& phase, std::uint64_t step) {
  // At its own limit a phase is at its end; the user's cuts it short.
  if (phase.step_limit != nullptr) {
    const std::uint64_t limit = evaluate(phase.step_limit, context_.frame);
    if (step >= limit) return true;
  }
  const std::uint64_t asked = context_.request.step_limit;
  if (asked == 0 || step < asked) return false;
  for (const Vertex v : candidates_)
    if (is_active(phase, v)) result_.converged = false;
  return true;
}

void Interpreter::run_synchronous(const PhaseCode& phase) {
  for (std::uint64_t step = 0;; ++step) {
    next_candidates();
    begin_step(phase, step);
    if (limit_reached(phase, step)) return;
    take_active(phase);
    if (active_.empty()) return end_watch(phase);
    watch_convergence(phase, step);
    run_active(phase);
    end_step(phase, active_.size());
  }
}

void Interpreter::run_sweep(const PhaseCode& phase) {
  candidates_.resize(context_.vertex_count());
  std::iota(candidates_.begin(), candidates_.end(), Vertex{0});
  begin_step(phase, 0);
  std::uint64_t active = 0;
  if (phase.source->serializable) {
    for (const Vertex v : serial_order()) {
      if (!is_active(phase, v)) continue;
      ++active;
      for (const MessageTable* message : phase.read) take_inbox(*message, v);
      run_actions(phase.body, v);
    }
  } else {
    take_active(phase);
    run_active(phase);
    active = active_.size();
  }
  for (const Shadow& shadow : phase.edge_shadows)
    copy_column(shadow.next, shadow.current, context_.graph.edge_count());
  end_step(phase, active);
}

// One vertex after the other, in the order in which a compiled program takes colour classes.
const std::vector<Vertex>& Interpreter::serial_order() {
  if (serial_order_.empty()) serial_order_ = graph::colour_classes(context_.request.graph).vertices;
  return serial_order_;
}

void Interpreter::run_serializable(const PhaseCode& phase) {
  const std::vector<Vertex>& order = serial_order();
  for (std::uint64_t step = 0;; ++step) {
    candidates_.clear();
    std::ranges::copy_if(order, std::back_inserter(candidates_),
                         [&](Vertex v) { return pending_[v] != 0; });
    next_.clear();
    begin_step(phase, step);
    if (limit_reached(phase, step)) return;
    std::uint64_t active = 0;
    for (const Vertex v : order) {
      // A message of this very round counts, if the vertex comes later.
      if (std::exchange(pending_[v], 0) == 0 || !is_active(phase, v)) continue;
      ++active;
      for (const MessageTable* message : phase.read) take_inbox(*message, v);
      run_actions(phase.body, v);
    }
    if (active == 0) return;
    end_step(phase, active);
  }
}

void Interpreter::run_actions(const Actions& actions, Vertex v) {
  using ir::StmtKind;
  Frame& frame = context_.frame;
  for (const Action& action : actions) {
    switch (action.kind) {
      case StmtKind::Let:
        for (std::size_t i = 0; i < action.value.size(); ++i)
          frame[action.slot + static_cast<unsigned>(i)] = evaluate(action.value[i], frame);
        break;
      case StmtKind::AssignState:
        assign(action, v);
        break;
      case StmtKind::AssignInbox: {
        Word value[8];
        for (std::size_t i = 0; i < action.value.size(); ++i)
          value[i] = evaluate(action.value[i], frame);
        deliver(*action.message, v, value);
        break;
      }
      case StmtKind::If:
        run_actions(holds(action.condition, frame) ? action.body : action.otherwise, v);
        break;
      case StmtKind::UpdateEdges:
        update_edges(action, v);
        break;
      case StmtKind::AssignEdge: {
        const Word value = evaluate(action.value.front(), frame);
        action.target.front().store_at(frame[action.edge_slot], value);
        action.target.front().store_at(frame[action.edge_slot + 2], value);
        break;
      }
      default:
        send(action, v);
    }
  }
}

// Each edge once, from the end that comes first; both its directions get what is written. Or each
// entry apart.
void Interpreter::update_edges(const Action& action, Vertex v) {
  Frame& frame = context_.frame;
  const EdgeSide& out = action.sides.front();
  frame[action.edge_slot + 1] = reinterpret_cast<Word>(out.weights);
  summary_->edges += out.offsets[v + 1] - out.offsets[v];
  for (EdgeIndex e = out.offsets[v]; e < out.offsets[v + 1]; ++e) {
    const Vertex u = out.targets[e];
    if (u < v && !action.apart) continue;
    const Vertex* const list = out.targets + out.offsets[u];
    frame[action.neighbour_slot] = u;
    frame[action.edge_slot] = e;
    frame[action.edge_slot + 2] =
        action.apart
            ? e
            : static_cast<Word>(std::lower_bound(list, out.targets + out.offsets[u + 1], v) -
                                out.targets);
    if (holds(action.condition, frame)) run_actions(action.body, v);
  }
}

void Interpreter::assign(const Action& action, Vertex v) {
  // All elements before any is stored: they may read the state that is assigned.
  Word value[8];
  for (std::size_t i = 0; i < action.value.size(); ++i)
    value[i] = evaluate(action.value[i], context_.frame);
  for (std::size_t i = 0; i < action.value.size(); ++i) action.target[i].store(v, value[i]);
}

void Interpreter::deliver(MessageTable& message, Vertex receiver, const Word* value) {
  if (message.deliver(message, context_.frame, receiver, value)) mark_pending(receiver);
}

void Interpreter::send(const Action& action, Vertex v) {
  Frame& frame = context_.frame;
  Word value[8];
  const auto fill = [&] {
    for (std::size_t i = 0; i < action.value.size(); ++i)
      value[i] = evaluate(action.value[i], frame);
  };
  if (action.receiver != nullptr) {
    const auto receiver = from_word<Vertex>(evaluate(action.receiver, frame));
    fill();
    if (receiver != kNoVertex) deliver(*action.message, receiver, value);
    return;
  }
  if (action.same_for_all) fill();
  for (const EdgeSide& side : action.sides) {
    frame[action.edge_slot + 1] = reinterpret_cast<Word>(side.weights);
    const EdgeIndex end = side.offsets[v + 1];
    summary_->edges += end - side.offsets[v];
    for (EdgeIndex e = side.offsets[v]; e < end; ++e) {
      const Vertex u = side.targets[e];
      frame[action.edge_slot] = e;
      frame[action.neighbour_slot] = u;
      if (action.condition != nullptr && !holds(action.condition, frame)) continue;
      if (!action.same_for_all) fill();
      deliver(*action.message, u, value);
    }
  }
}

}  // namespace vertigo::reference
