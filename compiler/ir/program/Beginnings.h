#pragma once
// What is known of states and inboxes where a phase begins, whenever it runs. Found for all phases
// by one walk through the host level, as passes ask it of every phase.

#include <map>
#include <memory>
#include <set>
#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::ir {

/// Of the program as it was when this was made.
class Beginnings {
 public:
  Beginnings() = default;
  explicit Beginnings(const Program& program);

  /// The literal that all vertices hold in a state that the phase writes; null where vertices may
  /// differ, or runs of the phase.
  const Expr* literal(const std::string& phase, const std::string& state) const;
  /// Whether nothing that was sent before is left in the inboxes of a message of the phase.
  bool empty(const std::string& phase, const std::string& message) const;

 private:
  friend class BeginningsWalk;
  /// Phase, state.
  std::map<std::string, std::map<std::string, std::shared_ptr<const Expr>>> literals_;
  /// Phase, messages that may hold something.
  std::map<std::string, std::set<std::string>> filled_;
};

}  // namespace vertigo::ir
