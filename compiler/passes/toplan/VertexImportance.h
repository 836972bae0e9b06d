#pragma once
// The importance of a vertex as an operator that the host can answer: a function of degrees and of
// values of vertex inputs, before there is a buffer.

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::toplan {

/// `importance(in_degree, out_degree, weight, weight_given) = …`: `expr` over `self` in closed
/// form. Each vertex input that it reads is two parameters, the value and whether the user gave
/// one; else the input has its default. Nothing where a default depends on a run; `problem` says
/// which.
std::optional<plan::Operator> importance_operator(const ir::Program& program, const ir::Expr& expr,
                                                  std::string& problem);

/// The vertex inputs among the parameters, in their order.
std::vector<std::string> inputs_of(const plan::Operator& importance);

plan::Operator copy_of(const plan::Operator& importance);

}  // namespace vertigo::compiler::toplan
