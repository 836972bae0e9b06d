#include "compiler/passes/toplan/ChooseBalance.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const bool edges = sends(plan, phase) || gathers(plan, phase);
  if (!edges) return {{"thread", true, "no edge is followed"}};
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

}  // namespace

void choose_balance(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "choose-balance", phase.phase, "balance", candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
