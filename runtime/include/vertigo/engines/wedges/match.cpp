// Engine `wedges`. Take a sweep that finds, at every v, the sum of common_neighbours(u, v) over the
// out-neighbours u of v, of a symmetric graph without parallel edges. Self loops aside, a common
// neighbour of the ends of an edge is a triangle. So the sum at v counts each triangle that v is a
// corner of once for each of its two edges at v that the condition lets through: twice where there
// is none; where it compares the ends' ids, once for each other corner on the right side. The
// engine finds every triangle once and gives the corners their shares. Self loops are added when
// all triangles are known. Where a value of every common neighbour is added up instead of ones, and
// it depends on that vertex alone, a share is the value of the third corner. An update of edges may
// keep the number, or the sum of values, of every edge: then sides get the shares.

#include <algorithm>

#include "compiler/passes/program/CommonSums.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using passes::kept_number;
using passes::sides_of;
using passes::single_reduction;
using passes::weighing;

namespace {

bool requires_it(const ir::Program& program, ir::RequirementKind kind) {
  return std::ranges::any_of(program.requirements, [&](const ir::Requirement& requirement) {
    return requirement.kind == kind;
  });
}

std::string problem_of(const ir::Phase& phase) {
  const bool updates_edges =
      !phase.body.empty() && phase.body.front()->kind == ir::StmtKind::UpdateEdges;
  if (updates_edges && kept_number(phase) == nullptr)
    return "the update of edges does more than to keep, for every edge, one value of what its ends "
           "have in common";
  if (!updates_edges)
    if (std::string problem = passes::problem_of_common_sum(phase); !problem.empty())
      return problem;
  return "";
}

// How often the state is read at all; and as `sum(v.state)` of all vertices.
struct Reads {
  unsigned all = 0, sums = 0;
};

void count_reads(const ExprPtr& expr, const std::string& state, Reads& reads) {
  if (!expr) return;
  ir::walk(*expr, [&](const Expr& e) {
    if (e.op == Op::State && e.symbol == state) ++reads.all;
    if (e.op != Op::ReduceVertices || e.reduction != ir::Reduction::Sum) return;
    const bool unconditional = e.operands.size() < 2 || !e.operands[1];
    const Expr& value = *e.operands[0];
    if (unconditional && value.op == Op::State && value.symbol == state) ++reads.sums;
  });
}

void count_reads(const std::vector<ir::StmtPtr>& body, const std::string& state, Reads& reads) {
  for_each_stmt(body, [&](const ir::Stmt& stmt) {
    for (const ExprPtr* expr : {&stmt.value, &stmt.limit, &stmt.condition})
      count_reads(*expr, state, reads);
  });
}

/// The update is `v.state = the sum`, and nobody asks for the state but to add it up.
bool wants_sum_alone(const plan::Plan& plan, const ir::Phase& phase) {
  const ir::Program& program = plan.program;
  if (phase.guard || phase.body.size() != 1) return false;
  const ir::Stmt& stmt = *phase.body.front();
  if (stmt.kind != ir::StmtKind::AssignState || stmt.value->op != Op::ReduceNeighbours ||
      weighing(*stmt.value) != nullptr)
    return false;
  for (const ir::Output& output : program.outputs)
    if (output.state == stmt.symbol) return false;
  Reads reads;
  count_reads(program.body, stmt.symbol, reads);
  if (reads.all != reads.sums) return false;
  for (const ir::State& state : program.states) count_reads(state.initial, stmt.symbol, reads);
  for (const ir::Phase& other : program.phases) {
    count_reads(other.guard, stmt.symbol, reads);
    count_reads(other.body, stmt.symbol, reads);
    count_reads(other.step_limit, stmt.symbol, reads);
    for (const ir::Start& start : other.starts) {
      count_reads(start.condition, stmt.symbol, reads);
      count_reads(start.vertex, stmt.symbol, reads);
      count_reads(start.body, stmt.symbol, reads);
    }
  }
  return reads.all == reads.sums;
}

plan::Operator operator_at_vertex(PhaseKernels& kernels, const std::string& name, std::string& v,
                                  LocalNames& names) {
  v = names.fresh(kernels.phase().variable);
  plan::Operator made;
  made.name = name;
  made.location = kernels.phase().location;
  made.type = ir::Type(ir::ScalarKind::Bool);
  made.parameters = {{v, ir::Type(ir::ScalarKind::Vertex)}};
  return made;
}

Bindings bindings_at(const PhaseKernels& kernels, const std::string& v) {
  Bindings bound = kernels.bindings(v);
  bound.count_edges = false;
  bound.vertices[kernels.phase().variable] = v;
  return bound;
}

plan::Operator concerns_operator(PhaseKernels& kernels) {
  LocalNames names(kernels.context());
  std::string v;
  plan::Operator made = operator_at_vertex(kernels, "concerns", v, names);
  ExprLowering lowering(kernels.context(), names, bindings_at(kernels, v));
  const ExprPtr& guard = kernels.phase().guard;
  made.value = guard ? lowering.lower(*guard, made.body) : boolean(true);
  return made;
}

/// States are read as they are: all weights are taken before the first update.
plan::Operator weight_operator(PhaseKernels& kernels, const Expr& sum) {
  LocalNames names(kernels.context());
  const std::string x = names.fresh(sum.symbol);
  plan::Operator made;
  made.name = "common_value";
  made.location = sum.location;
  made.type = sum.type;
  made.parameters = {{x, ir::Type(ir::ScalarKind::Vertex)}};
  Bindings bound;
  bound.own = x;
  bound.vertices[sum.symbol] = x;
  ExprLowering lowering(kernels.context(), names, std::move(bound));
  ExprPtr value = sum.reduction == ir::Reduction::Count
                      ? number(sum.type.scalar(), 1)
                      : lowering.lower(*sum.operands[0], made.body);
  if (const ExprPtr& condition = sum.operands[1]) {
    ExprPtr chosen = std::make_unique<Expr>();
    chosen->op = Op::Select;
    chosen->type = sum.type;
    chosen->operands.push_back(lowering.lower(*condition, made.body));
    chosen->operands.push_back(std::move(value));
    chosen->operands.push_back(empty_value(ir::Reduction::Sum, sum.type));
    value = std::move(chosen);
  }
  made.value = std::move(value);
  return made;
}

plan::Operator update_operator(PhaseKernels& kernels, const ir::Type& type) {
  LocalNames names(kernels.context());
  std::string v;
  plan::Operator made = operator_at_vertex(kernels, "update", v, names);
  const std::string sum = names.fresh("sum");
  made.location = kernels.phase().body.front()->location;
  made.parameters.push_back({sum, type});
  Bindings bound = bindings_at(kernels, v);
  bound.replace = [&](const Expr& e) -> ExprPtr {
    return e.op == Op::ReduceNeighbours ? local(sum, e.type) : nullptr;
  };
  ExprLowering lowering(kernels.context(), names, std::move(bound));
  kernels.lower_body(kernels.phase().body, lowering, made.body, nullptr);
  made.value = boolean(true);
  return made;
}

/// What `number` stands for is given; the two ends have the names that the update calls them.
plan::Operator keep_operator(PhaseKernels& kernels, const Expr& number) {
  const ir::Stmt& edges = *kernels.phase().body.front();
  const ir::Stmt& kept = *edges.body.front();
  LocalNames names(kernels.context());
  std::string u;
  plan::Operator made = operator_at_vertex(kernels, "keep", u, names);
  const std::string v = names.fresh(edges.neighbour), place = names.fresh("place"),
                    common = names.fresh("common");
  made.location = kept.location;
  made.parameters.insert(made.parameters.end(), {{v, ir::Type(ir::ScalarKind::Vertex)},
                                                 {place, ir::Type(ir::ScalarKind::UInt64)},
                                                 {common, number.type}});
  Bindings bound = bindings_at(kernels, u);
  bound.vertices[edges.neighbour] = v;
  bound.replace = [&](const Expr& e) -> ExprPtr {
    return &e == &number ? local(common, e.type) : nullptr;
  };
  ExprLowering lowering(kernels.context(), names, std::move(bound));
  ExprPtr value = lowering.lower(*kept.value, made.body);
  add(made.body, store_edge(kernels.context().edge_state(kept.symbol),
                            local(place, ir::ScalarKind::UInt64), std::move(value)));
  made.value = boolean(true);
  return made;
}

}  // namespace

Judgement judge_wedges(const plan::Plan& plan, const ir::Phase& phase) {
  const std::string problem = problem_of(phase);
  if (!problem.empty()) return {false, problem};
  const Expr* const number = kept_number(phase);
  Judgement judgement =
      legal(wedges_contract,
            "'common_neighbours' is the same from both ends of an edge, and a common neighbour "
            "of them is a triangle, self loops aside: ");
  const ir::Type& type = number != nullptr ? number->type : single_reduction(phase)->type;
  judgement.deterministic = !ir::is_float(type.scalar());
  judgement.symmetric = !requires_it(plan.program, ir::RequirementKind::Symmetric);
  judgement.no_duplicates = !requires_it(plan.program, ir::RequirementKind::NoDuplicates);
  return judgement;
}

void build_wedges(PhaseKernels& kernels, plan::Variant& variant) {
  const ir::Phase& phase = kernels.phase();
  const Expr* const number = kept_number(phase);
  const Expr* const reduction = single_reduction(phase);
  const Expr* const weighed = number == nullptr                ? weighing(*reduction)
                              : number->op == Op::ReduceCommon ? number
                                                               : nullptr;
  const passes::Sides sides = number == nullptr ? *sides_of(*reduction) : passes::Sides{};
  plan::Engine& engine = *variant.engine;
  engine.constants = {
      {"by_edge", number != nullptr},
      {"counts_less", sides.less},
      {"counts_equal", sides.equal},
      {"counts_greater", sides.greater},
      {"sum_alone", number == nullptr && wants_sum_alone(kernels.context().plan(), phase)},
      {"has_values", weighed != nullptr}};
  if (weighed != nullptr) engine.operators.push_back(weight_operator(kernels, *weighed));
  if (number != nullptr) {
    engine.operators.push_back(keep_operator(kernels, *number));
    return;
  }
  engine.operators.push_back(concerns_operator(kernels));
  engine.operators.push_back(update_operator(kernels, reduction->type));
}

}  // namespace vertigo::compiler::toplan
