#include "compiler/passes/toplan/ChooseSnapshots.h"

#include <set>

#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/toplan/ChooseDomain.h"
#include "compiler/passes/toplan/Decide.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kKey = "snapshots";
constexpr const char* kTrade = "trade";

template <class Visit>
void for_each_node(const ir::Phase& phase, const Visit& visit) {
  for_each_read(phase, [&](const ir::Expr& expr) { ir::walk(expr, visit); });
}

/// States that the update assigns and reads of others.
std::set<std::string> read_and_assigned(const ir::Phase& phase) {
  std::set<std::string> states;
  for_each_node(phase, [&](const ir::Expr& e) {
    if (e.op == ir::Op::State && e.vertex != phase.variable && ir::writes(phase, e.symbol))
      states.insert(e.symbol);
  });
  return states;
}

/// Why new values cannot all go to a second array; "" where they can.
std::string problem_of_trading(const plan::Plan& plan, const ir::Phase& phase,
                               const std::set<std::string>& states) {
  if (states.size() > 1) return "several states are read of others and assigned";
  const std::string& state = *states.begin();
  unsigned assignments = 0;
  ir::for_each_stmt(phase.body, [&](const ir::Stmt& stmt) {
    assignments += stmt.kind == ir::StmtKind::AssignState && stmt.symbol == state;
  });
  const ir::Stmt& last = *phase.body.back();
  if (assignments != 1 || last.kind != ir::StmtKind::AssignState || last.symbol != state)
    return quoted(state) + " is assigned before the end of the update, or under a condition of it";
  if (!ir::messages_sent(phase).empty()) return "the update sends";
  const plan::Decision* const domain = plan.find_decision(phase.name, "domain");
  if (domain != nullptr && domain->value != "all")
    return "the update looks at few vertices, and those alone would get a value";
  bool looks_along_edges = false;
  for_each_node(phase, [&](const ir::Expr& e) {
    looks_along_edges = looks_along_edges || e.op == ir::Op::ReduceNeighbours ||
                        e.op == ir::Op::ReduceCommon || e.op == ir::Op::CommonNeighbours;
  });
  return phase.guard && looks_along_edges
             ? "the update reads lists of neighbours, and who does not qualify keeps its value"
             : "";
}

std::vector<Candidate> candidates(const plan::Plan& plan, const ir::Phase& phase,
                                  const std::set<std::string>& states) {
  const Candidate copy{"copy", true, "what others read is copied before the update"};
  const std::string problem = problem_of_trading(plan, phase, states);
  if (!problem.empty()) return {copy, {kTrade, false, problem}};
  return {{kTrade, true,
           "new values of " + quoted(*states.begin()) +
               " go to a second array, which trades places with the first behind the update: "
               "nothing is copied"},
          copy};
}

}  // namespace

void choose_snapshots(plan::Plan& plan, PassContext& context) {
  for (const ir::Phase& phase : plan.program.phases) {
    if (phase.kind != ir::PhaseKind::Sweep || phase.serializable || phase.body.empty()) continue;
    // What is computed for neighbours lies in an array of its own.
    const plan::Decision* const senders = plan.find_decision(phase.name, "senders");
    if (senders != nullptr && senders->value != "per-edge") continue;
    const std::set<std::string> states = read_and_assigned(phase);
    if (!states.empty())
      decide(plan, context, "choose-snapshots", phase.name, kKey, candidates(plan, phase, states));
  }
}

bool trades_places(const plan::Plan& plan, const ir::Phase& phase) {
  const plan::Decision* const decision = plan.find_decision(phase.name, kKey);
  return decision != nullptr && decision->value == kTrade;
}

}  // namespace vertigo::compiler::passes
