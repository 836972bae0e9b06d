#include "compiler/passes/toplan/ChooseBalance.h"

#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"
#include "compiler/passes/toplan/SenderValues.h"

namespace vertigo::compiler::passes {

namespace {

// Whether the values of a list are compared with each other.
bool votes(const plan::Plan& plan, const std::string& phase) {
  const ir::Phase* known = plan.program.find_phase(phase);
  bool found = false;
  const auto look = [&](const ir::ExprPtr& expr) {
    if (expr)
      ir::walk(*expr, [&](const ir::Expr& e) {
        found = found || (e.op == ir::Op::ReduceNeighbours && ir::compares_values(e.reduction));
      });
  };
  if (known == nullptr) return false;
  look(known->guard);
  ir::for_each_stmt(known->body, [&](const ir::Stmt& stmt) {
    look(stmt.value);
    look(stmt.condition);
    look(stmt.receiver);
  });
  return found;
}

std::vector<Candidate> of_lists() {
  return {
      {"auto", true,
       "the graph decides when it is loaded (--balance overrules it): where no list has 256 edges "
       "none goes to a block, where none has 16 none to a warp; of the other lists a push lays "
       "those of a warp end to end, because short frontiers leave most threads of mixed idle (on "
       "roads mixed takes 1.4 to 1.6 times as long)"},
      {"mixed", true,
       "on a GPU, long lists of edges go to a block of threads, medium ones to a warp, the rest "
       "to single threads: degrees differ, and one long list would hold up a whole warp; a CPU "
       "gives every list to one thread"},
      {"edge", true,
       "on a GPU, the lists of a block's vertices are laid end to end and every thread takes the "
       "same number of edges, whatever the degrees; a receiver that gathers keeps mixed"},
      {"warp", true, "on a GPU, a warp follows the edges of one vertex: for even, medium degrees"},
      {"block", true, "on a GPU, a block follows the edges of one vertex: for very long lists"},
      {"thread", true,
       "one thread follows the edges of one vertex: no synchronisation inside a vertex, and "
       "sums are added up in the order of the edges"},
      {"sorted", true,
       "as thread, but kernels that look at all vertices take them by descending degree, "
       "approximately, so that the lists of a warp have about the same length; worklists keep "
       "their order; the order is made once per graph and process and takes 4 bytes per vertex"}};
}

bool updates_edges(const plan::Plan& plan, const std::string& phase) {
  const ir::Phase* const known = plan.program.find_phase(phase);
  return known != nullptr && known->body.size() == 1 &&
         known->body.front()->kind == ir::StmtKind::UpdateEdges;
}

/// An update of all vertices that reduces over neighbours, or whose receivers gather.
bool reads_all_neighbours(const plan::Plan& plan, const std::string& phase) {
  const ir::Phase* const known = plan.program.find_phase(phase);
  if (known == nullptr || known->kind != ir::PhaseKind::Sweep || known->guard ||
      known->serializable)
    return false;
  return sends(plan, phase) ? toplan::pulls_messages(plan, *known) : gathers(plan, phase);
}

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const bool edges = sends(plan, phase) || gathers(plan, phase) || updates_edges(plan, phase);
  if (votes(plan, phase)) {
    const std::string why =
        "equal values of a list are found in a way that goes by the list's length: by the lanes of "
        "a warp, in a table of a warp, or in one of a block";
    std::vector<Candidate> all = {{"auto", true, why}};
    for (const char* other : {"rows", "mixed", "edge", "warp", "block", "thread", "sorted"})
      all.push_back({other, false, why});
    return all;
  }
  if (!edges) return {{"thread", true, "no edge is followed"}};
  std::vector<Candidate> all = of_lists();
  if (reads_all_neighbours(plan, phase))
    all.insert(
        all.begin(),
        {"rows", true,
         "every vertex reads its neighbours: on a GPU, a warp reads the edges of many short "
         "lists side by side and a list of 32 edges or more with all of its threads; one of "
         "2,048 or more goes to a block; where no list has 16 edges, each thread follows its "
         "own. What depends on the reader, too, is shared out as auto does"});
  return all;
}

}  // namespace

void choose_balance(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "choose-balance", phase.phase, "balance", candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
