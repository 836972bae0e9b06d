// The certificate of linear sums. Whatever the order of activations, a vertex's state is what its
// start and its in-neighbours have sent, less what its inbox still holds:
//     state(v) - initial(v) + inbox(v) = start(v) + sum over edges u -> v of
//                                        coefficient(u, v) * (state(u) - initial(u))
// and the guard bounds what the inbox may hold. The sums are formed in float64.
#include <omp.h>

#include <atomic>
#include <cmath>

#include "certify.h"

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
    tolerance_slot_ = resolver.bind_vertex(phase.source->variable);
    tolerance_ = resolver.resolve_as(*phase.tolerance, ScalarKind::Float64).front();
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
    const Vertex n = context_.vertex_count();
    std::uint64_t edges = 0;
#pragma omp parallel reduction(+ : edges) if (n > kParallelVertices)
    {
      Frame frame = context_.frame;
#pragma omp for schedule(dynamic, 1024)
      for (Vertex u = 0; u < n; ++u) {
        const double sent_from = gained(u);
        if (sent_from == 0) continue;
        frame[inbox_slot_] = to_word(sent_from);
        for (const SendCode& send : sends_)
          for_each_sent(send, frame, u, [&](Vertex v) {
            ++edges;
            add(v, from_word<double>(evaluate(send.value.front(), frame)));
          });
      }
    }
    edges_ = edges;
    return phase_.absolute || !negative_;
  }

  void run(CheckReport& report) {
    const Vertex n = context_.vertex_count();
    double largest = 0;
#pragma omp parallel reduction(max : largest) if (n > kParallelVertices)
    {
      Frame frame = context_.frame;
#pragma omp for schedule(dynamic, 1024)
      for (Vertex v = 0; v < n; ++v) {
        const double residual = std::fabs(expected_[v] - gained(v));
        frame[tolerance_slot_] = v;
        const double bound =
            std::fabs(from_word<double>(evaluate(tolerance_, frame))) + rounding(v);
        largest = std::max(largest, residual);
        // Written so that NaN fails.
        if (!(residual <= bound)) fail(v, residual, bound);
      }
    }
    failures_.move_to(report);
    report.checked.push_back("'" + phase_.state->name +
                             "' balances start and messages within the tolerance (" +
                             std::to_string(n) + " vertices, " + std::to_string(edges_) +
                             " edges, largest residual " + show(largest) + ")");
  }

 private:
  static std::string show(double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", value);
    return text;
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
  std::vector<std::uint64_t> terms_;
  unsigned inbox_slot_ = 0;
  unsigned tolerance_slot_ = 0;
  const Node* tolerance_ = nullptr;
  std::vector<SendCode> sends_;
  std::vector<StartValues> starts_;
  std::atomic<bool> negative_ = false;
  Failures failures_;
  std::uint64_t edges_ = 0;
};

}  // namespace

bool certify_linear(Context& context, const BoundResult& result, const LinearPhase& phase,
                    CheckReport& report) {
  const CheckedState* state = result.find(phase.state->name);
  if (state == nullptr || !state->type.is_scalar()) return false;
  LinearCertificate certificate(context, *state, phase);
  if (!certificate.collect()) return false;
  certificate.run(report);
  return true;
}

}  // namespace vertigo::reference
