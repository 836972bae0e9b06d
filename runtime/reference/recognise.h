#pragma once
// Which phases a certificate can check. Its own reading of Program IR, apart from the compiler's
// passes and more cautious: a phase that is not recognised is checked against the interpreter.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::reference {

/// A send whose expressions read nothing but the inbox and what never changes: `let`s and calls are
/// written out, the state that the inbox was assigned to is read as the inbox.
struct PlainSend {
  ir::EdgeDirection direction = ir::EdgeDirection::Out;
  std::string neighbour;
  ir::ExprPtr value;
  ir::ExprPtr condition;  ///< may be null
};

/// A start that puts one value into the inbox of each started vertex.
struct PlainStart {
  const ir::Start* source = nullptr;
  std::vector<ir::ExprPtr> values;
};

/// The common part: one inbox, one state, plain sends.
struct PlainPhase {
  const ir::Phase* source = nullptr;
  const ir::State* state = nullptr;
  const ir::Message* message = nullptr;
  std::vector<PlainStart> starts;
  std::vector<PlainSend> sends;
};

/// docs/semantics.md, rule 5 (a): min or max, the guard is strict improvement of the state that
/// takes the inbox, and what is sent never falls when the inbox rises.
struct ExtremumPhase : PlainPhase {
  bool is_min = true;
  /// Free factors of the inbox; monotone only where they are not negative (positive in divisors).
  std::vector<const ir::Expr*> factors;
};

/// Rule 5 (b): sum, the state accumulates the inbox, what is sent is a multiple of it.
struct LinearPhase : PlainPhase {
  ir::ExprPtr tolerance;
  bool absolute = false;   ///< the guard compares the inbox's magnitude
  bool inclusive = false;  ///< an inbox that is the tolerance passes the guard
  /// What else the guard asks, of what never changes: where one does not hold, nothing is taken.
  std::vector<ir::ExprPtr> conditions;
};

std::optional<ExtremumPhase> recognise_extremum(const ir::Program& program, const ir::Phase& phase);
std::optional<LinearPhase> recognise_linear(const ir::Program& program, const ir::Phase& phase);
/// The same for one run of the phase, which may read what other phases write.
std::optional<LinearPhase> recognise_linear_run(const ir::Program& program, const ir::Phase& phase);

/// States of vertices.
std::set<std::string> states_written(const std::vector<ir::StmtPtr>& statements);

/// A program of one phase that is run once, with `let`s before and reports after; null otherwise.
const ir::Phase* only_phase(const ir::Program& program);

}  // namespace vertigo::reference
