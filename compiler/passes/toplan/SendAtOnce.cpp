#include "compiler/passes/toplan/SendAtOnce.h"

#include "compiler/passes/toplan/SendLoops.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;

namespace {

// Whether the value differs from one edge of the sender to the next.
bool depends_on_edge(const ir::Expr& e, const std::string& sender) {
  const bool of_another = !e.vertex.empty() && e.vertex != sender;
  if (e.op == Op::EdgeAttribute || of_another) return true;
  if (e.op == Op::ReduceNeighbours) return false;
  for (const ExprPtr& operand : e.operands)
    if (operand && depends_on_edge(*operand, sender)) return true;
  return false;
}

// In one kernel with the body, locals are at hand too: a value without an edge is computed once.
void name_value(ExprPtr& value, const std::string& message, LocalNames& names, Block& before) {
  if (value->operands.empty()) return;
  const std::string name = names.fresh(message + "_sent");
  ir::Type type = value->type;
  add(before, let(name, std::move(value)));
  value = local(name, std::move(type));
}

}  // namespace

void send_at_once(PhaseKernels& kernels, const ir::Stmt& send, ExprLowering& lowering, Block& block,
                  const std::string& v,
                  const std::function<void(Block&, const std::string&)>& on_change) {
  if (send.receiver) {
    to_one(kernels, block, lowering, *send.receiver, [&](Block& at, const std::string& u) {
      ExprPtr value = lowering.lower(*send.value, at);
      plan::KernelStmt& combine = add(at, kernels.combine_joined(send.symbol, u, std::move(value)));
      combine.location = send.location;
      on_change(combine.body, u);
    });
    return;
  }
  const std::string u = lowering.names().fresh(send.neighbour.empty() ? "u" : send.neighbour);
  if (!send.neighbour.empty()) lowering.bindings().vertices[send.neighbour] = u;
  kernels.count_edges(block, v, send.direction);
  Block inside;
  ExprPtr filter = send.condition ? lowering.lower(*send.condition, inside) : nullptr;
  Block after_filter;
  const bool once = !depends_on_edge(*send.value, kernels.phase().variable);
  ExprPtr value = lowering.lower(*send.value, once ? block : after_filter);
  if (filter) hoist(filter, v, send.symbol + "_filter", lowering.names(), block);
  if (once)
    name_value(value, send.symbol, lowering.names(), block);
  else
    hoist(value, v, send.symbol, lowering.names(), block);

  plan::KernelStmt& loop = add(block, kernels.edges(v, send.direction, u, send.symbol));
  loop.location = send.location;
  loop.body = std::move(inside);
  Block& body = filter ? add(loop.body, when(std::move(filter))).body : loop.body;
  for (auto& stmt : after_filter) body.push_back(std::move(stmt));
  plan::KernelStmt& combine =
      add(body, kernels.combine_into(send.symbol, u, std::move(value), true));
  combine.location = send.location;
  on_change(combine.body, u);
}

}  // namespace vertigo::compiler::toplan
