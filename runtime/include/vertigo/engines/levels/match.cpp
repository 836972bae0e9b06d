// Engine `levels`. In a phase of uniform cost every message is one function of the sender's inbox,
// and never better than it. Where all started vertices begin with one value, the vertices of a step
// therefore all take the same value, and a later step's value is no better: a vertex is settled by
// the first step that reaches it. So one bit per vertex takes the place of the inboxes. Which edges
// a message goes along may depend on what the phase does not change: the search is one of the graph
// of those edges.

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SentShapes.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"
#include "compiler/passes/toplan/engines/Beginning.h"
#include "compiler/passes/toplan/engines/Engines.h"
#include "compiler/passes/toplan/engines/Operators.h"
#include "compiler/passes/toplan/engines/Predecessors.h"

namespace vertigo::compiler::toplan {

namespace {

/// The one send of the phase, and when it goes along an edge.
struct Sending {
  SendSite site;
  ir::ExprPtr condition;  ///< of the branches around it and of its receivers; null: always
  bool along = true;      ///< as edges lead; else against them
  bool both = false;      ///< along edges and against them
};

/// The same at all vertices of a level: a function of the value that they have taken.
bool reads_value_alone(const ir::Expr& condition, const PhaseAnalysis& analysis) {
  bool alone = true;
  ir::walk(condition, [&](const ir::Expr& e) {
    const bool is_value = ir::is_state_of(e, analysis.phase->variable, analysis.state);
    if (is_value) return;
    switch (e.op) {
      case ir::Op::Literal:
      case ir::Op::Infinity:
      case ir::Op::NoVertex:
      case ir::Op::Parameter:
      case ir::Op::HostVariable:
      case ir::Op::VertexCount:
      case ir::Op::EdgeCount:
        return;
      default:
        alone = alone && !e.operands.empty() &&
                read_that_changes(*e.clone_without_operands(), analysis.written) == nullptr;
    }
  });
  return alone;
}

/// A level that sends nothing sends what improves nobody.
void send_only_where(SendSite& site, ir::ExprPtr condition, const ir::Program& program,
                     const PhaseAnalysis& analysis) {
  auto chosen = std::make_unique<ir::Expr>();
  chosen->op = ir::Op::Select;
  chosen->type = site.value->type;
  chosen->location = site.value->location;
  chosen->operands.push_back(std::move(condition));
  chosen->operands.push_back(std::move(site.value));
  chosen->operands.push_back(program.find_message(analysis.message)->identity->clone());
  site.value = std::move(chosen);
}

/// `problem` says why the body is more than `state = inbox` and one send, "" where it is not.
Sending find_sending(const ir::Program& program, const PhaseAnalysis& analysis,
                     std::string& problem) {
  Sending found;
  if (analysis.written.size() != 1) problem = "the update writes more than one state";
  if (!problem.empty()) return found;
  std::vector<SendSite> sites = send_sites_from_states(analysis, problem);
  if (!problem.empty()) return found;
  if (sites.size() != 1) problem = "the update sends more than once";
  if (sites.empty()) problem = "nothing is sent";
  if (!problem.empty()) return found;
  found.site = std::move(sites.front());
  ir::ExprPtr of_value;
  for (const ir::ExprPtr* part : {&found.site.condition, &found.site.filter}) {
    if (!*part) continue;
    ir::ExprPtr of_edges;
    for (const ir::Expr* each : passes::conjuncts(**part)) {
      const ir::Expr* const read = read_that_changes(*each, analysis.written);
      if (read != nullptr && !reads_value_alone(*each, analysis)) {
        problem = "whether a neighbour is sent to depends on '" + ir::print(*read) + "'";
        return found;
      }
      ir::ExprPtr& all = read != nullptr ? of_value : of_edges;
      all = both(std::move(all), each->clone());
    }
    if (of_edges != nullptr)
      found.condition = both(std::move(found.condition), std::move(of_edges));
  }
  if (of_value != nullptr) send_only_where(found.site, std::move(of_value), program, analysis);
  // Where each edge has its reverse, all directions lead to the same neighbours, but not by the
  // same edges. Of other graphs the engine searches edges and reverses: a message that comes twice
  // settles nobody twice.
  const bool reads_edge =
      found.condition != nullptr && mentions(*found.condition, ir::Op::EdgeAttribute);
  const ir::EdgeDirection direction = found.site.send->direction;
  const bool any_will_do = requires_symmetric(program) && !reads_edge;
  found.both = direction == ir::EdgeDirection::Both && !any_will_do;
  found.along = direction == ir::EdgeDirection::Out || any_will_do || found.both;
  return found;
}

/// Why the body is no search from level to level; "" where it is one.
std::string problem_of_body(const plan::Plan& plan, const PhaseAnalysis& analysis) {
  std::string problem = problem_of_assignment(analysis, Absorption::Bounded);
  if (problem.empty()) find_sending(plan.program, analysis, problem);
  return problem;
}

Judgement judge_values(const plan::Plan& plan, const ir::Phase& phase) {
  if (!ir::algebra_of(phase).uniform_cost.value)
    return {false, ir::algebra_of(phase).uniform_cost.reason};
  const PhaseAnalysis analysis = analyse(plan, phase, true);
  std::string problem = problem_of_body(plan, analysis);
  if (problem.empty()) problem = problem_of_inboxes(plan, phase, analysis.message);
  if (problem.empty() && !passes::starts_one_value(phase))
    problem = "vertices start with different values";
  return problem.empty() ? legal(levels_contract) : Judgement{false, problem};
}

/// Witnesses are looked up along in-edges.
Judgement judge_values_of_pairs(const plan::Plan& plan, const ir::Phase& phase) {
  Judgement judgement = judge_values(plan, phase);
  if (!judgement.legal) return judgement;
  std::string problem;
  const Sending sending = find_sending(plan.program, analyse(plan, phase, true), problem);
  if (!sending.along) return {false, "messages travel against the direction of edges"};
  return judgement;
}

void add_value_operators(PhaseKernels& kernels, plan::Engine& engine) {
  std::string problem;
  const Sending sending = find_sending(kernels.context().program(), kernels.analysis(), problem);
  const ir::Expr* const condition = sending.condition.get();
  const ir::Combine combine = kernels.message(kernels.analysis().message).combine;
  engine.constants = {{"minimizes", combine == ir::Combine::Min},
                      {"sent_reads_edge", false},
                      {"sends_out", sending.along},
                      {"has_condition", condition != nullptr},
                      {"condition_reads_edge",
                       condition != nullptr && mentions(*condition, ir::Op::EdgeAttribute)}};
  if (sending.both) engine.constants.push_back({"sends_both", true});
  engine.operators.push_back(sent_operator(kernels, "sent", sending.site, {}));
  engine.operators.push_back(guard_operator(kernels, "improves"));
  if (condition != nullptr)
    engine.operators.push_back(
        edge_condition_operator(kernels, "passes", *sending.site.send, *condition));
}

void add_initial_operator(PhaseKernels& kernels, plan::Engine& engine) {
  const ir::State& state = *kernels.context().program().find_state(kernels.analysis().state);
  ir::ExprPtr known = known_state(kernels.context().plan(), kernels.phase(), state.name);
  engine.constants.push_back({"knows_initial", known != nullptr});
  if (known == nullptr) return;
  plan::Operator& initial = engine.operators.emplace_back();
  initial.name = "initial";
  initial.type = state.type;
  initial.location = state.location;
  initial.value = std::move(known);
}

}  // namespace

Judgement judge_levels(const plan::Plan& plan, const ir::Phase& phase) {
  return sends_pairs(plan, phase) ? judge_first_elements(plan, phase, judge_values_of_pairs)
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
