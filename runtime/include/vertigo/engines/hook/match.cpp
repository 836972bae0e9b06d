// Engine `hook`. Take a phase that is proved to improve one state by min (or max), sends the inbox
// itself along both directions of every edge, and finds the same initial state c at every vertex. A
// started label that does not improve c is never taken. One that does is taken by every vertex that
// it reaches, unless that vertex has seen a better one, which then goes on in its place. So at the
// fixed point every vertex of a connected component holds the best of c and the labels started in
// it: the engine finds the components and combines once per component.
//
// Conditions that the phase does not change leave vertices and edges out. A vertex whose guard asks
// more, in vain, takes nothing and sends nothing: it keeps c, and no edge to it counts. An edge
// counts where its condition holds, which must hold from both its ends or from none
// (passes/program/BothWays.h). What is left is a graph without conditions, and the same holds of
// it.

#include <algorithm>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/BothWays.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"
#include "compiler/passes/toplan/engines/Beginning.h"
#include "compiler/passes/toplan/engines/Engines.h"
#include "compiler/passes/toplan/engines/MessageOperators.h"
#include "compiler/passes/toplan/engines/Operators.h"

namespace vertigo::compiler::toplan {

namespace {

/// Every vertex is started with its own id.
bool starts_own_ids(const PhaseAnalysis& analysis) {
  const std::vector<ir::Start>& starts = analysis.phase->starts;
  if (starts.size() != 1 || starts.front().set != ir::StartSet::All) return false;
  const ir::Start& start = starts.front();
  if (start.body.size() != 1 || start.body.front()->kind != ir::StmtKind::AssignInbox) return false;
  const ir::Stmt& assigned = *start.body.front();
  return assigned.symbol == analysis.message && assigned.value->op == ir::Op::BoundVertex &&
         assigned.value->vertex == start.variable;
}

plan::Operator combine_operator(const ir::Message& message, const ir::Phase& phase) {
  const bool least = message.combine == ir::Combine::Min;
  plan::Operator made;
  made.name = least ? "least" : "greatest";
  made.location = phase.location;
  made.type = message.type;
  made.parameters = {{"a", message.type}, {"b", message.type}};
  made.value = binary(least ? ir::Op::Min : ir::Op::Max, local("a", message.type),
                      local("b", message.type), message.type);
  return made;
}

plan::Operator start_operator(const ir::Start& start) {
  const ir::Type type(ir::ScalarKind::Vertex);
  plan::Operator made;
  made.name = "started";
  made.location = start.location;
  made.type = type;
  made.parameters = {{start.variable, type}};
  made.value = vertex(start.variable);
  return made;
}

/// Which vertices take labels, and which edges carry them.
passes::BothWays find_ways(const ir::Program& program, const ir::Phase& phase,
                           const std::string& message) {
  const passes::Surroundings around{program, phase, message};
  const auto update = passes::evaluate_update(program, phase);
  return passes::find_both_ways(around, *update);
}

/// Whether the guard asks more of the inbox than that it improves the state: a bound on labels.
bool bounds_labels(const PhaseAnalysis& analysis) {
  if (analysis.absorption == Absorption::Assigned) return false;
  const ir::Message& message = *analysis.program->find_message(analysis.message);
  return std::ranges::any_of(passes::conjuncts(*analysis.phase->guard), [&](const ir::Expr* part) {
    return !is_improvement(*part, message, analysis.state, analysis.phase->variable) &&
           mentions(*part, ir::Op::Inbox);
  });
}

std::string problem_of_conditions(const PhaseAnalysis& analysis) {
  if (bounds_labels(analysis))
    return "the update is more than to assign the inbox where it improves the state";
  const passes::BothWays ways = find_ways(*analysis.program, *analysis.phase, analysis.message);
  for (const ir::Expr* condition : {ways.takes.get(), ways.passes.get()}) {
    if (condition == nullptr) continue;
    if (const ir::Expr* read = read_that_changes(*condition, analysis.written))
      return "which vertices and edges pass labels on depends on '" + ir::print(*read) + "'";
  }
  return "";
}

/// `takes(v)`, and `passes(v, u[, weight])`, where there is anything to ask.
void add_conditions(PhaseKernels& kernels, plan::Engine& engine) {
  const passes::BothWays ways =
      find_ways(kernels.context().program(), kernels.phase(), kernels.analysis().message);
  engine.constants.push_back({"chooses_vertices", ways.takes != nullptr});
  engine.constants.push_back({"has_condition", ways.passes != nullptr});
  engine.constants.push_back(
      {"condition_reads_edge", ways.passes && mentions(*ways.passes, ir::Op::EdgeAttribute)});
  if (ways.takes) engine.operators.push_back(vertex_operator(kernels, "takes", *ways.takes));
  if (!ways.passes) return;
  ir::Stmt along;
  along.location = kernels.phase().location;
  along.neighbour = ways.neighbour;
  engine.operators.push_back(edge_condition_operator(kernels, "passes", along, *ways.passes));
}

/// Why the phase is not the same as combining started labels per connected component; empty where
/// it is.
std::string problem_of(const plan::Plan& plan, const ir::Phase& phase) {
  const auto& labels = ir::algebra_of(phase).label_propagation;
  if (labels.value == ir::Labels::No) return labels.reason;
  const PhaseAnalysis analysis = analyse(plan, phase, true);
  // A host loop runs on the device as a whole only where no engine is preferred in it, and what
  // the graph is like is not known here.
  if (labels.value == ir::Labels::OfSymmetric && !analysis.runs_once)
    return "the inbox is sent along one direction of edges, the program does not require "
           "'symmetric', and the phase runs more than once";
  std::string problem = problem_of_assignment(analysis, Absorption::Chosen);
  if (problem.empty()) problem = problem_of_conditions(analysis);
  if (problem.empty()) problem = problem_of_inboxes(plan, phase, analysis.message);
  if (!problem.empty()) return problem;
  if (plan.program.find_message(analysis.message)->type.is_tuple())
    return "labels are tuples, which no single atomic operation combines everywhere";
  return problem_of_states(plan, phase, analysis.state);
}

}  // namespace

Judgement judge_hook(const plan::Plan& plan, const ir::Phase& phase) {
  const std::string problem = problem_of(plan, phase);
  if (!problem.empty()) return {false, problem};
  const bool symmetric = ir::algebra_of(phase).label_propagation.value == ir::Labels::OfSymmetric;
  Judgement judgement = legal(hook_contract, symmetric ? "on a symmetric graph, " : "");
  judgement.symmetric = symmetric;
  return judgement;
}

void build_hook(PhaseKernels& kernels, plan::Variant& variant) {
  const PhaseAnalysis& analysis = kernels.analysis();
  KernelContext& context = kernels.context();
  const ir::Program& program = context.program();
  plan::Engine& engine = *variant.engine;
  const ir::Message& message = *program.find_message(analysis.message);
  engine.constants = {{"minimizes", message.combine == ir::Combine::Min}};
  engine.operators.push_back(combine_operator(message, kernels.phase()));
  add_conditions(kernels, engine);
  engine.buffers = {context.state(analysis.state)};
  if (starts_own_ids(analysis)) {
    engine.operators.push_back(start_operator(kernels.phase().starts.front()));
  } else {
    variant.prepare = kernels.starts(false);
    engine.buffers.push_back(context.inbox(analysis.message));
  }
  // Vertices without out-edges are sampled by their in-edges.
  context.plan().needs_transpose = true;
}

}  // namespace vertigo::compiler::toplan
