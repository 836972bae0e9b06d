#include "compiler/ir/plan/EdgeParts.h"

#include "compiler/ir/program/Spelling.h"

namespace vertigo::plan {

namespace {

using ir::EdgeDirection;

std::optional<EdgeDirection> both_of(std::optional<EdgeDirection> a, EdgeDirection b) {
  return a && *a != b ? EdgeDirection::Both : b;
}

bool is_degree(const Expr& e) {
  return e.op == ir::Op::OutDegree || e.op == ir::Op::InDegree || e.op == ir::Op::Degree;
}

}  // namespace

EdgeReads edge_reads_of(const Plan& plan, const Kernel& kernel) {
  EdgeReads reads;
  const auto object = [&](const std::string& problem) {
    if (reads.problem.empty()) reads.problem = problem;
  };
  walk_statements(kernel.body, [&](const KernelStmt& stmt) {
    if (stmt.op != KernelOp::ForEdges) return;
    reads.along = both_of(reads.along, stmt.direction);
    if (stmt.vertex != kernel.vertex) object("it follows the edges of other vertices");
    if (!stmt.slots.empty()) object("messages have places by the number of their edge");
    if (!stmt.slot.empty() && stmt.slots.empty()) object("edge states have places by the edge");
  });
  walk_expressions(kernel, [&](const Expr& e) {
    if (e.op == ir::Op::CommonNeighbours) {
      reads.along = both_of(reads.along, EdgeDirection::Out);
      object("it reads the lists of two vertices");
    }
    if (e.op == ir::Op::EdgePlace) {
      reads.along = both_of(reads.along, EdgeDirection::Out);
      object("it looks edges up in the lists of two vertices");
    }
    // Lists that the host has gathered have no offsets but those of their own vertices.
    if (is_degree(e) && kernel.domain == Domain::Worklist && e.vertex != kernel.vertex)
      object("it asks for the degrees of other vertices");
  });
  if (!reads.along) return reads;
  const bool goes_by_place = !kernel.order.empty() && plan.find_buffer(kernel.order) != nullptr;
  if (goes_by_place) object("it takes all vertices in an order of their own");
  if (kernel.domain != Domain::AllVertices && kernel.domain != Domain::Worklist)
    object("its vertices are few");
  return reads;
}

std::string edge_parts_of(const Plan& plan, const Variant& variant) {
  if (variant.whole_graph || !variant.is_path()) return "whole";
  std::optional<EdgeDirection> along;
  for (const std::vector<Action>* actions : {&variant.prepare, &variant.step})
    for (const Action& action : *actions) {
      if (action.kind == ActionKind::ForParts || action.kind == ActionKind::ForRest) return "whole";
      const Kernel* const kernel =
          action.kind == ActionKind::Launch ? plan.find_kernel(action.symbol) : nullptr;
      if (kernel == nullptr || !edge_reads_of(plan, *kernel).along) continue;
      if (!action.parts) return "whole";
      along = both_of(along, *action.parts);
    }
  return along ? std::string(ir::to_string(*along)) : "none";
}

std::string colours_of(const Plan& plan, const Variant& variant) {
  for (const std::string& name : variant.needs)
    if (const Buffer* const buffer = plan.find_buffer(name); !buffer->colours.empty())
      return buffer->colours;
  return "";
}

}  // namespace vertigo::plan
