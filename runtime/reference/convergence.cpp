// Programs that have no fixed point: they are told so, with the reason, instead of running for
// ever.
#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter.h"
#include "vertigo/core/error.h"

namespace vertigo::reference {
namespace {

constexpr std::size_t kNamedVertices = 16;

}  // namespace

void Interpreter::watch_convergence(const PhaseCode& phase, std::uint64_t step) {
  // Of pairs the second element may improve round a cycle and then rest, as when vertices of equal
  // distance become each other's parents; but never after more steps than a path has edges.
  const bool may_rest = phase.finds_improving_cycles && phase.read.front()->inbox.size() > 1 &&
                        step <= context_.vertex_count();
  if (phase.finds_improving_cycles && !may_rest) {
    // A search costs a walk over all vertices, so it waits until that many were active.
    activations_since_search_ += active_.size();
    if (activations_since_search_ > 2 * std::uint64_t{context_.vertex_count()}) {
      activations_since_search_ = 0;
      find_improving_cycle(phase);
    }
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

/// Who improved whom last forms a cycle only if going round it improves the value again, and then
/// for ever: what a vertex sent can only have become better since, and improving is monotone.
void Interpreter::find_improving_cycle(const PhaseCode& phase) {
  const Vertex n = context_.vertex_count();
  std::vector<Vertex> seen_from(n, kNoVertex);
  for (Vertex root = 0; root < n; ++root) {
    Vertex v = root;
    while (v != kNoVertex && seen_from[v] == kNoVertex) {
      seen_from[v] = root;
      v = improved_by_[v];
    }
    if (v == kNoVertex || seen_from[v] != root) continue;
    std::vector<Vertex> cycle;
    for (Vertex at = v; cycle.empty() || at != v; at = improved_by_[at]) cycle.push_back(at);
    std::reverse(cycle.begin(), cycle.end());
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    std::string names;
    for (std::size_t i = 0; i < cycle.size() && i < kNamedVertices; ++i)
      names += context_.input_name(cycle[i]) + " -> ";
    if (cycle.size() > kNamedVertices)
      names += "... (" + std::to_string(cycle.size()) + " vertices) -> ";
    const bool is_min = phase.read.front()->source->combine == ir::Combine::Min;
    throw Error(ExitCode::NotConverged,
                "phase '" + phase.source->name + "' has no fixed point: the " +
                    (is_min ? "negative" : "positive") + " cycle " + names +
                    context_.input_name(cycle.front()) + " improves its vertices every time round");
  }
}

}  // namespace vertigo::reference
