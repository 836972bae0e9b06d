#include "compiler/passes/program/SetsOfBits.h"

#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/Proofs.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;

namespace {

bool is_either(const Expr& expr, Op op, const auto& one, const auto& other) {
  if (expr.op != op) return false;
  const Expr &a = *expr.operands[0], &b = *expr.operands[1];
  return (one(a) && other(b)) || (one(b) && other(a));
}

bool is_complement(const Expr& e, const auto& of) {
  return e.op == Op::Complement && of(*e.operands[0]);
}

}  // namespace

SetsOfBits::SetsOfBits(const ir::Message& message, const ir::Phase& phase)
    : message_(message), vertex_(phase.variable), is_or_(message.combine == ir::Combine::Or) {}

bool SetsOfBits::is_own_inbox(const Expr& e) const { return is_inbox(e, message_.name); }

bool SetsOfBits::is_target(const Expr& e) const { return ir::is_state_of(e, vertex_, target_); }

bool SetsOfBits::is_fresh(const Expr& e) const {
  const auto new_bits = [&](const Expr& x) { return is_own_inbox(x) || is_whole(x); };
  const auto state = [&](const Expr& x) { return is_target(x); };
  if (is_either(e, Op::BitXor, [&](const Expr& x) { return is_whole(x); }, state)) return true;
  if (is_or_)
    return is_either(e, Op::BitAnd, new_bits,
                     [&](const Expr& x) { return is_complement(x, state); });
  return is_either(e, Op::BitAnd, state, [&](const Expr& x) { return is_complement(x, new_bits); });
}

bool SetsOfBits::is_whole(const Expr& e) const {
  const auto state = [&](const Expr& x) { return is_target(x); };
  const auto fresh = [&](const Expr& x) { return is_fresh(x); };
  if (is_or_)
    return is_either(e, Op::BitOr, state,
                     [&](const Expr& x) { return is_own_inbox(x) || is_fresh(x); });
  return is_either(e, Op::BitAnd, state,
                   [&](const Expr& x) { return is_own_inbox(x) || is_complement(x, fresh); });
}

bool SetsOfBits::asks_for_new_bits(const Expr& part) const {
  const auto fresh = [&](const Expr& x) { return is_fresh(x); };
  const auto zero = [](const Expr& x) { return is_zero(x); };
  return is_either(part, Op::NotEqual, fresh, zero) ||
         is_either(
             part, Op::NotEqual, [&](const Expr& x) { return is_whole(x); },
             [&](const Expr& x) { return is_target(x); });
}

const Expr* SetsOfBits::find_target(const Expr& guard) {
  const Expr* found = nullptr;
  for (const Expr* part : conjuncts(guard))
    ir::walk(*part, [&](const Expr& node) {
      if (found != nullptr || node.op != Op::State || node.vertex != vertex_) return;
      target_ = node.symbol;
      if (asks_for_new_bits(*part)) found = part;
    });
  if (found == nullptr) target_.clear();
  return found;
}

}  // namespace vertigo::compiler::passes
