#pragma once
// The phase that stands for a loop which relaxes: what it sends, how it begins, and the proof that
// it ends with the same states.

#include <functional>
#include <string>
#include <vector>

#include "compiler/passes/program/Relaxation.h"
#include "compiler/passes/program/RelaxationPlaces.h"

namespace vertigo::compiler::passes {

struct RelaxedPhase {
  ir::Phase phase;
  std::string message;
  /// What all vertices hold before the phase, which starts those who begin with better; null where
  /// they hold what they begin with.
  ir::ExprPtr worst;
  /// Sent by all vertices before the phase, where `worst` is null.
  std::vector<ir::StmtPtr> first_sends;
};

/// What a state holds where the loop begins.
using BeginningOf = std::function<KnownBeginning(const std::string& state)>;

/// "", or why there is no such phase. Where there is, its message is declared; the phase is not.
///
/// Say minimum. The rounds compute x(k + 1) = min(x(k), F(x(k))) until x no longer moves, where
/// F(x)(v) is the least f(x(u), e) over the edges e from neighbours u. Every f is proved to be
/// monotone. Then x falls to the greatest y below x(0) with y <= F(y): no round falls below such a
/// y, and where x no longer moves it is one. A phase that takes messages f(x(u), e) where they are
/// better ends with that y as well, in whatever order (docs/semantics.md, rule 5): it never falls
/// below y, and where it ends every f(x(u), e) has been sent and is no better than x(v). A vertex
/// that never takes one holds `worst`, and f(worst, e) is proved to be no better than that.
///
/// Where rounds look at those neighbours alone that moved in the round before, each round gives the
/// same: what the others have to offer they offered when they moved, or they hold `worst`.
std::string make_relaxed_phase(ir::Program& program, const RelaxationPlaces& places,
                               const RelaxationRound& round, const Relaxation& relaxation,
                               const KnownBeginning& beginning, const BeginningOf& of_flag,
                               RelaxedPhase& made);

}  // namespace vertigo::compiler::passes
