#include "compiler/passes/toplan/AskReceiver.h"

#include <algorithm>
#include <initializer_list>

#include "compiler/passes/program/Proofs.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using plan::Block;

namespace {

/// Whether the next step alone can tell: the guard asks for another inbox, too, or for states of
/// other vertices; or it takes more than a read to know what is in the inbox.
bool can_be_asked(PhaseKernels& kernels, const std::string& message) {
  const Expr* const guard = kernels.phase().guard.get();
  const ir::Type& type = kernels.message(message).type;
  if (guard == nullptr || !is_cheap_to_ask(*guard) || !type.is_scalar() ||
      type.scalar() == ir::ScalarKind::Wide64)
    return false;
  const auto& read = kernels.analysis().read;
  if (read.size() != 1 || *read.begin() != message) return false;
  bool asks_others = false;
  ir::walk(*guard, [&](const Expr& e) {
    asks_others = asks_others || (e.op == Op::State && e.vertex != kernels.phase().variable);
  });
  return !asks_others;
}

/// Whether that pays, of a guard that can be asked, where others combine into the inbox, too: the
/// guard is asked for those messages alone that improve an inbox, or it rules receivers out by more
/// than their inbox. To read the sum that a message was just added to takes as long as the
/// addition: PageRank on kron21 took 372 ms instead of 279 on an H200.
bool pays_at_push(PhaseKernels& kernels, const std::string& message) {
  if (!always_changes(kernels.message(message).combine)) return true;
  const Expr& guard = *kernels.phase().guard;
  return mentions(guard, Op::State) || mentions(guard, Op::OutDegree) ||
         mentions(guard, Op::InDegree);
}

}  // namespace

bool always_changes(ir::Combine combine) {
  switch (combine) {
    case ir::Combine::Sum:
    case ir::Combine::Xor:
    case ir::Combine::Function:
      return true;
    default:
      return false;
  }
}

bool is_cheap_to_ask(const Expr& guard) {
  return std::ranges::none_of(std::initializer_list<Op>{Op::ReduceNeighbours, Op::CommonNeighbours,
                                                        Op::Step, Op::Random, Op::ExternCall},
                              [&](Op op) { return mentions(guard, op); });
}

Block& where_messages_count(PhaseKernels& kernels, Block& block, const std::string& u,
                            LocalNames& names) {
  const passes::ShrinkingDomain* const receivers = kernels.receivers();
  if (receivers == nullptr) return block;
  Bindings bound = kernels.bindings_between_steps(u);
  bound.vertices[kernels.phase().variable] = u;
  ExprPtr test =
      ExprLowering(kernels.context(), names, std::move(bound)).lower(*receivers->lasting, block);
  plan::KernelStmt& branch = add(block, when(std::move(test)));
  branch.location = receivers->lasting->location;
  return branch.body;
}

Block& where_guard_holds(PhaseKernels& kernels, Block& block, const std::string& message,
                         const Expr* guard, const std::string& u, ExprPtr inbox,
                         LocalNames& names) {
  const bool is_shared = inbox->op != Op::Local;
  if (guard == nullptr || !can_be_asked(kernels, message) ||
      (is_shared && !pays_at_push(kernels, message)))
    return block;
  Bindings bound = kernels.bindings_between_steps(u);
  bound.vertices[kernels.phase().variable] = u;
  bound.replace = [&](const Expr& e) { return e.op == Op::Inbox ? inbox->clone() : nullptr; };
  ExprLowering lowering(kernels.context(), names, std::move(bound));

  // First what has nothing to do with the inbox: who fails there need not read it.
  ExprPtr apart, together;
  for (const Expr* part : passes::conjuncts(*guard)) {
    ExprPtr& side = mentions(*part, Op::Inbox) ? together : apart;
    side = ir::both(std::move(side), part->clone());
  }
  Block* at = &block;
  const auto ask = [&](const Expr& condition) {
    ExprPtr test = lowering.lower(condition, *at);
    plan::KernelStmt& branch = add(*at, when(std::move(test)));
    branch.location = guard->location;
    at = &branch.body;
  };
  if (apart) ask(*apart);
  if (!together) return *at;
  if (is_shared) {
    const std::string known = names.fresh(message);
    const ir::Type type = inbox->type;
    add(*at, let(known, std::move(inbox)));
    inbox = local(known, type);
  }
  ask(*together);
  return *at;
}

}  // namespace vertigo::compiler::toplan
