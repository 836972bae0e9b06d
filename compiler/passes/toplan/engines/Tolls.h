#pragma once
// Tolls: what a sent value owes to the ends of its edge, beside the value that is improved:
// `v.toll` of `m + w + v.toll`, `u.fee` of what is sent to u, `v.cap` of a widest path that sends
// `min(m, v.cap)`.

#include <functional>

#include "compiler/passes/program/ExprProperties.h"

namespace vertigo::compiler::toplan {

/// What of `sent` is left without its tolls: nothing that is sent with the same value and along the
/// same edge is better, whoever sends it to whom. A toll is left out where it makes the value worse
/// for sure: a number added that is never negative, of a maximum (`downwards`: a minimum is
/// improved) or minimum any other part. `is_toll` says what only an end of the edge knows. Null
/// where a toll stands anywhere else.
ir::ExprPtr without_tolls(const ir::Expr& sent, const passes::Surroundings& around, bool downwards,
                          const std::function<bool(const ir::Expr&)>& is_toll,
                          const std::function<bool(const ir::Expr&)>& is_value);

}  // namespace vertigo::compiler::toplan
