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
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

class PhaseAlgebra {
 public:
  PhaseAlgebra(const ir::Program& program, const ir::Uses& uses, const ir::Phase& phase)
      : program_(program), uses_(uses), phase_(phase) {}

  ir::Algebra run() {
    messages_ = ir::messages_of(phase_);
    if (phase_.kind == ir::PhaseKind::Sweep) {
      sweep();
    } else if (const auto update = evaluate_update(program_, phase_)) {
      if (messages_.size() == 1) set_message(*messages_.begin());
      prove(*update);
      describe(*update);
    } else {
      not_proved("order", "the body is too large to analyse");
    }
    return std::move(algebra_);
  }

 private:
  void step_ordered(const std::string& reason, const std::string& iterative) {
    algebra_.order = {ir::Order::StepOrdered, reason};
    algebra_.uniform_cost = {false, reason};
    algebra_.label_propagation = {ir::Labels::No, reason};
    algebra_.activity = {ir::Activity::Iterative, iterative};
    algebra_.states_tell = {false, "the phase is step-ordered"};
  }

  void not_proved(const std::string& obligation, const std::string& reason) {
    step_ordered(reason, "");
    algebra_.obligations.push_back({obligation, false, reason});
  }

  void sweep() {
    step_ordered("an update of all vertices is one superstep", "every vertex is updated");
  }

  void set_message(const std::string& name) {
    message_ = program_.find_message(name);
    around_ = std::make_unique<Surroundings>(
        Surroundings{program_, phase_, name, false, weights_nonnegative()});
    // An inbox of sums is non-negative where its starts and the factors of its sends are; assumed
    // here and discharged by the obligation "exactness".
    around_->inbox_nonnegative = message_->combine == ir::Combine::Sum;
  }

  bool weights_nonnegative() const { return ir::requires_nonnegative(program_); }

  void prove(const SymbolicUpdate& update) {
    if (message_ != nullptr)
      proof_ = message_->combine == ir::Combine::Sum ? prove_accumulation(*around_, update)
               : is_union()                          ? prove_union(*around_, update)
                                                     : prove_improvement(*around_, update);
    proof_.obligations.push_back({"messages", messages_.size() == 1, count_messages()});
    proof_.obligations.push_back({"steps", !phase_.step_limit && !reads_step(),
                                  phase_.step_limit ? "a limit of steps ends the phase"
                                  : reads_step()    ? "the phase reads 'step'"
                                                    : "nothing depends on the number of steps"});
    prove_receivers(update);
    prove_inboxes();
    proved_ = proof_.held();
    proved_by_steps_ = std::ranges::all_of(proof_.obligations, [&](const auto& obligation) {
      return obligation.held || (obligation.name == "steps" && !reads_step());
    });
    algebra_.obligations = proof_.obligations;
    state_order();
  }

  bool is_union() const {
    return message_ != nullptr && ir::combines_bits(*message_) &&
           message_->combine != ir::Combine::Xor;
  }

  // A vertex that is a value is like an edge as long as it is always the same.
  void prove_receivers(const SymbolicUpdate& update) {
    for (const SymbolicSend& send : update.sends) {
      if (!send.receiver || message_ == nullptr) continue;
      const std::string read = changing_read(*send.receiver, *around_);
      const std::string text = "the receiver " + quoted(*send.receiver);
      proof_.obligations.push_back(
          {"receivers", read.empty(),
           read.empty() ? text + " does not change" : text + " depends on " + read});
    }
  }

  // What a phase leaves in an inbox that is kept depends on the order, or nobody can tell.
  void prove_inboxes() {
    ir::Obligation inboxes{"inboxes", true, ""};
    for (const std::string& message : ir::messages_read(phase_)) {
      if (!program_.find_message(message)->keep || !inboxes.held) continue;
      inboxes.reason = quoted(message) + " is kept, ";
      if (!uses_.met_after(phase_.name, message)) {
        inboxes.reason += "but no phase has to do with it afterwards";
      } else if (takes_all(program_, phase_, uses_, message)) {
        inboxes.reason += "but the guard " + quoted(*phase_.guard) + " leaves nothing in it";
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
        if (stmt->receiver) look(*stmt->receiver);
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
      algebra_.order = {
          ir::Order::Free,
          sum ? "proved: a sum that the state accumulates, and sent values linear in it"
          : is_union()
              ? "proved: a state that gathers bits, and sent bits that grow with them"
              : "proved: strict improvement by '" + std::string(to_string(message_->combine)) +
                    "', and sent values monotone in it"};
      algebra_.form = sum          ? ir::Form::Accumulation
                      : is_union() ? ir::Form::Union
                                   : ir::Form::Improvement;
      return;
    }
    std::string why;
    for (const ir::Obligation& obligation : proof_.obligations)
      if (!obligation.held) why += (why.empty() ? "" : "; ") + obligation.reason;
    not_proved_ =
        phase_.assume_order_free ? "asserted by 'assume order_free', not proved: " + why : why;
    algebra_.order = {phase_.assume_order_free ? ir::Order::Asserted : ir::Order::StepOrdered,
                      not_proved_};
  }

  void describe(const SymbolicUpdate& update) {
    if (message_ != nullptr) {
      algebra_.inbox = message_->name;
      algebra_.targets = proof_.targets;
      describe_linearity(update);
    } else {
      algebra_.linear = {ir::Linearity::No, "no single message"};
    }
    describe_cost(update);
    describe_labels(update);
    describe_cycles(update);
    describe_activity();
    describe_states();
    if (proof_.threshold && proved_) describe_accumulated(update);
  }

  void describe_accumulated(const SymbolicUpdate& update) {
    algebra_.accumulated = {
        ir::print(*proof_.threshold),
        {proof_.nonnegative, proof_.nonnegative
                                 ? "nothing below zero starts or is sent"
                                 : "whether something below zero is sent shows when the program "
                                   "runs"},
        bound_difference(*around_, update, proof_)};
  }

  void describe_linearity(const SymbolicUpdate& update) {
    bool linear = true;
    bool affine = false;
    for (const SymbolicSend& send : update.sends) {
      const LinearForm form = linear_form(*send.value, *around_);
      linear = linear && form.coefficient;
      affine = affine || form.constant;
      ir::Found<std::string> coefficient;
      if (form.coefficient)
        coefficient = {ir::print(*form.coefficient), form.constant
                                                         ? "constant term " + quoted(*form.constant)
                                                         : "constant term zero"};
      algebra_.coefficients.push_back(std::move(coefficient));
    }
    if (!linear)
      algebra_.linear = {ir::Linearity::No,
                         "not every sent value is coefficient * inbox + constant"};
    else if (affine)
      algebra_.linear = {ir::Linearity::Affine, "some sent value has a constant term"};
    else
      algebra_.linear = {ir::Linearity::Yes, "every sent value is coefficient * inbox"};
  }

  void describe_cycles(const SymbolicUpdate& update) {
    if (!proved_ || update.sends.empty()) return;
    const ir::Combine combine = message_->combine;
    if (combine != ir::Combine::Min && combine != ir::Combine::Max) return;
    const ImprovingCycles found =
        find_improving_cycles(*around_, update, combine == ir::Combine::Min);
    if (found.risk == ir::Cycles::None || !found.noticed) return;
    algebra_.cycles = {found.risk, found.reason()};
  }

  void describe_cost(const SymbolicUpdate& update) {
    ExprPtr sent;
    const bool asked = message_ != nullptr && proved_by_steps_;
    const std::string problem = !asked                     ? not_proved_
                                : ir::sends_to_one(phase_) ? "a message goes along no edge"
                                : is_union()
                                    ? "messages are sets of bits, of which each brings others"
                                    : problem_of_uniform_cost(*around_, update, sent);
    algebra_.uniform_cost = {problem.empty(),
                             problem.empty() ? reason_of_uniform_cost(*around_, *sent) : problem};
  }

  void describe_labels(const SymbolicUpdate& update) {
    if (ir::sends_to_one(phase_))
      algebra_.label_propagation = {ir::Labels::No, "a message goes along no edge"};
    else if (!proved_)
      algebra_.label_propagation = {ir::Labels::No, not_proved_};
    else
      algebra_.label_propagation = find_labels(*around_, update);
  }

  void describe_activity() {
    const bool all = std::any_of(phase_.starts.begin(), phase_.starts.end(),
                                 [](const auto& start) { return start.set == ir::StartSet::All; });
    const bool sum = message_ != nullptr && message_->combine == ir::Combine::Sum;
    algebra_.activity = {all || sum ? ir::Activity::Iterative : ir::Activity::Traversal,
                         all   ? "every vertex is started"
                         : sum ? "sums come back to a vertex many times"
                               : "activity spreads from the started vertices"};
  }

  // Why neighbours' states cannot stand for what was sent; empty where they can.
  std::string states_problem() const {
    if (!proved_) return "only a proved phase may be asked for what a state would have sent";
    if (is_union()) return "what a vertex sent may be a part of its bits";
    if (ir::sends_to_one(phase_)) return "a message goes along no edge";
    if (!uses_.runs_once(phase_.name))
      return "the phase runs more than once, so a state may come from an earlier run";
    for (const std::string& target : proof_.targets) {
      if (const std::string other = uses_.other_writer(phase_.name, target); !other.empty())
        return "'" + target + "' is also written by phase " + quoted(other);
      const ir::State* known = program_.find_state(target);
      if (known->is_input || !is_constant(*known->initial))
        return "the initial value of '" + target + "' differs from vertex to vertex";
      if (message_->combine == ir::Combine::Sum && !is_zero(*known->initial))
        return "'" + target + "' does not start at zero";
    }
    if (!uses_.alone(phase_))
      return "another phase writes its states, or sends or reads " + quoted(message_->name);
    if (message_->combine == ir::Combine::Sum && !proof_.exact_accumulation)
      return "no state is the plain sum of the inbox";
    return "";
  }

  void describe_states() {
    const std::string problem = states_problem();
    algebra_.states_tell = {
        problem.empty(),
        !problem.empty() ? problem
        : message_->combine == ir::Combine::Sum
            ? "the total that reached a vertex is its start plus what its neighbours' states "
              "would send; the inbox is that total minus the state"
            : "a vertex that was active holds the inbox it took last, and sent its best value "
              "from it"};
  }

  const ir::Program& program_;
  const ir::Uses& uses_;
  const ir::Phase& phase_;
  ir::Algebra algebra_;
  std::set<std::string> messages_;
  const ir::Message* message_ = nullptr;
  std::unique_ptr<Surroundings> around_;
  Proof proof_;
  bool proved_ = false;
  bool proved_by_steps_ = false;  ///< or but for a limit of steps, before which all holds
  std::string not_proved_;        ///< why, where it is not
};

}  // namespace

void infer_algebra(ir::Program& program) {
  const ir::Uses uses(program);
  for (ir::Phase& phase : program.phases) phase.algebra = PhaseAlgebra(program, uses, phase).run();
}

bool proves_improvement(const ir::Program& program, const ir::Uses& uses, const ir::Phase& phase) {
  return PhaseAlgebra(program, uses, phase).run().form == ir::Form::Improvement;
}

void infer_algebra(ir::Program& program, PassContext&) { infer_algebra(program); }

}  // namespace vertigo::compiler::passes
