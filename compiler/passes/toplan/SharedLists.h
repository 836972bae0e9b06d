#pragma once
// Lists of vertices that are left, shared by the phases whose condition is the same: one of them
// makes the list anew in each round, the others only go through it.

#include <map>
#include <memory>
#include <string>

#include "compiler/ir/plan/Plan.h"
#include "compiler/passes/program/SettledState.h"

namespace vertigo::compiler::toplan {

struct SharedList {
  std::string owner;    ///< the phase that the list is named after
  bool renewed = true;  ///< the phase makes the list anew when it goes through it
  /// Who comes to nothing for good in the phase `settles` leaves the list, too: all others that go
  /// through it ask for something else. Null where there is no such phase.
  std::shared_ptr<const passes::SettledState> settled = nullptr;
  std::string settles = "";
};

/// Of each phase that keeps a list. A list may hold vertices for which the condition does not hold
/// any more, because every phase asks it again: that one phase of a loop's body renews it, the
/// first that runs, leaves the others half of the work. A phase that runs until nothing is active
/// renews the list whenever it starts.
std::map<std::string, SharedList> shared_lists(const plan::Plan& plan);

/// What a reduction over vertices asks of those that it is about; null where it is about all.
const ir::Expr* asked_of(const ir::Expr& expr);

}  // namespace vertigo::compiler::toplan
