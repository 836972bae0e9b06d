#include "compiler/ir/plan/Plan.h"

#include <algorithm>

namespace vertigo::plan {

namespace {

ExprPtr clone(const ExprPtr& expr) { return expr ? expr->clone() : nullptr; }

Block clone(const Block& block) {
  Block copy;
  for (const KernelStmtPtr& stmt : block) copy.push_back(stmt->clone());
  return copy;
}

bool same_expr(const ExprPtr& a, const ExprPtr& b) {
  return (!a && !b) || (a && b && ir::same(*a, *b));
}

bool same_stmt(const KernelStmt& a, const KernelStmt& b) {
  return a.op == b.op && a.symbol == b.symbol && a.buffer == b.buffer && a.vertex == b.vertex &&
         a.changed == b.changed && a.slot == b.slot && a.slots == b.slots && a.hubs == b.hubs &&
         a.type == b.type && a.combine == b.combine && a.function == b.function &&
         a.direction == b.direction && a.atomic == b.atomic && a.joined == b.joined &&
         a.once_if_symmetric == b.once_if_symmetric && a.outlives == b.outlives &&
         a.together == b.together && a.shared == b.shared && same_expr(a.index, b.index) &&
         same_expr(a.value, b.value) && same_expr(a.identity, b.identity) && same(a.body, b.body) &&
         same(a.otherwise, b.otherwise);
}

}  // namespace

bool same(const Block& a, const Block& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return same_stmt(*x, *y); });
}

KernelStmtPtr KernelStmt::clone() const {
  auto copy = std::make_unique<KernelStmt>();
  copy->op = op;
  copy->location = location;
  copy->symbol = symbol;
  copy->buffer = buffer;
  copy->vertex = vertex;
  copy->changed = changed;
  copy->slot = slot;
  copy->slots = slots;
  copy->hubs = hubs;
  copy->type = type;
  copy->index = plan::clone(index);
  copy->value = plan::clone(value);
  copy->combine = combine;
  copy->function = function;
  copy->identity = plan::clone(identity);
  copy->direction = direction;
  copy->atomic = atomic;
  copy->joined = joined;
  copy->once_if_symmetric = once_if_symmetric;
  copy->outlives = outlives;
  copy->together = together;
  copy->shared = shared;
  copy->body = plan::clone(body);
  copy->otherwise = plan::clone(otherwise);
  return copy;
}

Kernel Kernel::clone() const {
  Kernel copy;
  copy.name = name;
  copy.comment = comment;
  copy.location = location;
  copy.domain = domain;
  copy.list = list;
  copy.start = plan::clone(start);
  copy.vertex = vertex;
  copy.balance = balance;
  copy.order = order;
  copy.at_ends = at_ends;
  copy.together = together;
  copy.called_by = called_by;
  copy.takes = takes;
  copy.body = plan::clone(body);
  return copy;
}

const Variant* PhasePlan::find_variant(const std::string& name) const {
  for (const Variant& variant : variants)
    if (variant.name() == name) return &variant;
  return nullptr;
}

VariantKind Variant::kind() const {
  if (engine) return EngineName{engine->name};
  if (hybrid) return vertigo::Hybrid{};
  return path;
}

const Buffer* Plan::find_buffer(const std::string& name) const { return buffers.find(name); }

const Kernel* Plan::find_kernel(const std::string& name) const { return kernels.find(name); }

const PhasePlan* Plan::find_phase(const std::string& name) const { return phases.find(name); }

const VertexReduction* Plan::find_reduction(const std::string& name) const {
  return reductions.find(name);
}

Reach reach_of(const Plan& plan, const Variant& variant) {
  if (variant.fused) return Reach::Some;
  Reach reach = Reach::Some;
  for (const Action& action : variant.step) {
    const Kernel* const kernel = plan.find_kernel(action.symbol);
    if (action.kind != ActionKind::Launch || kernel->domain != Domain::AllVertices) continue;
    if (reach == Reach::Some) reach = Reach::AllVertices;
    walk_statements(kernel->body, [&](const KernelStmt& stmt) {
      if (stmt.op == KernelOp::ForEdges) reach = Reach::AllEdges;
    });
  }
  return reach;
}

std::vector<const ir::Stmt*> loops_of(const Plan& plan) {
  std::vector<const ir::Stmt*> loops;
  walk_loops(plan.body, [&](unsigned, const ir::Stmt& loop) {
    loops.push_back(&loop);
    return true;
  });
  return loops;
}

std::vector<const PhasePlan*> phases_run_by(const Plan& plan, const ir::Stmt& stmt) {
  std::vector<const PhasePlan*> phases;
  if (stmt.kind == ir::StmtKind::Phase) phases.push_back(plan.find_phase(stmt.symbol));
  const auto look = [&](const ir::Expr& e) {
    const VertexReduction* const reduction =
        e.op == ir::Op::Load ? plan.find_reduction(e.symbol) : nullptr;
    if (reduction != nullptr && !reduction->phase.empty())
      phases.push_back(plan.find_phase(reduction->phase));
  };
  for (const ir::ExprPtr* expr : {&stmt.value, &stmt.limit})
    if (*expr) ir::walk(**expr, look);
  return phases;
}

const Decision* Plan::find_decision(const std::string& subject, const std::string& key) const {
  return decisions.find(decision_name(subject, key));
}

}  // namespace vertigo::plan
