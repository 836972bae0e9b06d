#pragma once
// How many rounds a loop of the host level runs at most, apart from what it finds out.

#include <functional>
#include <string>

#include "compiler/ir/program/Program.h"
#include "compiler/passes/program/RelaxationRound.h"
#include "compiler/passes/program/RoundNumbers.h"

namespace vertigo::compiler::passes {

/// What a variable holds where a loop begins; null where that is not known.
using VariableAtBegin = std::function<ir::ExprPtr(const std::string& variable)>;

/// The variables of a round that count rounds.
RoundNumbers counters_of(const RelaxationRound& round, const VariableAtBegin& at_begin);

/// Takes `counter < k` out of the condition of a round and sets its limit.
void take_limit(RelaxationRound& round, const VariableAtBegin& at_begin);

/// Whether a limit is `vertices - 1` or more: the longest way that visits no vertex twice.
bool is_longest_way(const ir::Expr& limit);

}  // namespace vertigo::compiler::passes
