#pragma once
// Whether a phase that improves values along edges may improve them round a cycle, for ever: a
// minimum of `inbox + weight` falls without end on a cycle of negative weight.

#include <functional>
#include <string>

#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

struct ImprovingCycles {
  /// None: nothing that is sent is better than what arrived, or it comes to rest soon.
  ir::Cycles risk = ir::Cycles::None;
  /// Such a cycle is noticed while the phase runs: what is sent is the inbox, moved by what does
  /// not depend on it.
  bool noticed = true;
  std::string sent;  ///< where there is a risk: the value that brings it

  /// The risk in words.
  std::string reason() const;
};

/// Of a phase that takes the minimum (`downwards`) or maximum of what is sent.
ImprovingCycles find_improving_cycles(const Surroundings& around, const SymbolicUpdate& update,
                                      bool downwards);

/// Whether `sent` is never better than what arrived, which is where `is_arrived` holds.
bool never_better(const ir::Expr& sent, const Surroundings& around, bool downwards,
                  const std::function<bool(const ir::Expr&)>& is_arrived);

}  // namespace vertigo::compiler::passes
