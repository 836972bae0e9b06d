// Engine `words`. A phase whose messages are sets of bits, combined by `or`, whose guard asks for
// bits that the vertex has not seen, and whose body reads nothing of the inbox but these: it is as
// many searches as a word has bits, one word after the other. The engine goes step by step as the
// program says, so that a body may read the step and add up what it likes; but it drops bits that a
// receiver has seen already, and stops looking for bits that nobody sends any more.

#include <optional>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SetsOfBits.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/engines/Beginning.h"
#include "compiler/passes/toplan/engines/Engines.h"
#include "compiler/passes/toplan/engines/MessageOperators.h"
#include "compiler/passes/toplan/engines/Operators.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

/// A phase as many searches in one.
struct Searches {
  std::string problem;  ///< why it is none; "": the rest is there
  std::string seen;     ///< the state that gathers the bits
  ExprPtr listens;      ///< what the guard asks besides new bits; null: nothing
  ExprPtr filter;       ///< which edges messages go along; null: all
  bool out = false;     ///< to out-neighbours
  bool back = false;    ///< to in-neighbours
};

class Match {
 public:
  Match(const plan::Plan& plan, const PhaseAnalysis& analysis)
      : plan_(plan), analysis_(analysis), phase_(*analysis.phase) {}

  Searches run() {
    if (phase_.kind != ir::PhaseKind::Fixpoint) return fail("the phase is one step");
    std::string problem = message_problem(analysis_);
    if (!problem.empty()) return fail(problem);
    message_ = plan_.program.find_message(analysis_.read.front());
    if (message_->combine != ir::Combine::Or || !ir::combines_bits(*message_))
      return fail("messages are not sets of bits combined by or");
    update_ = passes::evaluate_update(plan_.program, phase_);
    if (!update_ || !update_->guard) return fail("the body is too large to look at");
    bits_.emplace(*message_, phase_);
    problem = guard();
    if (problem.empty()) problem = body();
    if (problem.empty()) problem = visit_problem(analysis_);
    if (problem.empty()) problem = sending();
    if (problem.empty()) problem = problem_of_inboxes(plan_, phase_, message_->name);
    found_.problem = problem;
    return std::move(found_);
  }

 private:
  Searches fail(std::string problem) {
    found_.problem = std::move(problem);
    return std::move(found_);
  }

  std::string guard() {
    const Expr* const asks = bits_->find_target(*update_->guard);
    if (asks == nullptr)
      return "the guard '" + ir::print(*update_->guard) +
             "' does not ask for bits that a state lacks: (inbox & ~state) != 0";
    found_.seen = bits_->target();
    const passes::Surroundings around{plan_.program, phase_, message_->name};
    for (const Expr* part : passes::conjuncts(*update_->guard)) {
      if (part == asks) continue;
      const std::string read = passes::changing_read(*part, around);
      if (!read.empty()) return "the guard also depends on " + read;
      found_.listens = both(std::move(found_.listens), part->clone());
    }
    return "";
  }

  /// An expression of the body in which nothing is left of the inbox but bits that are not new.
  ExprPtr without_new_bits(const Expr& expr) const {
    return passes::replaced(expr, [&](const Expr& node) -> ExprPtr {
      return bits_->is_fresh(node) || bits_->is_whole(node) ? message_->identity->clone() : nullptr;
    });
  }
  bool reads_old_bits(const Expr& expr) const {
    return passes::reads_inbox(*without_new_bits(expr), message_->name);
  }

  std::string body() const {
    const auto written = update_->states.find(found_.seen);
    if (written == update_->states.end() || !bits_->is_whole(*written->second))
      return "'" + found_.seen + "' is compared with the inbox but does not gather its bits";
    unsigned assigned = 0;
    for_each_stmt(phase_.body, [&](const ir::Stmt& stmt) {
      assigned += stmt.kind == ir::StmtKind::AssignState && stmt.symbol == found_.seen;
    });
    if (assigned != 1) return "'" + found_.seen + "' is assigned more than once";
    const std::string old = " depends on bits of '" + message_->name + "' that are not new";
    for (const auto& [name, value] : update_->states)
      if (name != found_.seen && reads_old_bits(*value)) return "'" + name + "'" + old;
    for (const passes::SymbolicSend& send : update_->sends) {
      if (send.condition && reads_old_bits(*send.condition)) return "whether a vertex sends" + old;
      if (reads_old_bits(*send.value) && !sends_all_again(send))
        return "sent value '" + ir::print(*send.value) + "'" + old;
    }
    return "";
  }

  /// The whole inbox is sent, and what it holds of old bits was sent when they were new.
  bool sends_all_again(const passes::SymbolicSend& send) const {
    if (send.condition || !passes::is_inbox(*send.value, message_->name)) return false;
    const ExprPtr before = known_state(plan_, phase_, found_.seen);
    return before != nullptr && passes::is_zero(*before);
  }

  std::string sending() {
    const passes::SymbolicSend& send = update_->sends.front();
    if (send.filter) {
      if (const Expr* read = read_that_changes(*send.filter, analysis_.written))
        return "whether a neighbour is sent to depends on '" + ir::print(*read) + "'";
      found_.filter = send.filter->clone();
    }
    const ir::EdgeDirection direction = send.stmt->direction;
    found_.out = direction != ir::EdgeDirection::In;
    found_.back = direction != ir::EdgeDirection::Out;
    // Where each edge has its reverse, all directions lead to the same neighbours, but not by the
    // same edges.
    const bool reads_edge = found_.filter != nullptr && mentions(*found_.filter, Op::EdgeAttribute);
    if (found_.back && requires_symmetric(plan_.program) && !reads_edge) {
      found_.out = true;
      found_.back = false;
    }
    return "";
  }

  const plan::Plan& plan_;
  const PhaseAnalysis& analysis_;
  const ir::Phase& phase_;
  const ir::Message* message_ = nullptr;
  std::optional<passes::SymbolicUpdate> update_;
  std::optional<passes::SetsOfBits> bits_;
  Searches found_;
};

}  // namespace

Judgement judge_words(const plan::Plan& plan, const ir::Phase& phase) {
  const PhaseAnalysis analysis = analyse(plan, phase, false);
  const Searches searches = Match(plan, analysis).run();
  if (!searches.problem.empty()) return {false, searches.problem};
  return legal(words_contract, "'" + searches.seen + "' gathers the bits of '" +
                                   analysis.read.front() +
                                   "', and the rest of the body reads new ones alone: ");
}

void build_words(PhaseKernels& kernels, plan::Variant& variant) {
  KernelContext& context = kernels.context();
  const Searches searches = Match(context.plan(), kernels.analysis()).run();
  const std::string& message = kernels.analysis().read.front();
  variant.prepare = kernels.starts(true);
  plan::Engine& engine = *variant.engine;
  const Expr* const filter = searches.filter.get();
  engine.constants = {
      {"sends_out", searches.out},
      {"sends_back", searches.back},
      {"has_condition", filter != nullptr},
      {"condition_reads_edge", filter != nullptr && mentions(*filter, Op::EdgeAttribute)}};
  plan::Operator& identity = engine.operators.emplace_back();
  identity.name = "identity";
  identity.type = kernels.message(message).type;
  identity.value = kernels.identity(message);
  const ExprPtr always = boolean(true);
  engine.operators.push_back(
      vertex_operator(kernels, "listens", searches.listens ? *searches.listens : *always));
  engine.operators.push_back(own_operator(kernels));
  engine.operators.push_back(body_operator(
      kernels, "activate", message, {"step", ir::Type(ir::ScalarKind::Int32)}, searches.seen));
  if (filter != nullptr)
    engine.operators.push_back(
        edge_condition_operator(kernels, "passes", *single_send(kernels.phase()), *filter));
  engine.buffers = {kernels.asked(), context.inbox(message), context.state(searches.seen)};
  context.plan().needs_transpose = true;
}

}  // namespace vertigo::compiler::toplan
