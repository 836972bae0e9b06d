// Rule (b) of order freedom has a condition that only values can meet. What comes into an inbox in
// another order may come in other parts; that a part is kept back where the whole would not be is
// harmless only where
//   - nothing is below zero, so that what comes in later only adds to it, or
//   - the guard looks at the magnitude, and vertices pass on less than they take, so that what is
//     kept back is bounded and every order ends.
// Where neither holds, the phase runs step by step, as the interpreter does.
#include "in_step.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "certify.h"
#include "read_verified.h"
#include "vertigo/reference/reference.h"
#include "walk.h"

namespace vertigo::reference {
namespace {

/// What an expression's value may differ by.
enum class Varies : std::uint8_t { Nowhere, BySender, ByEdge };

/// The signs of what a phase starts with and sends, and how much a vertex passes on. Looks at
/// vertices and edges only where the expressions do not tell.
class Values {
 public:
  Values(Context& context, const LinearPhase& phase) : context_(context), phase_(phase) {
    inbox_slot_ = context.resolver.new_slots(1);
    context.grow_frame();
    context.frame[inbox_slot_] = to_word(1.0);
  }

  /// Initial values take a walk over all vertices.
  void bind_states() {
    if (!states_) states_.emplace(context_);
  }

  /// "" where nothing is below zero, else what is.
  std::string below_zero() {
    for (const PlainStart& start : phase_.starts)
      for (const ir::ExprPtr& value : start.values)
        if (!is_nonnegative(*value))
          if (const Vertex found = first_start_below_zero(); found != kNoVertex)
            return "vertex " + context_.input_name(found) + " starts with a value below zero";
    for (const PlainSend& send : phase_.sends)
      if (!factors_nonnegative(send, *send.value))
        if (const Vertex found = first_sender_below_zero(send); found != kNoVertex)
          return "vertex " + context_.input_name(found) + " sends a value of the other sign";
    return "";
  }

  /// "" where the coefficients add up to less than 1 by sender or by receiver, else who passes on
  /// how much.
  std::string passes_on_too_much() {
    const Vertex n = context_.vertex_count();
    std::vector<double> sent(n, 0.0), received(n, 0.0);
    for (const PlainSend& send : phase_.sends)
      each_coefficient(send, *send.value, [&](Vertex u, Vertex v, double coefficient) {
        sent[u] += std::fabs(coefficient);
        std::atomic_ref(received[v]).fetch_add(std::fabs(coefficient), std::memory_order_relaxed);
      });
    // Written so that NaN is too much.
    const auto is_too_much = [](double sum) { return !(sum <= kMostPassedOn); };
    const auto most = std::ranges::find_if(sent, is_too_much);
    if (most == sent.end() || std::ranges::none_of(received, is_too_much)) return "";
    char share[32];
    std::snprintf(share, sizeof share, "%.3g", *most);
    return "vertex " + context_.input_name(static_cast<Vertex>(most - sent.begin())) +
           " passes on " + share + " times what it takes";
  }

 private:
  /// Rounding may make a sum of 1 a little less.
  static constexpr double kMostPassedOn = 1 - 1e-6;

  /// Whether the expression alone, with the values of parameters, tells that it is not below zero.
  bool is_nonnegative(const ir::Expr& e) {
    using ir::Op;
    const auto operand = [&](std::size_t i) { return is_nonnegative(*e.operands.at(i)); };
    switch (e.op) {
      case Op::Inbox:
      case Op::OutDegree:
      case Op::InDegree:
      case Op::Degree:
      case Op::Abs:
      case Op::Exp:
      case Op::Sqrt:
      case Op::Infinity:
        return true;
      case Op::EdgeAttribute:
        return ir::requires_nonnegative(context_.program, e.symbol);
      case Op::State:
        return state_nonnegative(*context_.program.find_state(e.symbol));
      case Op::Multiply:
      case Op::Divide:
      case Op::Add:
      case Op::Min:
        if (operand(0) && operand(1)) return true;
        break;
      case Op::Max:
        if (operand(0) || operand(1)) return true;
        break;
      case Op::Select:
        if (operand(1) && operand(2)) return true;
        break;
      case Op::Cast:
        return operand(0);
      case Op::ReduceNeighbours:
      case Op::ReduceCommon:
        return e.reduction == ir::Reduction::Count ||
               (e.reduction == ir::Reduction::Sum && operand(0));
      default:
        break;
    }
    if (variation(e) != Varies::Nowhere) return false;
    return from_word<double>(context_.evaluate_now(e, ScalarKind::Float64).front()) >= 0;
  }
  /// Of a state that no update writes.
  bool state_nonnegative(const ir::State& state) {
    const bool given = state.is_input && context_.request.arguments.input(state.name) != nullptr;
    return !given && state.type.is_scalar() && is_nonnegative(*state.initial);
  }

  /// Whether every factor of the coefficient is at least zero at every sender.
  bool factors_nonnegative(const PlainSend& send, const ir::Expr& e) {
    using ir::Op;
    if (is_nonnegative(e)) return true;
    if (e.op == Op::Multiply || e.op == Op::Divide || e.op == Op::Add)
      return factors_nonnegative(send, *e.operands[0]) && factors_nonnegative(send, *e.operands[1]);
    if (e.op == Op::Cast) return factors_nonnegative(send, *e.operands[0]);
    return variation(e) == Varies::BySender && nonnegative_at_senders(send, e);
  }
  Varies variation(const ir::Expr& expr) const {
    Varies found = Varies::Nowhere;
    ir::walk(expr, [&](const ir::Expr& e) {
      const bool by_edge = e.op == ir::Op::EdgeAttribute || e.op == ir::Op::ReduceNeighbours ||
                           e.op == ir::Op::CommonNeighbours || e.op == ir::Op::ReduceVertices ||
                           (!e.vertex.empty() && e.vertex != phase_.source->variable);
      const bool by_sender = !e.vertex.empty() || e.op == ir::Op::Inbox;
      if (by_edge || (by_sender && found == Varies::Nowhere))
        found = by_edge ? Varies::ByEdge : Varies::BySender;
    });
    return found;
  }

  SendCode resolve(const PlainSend& send, const ir::Expr& value) {
    bind_states();
    return resolve_send(context_, phase_, send, value, ScalarKind::Float64, inbox_slot_);
  }
  Vertex first_start_below_zero() {
    bind_states();
    const ScalarKind kind = phase_.message->type.scalar();
    Vertex found = kNoVertex;
    for (const StartValues& start : resolve_starts(context_, phase_))
      for_each_started(context_, start, [&](Vertex v) {
        for (const Nodes& nodes : start.values)
          if (!(value_of(evaluate(nodes.front(), context_.frame), kind).as<double>() >= 0))
            found = std::min(found, v);
      });
    return found;
  }
  bool nonnegative_at_senders(const PlainSend& send, const ir::Expr& value) {
    const SendCode code = resolve(send, value);
    const Vertex count = context_.vertex_count();
    const auto has_edges = [](const EdgeSide& side, Vertex u) {
      return side.offsets[u] != side.offsets[u + 1];
    };
    bool holds = true;
#pragma omp parallel reduction(&& : holds) if (count > kParallelVertices)
    {
      Frame frame = context_.frame;
#pragma omp for schedule(static)
      for (Vertex u = 0; u < count; ++u) {
        bool sends = false;
        for (const EdgeSide& side : code.sides) sends = sends || has_edges(side, u);
        frame[code.sender_slot] = u;
        holds = holds && (!sends || from_word<double>(evaluate(code.value.front(), frame)) >= 0);
      }
    }
    return holds;
  }

  template <class Visit>
  void each_coefficient(const PlainSend& send, const ir::Expr& value, const Visit& visit) {
    const SendCode code = resolve(send, value);
    const Vertex n = context_.vertex_count();
#pragma omp parallel if (n > kParallelVertices)
    {
      Frame frame = context_.frame;
#pragma omp for schedule(dynamic, 1024)
      for (Vertex u = 0; u < n; ++u)
        for_each_sent(code, frame, u, [&](Vertex v) {
          visit(u, v, from_word<double>(evaluate(code.value.front(), frame)));
        });
    }
  }
  Vertex first_sender_below_zero(const PlainSend& send) {
    std::atomic<Vertex> first = kNoVertex;
    each_coefficient(send, *send.value, [&](Vertex u, Vertex, double coefficient) {
      if (coefficient >= 0) return;
      Vertex known = first.load(std::memory_order_relaxed);
      while (u < known && !first.compare_exchange_weak(known, u)) continue;
    });
    return first;
  }

  Context& context_;
  const LinearPhase& phase_;
  std::optional<StateStorage> states_;
  unsigned inbox_slot_ = 0;
};

bool reads_host_variables(const ir::Phase& phase) {
  bool found = false;
  walk_phase(
      phase, [](const ir::Stmt&) {},
      [&](const ir::Expr& e) { found = found || e.op == ir::Op::HostVariable; });
  return found;
}

/// Why the phase has to run step by step; "" where any order will do.
std::string reason_for_steps(const ir::Program& program, const ir::Phase& phase,
                             const host::RunRequest& request) {
  const std::optional<LinearPhase> linear = recognise_linear(program, phase);
  const bool alone = only_phase(program) == &phase;
  if (!linear || (!alone && reads_host_variables(phase)))
    return "that no message is below zero is not known, and the proof of any other order needs it";
  Context context(program, request);
  Values values(context, *linear);
  if (alone && program.body.front()->kind == ir::StmtKind::HostLet) {
    values.bind_states();
    bind_host_variables(context);
  }
  const std::string below = values.below_zero();
  if (below.empty()) return "";
  if (!linear->absolute) return below + ", and the guard looks at one side only";
  const std::string grows = values.passes_on_too_much();
  return grows.empty() ? "" : below + ", and " + grows;
}

}  // namespace

std::map<std::string, std::string> phases_in_step(std::string_view program_ir,
                                                  const host::RunRequest& request) {
  return phases_in_step(read_verified(program_ir), request);
}

std::map<std::string, std::string> phases_in_step(const ir::Program& program,
                                                  const host::RunRequest& request) {
  std::map<std::string, std::string> phases;
  for (const ir::Phase& phase : program.phases) {
    const ir::Algebra& algebra = ir::algebra_of(phase);
    if (phase.serializable || algebra.form != ir::Form::Accumulation) continue;
    if (algebra.accumulated && algebra.accumulated->nonnegative.value) continue;
    std::string reason = reason_for_steps(program, phase, request);
    if (!reason.empty()) phases[phase.name] = std::move(reason);
  }
  return phases;
}

}  // namespace vertigo::reference
