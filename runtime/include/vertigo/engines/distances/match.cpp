// The engine `distances`: an improving phase whose messages depend on the weights of edges, worked
// on in the order of its values. Lists sorted by weight let a vertex stop at the first edge that
// cannot help yet; where paths are long, a sliding window of values keeps all lanes busy.
//
// What must hold, besides the proof of improvement (docs/semantics.md, rule 5 (a)):
//   - one message, its value a function of the inbox, the edge's attribute, and tolls of the two
//     ends, without which it is no worse (Tolls.h). The message without tolls bounds what is
//     pulled; without those of the receiver, it bounds what a list still has to say. Where there
//     are tolls, the weight may have no part in it. It is sent along
//     edges, against them (then the lists are those of the transpose), or both ways: then the lists
//     are those of the edges and their reverses. Where every edge has its reverse of the same
//     weight, all directions are one, as a message that comes twice improves nothing the second
//     time;
//   - what keeps a message from an edge or a receiver, in the guard and around the send, depends on
//     the value, the edge and what the phase leaves alone (ChosenMessage.h). Leaving edges out of
//     lists keeps them sorted and every bound a bound, so a condition is asked where an edge is
//     delivered or pulled. One that ends for good as values and weights get worse is part of what
//     is sent: beyond it nothing that helps is sent, and lists are left there;
//   - the value sent is never better than the inbox, so that the best value left is final; where
//     that takes weights that are not negative, the engine is for graphs without negative ones;
//   - of a minimum, the value is not multiplied: values would move apart without end, and a window
//   of
//     one width would hold fewer and fewer of them;
//   - the value sent grows, or stays, as the attribute grows, so that a sorted list is sorted by
//     what it sends, whatever the inbox;
//   - all vertices begin with the same state, whenever the phase runs: a vertex that never was
//     active has nothing better to say than what everybody has.

#include <algorithm>
#include <optional>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/ImprovingCycles.h"
#include "compiler/passes/program/Ranges.h"
#include "compiler/passes/program/SentShapes.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/engines/Beginning.h"
#include "compiler/passes/toplan/engines/ChosenMessage.h"
#include "compiler/passes/toplan/engines/Engines.h"
#include "compiler/passes/toplan/engines/Operators.h"
#include "compiler/passes/toplan/engines/Predecessors.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::Op;

namespace {

bool is_state(const Expr& e, const ir::Phase& phase, const std::string& state) {
  return ir::is_state_of(e, phase.variable, state);
}

// Reads of anything but the sender's state, the edge and what is the same for all.
const Expr* foreign_read(const Expr& sent, const ir::Phase& phase, const std::string& state) {
  const Expr* found = nullptr;
  ir::walk(sent, [&](const Expr& e) {
    switch (e.op) {
      case Op::Literal:
      case Op::Infinity:
      case Op::Parameter:
      case Op::HostVariable:
      case Op::EdgeAttribute:
      case Op::Add:
      case Op::Subtract:
      case Op::Multiply:
      case Op::Divide:
      case Op::Abs:
      case Op::Sqrt:
      case Op::Select:
      case Op::Min:
      case Op::Max:
      case Op::Cast:
        return;
      default:
        if (!is_state(e, phase, state) && !ir::info(e.op).is_comparison()) found = &e;
    }
  });
  return found;
}

bool is_number(const ir::Type& type) {
  return type.is_scalar() && type.scalar() != ir::ScalarKind::Bool &&
         type.scalar() != ir::ScalarKind::Vertex;
}

bool rises_with_weight(const Expr& sent, const passes::Surroundings& around);

/// `w > 3 ? a : b`, where nothing of a is below anything of b, and both rise.
bool choice_rises(const Expr& choice, const passes::Surroundings& around) {
  const Expr& condition = *choice.operands[0];
  const Expr &yes = *choice.operands[1], &no = *choice.operands[2];
  if (!rises_with_weight(yes, around) || !rises_with_weight(no, around)) return false;
  if (!mentions(condition, Op::EdgeAttribute)) return true;
  const bool greater = condition.op == Op::Greater || condition.op == Op::GreaterEqual;
  const bool less = condition.op == Op::Less || condition.op == Op::LessEqual;
  if (!greater && !less) return false;
  const Expr& rising = *condition.operands[0];
  // No comparison with what is no number holds.
  const bool numbers = !ir::is_float(rising.type.scalar());
  if (!numbers || mentions(*condition.operands[1], Op::EdgeAttribute) ||
      !rises_with_weight(rising, around))
    return false;
  const Expr &above = greater ? yes : no, &below = greater ? no : yes;
  return passes::range_of(above, around).low >= passes::range_of(below, around).high;
}

/// Whether what is sent never falls as the edge's attribute grows.
bool rises_with_weight(const Expr& sent, const passes::Surroundings& around) {
  if (!mentions(sent, Op::EdgeAttribute)) return true;
  const auto part = [&](std::size_t i) { return rises_with_weight(*sent.operands[i], around); };
  const auto nonnegative = [&](std::size_t i) {
    return passes::range_of_values(*sent.operands[i], around).low >= 0;
  };
  switch (sent.op) {
    case Op::EdgeAttribute:
      return true;
    case Op::Add:
    case Op::Min:
    case Op::Max:
      return part(0) && part(1);
    case Op::Multiply:
      return part(0) && part(1) && nonnegative(0) && nonnegative(1);
    case Op::Subtract:
      return part(0) && !mentions(*sent.operands[1], Op::EdgeAttribute);
    case Op::Divide:
      return part(0) && !mentions(*sent.operands[1], Op::EdgeAttribute) &&
             passes::range_of(*sent.operands[1], around).low > 0;
    case Op::Abs:
    case Op::Sqrt:  // rounded correctly, so that no two values change places
      return part(0) && nonnegative(0);
    case Op::Select:
      return choice_rises(sent, around);
    case Op::Cast:
      return is_number(sent.type) && part(0);
    default:
      return false;
  }
}

class Judge {
 public:
  Judge(const plan::Plan& plan, const ir::Phase& phase)
      : plan_(plan),
        phase_(phase),
        around_{plan.program, phase, "", false, ir::requires_nonnegative(plan.program)} {}

  /// After run(), of a phase that is legal.
  const ChosenMessage& message() const { return message_; }

  Judgement run() {
    Judgement judgement;
    std::string problem = find_problem();
    for (bool* const assumed : {&around_.weights_nonnegative, &around_.inputs_nonnegative}) {
      if (problem.empty() || *assumed) continue;
      *assumed = true;
      problem = find_problem();
      judgement.non_negative = problem.empty();
    }
    judgement.legal = problem.empty();
    judgement.reason =
        judgement.legal
            ? std::string(!judgement.non_negative ? ""
                          : around_.inputs_nonnegative
                              ? "where no weight and no input is negative, "
                              : "where no weight is negative, ") +
                  "what is sent, '" + ir::print(*message_.site.value) +
                  "', is never better than '" + analysis_.state + "' and grows with the weight" +
                  (message_.has_conditions() ? ", and what it is sent under, the phase leaves alone"
                                             : "") +
                  ": " + std::string(distances_contract.why)
            : problem;
    return judgement;
  }

 private:
  std::string find_problem() {
    const std::string unproved = problem_of_improvement(plan_, phase_);
    if (!unproved.empty()) return unproved;
    analysis_ = analyse(plan_, phase_, true);
    std::string problem = problem_of_assignment(analysis_, Absorption::Chosen);
    if (problem.empty()) problem = state_problem();
    return problem.empty() ? send_problem() : problem;
  }

  std::string state_problem() const {
    const ir::Message& message = *plan_.program.find_message(analysis_.message);
    const ir::State& state = *plan_.program.find_state(analysis_.state);
    if (!is_number(message.type) || !(message.type == state.type))
      return "the values are no plain numbers";
    const std::string filled = problem_of_inboxes(plan_, phase_, analysis_.message);
    return filled.empty() ? problem_of_states(plan_, phase_, state.name) : filled;
  }

  std::string send_problem() {
    std::string problem;
    message_ = find_chosen_message(analysis_, around_, problem);
    if (!problem.empty()) return problem;
    const Expr& sent = *message_.site.value;
    const Expr& untolled = message_.untolled ? *message_.untolled : sent;
    if (!mentions(sent, Op::EdgeAttribute) && !message_.untolled && !steps_from_several(sent))
      return "no message depends on the weight of an edge, or on its ends";
    if (const Expr* read = foreign_read(untolled, phase_, analysis_.state))
      return "the message reads '" + ir::print(*read) + "'";
    const bool downwards =
        plan_.program.find_message(analysis_.message)->combine == ir::Combine::Min;
    const auto is_own_state = [&](const Expr& e) { return is_state(e, phase_, analysis_.state); };
    if (!passes::never_better(untolled, around_, downwards, is_own_state))
      return "that '" + ir::print(sent) + "' is never better than '" + analysis_.state +
             "' is not proved";
    if (downwards && multiplies(untolled))
      return "'" + ir::print(sent) + "' multiplies '" + analysis_.state +
             "', so values move apart the further the larger they are, and windows have one width";
    if (!rises_with_weight(sent, around_))
      return "that '" + ir::print(sent) + "' grows with the weight is not proved";
    return "";
  }

  bool multiplies(const Expr& sent) const {
    bool found = false;
    ir::walk(sent, [&](const Expr& e) {
      if (e.op == Op::Multiply)
        found = found || mentions_state(*e.operands[0]) || mentions_state(*e.operands[1]);
    });
    return found;
  }
  bool mentions_state(const Expr& sent) const {
    bool found = false;
    ir::walk(sent, [&](const Expr& e) { found = found || is_state(e, phase_, analysis_.state); });
    return found;
  }

  /// The value plus a constant, from starts of several values: their searches overtake each other,
  /// and no step of theirs is a level.
  bool steps_from_several(const Expr& sent) const {
    if (passes::starts_one_value(phase_) || sent.op != Op::Add) return false;
    for (const unsigned side : {0u, 1u})
      if (is_state(*sent.operands[side], phase_, analysis_.state) &&
          sent.operands[1 - side]->op == Op::Literal &&
          passes::range_of(*sent.operands[1 - side], around_).low > 0)
        return true;
    return false;
  }

  const plan::Plan& plan_;
  const ir::Phase& phase_;
  PhaseAnalysis analysis_;
  ChosenMessage message_;
  passes::Surroundings around_;
};

Judgement judge_values(const plan::Plan& plan, const ir::Phase& phase) {
  return Judge(plan, phase).run();
}

/// Whether the lists of senders are the in-edges of the graph.
bool sends_back(const ir::Program& program, const ir::Stmt& send) {
  return send.direction == ir::EdgeDirection::In && !requires_symmetric(program);
}

/// Whether they are the edges and their reverses.
bool sends_both(const ir::Program& program, const ir::Stmt& send) {
  return send.direction == ir::EdgeDirection::Both && !requires_symmetric(program);
}

/// Witnesses are looked up along in-edges.
Judgement judge_values_of_pairs(const plan::Plan& plan, const ir::Phase& phase) {
  Judge judge(plan, phase);
  const Judgement judgement = judge.run();
  if (!judgement.legal) return judgement;
  if (judge.message().untolled)
    return {false, "the message reads more of its ends than its sender's value"};
  if (sends_back(plan.program, *judge.message().site.send))
    return {false, "messages travel against the direction of edges"};
  return judgement;
}

/// `window_width() = 320`, where the user pins it.
std::optional<plan::Operator> width_operator(PhaseKernels& kernels) {
  const plan::Decision* delta =
      kernels.context().plan().find_decision(kernels.phase().name, "delta");
  if (delta == nullptr || delta->value == "derived") return std::nullopt;
  plan::Operator made;
  made.name = "window_width";
  made.type = kernels.message(kernels.analysis().message).type;
  made.value = std::make_unique<Expr>();
  made.value->op = Op::Literal;
  made.value->type = made.type;
  const ir::ScalarKind kind = made.type.scalar();
  if (ir::is_float(kind))
    made.value->value = std::stod(delta->value);
  else if (ir::is_unsigned_integer(kind))
    made.value->value = static_cast<std::uint64_t>(std::stoull(delta->value));
  else
    made.value->value = static_cast<std::int64_t>(std::stoll(delta->value));
  return made;
}

bool core_is(PhaseKernels& kernels, std::string_view value) {
  const plan::Decision* const core =
      kernels.context().plan().find_decision(kernels.phase().name, "core");
  return core != nullptr && core->value == value;
}

void add_value_operators(PhaseKernels& kernels, plan::Engine& engine) {
  Judge judge(kernels.context().plan(), kernels.phase());
  judge.run();
  const ChosenMessage& chosen = judge.message();
  std::optional<plan::Operator> width = width_operator(kernels);
  const ir::Message& message = kernels.message(kernels.analysis().message);
  engine.constants = {{"minimizes", message.combine == ir::Combine::Min},
                      {"sent_reads_edge", true},
                      {"pins_width", width.has_value()},
                      {"always_core", core_is(kernels, "always")},
                      {"never_core", core_is(kernels, "never")}};
  if (sends_back(kernels.context().program(), *chosen.site.send))
    engine.constants.push_back({"sends_back", true});
  if (sends_both(kernels.context().program(), *chosen.site.send))
    engine.constants.push_back({"sends_both", true});
  add_conditions(kernels, chosen, engine);
  engine.operators.push_back(sent_within_operator(kernels, "sent", chosen));
  add_tolled_operators(kernels, chosen, engine);
  if (width) engine.operators.push_back(std::move(*width));
}

}  // namespace

Judgement judge_distances(const plan::Plan& plan, const ir::Phase& phase) {
  return sends_pairs(plan, phase) ? judge_first_elements(plan, phase, judge_values_of_pairs)
                                  : judge_values(plan, phase);
}

void build_distances(PhaseKernels& kernels, plan::Variant& variant) {
  variant.prepare = kernels.starts(false);
  // The flag is for steps over all vertices.
  std::erase_if(variant.prepare, [](const plan::Action& action) {
    return action.kind == plan::ActionKind::RaiseFlag;
  });
  plan::Engine& engine = *variant.engine;
  if (sends_pairs(kernels.context().plan(), kernels.phase())) {
    FirstElementKernels first(kernels);
    add_value_operators(first.values(), engine);
    first.add_operators(kernels, engine);
  } else {
    add_value_operators(kernels, engine);
    engine.constants.push_back({"sends_pairs", false});
  }
  engine.buffers = {kernels.context().state(kernels.analysis().state),
                    kernels.context().inbox(kernels.analysis().message)};
  kernels.context().plan().needs_transpose = true;
}

}  // namespace vertigo::compiler::toplan
