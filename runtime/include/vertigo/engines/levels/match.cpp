// Engine `levels`. In a phase of uniform cost every message is the sender's inbox and one constant
// more. Where all started vertices begin with one value, the vertices of a step therefore all take
// the same value, and a later step's value is no better: a vertex is settled by the first step that
// reaches it. So one bit per vertex takes the place of the inboxes.

#include "compiler/passes/toplan/PhaseAnalysis.h"
#include "compiler/passes/toplan/engines/Engines.h"
#include "compiler/passes/toplan/engines/Operators.h"
#include "compiler/passes/toplan/engines/Predecessors.h"

namespace vertigo::compiler::toplan {

namespace {

bool requires_symmetric(const ir::Program& program) {
  for (const ir::Requirement& requirement : program.requirements)
    if (requirement.kind == ir::RequirementKind::Symmetric) return true;
  return false;
}

/// Why the body is more than `state = inbox` and one send to all neighbours that edges lead to;
/// empty where it is not.
std::string problem_of_body(const ir::Program& program, const ir::Phase& phase,
                            const PhaseAnalysis& analysis) {
  if (analysis.written.size() != 1) return "the update writes more than one state";
  const ir::Stmt* send = nullptr;
  for (const ir::StmtPtr& stmt : phase.body) {
    if (stmt->kind == ir::StmtKind::If) return "what the update does depends on a condition";
    if (stmt->kind != ir::StmtKind::Send) continue;
    if (send != nullptr) return "the update sends more than once";
    send = stmt.get();
  }
  if (send->condition) return "not every neighbour is sent to";
  const bool along_edges = send->direction == ir::EdgeDirection::Out || requires_symmetric(program);
  return along_edges ? "" : "messages travel against the direction of edges";
}

Judgement judge_values(const plan::Plan& plan, const ir::Phase& phase) {
  if (!ir::algebra_of(phase).uniform_cost.value)
    return {false, ir::algebra_of(phase).uniform_cost.reason};
  const PhaseAnalysis analysis = analyse(plan, phase, true);
  std::string problem = problem_of_body(plan.program, phase, analysis);
  if (problem.empty()) problem = problem_of_assignment(analysis);
  if (problem.empty()) problem = problem_of_sharing(analysis);
  if (problem.empty() && !analysis.uniform_cost) problem = "vertices start with different values";
  return problem.empty() ? legal(levels_contract) : Judgement{false, problem};
}

void add_value_operators(PhaseKernels& kernels, plan::Engine& engine) {
  std::string problem;
  const std::vector<SendSite> sites = send_sites_from_states(kernels.analysis(), problem);
  engine.constants = {{"minimizes", true}, {"sent_reads_edge", false}};
  engine.operators.push_back(sent_operator(kernels, "sent", sites.front(), {}));
  engine.operators.push_back(guard_operator(kernels, "improves"));
}

// Nobody else writes the state, so where all vertices begin with one value, they still have it.
void add_initial_operator(PhaseKernels& kernels, plan::Engine& engine) {
  const ir::State& state = *kernels.context().program().find_state(kernels.analysis().state);
  const bool is_constant =
      state.initial->op == ir::Op::Literal || state.initial->op == ir::Op::Infinity;
  engine.constants.push_back({"knows_initial", !state.is_input && is_constant});
  if (!state.is_input && is_constant) {
    plan::Operator& initial = engine.operators.emplace_back();
    initial.name = "initial";
    initial.type = state.type;
    initial.value = state.initial->clone();
    initial.location = state.location;
  }
}

}  // namespace

Judgement judge_levels(const plan::Plan& plan, const ir::Phase& phase) {
  return sends_pairs(plan, phase) ? judge_first_elements(plan, phase, judge_values)
                                  : judge_values(plan, phase);
}

void build_levels(PhaseKernels& kernels, plan::Variant& variant) {
  const PhaseAnalysis& phase = kernels.analysis();
  variant.prepare = kernels.starts(true);
  plan::Engine& engine = *variant.engine;
  if (sends_pairs(kernels.context().plan(), kernels.phase())) {
    FirstElementKernels first(kernels);
    add_value_operators(first.values(), engine);
    engine.constants.push_back({"knows_initial", true});
    first.add_operators(kernels, engine);
  } else {
    add_value_operators(kernels, engine);
    add_initial_operator(kernels, engine);
    engine.constants.push_back({"sends_pairs", false});
  }
  kernels.context().plan().needs_transpose = true;
  engine.buffers = {kernels.context().state(phase.state), kernels.context().inbox(phase.message),
                    kernels.asked()};
}

}  // namespace vertigo::compiler::toplan
