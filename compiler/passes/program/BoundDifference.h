#pragma once
// What a threshold lets two results of an accumulation differ by, as far as the program alone
// tells.

#include <string>

#include "compiler/ir/program/Program.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

/// The fact `difference` of a proved accumulation. Every inbox left is within the threshold t, so
/// two states differ by (I - A)^-1 (r' - r), |r| and |r'| <= t, A being the coefficients. Where
/// each sender shares out a part q < 1 of what it took, the columns of A add up to q, and the
/// differences of all vertices to at most 2 n t / (1 - q).
ir::Found<ir::Difference> bound_difference(const Surroundings& around, const SymbolicUpdate& update,
                                           const Proof& proof);

}  // namespace vertigo::compiler::passes
