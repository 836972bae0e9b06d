#include "compiler/passes/toplan/ChooseSnapshots.h"

#include <algorithm>
#include <set>

#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/toplan/ChooseDomain.h"
#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/KeptSnapshots.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kKey = "snapshots";
constexpr const char* kTrade = "trade";
constexpr const char* kListed = "listed";

template <class Visit>
void for_each_node(const ir::Phase& phase, const Visit& visit) {
  for_each_read(phase, [&](const ir::Expr& expr) { ir::walk(expr, visit); });
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
  const ir::Phase* const keeper = toplan::find_keeper(plan, phase, states);
  const Candidate listed =
      keeper != nullptr
          ? Candidate{kListed, true,
                      quoted(keeper->name) +
                          " goes through the same list in front of the update, and notes what "
                          "others read: whoever is not on the list has not changed"}
          : Candidate{kListed, false,
                      "no update in front makes a list anew on which everybody is who changes"};
  const std::string problem = problem_of_trading(plan, phase, states);
  const Candidate trade =
      problem.empty()
          ? Candidate{kTrade, true,
                      "new values of " + quoted(*states.begin()) +
                          " go to a second array, which trades places with the first behind the "
                          "update: nothing is copied"}
          : Candidate{kTrade, false, problem};
  std::vector<Candidate> all{trade, listed, copy};
  std::ranges::stable_partition(all, [](const Candidate& each) { return each.legal; });
  return all;
}

}  // namespace

void choose_snapshots(plan::Plan& plan, PassContext& context) {
  for (const ir::Phase& phase : plan.program.phases) {
    if (phase.kind != ir::PhaseKind::Sweep || phase.serializable || phase.body.empty()) continue;
    // What is computed for neighbours lies in an array of its own.
    const plan::Decision* const senders = plan.find_decision(phase.name, "senders");
    if (senders != nullptr && senders->value != "per-edge") continue;
    const std::set<std::string> states = toplan::read_and_assigned(phase);
    if (!states.empty())
      decide(plan, context, "choose-snapshots", phase.name, kKey, candidates(plan, phase, states));
  }
}

namespace {

bool is_chosen(const plan::Plan& plan, const ir::Phase& phase, const char* value) {
  const plan::Decision* const decision = plan.find_decision(phase.name, kKey);
  return decision != nullptr && decision->value == value;
}

}  // namespace

bool trades_places(const plan::Plan& plan, const ir::Phase& phase) {
  return is_chosen(plan, phase, kTrade);
}
bool finds_snapshots(const plan::Plan& plan, const ir::Phase& phase) {
  return is_chosen(plan, phase, kListed);
}

}  // namespace vertigo::compiler::passes
