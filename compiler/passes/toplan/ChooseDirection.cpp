#include "compiler/passes/toplan/ChooseDirection.h"

#include <algorithm>

#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"

namespace vertigo::compiler::passes {

namespace {

/// `v.out_degree > 0`, or `!= 0`: who fails it has no edge to send along.
bool asks_for_an_edge(const ir::Expr& condition, ir::EdgeDirection direction) {
  if (condition.op != ir::Op::Greater && condition.op != ir::Op::NotEqual) return false;
  const ir::Expr& degree = *condition.operands[0];
  const ir::Expr& bound = *condition.operands[1];
  const bool counts = degree.op == ir::Op::Degree ||
                      (degree.op == ir::Op::OutDegree && direction == ir::EdgeDirection::Out) ||
                      (degree.op == ir::Op::InDegree && direction == ir::EdgeDirection::In);
  const auto* zero =
      bound.op == ir::Op::Literal ? std::get_if<std::int64_t>(&bound.value) : nullptr;
  return counts && zero != nullptr && *zero == 0;
}

/// Every vertex that runs the statements sends along all its edges, in a way that many threads can
/// fold.
bool all_send(const ir::Program& program, const std::vector<ir::StmtPtr>& body) {
  return std::ranges::all_of(body, [&](const ir::StmtPtr& stmt) {
    if (stmt->kind == ir::StmtKind::Send)
      return program.find_message(stmt->symbol)->combine != ir::Combine::Function;
    if (stmt->kind != ir::StmtKind::If) return true;
    const auto sends_nothing = [](const std::vector<ir::StmtPtr>& block) {
      bool none = true;
      ir::for_each_stmt(block, [&](const ir::Stmt& s) { none &= s.kind != ir::StmtKind::Send; });
      return none;
    };
    if (sends_nothing(stmt->body) && sends_nothing(stmt->otherwise)) return true;
    bool has_edges = sends_nothing(stmt->otherwise);
    ir::for_each_stmt(stmt->body, [&](const ir::Stmt& s) {
      if (s.kind == ir::StmtKind::Send)
        has_edges = has_edges && asks_for_an_edge(*stmt->value, s.direction);
    });
    return has_edges && all_send(program, stmt->body);
  });
}

/// Pushed or pulled, the edges are the same: all of them.
bool sends_along_all_edges(const plan::Plan& plan, const ir::Phase& phase) {
  return phase.kind == ir::PhaseKind::Sweep && !phase.guard && all_send(plan.program, phase.body);
}

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  if (!sends(plan, phase)) {
    const bool reads = gathers(plan, phase);
    return {{"pull", true,
             reads ? "the update reads its neighbours and sends nothing"
                   : "nothing is sent, so every vertex only looks at itself"},
            {"push", false, "nothing is sent"}};
  }
  const Candidate push{"push", true,
                       "follows the edges of active vertices only; receivers are combined into "
                       "atomically"};
  if (ir::sends_to_one(*plan.program.find_phase(phase)))
    return {push, {"pull", false, kSendsToOne}};
  const bool states = algebra_of(plan, phase).states_tell.value;
  const bool only_async = is_only_allowed(plan, phase, "timing", "async");
  if (plan.program.find_phase(phase)->serializable) return {push, {"pull", false, kColouredSends}};
  if (is_only_allowed(plan, phase, "timing", "coloured"))
    return {push,
            {"pull", states,
             states ? "one writer per receiver: in a colour class nothing is atomic; reads the "
                      "edges backwards"
                    : kPullsStates + algebra_of(plan, phase).states_tell.reason}};
  if (only_async && !states)
    return {push,
            {"pull", false,
             "an asynchronous pull reads the states of neighbours: " +
                 algebra_of(plan, phase).states_tell.reason}};
  if (sends_along_all_edges(plan, *plan.program.find_phase(phase)))
    return {{"pull", true,
             "every vertex sends along all its edges: as many are read either way, and a receiver "
             "that gathers needs no atomics"},
            push};
  return {push,
          {"pull", true,
           states ? "one writer per receiver, no atomics; reads the edges backwards"
                  : "one writer per receiver, no atomics; reads the edges backwards, and only "
                    "synchronously, from what activations saved: " +
                        algebra_of(plan, phase).states_tell.reason}};
}

}  // namespace

void choose_direction(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "choose-direction", phase.phase, "direction",
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
