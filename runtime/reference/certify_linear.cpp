// The certificate of linear sums. Whatever the order of activations, a vertex's state is what its
// start and its in-neighbours have sent, less what its inbox still holds:
//     state(v) - initial(v) + inbox(v) = start(v) + sum over edges u -> v of
//                                        coefficient(u, v) * (state(u) - initial(u))
// and the guard bounds what the inbox may hold: r, |r| <= t. The sums are formed in float64.
//
// Two results that pass differ by x - y = (I - A)^-1 (r' - r), A being the coefficients: where
// these add up to at most q < 1 by sender, |x - y| adds up to 2 * sum of t / (1 - q) over all
// vertices; where they do by receiver, no |x - y| is above 2 * max t / (1 - q). And where A >= 0
// and every vertex starts with b > 0, (I - A)^-1 t <= max(t / b) * (I - A)^-1 b: a share of the
// value itself.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "certify.h"
#include "vertigo/core/number_text.h"

namespace vertigo::reference {
namespace {

/// The same expression in double precision: what it reads is converted, what it computes is not
/// rounded to float32.
ir::ExprPtr in_double(const ir::Expr& expr) {
  ir::ExprPtr copy = expr.clone();
  ir::walk(*copy, [](ir::Expr& e) {
    const bool reads = e.op == ir::Op::Literal || e.op == ir::Op::State ||
                       e.op == ir::Op::Parameter || e.op == ir::Op::HostVariable ||
                       e.op == ir::Op::EdgeAttribute || e.op == ir::Op::Infinity;
    if (!reads && e.type == ir::Type(ScalarKind::Float32)) e.type = ScalarKind::Float64;
  });
  return copy;
}

class LinearCertificate {
 public:
  LinearCertificate(Context& context, const CheckedState& state, const LinearPhase& phase)
      : context_(context),
        state_(state),
        phase_(phase),
        expected_(context.vertex_count(), 0.0),
        mass_(context.vertex_count(), 0.0),
        received_(context.vertex_count(), 0.0),
        terms_(context.vertex_count(), 0) {
    inbox_slot_ = context.resolver.new_slots(1);
    for (const PlainSend& send : phase.sends) {
      const ir::ExprPtr value = in_double(*send.value);
      sends_.push_back(
          resolve_send(context, phase, send, *value, ScalarKind::Float64, inbox_slot_));
    }
    starts_ = resolve_starts(context, phase);
    Resolver& resolver = context.resolver;
    resolver.push_scope();
    guard_slot_ = resolver.bind_vertex(phase.source->variable);
    tolerance_ = resolver.resolve_as(*phase.tolerance, ScalarKind::Float64).front();
    for (const ir::ExprPtr& condition : phase.conditions)
      conditions_.push_back(resolver.condition(condition));
    resolver.pop_scope();
    context.grow_frame();
  }

  /// False where the guard bounds the inbox on one side only and something negative was sent.
  bool collect() {
    const ScalarKind kind = state_.type.scalar();
    for (const StartValues& start : starts_)
      for_each_started(context_, start, [&](Vertex v) {
        for (const Nodes& nodes : start.values)
          add(v, value_of(evaluate(nodes.front(), context_.frame), kind).as<double>());
      });
    for (Vertex v = 0; v < context_.vertex_count(); ++v) {
      any_starts_ = any_starts_ || takes(v, expected_[v], context_.frame);
      const double kept = may_keep(v, context_.frame);
      if (kept > 0) share_ = std::max(share_, expected_[v] > 0 ? kept / expected_[v] : HUGE_VAL);
    }
    const Vertex n = context_.vertex_count();
    std::uint64_t edges = 0;
    double by_sender = 0;
#pragma omp parallel reduction(+ : edges) reduction(max : by_sender) if (n > kParallelVertices)
    {
      Frame frame = context_.frame;
#pragma omp for schedule(dynamic, 1024)
      for (Vertex u = 0; u < n; ++u) {
        const double sent_from = gained(u);
        // What holds nothing sends nothing; its coefficients count all the same.
        const double unit = sent_from == 0 ? 1 : sent_from;
        frame[inbox_slot_] = to_word(unit);
        double passed_on = 0;
        for (const SendCode& send : sends_)
          for_each_sent(send, frame, u, [&](Vertex v) {
            ++edges;
            const auto term = from_word<double>(evaluate(send.value.front(), frame));
            const double coefficient = std::fabs(term / unit);
            passed_on += coefficient;
            std::atomic_ref(received_[v]).fetch_add(coefficient, std::memory_order_relaxed);
            if (sent_from != 0) add(v, term);
          });
        by_sender = std::max(by_sender, passed_on);
      }
    }
    edges_ = edges;
    by_sender_ = by_sender;
    for (const double sum : received_) by_receiver_ = std::max(by_receiver_, sum);
    return phase_.absolute || !negative_;
  }

  void run(CheckReport& report) {
    const Vertex n = context_.vertex_count();
    double largest = 0, most_kept = 0, all_kept = 0;
#pragma omp parallel reduction(max : largest, most_kept) \
    reduction(+ : all_kept) if (n > kParallelVertices)
    {
      Frame frame = context_.frame;
#pragma omp for schedule(dynamic, 1024)
      for (Vertex v = 0; v < n; ++v) {
        if (!may_take(v, frame)) {
          if (!(std::fabs(gained(v)) <= 0)) fail_idle(v);
          continue;
        }
        const double residual = std::fabs(expected_[v] - gained(v));
        const double kept = may_keep(v, frame);
        most_kept = std::max(most_kept, kept);
        all_kept += kept;
        const double bound = kept + rounding(v);
        largest = std::max(largest, residual);
        // Written so that NaN fails.
        if (!(residual <= bound)) fail(v, residual, bound);
      }
    }
    failures_.move_to(report);
    report.checked.push_back("'" + phase_.state->name +
                             "' balances start and messages within the tolerance (" +
                             counted(n, "vertex", "vertices") + ", " + counted(edges_, "edge") +
                             ", largest residual " + show(largest) + ")");
    if (most_kept > 0 && std::isfinite(most_kept))
      report.checked.push_back(distance(most_kept, all_kept));
  }

 private:
  static std::string show(double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", value);
    return text;
  }

  /// Whether an inbox of the vertex can ever pass the guard.
  bool may_take(Vertex v, Frame& frame) const {
    frame[guard_slot_] = v;
    return any_starts_ && std::ranges::all_of(conditions_, [&](const Node* condition) {
             return holds(condition, frame);
           });
  }
  /// The guard itself.
  bool takes(Vertex v, double inbox, Frame& frame) const {
    frame[guard_slot_] = v;
    for (const Node* condition : conditions_)
      if (!holds(condition, frame)) return false;
    const auto threshold = from_word<double>(evaluate(tolerance_, frame));
    const double size = phase_.absolute ? std::fabs(inbox) : inbox;
    return phase_.inclusive ? size >= threshold : size > threshold;
  }
  /// What may stay in an inbox. A threshold below zero lets everything pass; infinity and what is
  /// no number let nothing.
  double may_keep(Vertex v, Frame& frame) const {
    frame[guard_slot_] = v;
    const auto threshold = from_word<double>(evaluate(tolerance_, frame));
    return std::isnan(threshold) ? HUGE_VAL : std::max(threshold, 0.0);
  }

  std::string distance(double most_kept, double all_kept) const {
    if (!negative_ && 2 * share_ < 1)
      return "other schedules differ by at most the share " + show(2 * share_) + " of each value";
    const double in_all = by_sender_ < 1 ? 2 * all_kept / (1 - by_sender_) : HUGE_VAL;
    const double each = by_receiver_ < 1 ? 2 * most_kept / (1 - by_receiver_) : HUGE_VAL;
    if (!std::isfinite(in_all) && !std::isfinite(each))
      return "how far other schedules may be off is not known: some vertex passes on, and some "
             "receives, as much as it holds";
    if (each <= in_all)
      return "other schedules differ by at most " + show(each) + " at each vertex";
    return "other schedules differ by at most " + show(in_all) + " over all vertices together";
  }

  double value(const std::vector<ColumnRef>& columns, Vertex v) const {
    return value_of(columns[0].load(v), columns[0].kind).as<double>();
  }
  /// What the vertex took from its inbox in all.
  double gained(Vertex v) const { return value(state_.after, v) - value(state_.before, v); }

  void add(Vertex v, double term) {
    if (term < 0) negative_ = true;
    std::atomic_ref(expected_[v]).fetch_add(term, std::memory_order_relaxed);
    std::atomic_ref(mass_[v]).fetch_add(std::fabs(term), std::memory_order_relaxed);
    std::atomic_ref(terms_[v]).fetch_add(1, std::memory_order_relaxed);
  }

  /// How far rounding in the state's type may move the balance. Each term came in pieces, one an
  /// activation of its sender; errors of k additions of rounding unit e reach about e * sqrt(k)
  /// times the mass (Higham and Mary 2019, section 3), of which 8 is a generous multiple. 256
  /// stands for the activations, in which the pieces shrink geometrically.
  double rounding(Vertex v) const {
    const double unit = state_.type.scalar() == ScalarKind::Float32 ? 0x1p-24 : 0x1p-53;
    const double mass =
        mass_[v] + std::fabs(value(state_.after, v)) + std::fabs(value(state_.before, v));
    return unit * mass * (16 + 8 * std::sqrt(256.0 + static_cast<double>(terms_[v])));
  }

  void fail_idle(Vertex v) {
    failures_.add(v,
                  "vertex " + context_.input_name(v) + ": '" + phase_.state->name + "' is " +
                      show(value(state_.after, v)) +
                      ", but no inbox there passes the guard, so it stays " +
                      show(value(state_.before, v)),
                  std::fabs(gained(v)));
  }
  void fail(Vertex v, double residual, double bound) {
    failures_.add(v,
                  "vertex " + context_.input_name(v) + ": '" + phase_.state->name + "' is " +
                      show(value(state_.after, v)) + ", but its start and in-neighbours give " +
                      show(expected_[v] + value(state_.before, v)) + " (off by " + show(residual) +
                      ", allowed " + show(bound) + ")",
                  std::isfinite(residual) ? residual : HUGE_VAL);
  }

  Context& context_;
  const CheckedState& state_;
  const LinearPhase& phase_;
  std::vector<double> expected_, mass_;
  std::vector<double> received_;            ///< sum of coefficients by receiver
  double by_sender_ = 0, by_receiver_ = 0;  ///< the largest such sums
  double share_ = 0;                        ///< what may be kept, of what the vertex starts with
  bool any_starts_ = false;                 ///< what a start put into an inbox passes the guard
  std::vector<std::uint64_t> terms_;
  unsigned inbox_slot_ = 0;
  unsigned guard_slot_ = 0;
  const Node* tolerance_ = nullptr;
  std::vector<const Node*> conditions_;
  std::vector<SendCode> sends_;
  std::vector<StartValues> starts_;
  std::atomic<bool> negative_ = false;
  Failures failures_;
  std::uint64_t edges_ = 0;
};

}  // namespace

bool certify_linear(Context& context, const CheckedState& state, const LinearPhase& phase,
                    CheckReport& report) {
  if (!state.type.is_scalar()) return false;
  LinearCertificate certificate(context, state, phase);
  if (!certificate.collect()) return false;
  certificate.run(report);
  return true;
}

}  // namespace vertigo::reference
