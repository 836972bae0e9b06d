#include "improving_cycles.h"

#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "arithmetic.h"
#include "certify.h"
#include "strong_components.h"

namespace vertigo::reference {
namespace {

constexpr std::size_t kNamedVertices = 16;
constexpr std::size_t kMostElements = 4;
/// An improvement that comes from a constant or from rounding is over after one time round.
constexpr int kRounds = 3;
/// So many cycles are tried before the next look; of pairs, most may be ties.
constexpr std::size_t kMostTried = 64;

/// Edges that the search among vertices at `inf` looks at, all in all: a second or two.
constexpr std::uint64_t kMostRelaxed = std::uint64_t{1} << 28;

using Exact = __int128;

/// An edge along which a message travels, as the code of a send sees it.
struct Travelled {
  Vertex from = 0, to = 0;
  std::uint32_t send = 0, side = 0;
  EdgeIndex edge = 0;
  bool gains = false;  ///< what it brings is better than what the head has; or, at rest, would be
};

/// The phase, with the states as they are at some moment.
class Moment {
 public:
  Moment(Context& context, const MovingPhase& phase)
      : context_(context),
        phase_(phase),
        now_(context.resolver.state(phase.state->name).current),
        size_(phase.state->type.elements.size()),
        inbox_slot_(context.resolver.new_slots(size_)) {
    for (const PlainSend& send : phase.sends)
      sends_.push_back(
          resolve_send(context, phase, send, *send.value, phase.message->type, inbox_slot_));
  }

  Vertex vertex_count() const { return context_.vertex_count(); }
  Frame frame() const { return context_.frame; }

  void load(const std::vector<ColumnRef>& columns, Vertex v, Word* words) const {
    for (std::size_t i = 0; i < size_; ++i) words[i] = columns[i].load(v);
  }
  void load(Vertex v, Word* words) const { load(now_, v, words); }

  /// Of the moved elements: negative where `a` is the better one.
  std::partial_ordering compare(const Word* a, const Word* b) const {
    const auto kinds = std::span(phase_.state->type.elements).first(phase_.moved);
    return phase_.is_min ? compare_tuples(kinds, a, b) : compare_tuples(kinds, b, a);
  }

  /// What the tail sends along the edge when it takes `inbox`.
  void offer(Frame& frame, const Travelled& edge, const Word* inbox, Word* offered) const {
    const SendCode& send = sends_[edge.send];
    std::copy_n(inbox, size_, frame.slots.begin() + inbox_slot_);
    frame[send.sender_slot] = edge.from;
    frame[send.neighbour_slot] = edge.to;
    frame[send.edge_slot] = edge.edge;
    frame[send.edge_slot + 1] = reinterpret_cast<Word>(send.sides[edge.side].weights);
    for (std::size_t i = 0; i < size_; ++i) offered[i] = evaluate(send.value[i], frame);
  }

  /// Calls `visit(frame, edge, offered, found)` for every edge from one of the vertices in `among`
  /// to another that a message travels along; returns what was pushed to `found`, by tails.
  template <class Visit>
  std::vector<Travelled> collect(const std::vector<std::uint8_t>& among, const Visit& visit) {
    std::vector<Travelled> all;
    const auto n = static_cast<std::int64_t>(vertex_count());
#pragma omp parallel if (n > kParallelVertices)
    {
      Frame frame = context_.frame;
      std::vector<Travelled> found;
#pragma omp for schedule(static) nowait
      for (std::int64_t u = 0; u < n; ++u)
        if (among[static_cast<std::size_t>(u)] != 0)
          collect_from(frame, static_cast<Vertex>(u), among, visit, found);
#pragma omp for ordered schedule(static, 1)
      for (int thread = 0; thread < omp_get_num_threads(); ++thread) {
#pragma omp ordered
        all.insert(all.end(), found.begin(), found.end());
      }
    }
    return all;
  }

  /// Goes round the cycle and says whether it improves the value every time.
  bool improves(const std::vector<Travelled>& cycle) {
    Frame frame = context_.frame;
    Word value[kMostElements], before[kMostElements], offered[kMostElements];
    load(cycle.front().from, value);
    for (int round = 0; round < kRounds; ++round) {
      std::copy_n(value, size_, before);
      for (const Travelled& edge : cycle) {
        offer(frame, edge, value, offered);
        std::copy_n(offered, size_, value);
      }
      if (compare(value, before) >= 0) return false;
    }
    return true;
  }

  std::string describe(const std::vector<Travelled>& cycle) const {
    std::vector<Vertex> vertices;
    for (const Travelled& edge : cycle) vertices.push_back(edge.from);
    std::ranges::rotate(vertices, std::ranges::min_element(vertices));
    std::string names;
    for (std::size_t i = 0; i < vertices.size() && i < kNamedVertices; ++i)
      names += context_.input_name(vertices[i]) + " -> ";
    if (vertices.size() > kNamedVertices)
      names += "... (" + std::to_string(vertices.size()) + " vertices) -> ";
    return std::string("the ") + (phase_.is_min ? "negative" : "positive") + " cycle " + names +
           context_.input_name(vertices.front()) + " improves its vertices every time round";
  }

 private:
  template <class Visit>
  void collect_from(Frame& frame, Vertex u, const std::vector<std::uint8_t>& among,
                    const Visit& visit, std::vector<Travelled>& found) {
    Word value[kMostElements], offered[kMostElements];
    load(u, value);
    for (std::uint32_t s = 0; s < sends_.size(); ++s)
      for (std::uint32_t side = 0; side < sends_[s].sides.size(); ++side) {
        const EdgeSide& edges = sends_[s].sides[side];
        for (EdgeIndex e = edges.offsets[u]; e < edges.offsets[u + 1]; ++e) {
          Travelled edge{u, edges.targets[e], s, side, e};
          if (among[edge.to] == 0) continue;
          offer(frame, edge, value, offered);
          if (sends_[s].condition != nullptr && !holds(sends_[s].condition, frame)) continue;
          if (visit(frame, edge, offered)) found.push_back(edge);
        }
      }
  }

  Context& context_;
  const MovingPhase& phase_;
  std::vector<ColumnRef> now_;
  std::size_t size_;
  unsigned inbox_slot_;
  std::vector<SendCode> sends_;
};

/// A cycle through one of the edges that gain, and that improves; empty where there is none.
std::vector<Travelled> cycle_that_gains(Moment& moment, const std::vector<Travelled>& edges) {
  const StrongComponents components(moment.vertex_count(), edges);
  std::size_t tried = 0;
  for (std::size_t i = 0; i < edges.size() && tried < kMostTried; ++i) {
    if (!edges[i].gains || !components.joins(edges[i].from, edges[i].to)) continue;
    ++tried;
    std::vector<Travelled> cycle{edges[i]};
    for (const std::size_t at : components.path(edges[i].to, edges[i].from))
      cycle.push_back(edges[at]);
    if (moment.improves(cycle)) return cycle;
  }
  return {};
}

/// Values at rest at the end of an integer type's range, and the cycles that drove them there.
class Rest {
 public:
  Rest(Moment& moment, const MovingPhase& phase, const std::vector<ColumnRef>& initial)
      : moment_(moment), phase_(phase), initial_(initial) {}

  std::vector<Travelled> find() {
    return with_type(phase_.state->type.elements.front(), [&]<class T>() {
      if constexpr (Integer<T>) return phase_.is_min ? at_lowest<T>() : at_inf<T>();
      return std::vector<Travelled>();
    });
  }

 private:
  /// Vertices that the phase settled. `all`: or those alone that have the value `end`.
  template <class T>
  std::vector<std::uint8_t> settled(bool all, T end, bool& any) {
    std::vector<std::uint8_t> marks(moment_.vertex_count(), 0);
    any = false;
    for (Vertex v = 0; v < moment_.vertex_count(); ++v) {
      Word now[kMostElements], before[kMostElements];
      moment_.load(v, now);
      moment_.load(initial_, v, before);
      const bool is_settled = moment_.compare(now, before) < 0;
      const bool is_at_end = from_word<T>(now[0]) == end;
      any |= is_settled && is_at_end;
      marks[v] = is_settled && (all || is_at_end);
    }
    return marks;
  }

  /// By how much the edge moves the first element: what it makes of 0.
  template <class T>
  Exact movement(Frame& frame, const Travelled& edge) {
    Word zero[kMostElements], offered[kMostElements];
    moment_.load(edge.from, zero);
    zero[0] = to_word(T{0});
    moment_.offer(frame, edge, zero, offered);
    return from_word<T>(offered[0]);
  }

  // Tight edges, of which one would lead below the range: round the cycle, the movements add up to
  // less than nothing.
  template <class T>
  std::vector<Travelled> at_lowest() {
    bool any = false;
    const std::vector<std::uint8_t> among = settled<T>(true, kLowest<T>, any);
    if (!any) return {};
    std::vector<Travelled> edges =
        moment_.collect(among, [&](Frame& frame, Travelled& edge, const Word* offered) {
          Word head[kMostElements]{}, tail[kMostElements]{};
          moment_.load(edge.to, head);
          if (compare_words(phase_.state->type.elements[0], offered[0], head[0]) != 0) return false;
          moment_.load(edge.from, tail);
          const Exact exact = Exact{from_word<T>(tail[0])} + movement<T>(frame, edge);
          edge.gains = exact < Exact{kLowest<T>};
          return true;
        });
    const StrongComponents components(moment_.vertex_count(), edges);
    for (const Travelled& edge : edges) {
      if (!edge.gains || !components.joins(edge.from, edge.to)) continue;
      std::vector<Travelled> cycle{edge};
      for (const std::size_t at : components.path(edge.to, edge.from)) cycle.push_back(edges[at]);
      return cycle;
    }
    return {};
  }

  // `inf` takes in whatever is added to it, so the values say no more: the movements must be added
  // up round the cycles among its vertices.
  template <class T>
  std::vector<Travelled> at_inf() {
    bool any = false;
    const std::vector<std::uint8_t> among = settled<T>(false, kInfinity<T>, any);
    if (!any) return {};
    std::vector<Travelled> edges =
        moment_.collect(among, [](Frame&, Travelled&, const Word*) { return true; });
    const StrongComponents components(moment_.vertex_count(), edges);
    std::erase_if(edges, [&](const Travelled& e) { return !components.joins(e.from, e.to); });
    return longest_way_round<T>(edges);
  }

  /// Bellman and Ford's search for a cycle of positive length.
  template <class T>
  std::vector<Travelled> longest_way_round(const std::vector<Travelled>& edges) {
    std::vector<Exact> movements, length(moment_.vertex_count(), 0);
    std::vector<std::size_t> last(moment_.vertex_count(), edges.size());
    Frame frame = moment_.frame();
    for (const Travelled& edge : edges) movements.push_back(movement<T>(frame, edge));
    Vertex improved = kNoVertex;
    for (Vertex round = 0; round <= moment_.vertex_count(); ++round) {
      if (std::uint64_t{round} * edges.size() > kMostRelaxed) return {};
      improved = kNoVertex;
      for (std::size_t i = 0; i < edges.size(); ++i) {
        const Exact reached = length[edges[i].from] + movements[i];
        if (reached <= length[edges[i].to]) continue;
        length[edges[i].to] = reached;
        last[edges[i].to] = i;
        improved = edges[i].to;
      }
      if (improved == kNoVertex) return {};
    }
    // After so many rounds the way back leads into a cycle.
    for (Vertex i = 0; i < moment_.vertex_count(); ++i) improved = edges[last[improved]].from;
    std::vector<Travelled> cycle;
    for (Vertex at = improved; cycle.empty() || at != improved; at = cycle.back().from)
      cycle.push_back(edges[last[at]]);
    std::ranges::reverse(cycle);
    return cycle;
  }

  Moment& moment_;
  const MovingPhase& phase_;
  const std::vector<ColumnRef>& initial_;
};

}  // namespace

std::string improving_cycle(Context& context, const MovingPhase& phase,
                            const std::vector<ColumnRef>& before) {
  Moment moment(context, phase);
  // Who has improved since then was active, and has sent its value or is about to.
  std::vector<std::uint8_t> improved(moment.vertex_count(), 0);
  for (Vertex v = 0; v < moment.vertex_count(); ++v) {
    Word then[kMostElements], now[kMostElements];
    moment.load(before, v, then);
    moment.load(v, now);
    improved[v] = moment.compare(now, then) < 0;
  }
  const std::vector<Travelled> edges =
      moment.collect(improved, [&](Frame&, Travelled& edge, const Word* offered) {
        Word head[kMostElements];
        moment.load(edge.to, head);
        const std::partial_ordering order = moment.compare(offered, head);
        edge.gains = order < 0;
        return order <= 0;
      });
  const std::vector<Travelled> cycle = cycle_that_gains(moment, edges);
  return cycle.empty() ? "" : moment.describe(cycle);
}

std::string improving_cycle_at_rest(Context& context, const MovingPhase& phase,
                                    const std::vector<ColumnRef>& initial) {
  if (!phase.is_pure) return "";
  Moment moment(context, phase);
  const std::vector<Travelled> cycle = Rest(moment, phase, initial).find();
  return cycle.empty() ? "" : moment.describe(cycle);
}

}  // namespace vertigo::reference
