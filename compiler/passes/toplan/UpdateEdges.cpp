// `update edge (u, v)`: what a body that belongs to an edge becomes in a kernel over vertices.

#include <utility>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;

void PhaseKernels::assign_edge(const ir::Stmt& stmt, ExprLowering& lowering, Block& block) {
  const Bindings& bound = lowering.bindings();
  // Computed before it is stored: it may read the state itself.
  const std::string value = lowering.names().fresh(stmt.symbol + "_value");
  const ir::Type type = stmt.value->type;
  add(block, let(value, lowering.lower(*stmt.value, block))).location = stmt.location;
  for (const auto& [from, to] :
       {std::pair(bound.edge_from, bound.edge_to), std::pair(bound.edge_to, bound.edge_from)})
    add(block,
        store_edge(context_.edge_state(stmt.symbol), edge_place(from, to), local(value, type)))
        .location = stmt.location;
}

// Each edge once: from the end that comes first, which writes both places of it. No other thread
// touches them, and what is asked of other edges lies in snapshots.
void PhaseKernels::lower_edges(const ir::Stmt& stmt, ExprLowering& lowering, Block& block,
                               const OnSend& on_send) {
  const std::string own = lowering.bindings().own;
  const std::string other = lowering.names().fresh(stmt.neighbour);
  count_edges(block, own, ir::EdgeDirection::Out);
  plan::KernelStmt& loop = add(block, for_edges(own, ir::EdgeDirection::Out, other));
  loop.location = stmt.location;
  Bindings& bound = lowering.bindings();
  bound.vertices[stmt.neighbour] = other;
  bound.edge_from = own;
  bound.edge_to = other;
  bound.own_edge = true;
  Block& first = add(loop.body, when(holds(Op::LessEqual, vertex(own), vertex(other)))).body;
  ExprPtr chosen = lowering.lower(*stmt.value, first);
  const auto* constant = chosen->op == Op::Literal ? std::get_if<bool>(&chosen->value) : nullptr;
  const bool all = constant != nullptr && *constant;
  lower_body(stmt.body, lowering, all ? first : add(first, when(std::move(chosen))).body, on_send);
  bound.own_edge = false;
}

}  // namespace vertigo::compiler::toplan
