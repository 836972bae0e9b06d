// `update edge (u, v)`: what a body that belongs to an edge becomes in a kernel over vertices.

#include <utility>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;

namespace {

/// Equal values have equal bits: what is there already need not be stored.
bool tells_by_comparing(const ir::Expr& value) {
  return value.op != Op::Literal && value.type.is_scalar() && !ir::is_float(value.type.scalar());
}

}  // namespace

// The other direction is looked up, but where the value stays as it is, nobody has to.
void PhaseKernels::assign_edge(const ir::Stmt& stmt, ExprLowering& lowering, Block& block) {
  // Computed before it is stored: it may read the state itself.
  const std::string value = lowering.names().fresh(stmt.symbol + "_value");
  const ir::Type type = stmt.value->type;
  const std::string& state = context_.edge_state(stmt.symbol);
  add(block, let(value, lowering.lower(*stmt.value, block))).location = stmt.location;
  Block* inside = &block;
  if (tells_by_comparing(*stmt.value)) {
    plan::KernelStmt& changes =
        add(block, when(holds(Op::NotEqual, load_edge(state, type, lowering.place_at_hand()),
                              local(value, type))));
    changes.location = stmt.location;
    inside = &changes.body;
  }
  add(*inside, store_edge(state, lowering.place_at_hand(), local(value, type))).location =
      stmt.location;
  if (!phase().body.front()->apart)
    add(*inside, store_edge(state, lowering.place_of_reverse(), local(value, type))).location =
        stmt.location;
}

// Each edge once: from the end that comes first, which writes both places of it; or each place
// apart. No other thread touches them, and what is asked of other edges lies in snapshots.
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
  bound.edge_place = name_places(context_, lowering.names(), loop);
  bound.edge_own = phase().variable;
  bound.edge_other = stmt.neighbour;
  bound.own_edge = true;
  Block& first = stmt.apart
                     ? loop.body
                     : add(loop.body, when(holds(Op::LessEqual, vertex(own), vertex(other)))).body;
  ExprPtr chosen = lowering.lower(*stmt.value, first);
  const auto* constant = chosen->op == Op::Literal ? std::get_if<bool>(&chosen->value) : nullptr;
  const bool all = constant != nullptr && *constant;
  bound.edge_counts = context_.kept_choice() != nullptr &&
                      passes::implies_choice(*context_.kept_choice(), *stmt.value);
  lower_body(stmt.body, lowering, all ? first : add(first, when(std::move(chosen))).body, on_send);
  settle_places(loop, bound.edge_place);
  bound.edge_place.clear();
  bound.own_edge = false;
  bound.edge_counts = false;
}

}  // namespace vertigo::compiler::toplan
