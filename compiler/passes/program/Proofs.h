#pragma once
// The two proofs of order freedom (docs/semantics.md, rule 5), as lists of obligations.

#include <string>
#include <vector>

#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

struct Proof {
  std::vector<ir::Obligation> obligations;
  /// The states that the inbox goes to: one, or one per element of a tuple.
  std::vector<std::string> targets;
  ir::ExprPtr threshold;                  ///< accumulation: what the guard compares the inbox with
  std::vector<ir::ExprPtr> coefficients;  ///< accumulation: one per send
  bool exact_accumulation = false;        ///< accumulation: the target grows by the inbox itself
  bool nonnegative = false;  ///< accumulation: nothing below zero starts or is sent, on any graph

  bool held() const {
    for (const ir::Obligation& obligation : obligations)
      if (!obligation.held) return false;
    return !obligations.empty();
  }
};

/// Rule (a): min, max, or, and; the guard is strict improvement of the state that the inbox is
/// assigned to; every sent expression is monotone in the inbox. Then activations in any order come
/// to rest at the same greatest (least) solution: a later, better message overwrites, and what was
/// sent on the way is absorbed because the improved value sends at least as good a one.
Proof prove_improvement(const Surroundings& around, const SymbolicUpdate& update);

/// Rule (a) where the operator is or, and of integers: the guard asks for bits that change the
/// state, which gathers them; what is sent is made of all its bits, or of new bits one by one.
Proof prove_union(const Surroundings& around, const SymbolicUpdate& update);

/// Rule (b): sum; the state accumulates the inbox; every sent expression is linear in it, so that
/// it does not matter in how many parts a total arrives (Maiter's conditions).
Proof prove_accumulation(const Surroundings& around, const SymbolicUpdate& update);

/// The operands of a conjunction, however it is nested.
std::vector<const ir::Expr*> conjuncts(const ir::Expr& expr);
/// Whether each of `part`'s is one of `whole`'s.
bool includes(const ir::Expr& whole, const ir::Expr& part);

}  // namespace vertigo::compiler::passes
