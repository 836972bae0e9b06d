#pragma once
// Rounds that relax: `x_v := min(x_v, min over neighbours of f(x_u))`, repeated until no x moves.

#include <optional>
#include <string>
#include <vector>

#include "compiler/passes/program/RelaxationRound.h"

namespace vertigo::compiler::passes {

/// What neighbours offer: one reduction over them, and what is done with it.
struct Offer {
  const ir::Expr* value = nullptr;      ///< with `reduction` in it; vertices: `kOwn`
  const ir::Expr* reduction = nullptr;  ///< in `value`
  std::vector<ir::ExprPtr> conditions;  ///< of the vertex, beside it
};

struct Relaxation {
  std::string state;
  ir::Combine combine = ir::Combine::Min;
  const ir::Expr* after = nullptr;  ///< what a round makes of the state
  std::vector<ir::ExprPtr> kept;    ///< what the offers point into
  std::vector<Offer> offers;

  bool falls() const { return combine == ir::Combine::Min || combine == ir::Combine::And; }
};

/// The first state that the round relaxes.
std::optional<Relaxation> find_relaxation(const ir::Program& program, const RelaxationRound& round);

/// Whether the condition of one vertex says that a round moves its state, no more and no less.
bool asks_if_moved(const ir::Expr& condition, const Relaxation& relaxation);

/// The condition P where `expr` says that some vertex has P; null where it does not.
ir::ExprPtr asked_of_some(const ir::Expr& expr);

/// `expr` where the last round moved nothing: the state is what it was.
ir::ExprPtr at_rest(const ir::Expr& expr, const Relaxation& relaxation);

}  // namespace vertigo::compiler::passes
