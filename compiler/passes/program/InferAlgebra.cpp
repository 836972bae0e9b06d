#include "compiler/passes/program/InferAlgebra.h"

#include <algorithm>
#include <set>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Spelling.h"
#include "compiler/passes/program/BoundDifference.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/ImprovingCycles.h"
#include "compiler/passes/program/Leftovers.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SentShapes.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

std::string quoted(const std::string& name) { return "'" + name + "'"; }

class PhaseAlgebra {
 public:
  PhaseAlgebra(const ir::Program& program, const ir::Uses& uses, ir::Phase& phase)
      : program_(program), uses_(uses), phase_(phase) {}

  void run() {
    forget();
    messages_ = ir::messages_of(phase_);
    if (phase_.kind == ir::PhaseKind::Sweep) return sweep();
    const auto update = evaluate_update(program_, phase_);
    if (!update) return not_proved("order", "the body is too large to analyse");
    if (messages_.size() == 1) set_message(*messages_.begin());
    prove(*update);
    describe(*update);
  }

  void forget() {
    std::erase_if(phase_.facts, [](const ir::Fact& fact) { return is_ours(fact.key); });
  }

 private:
  static bool is_ours(const std::string& key) {
    static const std::set<std::string> keys = {"order",
                                               "form",
                                               "idempotent",
                                               "monotone",
                                               "linear",
                                               "uniform_cost",
                                               "cycles",
                                               "label_propagation",
                                               "kind",
                                               "payload",
                                               "reached",
                                               "threshold",
                                               "signs",
                                               "difference",
                                               "guard_at_identity",
                                               "guard_after_activation"};
    return keys.contains(key) || key.starts_with("obligation.") ||
           key.starts_with("state_of_inbox.") || key.starts_with("linear.") ||
           key.starts_with("payload.");
  }

  void state(const std::string& key, const std::string& value, const std::string& reason = "") {
    ir::set_fact(phase_.facts, {key, value, reason});
  }
  void flag(const std::string& key, bool value, const std::string& reason) {
    state(key, value ? "true" : "false", reason);
  }

  void not_proved(const std::string& obligation, const std::string& reason) {
    state("order", "step-ordered", reason);
    state("form", "none");
    not_an_engine(reason);
    state("obligation." + obligation, "failed", reason);
    state("kind", "iterative");
    state("payload", "unavailable", "the phase is step-ordered");
  }

  // What engines ask for, and why it is not so.
  void not_an_engine(const std::string& reason) {
    flag("uniform_cost", false, reason);
    flag("label_propagation", false, reason);
  }

  void sweep() {
    const std::string reason = "an update of all vertices is one superstep";
    state("order", "step-ordered", reason);
    state("form", "none");
    not_an_engine(reason);
    flag("idempotent", false, "an update of all vertices is not repeated");
    state("kind", "iterative", "every vertex is updated");
    state("payload", "unavailable", "the phase is step-ordered");
  }

  void set_message(const std::string& name) {
    message_ = program_.find_message(name);
    around_ = std::make_unique<Surroundings>(
        Surroundings{program_, phase_, name, false, weights_nonnegative()});
    // An inbox of sums is non-negative where its starts and the factors of its sends are; assumed
    // here and discharged by the obligation "exactness".
    around_->inbox_nonnegative = message_->combine == ir::Combine::Sum;
  }

  bool weights_nonnegative() const {
    return std::any_of(program_.requirements.begin(), program_.requirements.end(),
                       [](const ir::Requirement& requirement) {
                         return requirement.kind == ir::RequirementKind::NonNegativeWeights;
                       });
  }

  void prove(const SymbolicUpdate& update) {
    if (message_ != nullptr)
      proof_ = message_->combine == ir::Combine::Sum ? prove_accumulation(*around_, update)
                                                     : prove_improvement(*around_, update);
    proof_.obligations.push_back({"messages", messages_.size() == 1, count_messages()});
    proof_.obligations.push_back({"steps", !phase_.step_limit && !reads_step(),
                                  phase_.step_limit ? "a limit of steps ends the phase"
                                  : reads_step()    ? "the phase reads 'step'"
                                                    : "nothing depends on the number of steps"});
    prove_inboxes();
    proved_ = proof_.held();
    for (const Obligation& obligation : proof_.obligations)
      state("obligation." + obligation.name, obligation.held ? "held" : "failed",
            obligation.reason);
    state_order();
  }

  // What a phase leaves in an inbox that is kept depends on the order, or nobody can tell.
  void prove_inboxes() {
    Obligation inboxes{"inboxes", true, ""};
    for (const std::string& message : ir::messages_read(phase_)) {
      if (!program_.find_message(message)->keep || !inboxes.held) continue;
      inboxes.reason = quoted(message) + " is kept, ";
      if (!uses_.met_after(phase_.name, message)) {
        inboxes.reason += "but no phase has to do with it afterwards";
      } else if (takes_all(program_, phase_, uses_, message)) {
        inboxes.reason += "but the guard '" + ir::print(*phase_.guard) + "' leaves nothing in it";
      } else {
        inboxes.held = false;
        inboxes.reason += "and what is left in it when the phase ends depends on the order";
      }
    }
    if (!inboxes.reason.empty()) proof_.obligations.push_back(std::move(inboxes));
  }

  std::string count_messages() const {
    if (messages_.empty()) return "no message takes part, and the proof is about one";
    if (messages_.size() == 1) return "one message takes part";
    std::string names;
    for (const std::string& name : messages_) names += (names.empty() ? "" : ", ") + quoted(name);
    return std::to_string(messages_.size()) + " messages take part (" + names +
           "); the proof is for one";
  }

  bool reads_step() const {
    bool found = false;
    const auto look = [&](const Expr& root) {
      ir::walk(root, [&](const Expr& node) { found = found || node.op == Op::Step; });
    };
    if (phase_.guard) look(*phase_.guard);
    const auto in_body = [&](const auto& self, const std::vector<ir::StmtPtr>& body) -> void {
      for (const ir::StmtPtr& stmt : body) {
        if (stmt->value) look(*stmt->value);
        if (stmt->condition) look(*stmt->condition);
        self(self, stmt->body);
        self(self, stmt->otherwise);
      }
    };
    in_body(in_body, phase_.body);
    return found;
  }

  void state_order() {
    const bool sum = message_ != nullptr && message_->combine == ir::Combine::Sum;
    if (proved_) {
      state("order", "free",
            sum ? "proved: a sum that the state accumulates, and sent values linear in it"
                : "proved: strict improvement by '" + std::string(to_string(message_->combine)) +
                      "', and sent values monotone in it");
      state("form", sum ? "accumulation" : "improvement");
      return;
    }
    state("form", "none");
    std::string why;
    for (const Obligation& obligation : proof_.obligations)
      if (!obligation.held) why += (why.empty() ? "" : "; ") + obligation.reason;
    not_proved_ =
        phase_.assume_order_free ? "asserted by 'assume order_free', not proved: " + why : why;
    state("order", phase_.assume_order_free ? "asserted" : "step-ordered", not_proved_);
  }

  void describe(const SymbolicUpdate& update) {
    const bool sum = message_ != nullptr && message_->combine == ir::Combine::Sum;
    describe_message(sum);
    describe_sends(update);
    describe_kind(sum);
    describe_guard(update);
    describe_payload(update);
    if (proof_.threshold && proved_) describe_threshold(update);
  }

  void describe_threshold(const SymbolicUpdate& update) {
    state("threshold", ir::print(*proof_.threshold));
    state("signs", proof_.nonnegative ? "non-negative" : "unknown",
          proof_.nonnegative ? "nothing below zero starts or is sent"
                             : "whether something below zero is sent shows when the program runs");
    const ir::Fact difference = bound_difference(*around_, update, proof_);
    state(difference.key, difference.value, difference.reason);
  }

  void describe_message(bool sum) {
    if (message_ == nullptr) {
      flag("idempotent", false, "no single message");
      return;
    }
    const std::string combine(to_string(message_->combine));
    const bool idempotent = !sum && message_->combine != ir::Combine::Function;
    flag("idempotent", idempotent,
         idempotent ? "combine " + combine + " of a value with itself is that value"
         : sum      ? "combine sum counts a repeated message again"
                    : "nothing is known of '" + message_->function + "' but that it combines");
    if (proof_.targets.empty()) return;
    std::string targets;
    for (const std::string& target : proof_.targets)
      targets += (targets.empty() ? "" : ", ") + target;
    state("state_of_inbox." + message_->name, targets);
  }

  void describe_sends(const SymbolicUpdate& update) {
    bool monotone = message_ != nullptr;
    bool linear = message_ != nullptr;
    bool affine = false;
    for (std::size_t i = 0; i < update.sends.size() && message_ != nullptr; ++i) {
      const Expr& value = *update.sends[i].value;
      const Trend moves = trend(value, *around_);
      monotone = monotone && (moves == Trend::Increasing || moves == Trend::Constant);
      const LinearForm form = linear_form(value, *around_);
      linear = linear && form.coefficient;
      affine = affine || form.constant;
      if (form.coefficient)
        state("linear.coefficient." + std::to_string(i), ir::print(*form.coefficient),
              form.constant ? "constant term " + quoted(ir::print(*form.constant))
                            : "constant term zero");
    }
    flag("monotone", monotone,
         monotone ? "no sent value falls when the inbox grows" : "not shown for every sent value");
    state("linear",
          !linear  ? "no"
          : affine ? "affine"
                   : "yes",
          !linear  ? "not every sent value is coefficient * inbox + constant"
          : affine ? "some sent value has a constant term"
                   : "every sent value is coefficient * inbox");
    describe_cost(update);
    describe_labels(update);
    describe_cycles(update);
  }

  void describe_cycles(const SymbolicUpdate& update) {
    if (!proved_ || update.sends.empty()) return;
    const ir::Combine combine = message_->combine;
    if (combine != ir::Combine::Min && combine != ir::Combine::Max) return;
    const ImprovingCycles found =
        find_improving_cycles(*around_, update, combine == ir::Combine::Min);
    if (found.risk == CycleRisk::None || !found.noticed) return;
    state("cycles", found.risk == CycleRisk::Any ? "any" : "over-negative-weights", found.reason());
  }

  void describe_cost(const SymbolicUpdate& update) {
    ExprPtr step;
    const std::string problem =
        proved_ ? problem_of_uniform_cost(*around_, update, step) : not_proved_;
    flag("uniform_cost", problem.empty(),
         problem.empty() ? "every sent value is the inbox + " + ir::print(*step) : problem);
  }

  void describe_labels(const SymbolicUpdate& update) {
    const std::string problem = proved_ ? problem_of_labels(*around_, update) : not_proved_;
    flag(
        "label_propagation", problem.empty(),
        problem.empty() ? "the inbox itself is sent along both directions of every edge" : problem);
  }

  void describe_kind(bool sum) {
    const bool all = std::any_of(phase_.starts.begin(), phase_.starts.end(),
                                 [](const auto& start) { return start.set == ir::StartSet::All; });
    state("kind", all || sum ? "iterative" : "traversal",
          all   ? "every vertex is started"
          : sum ? "sums come back to a vertex many times"
                : "activity spreads from the started vertices");
  }

  // The guard with an empty inbox (and, where `after`, the states that an activation leaves).
  bool holds_never(const SymbolicUpdate& update, bool after) const {
    const ExprPtr guard = replaced(*update.guard, [&](const Expr& node) -> ExprPtr {
      if (node.op == Op::Inbox) {
        const ir::Message* message = program_.find_message(node.symbol);
        return message != nullptr ? message->identity->clone() : nullptr;
      }
      if (!after || node.op != Op::State || node.vertex != phase_.variable) return nullptr;
      const auto written = update.states.find(node.symbol);
      return written != update.states.end() ? written->second->clone() : nullptr;
    });
    const ExprPtr folded = folded_expr(*guard);
    const auto* value = std::get_if<bool>(&folded->value);
    return folded->op == Op::Literal && value != nullptr && !*value;
  }

  void describe_guard(const SymbolicUpdate& update) {
    const bool never = holds_never(update, false);
    state(
        "guard_at_identity", never ? "false" : "unknown",
        never ? "the guard cannot hold on an empty inbox" : "the guard may hold on an empty inbox");
    const bool never_after = never || holds_never(update, true);
    state("guard_after_activation", never_after ? "false" : "unknown",
          never_after ? "right after an activation the guard cannot hold"
                      : "right after an activation the guard may hold again");
  }

  // Why neighbours' states cannot stand for what was sent; empty where they can.
  std::string payload_problem() const {
    if (!proved_) return "only a proved phase may be asked for what a state would have sent";
    if (!uses_.runs_once(phase_.name))
      return "the phase runs more than once, so a state may come from an earlier run";
    for (const std::string& target : proof_.targets) {
      for (const ir::Phase& other : program_.phases)
        if (&other != &phase_ && is_written(other, target))
          return "'" + target + "' is also written by phase " + quoted(other.name);
      const ir::State* known = program_.find_state(target);
      if (known->is_input || !is_constant(*known->initial))
        return "the initial value of '" + target + "' differs from vertex to vertex";
      if (message_->combine == ir::Combine::Sum && !is_zero(*known->initial))
        return "'" + target + "' does not start at zero";
    }
    if (message_->combine == ir::Combine::Sum && !proof_.exact_accumulation)
      return "no state is the plain sum of the inbox";
    return "";
  }

  ExprPtr target_expr() const {
    std::vector<ExprPtr> parts;
    for (const std::string& target : proof_.targets) {
      auto part = std::make_unique<Expr>();
      part->op = Op::State;
      part->vertex = phase_.variable;
      part->symbol = target;
      part->type = program_.find_state(target)->type;
      parts.push_back(std::move(part));
    }
    if (parts.size() == 1) return std::move(parts.front());
    auto tuple = std::make_unique<Expr>();
    tuple->op = Op::MakeTuple;
    tuple->type = message_->type;
    tuple->operands = std::move(parts);
    return tuple;
  }

  ExprPtr from_state(const Expr& expr) const {
    return replaced(expr, [&](const Expr& node) -> ExprPtr {
      return is_inbox(node, message_->name) ? target_expr() : nullptr;
    });
  }

  void describe_payload(const SymbolicUpdate& update) {
    const std::string problem = payload_problem();
    if (!problem.empty()) return state("payload", "unavailable", problem);
    const bool sum = message_->combine == ir::Combine::Sum;
    state("payload", "available",
          sum ? "the total that reached a vertex is its start plus what its neighbours' states "
                "would send; the inbox is that total minus the state"
              : "a vertex that was active holds the inbox it took last, and sent its best value "
                "from it");
    for (std::size_t i = 0; i < update.sends.size(); ++i) {
      const std::string key = "payload." + std::to_string(i);
      state(key, ir::print(*from_state(*update.sends[i].value)));
      if (update.sends[i].condition)
        state(key + ".condition", ir::print(*from_state(*update.sends[i].condition)));
    }
    if (!sum) describe_reached();
  }

  void describe_reached() {
    const ExprPtr target = target_expr();
    auto test = std::make_unique<Expr>();
    test->op = Op::NotEqual;
    test->type = ir::ScalarKind::Bool;
    ExprPtr initial;
    if (proof_.targets.size() == 1) {
      initial = program_.find_state(proof_.targets.front())->initial->clone();
    } else {
      initial = std::make_unique<Expr>();
      initial->op = Op::MakeTuple;
      initial->type = message_->type;
      for (const std::string& name : proof_.targets)
        initial->operands.push_back(program_.find_state(name)->initial->clone());
    }
    test->operands.push_back(target->clone());
    test->operands.push_back(std::move(initial));
    state("reached", ir::print(*test),
          "an activation strictly improves the state, so it differs from its initial value");
  }

  const ir::Program& program_;
  const ir::Uses& uses_;
  ir::Phase& phase_;
  std::set<std::string> messages_;
  const ir::Message* message_ = nullptr;
  std::unique_ptr<Surroundings> around_;
  Proof proof_;
  bool proved_ = false;
  std::string not_proved_;  ///< why, where it is not
};

}  // namespace

void infer_algebra(ir::Program& program) {
  const ir::Uses uses(program);
  for (ir::Phase& phase : program.phases) PhaseAlgebra(program, uses, phase).run();
}

bool proves_improvement(const ir::Program& program, const ir::Uses& uses, ir::Phase& phase) {
  PhaseAlgebra algebra(program, uses, phase);
  algebra.run();
  const bool proved = ir::fact(phase.facts, "form") == "improvement";
  algebra.forget();
  return proved;
}

void infer_algebra(ir::Program& program, PassContext&) { infer_algebra(program); }

}  // namespace vertigo::compiler::passes
